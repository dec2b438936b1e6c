import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { demoSecret, loadDemo, openReceiver } from '../../demo/index.ts'
import { GUIDE_GROUPS, GUIDES } from '../../src/docs/guides.ts'
import { pythonWith } from '../harness/python.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { type Example, examplesIn, findDifferences, parseSamples, readShown, readText } from './guide-examples.ts'

const ROOT = join(import.meta.dirname, '../..')
const TS_SDK = join(ROOT, 'packages/sdk/src/index.ts')
const MODULES: Readonly<Record<string, string>> = {
  'hiring-partner-sdk': TS_SDK,
  'hiring-partner-sdk/checkpoints': join(ROOT, 'packages/sdk/src/checkpoints.ts'),
}
const PYTHON_SDK = join(ROOT, 'packages/sdk-python/src')

/** some thirty calls, one after the other, and résumés that are parsed */
const TIMEOUT_MS = 400_000

const folder = mkdtempSync(join(tmpdir(), 'hiring-guide-samples-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const python = await pythonWith(join(ROOT, 'packages/sdk-python/tests/requirements.txt'))

const textOf = (guide: string) => readText(`docs/guides/${guide}.md`)

/** A demo of its own for each language: what one has hired the other could not reject. */
async function startDemo(): Promise<TestService> {
  // a laptop without a network: no name can be looked up, and only the receiver of the demo is reached
  const service = await startTestService(
    {},
    {
      resolveName: async () => [],
      beforeListening: async services => {
        const receiver = await openReceiver(services)
        after(() => receiver.close())
      },
    },
  )
  await loadDemo(service.services)
  return service
}

/** What each block prints is kept as values, so that it can be compared with the response that the guide shows. */
const CAPTURE_TS = join(folder, 'capture.mjs')
writeFileSync(
  CAPTURE_TS,
  `import { writeSync } from 'node:fs'
const printed = []
globalThis.nextBlock = () => printed.push([])
console.log = (...values) => printed.at(-1).push(...values)
process.on('exit', () => writeSync(1, JSON.stringify(printed)))`,
)

/** The blocks are one program, as for a reader who pastes one below the other. */
function programOf(language: 'ts' | 'python', name: string, examples: readonly Example[]): string[] {
  if (language === 'ts') {
    const file = join(folder, `${name}.mts`)
    const code = examples.map(example => `nextBlock()\n${example.code}`).join('\n')
    writeFileSync(
      file,
      code.replace(/'(hiring-partner-sdk(?:\/checkpoints)?)'/g, (_, name) => `'${MODULES[name]}'`),
    )
    return [process.execPath, '--import', CAPTURE_TS, file]
  }
  const file = join(folder, `${name}.py`)
  writeFileSync(
    file,
    `import json, sys
printed = []
shared = {"print": lambda *values: printed[-1].extend(values)}
try:
    for text in json.loads(${JSON.stringify(JSON.stringify(examples.map(({ code }) => code)))}):
        printed.append([])
        exec(compile(text, f"block {len(printed)}", "exec"), shared)
finally:
    sys.stdout.write(json.dumps(printed))`,
  )
  return [typeof python === 'string' ? 'python3' : python.program, file]
}

interface Reached {
  base: string
  key: string
}

async function run({ base, key }: Reached, [command, ...args]: string[], signal?: AbortSignal): Promise<unknown[][]> {
  const child = spawn(command!, args, {
    ...(signal ? { signal } : {}),
    // files that samples write, apart from those of the other language
    cwd: mkdtempSync(join(folder, 'run-')),
    env: {
      PATH: process.env['PATH'],
      BASE_URL: base,
      API_KEY: key,
      PYTHONPATH: PYTHON_SDK,
      // compiled files would appear in the repository otherwise
      PYTHONPYCACHEPREFIX: join(folder, 'pycache'),
    },
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  child.on('error', () => {}) // it was ended
  const code = await new Promise(resolve => child.on('close', resolve))
  assert.equal(code, 0, `${errors}\n${output}`)
  return JSON.parse(output) as unknown[][]
}

/** Samples print the rows of a list, and the guide shows the whole list. */
function compareShown(text: string, value: unknown, where: string): void {
  const shown = readShown(text)
  const isList = Array.isArray(value)
  assert.deepEqual(findDifferences(isList ? (shown as { data: unknown }).data : shown, value, where), [])
}

for (const language of ['ts', 'python'] as const) {
  const title = language === 'ts' ? 'TypeScript' : 'Python'
  test(`guides: every ${title} sample runs as pasted, one after the other, and prints what is shown`, {
    skip: language === 'python' && typeof python === 'string' && python,
    timeout: TIMEOUT_MS,
  }, async () => {
    const service = await startDemo()
    const reached = { base: service.base, key: demoSecret(service.services.keyring) }
    let samples = 0
    for (const guide of GUIDES) {
      const examples = examplesIn([language], textOf(guide))
      if (examples.length === 0) continue
      samples += examples.length
      const printed = await run(reached, programOf(language, guide, examples))
      for (const [i, { code, expected }] of examples.entries()) {
        const where = `${guide}, sample ${i + 1}`
        assert.notDeepEqual(printed[i], [], `${where} prints something: ${code}`)
        if (expected?.language === 'json') compareShown(expected.text, printed[i]!.at(-1), where)
        assert.ok(!printed[i]!.includes(false), `${where} prints what is true: ${code}`)
      }
    }
    assert.ok(samples > 30, `${samples} samples`)
  })
}

test('guides: the TypeScript samples compile with strict checks', { timeout: TIMEOUT_MS }, () => {
  const project = join(folder, 'compile')
  mkdirSync(project)
  const guides = GUIDES.filter(guide => {
    const code = examplesIn(['ts'], textOf(guide)).map(example => example.code)
    if (code.length > 0) writeFileSync(join(project, `${guide}.mts`), code.join('\n'))
    return code.length > 0
  })
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    paths: Object.fromEntries(Object.entries(MODULES).map(([name, file]) => [name, [file]])),
  }
  const files = guides.map(guide => `${guide}.mts`)
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})

/** The SDKs have sent the file in the call before. */
const CURL_ALONE = /-X PUT "\$URL"/

/** One shows `sync` of the SDKs, one pages, and one the requests of a library for OAuth. */
const WITHOUT_CALLS = ['sync-from-zero', 'careers-site', 'apps-for-many-customers']

test('guides: every call of a use case is shown in curl, TypeScript and Python', () => {
  for (const guide of GUIDE_GROUPS['Use cases']) {
    const calls = parseSamples(textOf(guide)).filter(
      ({ languages, first }) => languages[0] === 'sh' && /\bcurl\b/.test(first) && !CURL_ALONE.test(first),
    )
    if (!WITHOUT_CALLS.includes(guide)) assert.notEqual(calls.length, 0, guide)
    for (const { languages, first } of calls) assert.deepEqual(languages, ['sh', 'ts', 'python'], `${guide}: ${first}`)
  }
})

/** More calls than two samples make that wait. */
const MAX_CALLS = 200
/** What the samples have from those before them. They wait no second. */
const BEFORE_WAITING = {
  ts: `import { HiringClient } from 'hiring-partner-sdk'
const wait = setTimeout
globalThis.setTimeout = ((then, ms, ...rest) => wait(then, ms === 1000 ? 0 : ms, ...rest)) as typeof setTimeout
const client = new HiringClient({ baseUrl: process.env.BASE_URL!, apiKey: process.env.API_KEY! })
const applied = { id: 'app_1m5q4r300tmax0ft8j00' }
`,
  python: `import os, time, types
from hiring_partner import HiringClient
time.sleep = lambda seconds: None
client = HiringClient(base_url=os.environ["BASE_URL"], api_key=os.environ["API_KEY"])
applied = types.SimpleNamespace(id="app_1m5q4r300tmax0ft8j00")
`,
}

for (const language of ['ts', 'python'] as const) {
  const title = language === 'ts' ? 'TypeScript' : 'Python'
  test(`guides: ${title} samples that wait end although nothing comes, as for an application without a résumé`, {
    skip: language === 'python' && typeof python === 'string' && python,
    timeout: TIMEOUT_MS,
  }, async () => {
    const waiting = GUIDES.flatMap(guide => examplesIn([language], textOf(guide))).filter(({ code }) =>
      /\b(while|for)\b[\s\S]*(second\(\)|sleep\()/.test(code),
    )
    assert.equal(waiting.length, 2)
    const endless = new AbortController()
    let calls = 0
    const server = createServer(({ url }, response) => {
      if (++calls > MAX_CALLS) endless.abort()
      const isScore = url!.endsWith('/score')
      response.writeHead(isScore ? 404 : 200, { 'Content-Type': 'application/json' })
      const missing = { detail: { code: 'not_found', type: 'not_found', message: 'no' } }
      response.end(JSON.stringify(isScore ? missing : { object: 'application', parse_status: null }))
    }).listen(0, '127.0.0.1')
    after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const before = { language, code: BEFORE_WAITING[language] }
    const program = programOf(language, 'waiting', [before, ...waiting])
    await run({ base: `http://127.0.0.1:${port}/api/partner/v1`, key: 'key' }, program, endless.signal)
    assert.ok(calls > 100, `${calls} calls`)
  })
}
