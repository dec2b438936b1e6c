import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../harness/process.ts'
import { PYTHON_CACHE, type Python, pythonAt, pythonWith } from '../harness/python.ts'
import { CA_FILE, startReceiver, testNames } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { startControl } from './control.ts'

const PACKAGE = join(import.meta.dirname, '../../packages/sdk-python')
/** Starts two dozen processes; on a free machine all of it takes half a minute. */
const timeout = 400_000

const found = await pythonWith(join(PACKAGE, 'tests/requirements.txt'))
const skip = typeof found === 'string' && `Python SDK not tested: ${found}`
const python = found as Python

let started: ReturnType<typeof start> | undefined
/** The service of all tests of this file. */
const world = () => (started ??= start())

async function start() {
  const receiver = await startReceiver()
  const service = await startTestService(
    { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
    { resolveName: testNames() },
  )
  return { receiver, service }
}

test('Python SDK: its tests pass against the service and a faulty network', { skip, timeout }, async t => {
  const { receiver, service } = await world()
  const control = await startControl(service, receiver)
  t.after(() => control.close())
  const { code, stdout, stderr } = await python.run(
    ['-m', 'pytest', '-q', '-rA', '--tb=short', '--color=no', '--show-capture=no', 'tests'],
    {
      cwd: PACKAGE,
      env: {
        HIRING_TEST_ORIGIN: service.origin,
        HIRING_TEST_CONTROL: control.origin,
        PYTHONPATH: join(PACKAGE, 'src'),
      },
    },
  )
  const outcomes = [...stdout.matchAll(/^(PASSED|FAILED|ERROR) tests\/(\w+)\.py::(.*?)(?: - .*)?$/gm)]
  for (const [, outcome, file, name] of outcomes) {
    await t.test(`${file}: ${name}`, () => assert.equal(outcome, 'PASSED'))
  }
  assert.equal(code, 0, stdout + stderr)
  assert.ok(outcomes.length > 0, stdout)
})

test('Python SDK: a wheel installs into an empty environment, has its types, and makes a call', {
  skip,
  timeout,
}, async () => {
  const folder = temporaryFolder()
  const build = ['-m', 'pip', 'wheel', '-q', '--no-deps', '--no-build-isolation', '-w', folder, PACKAGE]
  const built = await python.run(build)
  assert.equal(built.code, 0, built.stderr)
  const wheel = readdirSync(folder).find(name => name.endsWith('.whl'))!
  const { version } = JSON.parse(readFileSync(join(PACKAGE, '../../package.json'), 'utf8')) as { version: string }
  assert.equal(wheel, `hiring_partner_sdk-${version}-py3-none-any.whl`)

  const empty = join(folder, 'empty')
  assert.equal((await python.run(['-m', 'venv', '--without-pip', empty])).code, 0)
  const into = ['--python', join(empty, 'bin/python'), 'install', '-q', join(folder, wheel)]
  const installed = await python.run(['-m', 'pip', ...into])
  assert.equal(installed.code, 0, installed.stderr)
  const { service } = await world()
  const { secret } = await service.key({ workspace: (await service.workspace()).id })
  const script = `
import importlib.resources, os
from hiring_partner import HiringClient, __version__
assert importlib.resources.files("hiring_partner").joinpath("py.typed").is_file()
with HiringClient(base_url=os.environ["ORIGIN"], api_key=os.environ["KEY"]) as client:
    print(__version__, client.meta.get_me().object)`
  const called = await pythonAt(empty).run(['-c', script], { env: { ORIGIN: service.origin, KEY: secret } })
  assert.deepEqual([called.stdout.trim(), called.stderr], [`${version} credential`, ''])
})

test('Python SDK: mypy --strict accepts the package and its tests', { skip, timeout }, async () => {
  const check = ['-m', 'mypy', '--strict', '--cache-dir', join(PYTHON_CACHE, 'mypy'), 'src', 'tests']
  const { code, stdout } = await python.run(check, { cwd: PACKAGE })
  assert.equal(code, 0, stdout)
})
