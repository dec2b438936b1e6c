import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type DemoReceiver, demoSecret, demoWorkspace, loadDemo, openReceiver } from '../../demo/index.ts'
import { routes } from '../../src/app.ts'
import { describeStart } from '../../src/cli/start.ts'
import { banner } from '../../src/cli/start-summary.ts'
import { demoHandles } from '../../src/docs/demo-handles.ts'
import { buildCurl } from '../../src/docs/reference.ts'
import { routeName } from '../../src/docs/samples.ts'
import type { FindDemo } from '../../src/kernel/services/services.ts'
import { until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  compareText,
  type Example,
  examplesIn,
  findDifferences,
  isForVendors,
  parseExamples,
  readShown,
  readText,
} from './guide-examples.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'hiring-examples-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let service: TestService
let receiver: DemoReceiver

before(async () => {
  // a laptop without a network: no name can be looked up, and only the receiver of the demo is reached
  service = await startTestService(
    {},
    {
      resolveName: async () => [],
      beforeListening: async services => {
        receiver = await openReceiver(services)
      },
    },
  )
  await loadDemo(service.services)
})
after(() => receiver.close())

/** What a reader runs: in the shell, or as a module of Node. */
const PROGRAMS = { sh: ['bash', '.sh'], js: [process.execPath, '.mjs'] } as const
type Language = keyof typeof PROGRAMS
const LANGUAGES = ['sh', 'js'] as const satisfies Language[]

/**
 * `npx hiring` as it ends up, without the second that npx takes to find it; the line with --help goes through npx itself.
 */
const npx = join(folder, 'bin/npx')
mkdirSync(join(folder, 'bin'))
writeFileSync(
  npx,
  `#!/bin/sh
case "$*" in *--help) PATH=$REAL_PATH exec npx "$@" ;; esac
shift
exec ${process.execPath} ${join(ROOT, 'bin/hiring.js')} "$@"
`,
  { mode: 0o755 },
)

