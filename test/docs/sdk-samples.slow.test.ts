import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { demoSecret, demoWorkspace, loadDemo } from '../../demo/index.ts'
import { routes } from '../../src/app.ts'
import { clientCode, fillSample, type SampleLanguage, sampleCode } from '../../src/docs/assets/samples.js'
import { demoHandles, type Handles } from '../../src/docs/demo-handles.ts'
import { buildSampleCall } from '../../src/docs/reference.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { isForVendors } from './guide-examples.ts'

const ROOT = join(import.meta.dirname, '../..')
const TS_SDK = join(ROOT, 'packages/sdk/src/index.ts')
const PYTHON_SDK = join(ROOT, 'packages/sdk-python/src')

/** a hundred calls, each with a client of its own */
const TIMEOUT_MS = 400_000

const folder = mkdtempSync(join(tmpdir(), 'hiring-sdk-samples-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const hasTypescript = existsSync(TS_SDK)

const PYTHON_HARNESS = join(ROOT, 'test/harness/python.ts')
const REQUIREMENTS = join(ROOT, 'packages/sdk-python/tests/requirements.txt')

/** The interpreter that has the packages of the Python SDK, where there is one. */
async function pythonProgram(): Promise<string | undefined> {
  if (!existsSync(PYTHON_HARNESS) || !existsSync(REQUIREMENTS)) return undefined
  const { pythonWith } = await import(PYTHON_HARNESS)
  const found = await pythonWith(REQUIREMENTS)
  return typeof found === 'string' ? undefined : found.program
}

const python = await pythonProgram()
const pythonEnv = {
  ...process.env,
  PYTHONPATH: PYTHON_SDK,
  // compiled files would appear in the repository otherwise
  PYTHONPYCACHEPREFIX: join(folder, 'pycache'),
}

interface Demo {
  service: TestService
  handles: Handles
}

/** A demo of its own for each language: what one has rejected the other could not hire. */
async function startDemo(): Promise<Demo> {
  // Receivers of the samples have made-up names; no server listens on this address.
  const service = await startTestService({}, { resolveName: async () => ['203.0.114.10'] })
  await loadDemo(service.services)
  return { service, handles: (await demoHandles(service.services, ({ db, keyring }) => demoWorkspace(db, keyring)))! }
}

interface Outcome {
  /** the last expression did not fail */
  ok: boolean
  /** what was printed, or the code of the error */
  output: string
}

/** Runs each text in one process of the language, so that the imports are paid once. */
async function runAll({ service }: Demo, language: 'ts' | 'python', texts: readonly string[]): Promise<Outcome[]> {
  const program = join(folder, `all-${texts.length}.${language === 'ts' ? 'mts' : 'py'}`)
  if (language === 'ts') {
    const files = texts.map((text, i) => {
      const file = join(folder, `sample-${texts.length}-${i}.mts`)
      writeFileSync(file, text.replace("'hiring-partner-sdk'", JSON.stringify(TS_SDK)))
      return file
    })
    writeFileSync(
      program,
      `const outcomes = []
const log = console.log
for (const file of ${JSON.stringify(files)}) {
  const lines: unknown[] = []
  console.log = (...values: unknown[]) => lines.push(...values)
  try {
    await import(file)
    outcomes.push({ ok: true, output: lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\\n') })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    outcomes.push({ ok: false, output: code ?? message })
  }
}
log(JSON.stringify(outcomes))`,
    )
  } else {
    writeFileSync(
      program,
      `import contextlib, io, json
outcomes = []
for text in json.loads(${JSON.stringify(JSON.stringify(texts))}):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(text, "sample", "exec"), {})
        outcomes.append({"ok": True, "output": printed.getvalue().strip()})
    except Exception as error:
        outcomes.append({"ok": False, "output": getattr(error, "code", None) or repr(error)})
print(json.dumps(outcomes))`,
    )
  }
  const [command, env] = language === 'ts' ? [process.execPath, process.env] : [python!, pythonEnv]
  const child = spawn(command, [program], {
    env: { ...env, BASE_URL: service.base, API_KEY: demoSecret(service.services.keyring) },
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  await new Promise(resolve => child.on('close', resolve))
  try {
    return JSON.parse(output) as Outcome[]
  } catch {
    assert.fail(`${errors}\n${output}`)
  }
}

/** What the demo has no record of, as in the test of the curl samples, and the refusals that follow from it. */
const NOT_IN_DEMO =
  /^(GET|POST) \/(webhooks\/(endpoints|deliveries)|exports\/\{|requests\/\{|messages$|test\/|installations)/
const UNDERSTOOD = [
  'not_found',
  'insufficient_scope',
  'recipient_unsubscribed',
  'webhook_endpoint_exists',
  'test_workspace_required',
]

async function refused(language: 'ts' | 'python', shown: readonly Route[]): Promise<string[]> {
  const demo = await startDemo()
  const outcomes = await runAll(
    demo,
    language,
    shown.map(route => sampleCode(language, buildSampleCall(route, demo.handles))),
  )
  return shown.flatMap((route, i) => {
    const name = `${route.method} ${route.path}`
    const { ok, output } = outcomes[i]!
    const excused = (NOT_IN_DEMO.test(name) || isForVendors(route)) && UNDERSTOOD.includes(output)
    return ok ? (output === '' ? [`${name} printed nothing`] : []) : excused ? [] : [`${name}: ${output}`]
  })
}

test('reference: every TypeScript sample runs on the demo as it is copied', {
  skip: !hasTypescript,
  timeout: TIMEOUT_MS,
}, async () => {
  assert.deepEqual(await refused('ts', routes), [])
})

test('reference: every Python sample runs on the demo as it is copied', {
  skip: !python,
  timeout: TIMEOUT_MS,
}, async () => {
  assert.deepEqual(await refused('python', routes), [])
})

const PRINTED = ['job', 'true', 'list', 'not_found']

for (const [language, file, skip] of [
  ['ts', 'quickstart.ts', !hasTypescript],
  ['python', 'quickstart.py', !python],
] as const) {
  test(`client-libraries.md: ${file} prints what it says`, { skip }, async () => {
    const text = readFileSync(join(ROOT, 'docs/examples/sdk', file), 'utf8')
    const [outcome] = await runAll(await startDemo(), language, [text])
    assert.deepEqual(outcome!.output.toLowerCase().split('\n'), PRINTED)
  })
}

test('reference: samples of a reader have the key and the base URL instead of variables', () => {
  const reader = { apiKey: "svc_test_it's", baseUrl: 'https://hiring.example/api/partner/v1' }
  for (const route of routes) {
    for (const language of ['sh', 'ts', 'python'] satisfies SampleLanguage[]) {
      const code = sampleCode(language, buildSampleCall(route), reader)
      assert.doesNotMatch(code, /\$BASE_URL|\$API_KEY|process\.env|os\.environ/, route.operationId)
      assert.ok(code.includes(reader.baseUrl), route.operationId)
    }
  }
  const [job] = routes.filter(({ operationId }) => operationId === 'getJob')
  assert.match(sampleCode('sh', buildSampleCall(job!), reader), /'Authorization: Bearer svc_test_it'\\''s'/)
  assert.match(sampleCode('ts', buildSampleCall(job!), reader), /apiKey: 'svc_test_it\\'s'/)
  assert.match(sampleCode('python', buildSampleCall(job!), reader), /api_key="svc_test_it's"/)
})

test('guides: samples of a reader have the key and the base URL; a key that is not one changes nothing', () => {
  const reader = { apiKey: 'svc_test_mine', baseUrl: 'https://hiring.example/api/partner/v1' }
  const sh = 'curl -s "$BASE_URL/jobs/$JOB" -H "Authorization: Bearer $API_KEY"'
  assert.equal(
    fillSample('sh', sh, reader),
    'curl -s "https://hiring.example/api/partner/v1/jobs/$JOB" -H "Authorization: Bearer svc_test_mine"',
  )
  const ts = clientCode('ts')
  assert.equal(fillSample('ts', ts, reader), clientCode('ts', reader))
  const python = `import os\n\n${clientCode('python')}`
  assert.equal(fillSample('python', python, reader), clientCode('python', reader))
  for (const apiKey of ['', '"; rm -rf x; "', '$(id)', "'", 'a\\b']) {
    assert.deepEqual(
      [sh, ts, python],
      [
        fillSample('sh', sh, { ...reader, apiKey }),
        fillSample('ts', ts, { ...reader, apiKey }),
        fillSample('python', python, { ...reader, apiKey }),
      ],
    )
  }
})