const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`

/** Runs the blocks one after the other in one shell, as a reader who pastes them; those of Node as files. */
async function run(examples: readonly Example<Language>[], name: string): Promise<{ code: number; output: string }[]> {
  const at = (i: number, kind: string) => join(folder, `${name}-${i}.${kind}`)
  const script = examples.map(({ language, code }, i) => {
    const [program, ending] = PROGRAMS[language]
    if (language !== 'sh') writeFileSync(at(i, `run${ending}`), code)
    const commands = language === 'sh' ? code : `${program} ${at(i, `run${ending}`)}`
    return `{\n${commands}\n} >${at(i, 'out')} 2>${at(i, 'err')}\necho $? >${at(i, 'rc')}`
  })
  const file = join(folder, `${name}.sh`)
  writeFileSync(file, script.join('\n'))
  const { DATA_DIR } = service.services.config
  const shell = spawn('bash', [file], {
    cwd: ROOT,
    env: {
      PATH: `${join(folder, 'bin')}:${PATH}`,
      REAL_PATH: PATH,
      HOME: folder,
      BASE_URL: service.base,
      API_KEY: demoSecret(service.services.keyring),
      DATA_DIR,
      DATABASE_URL: service.database.url,
    },
    stdio: 'ignore',
  })
  await new Promise(resolve => shell.on('close', resolve))
  const text = (i: number, kind: string) => readFileSync(at(i, kind), 'utf8')
  return examples.map((_, i) => ({ code: Number(text(i, 'rc')), output: text(i, 'out') + text(i, 'err') }))
}

function check(example: Example<Language>, { code, output }: { code: number; output: string }): void {
  assert.equal(code, 0, `${example.code}\n${output}`)
  const { expected } = example
  if (!expected) {
    assert.doesNotMatch(output, /^\{"detail":/m, `${example.code}\n${output}`)
    return
  }
  if (expected.language === 'json') {
    let response: unknown
    try {
      response = JSON.parse(output)
    } catch {
      assert.fail(`not JSON: ${example.code}\n${output}`)
    }
    assert.deepEqual(findDifferences(readShown(expected.text), response, 'response'), [], example.code)
    return
  }
  compareText(expected.text, output, example.code)
}

const texts = [
  // first, as for a reader: its numbers are those of a new demo
  { name: 'README.md', path: 'README.md' },
  ...readdirSync(join(ROOT, 'docs/guides')).map(file => ({ name: file, path: `docs/guides/${file}` })),
  { name: 'operating.md', path: 'docs/operating.md' },
]

/** Installing and starting is what the whole run has done already. */
const IS_INSTALLATION = /^npm (ci|test|start)/

for (const { name, path } of texts) {
  test(`docs examples: ${name}: every example works as written and returns what is shown`, async () => {
    const examples = examplesIn(LANGUAGES, readText(path)).filter(({ code }) => !IS_INSTALLATION.test(code))
    const results = await run(examples, name)
    for (const [i, example] of examples.entries()) check(example, results[i]!)
  })
}

test('README.md: shows what the first start prints', async () => {
  const port = Number(new URL(service.origin).port)
  const facts = await describeStart({ services: service.services, port, metricsPort: undefined }, true, null)
  const shown = /^```\n(Hiring Partner API[\s\S]*?)^```$/m.exec(readText('README.md'))![1]!
  // the credentials, the address and the time of this installation
  const own = shown
    .replace('ready in … s', 'ready in 7.1 s')
    .replaceAll('http://127.0.0.1:8080', service.origin)
    .replace(/(?<=Password {3})\w{5}(-\w{5}){3}$/m, facts.sign_in!.password)
    .replaceAll(/svc_test_\w{47}$|svc_test_\w{4}…/gm, facts.key!)
  assert.equal(banner(facts, 7_100).trimEnd(), own.trimEnd())
})

test('webhooks.md: the ping of the endpoint that the reader registered is delivered, without a network', async () => {
  const key = demoSecret(service.services.keyring)
  const deliveries = async () =>
    (await service.get('/webhooks/deliveries?event_type=ping&limit=1', { secret: key })).body.data
  await until('the ping is delivered', async () => (await deliveries())[0]?.status === 'delivered')
})

test('first-call.md: reads a candidate and ends with the event of the list that the reader created', async () => {
  const text = readText('docs/guides/first-call.md')
  const examples = examplesIn(LANGUAGES, text).filter(({ code }) => !IS_INSTALLATION.test(code))
  const results = await run(examples, 'first-call-promises')
  const outputs = results.flatMap(({ output }) => (output.startsWith('{') ? [JSON.parse(output)] : []))
  const applicant = outputs.find(output => output.object === 'applicant')
  assert.match(applicant.id, /^apl_/)
  const [application] = outputs.find(output => output.data?.[0]?.object === 'application').data
  assert.equal(application.applicant_id, applicant.id)
  const created = outputs.find(output => output.name === 'My first list')
  const shown = outputs
    .at(-1)
    .data.map((event: { type: string; data: { object: { id: string } } }) => [event.type, event.data.object.id])
  assert.deepEqual(shown, [['list.created', created.id]])
})

/** A loop that calls the API. */
const LOOP = /\b(?:while|until|for)\b[\s\S]*\bcurl\b[\s\S]*\bdone\b/
/** More calls than any sample makes that waits for something. */
const MAX_CALLS = 70

test('docs examples: a loop in the shell ends when every call is refused, as after a failed step', async () => {
  let calls = 0
  const server = createServer((_, response) => {
    calls++
    response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '1' })
    response.end('{"detail":{"code":"rate_limit_exceeded","message":"no"}}')
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const loops = texts.flatMap(({ name, path }) =>
    examplesIn(['sh'], readText(path)).flatMap(({ code }) => (LOOP.test(code) ? [{ name, code }] : [])),
  )
  assert.ok(loops.length >= 3, `${loops.length} loops`)
  for (const { name, code } of loops) {
    calls = 0
    // no one waits here
    const shell = spawn('bash', ['-c', `sleep() { :; }\n${code}`], {
      env: { PATH, BASE_URL: `http://127.0.0.1:${port}`, API_KEY: 'key', HOME: folder },
      stdio: 'ignore',
    })
    const endless = setInterval(() => calls > MAX_CALLS && shell.kill('SIGKILL'), 50)
    const [, signal] = await once(shell, 'close')
    clearInterval(endless)
    assert.equal(signal, null, `${name}: more than ${MAX_CALLS} calls: ${code}`)
  }
})

/** Runs the code of the errors guide against a server that responds to each call with the next of these. */
async function runRetrySample(responses: { status: number; code?: string; retryAfter?: number }[]) {
  const { code } = examplesIn(['js'], readText('docs/guides/errors.md'))[0]!
  const file = join(folder, 'retry-sample.mjs')
  writeFileSync(file, code)
  let calls = 0
  const server = createServer((_, response) => {
    const { status, code, retryAfter } = responses[Math.min(calls++, responses.length - 1)]!
    const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(status === 200 ? { data: [{ object: 'job' }] } : { detail: { code, message: 'no' } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const child = spawn(process.execPath, [file], { env: { BASE_URL: `http://127.0.0.1:${port}`, API_KEY: 'key' } })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const [exitCode] = await once(child, 'close')
  server.close()
  return { exitCode, calls, errors }
}

test('errors.md: the sample retries a short wait, and never sleeps through a daily budget or a monthly quota', async () => {
  const soon = await runRetrySample([{ status: 429, code: 'rate_limit_exceeded', retryAfter: 0 }, { status: 200 }])
  assert.deepEqual([soon.exitCode, soon.calls], [0, 2])
  for (const refusal of [
    { status: 429, code: 'personal_data_quota_exceeded', retryAfter: 30_038 },
    { status: 429, code: 'personal_data_quota_exceeded', retryAfter: 5 },
    { status: 429, code: 'message_quota_exceeded', retryAfter: 5 },
    { status: 429, code: 'rate_limit_exceeded', retryAfter: 1_200_000 },
    { status: 429, code: 'delivery_failed', retryAfter: 1 },
  ]) {
    const { exitCode, calls, errors } = await runRetrySample([refusal, { status: 200 }])
    assert.deepEqual([exitCode, calls], [1, 1], refusal.code)
    assert.match(errors, new RegExp(refusal.code))
  }
})

/**
 * The demo has no export and no installation, its people have reserved addresses, which are never mailed, the guide has
 * registered the same endpoint before, and orders are carried out with the keys of their vendors.
 */
const NOT_IN_DEMO =
  /^(GET \/exports\/\{|POST \/messages$|POST \/webhooks\/endpoints$|(GET|POST) \/(test\/|installations))/
const UNDERSTOOD =
  /"code":"(not_found|insufficient_scope|recipient_unsubscribed|webhook_endpoint_exists|test_workspace_required)"/

const findDemo: FindDemo = ({ db, keyring }) => demoWorkspace(db, keyring)

test('reference: every call works on the demo as it is copied', async () => {
  const handles = await demoHandles(service.services, findDemo)
  assert.ok(handles)
  assert.deepEqual(
    Object.entries(handles).filter(([, value]) => value === null),
    [],
  )
  const at = (name: string) => join(folder, `reference-${name.replaceAll(/\W+/g, '-')}`)
  const examples = routes.map(route => {
    const code = buildCurl(route, handles).replace(/^curl -s/, `curl -s -o ${at(routeName(route))} -w '%{http_code}'`)
    return { language: 'sh' as const, code }
  })
  const results = await run(examples, 'reference')
  const refused = routes.flatMap((route, i) => {
    const status = Number(results[i]!.output)
    if (status < 400) return []
    const body = readFileSync(at(routeName(route)), 'utf8')
    const excused = (NOT_IN_DEMO.test(routeName(route)) || isForVendors(route)) && UNDERSTOOD.test(body)
    return excused ? [] : [`${routeName(route)}: ${results[i]!.output} ${body}`]
  })
  assert.deepEqual(refused, [])
})

test('reference: the page shows that call, and its form is filled with the same handles', async () => {
  const handles = (await demoHandles(service.services, findDemo))!
  const page = await service.call('GET', `${service.origin}/docs/reference/jobs`)
  assert.match(page.text, new RegExp(`jobs/${handles['job_handle']}/sections`))
  assert.match(page.text, new RegExp(`name="job_handle"[^>]* value="${handles['job_handle']}"`))
})

test('docs examples: the check of the examples finds what is wrong', () => {
  const shown = {
    language: 'json',
    text: '{ "object": "list", "data": [{ "id": "x", … }], "n": 1, "none": null }',
  } as const
  const example = { language: 'sh', code: 'x', expected: shown } as const
  check(example, { code: 0, output: '{"object":"list","data":[{"id":"x","more":1}],"n":1,"none":null}' })
  for (const output of [
    '{"object":"job","data":[{"id":"x"}],"n":1,"none":null}',
    '{"object":"list","data":[],"n":1,"none":null}',
    '{"object":"list","data":[{"ID":"x"}],"n":1,"none":null}',
    '{"object":"list","data":[{"id":"y"}],"n":1,"none":null}',
    '{"object":"list","data":[{"id":"x"},{"id":"x"}],"n":1,"none":null}',
    '{"object":"list","data":[{"id":"x"}],"n":2,"none":null}',
    '{"object":"list","data":[{"id":"x"}],"n":1,"none":0}',
    '{"object":"list","data":[{"id":"x"}],"n":1,"none":null,"more":1}',
    '{"object":"list","data":[{"id":"x"}],"n":1}',
    'x',
  ]) {
    assert.throws(() => check(example, { code: 0, output }), output)
  }
  const text = { language: 'text', text: 'Cost: 2\nLeft: 4998\nid req_…\n' } as const
  const printing = { language: 'sh', code: 'x', expected: text } as const
  check(printing, { code: 0, output: 'Cost: 2\nLeft: 3001\nid req_1m7\n' })
  for (const output of [
    'Cost: 1\nLeft: 4998\nid req_1',
    'Cost: 2\nLeft: 4998\nid req_1\nCost: 2',
    'Cost: 2\nid req_1',
  ]) {
    assert.throws(() => check(printing, { code: 0, output }), output)
  }
  const refusal = { language: 'json', text: '{ "detail": { "message": "x: is unknown. It takes …" } }' } as const
  const refused = { language: 'sh', code: 'x', expected: refusal } as const
  check(refused, { code: 0, output: '{"detail":{"message":"x: is unknown. It takes a"}}' })
  assert.throws(() => check(refused, { code: 0, output: '{"detail":{"message":"x: is unknown"}}' }))
  const varying = {
    id: 'job_1m631av9q4h3bp13mfyj',
    at: '2026-11-01T05:15:13.591Z',
    sequence: 3,
    next_cursor: 'cur_a…',
    doc_url: 'https://hiring.example/docs',
  }
  const vary = { language: 'sh', code: 'x', expected: { language: 'json', text: JSON.stringify(varying) } } as const
  const others = {
    id: 'job_1m4ydqk0003ncbr308e4',
    at: '2026-10-29T00:00:00.000Z',
    sequence: 41,
    next_cursor: 'cur_bc-d_e',
    doc_url: 'http://127.0.0.1:8080/docs',
  }
  check(vary, { code: 0, output: JSON.stringify(others) })
  for (const wrong of [
    { id: 'app_1m4ydqk0003ncbr308e4' },
    { at: null },
    { at: '2026-10-29' },
    { sequence: '41' },
    { next_cursor: null },
    { doc_url: 'http://127.0.0.1:8080/doc' },
  ]) {
    const output = JSON.stringify({ ...others, ...wrong })
    assert.throws(() => check(vary, { code: 0, output }), output)
  }
  const plain = { language: 'sh', code: 'x' } as const
  assert.throws(() => check(plain, { code: 1, output: '' }))
  assert.throws(() => check(plain, { code: 0, output: '{"detail":{"code":"not_found"}}' }))
  assert.throws(() => parseExamples('```bash\nx\n```'))
})
