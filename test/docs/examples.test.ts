import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { demoSecret, demoWorkspace, loadDemo } from '../../demo/index.ts'
import { routes } from '../../src/app.ts'
import { demoHandles, type FindDemo } from '../../src/docs/demo-handles.ts'
import { curlOf } from '../../src/docs/reference.ts'
import { routeName } from '../../src/docs/samples.ts'
import { startTestService, type TestService } from '../harness/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'hiring-examples-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let service: TestService

before(async () => {
  // Receivers of the examples have made-up names; no server listens on this address.
  service = await startTestService({}, { resolveName: async () => ['203.0.114.10'] })
  await loadDemo(service.services)
})

/** What a reader runs: in the shell, or as a module of Node. */
const PROGRAMS = { sh: ['bash', '.sh'], js: [process.execPath, '.mjs'] } as const
type Language = keyof typeof PROGRAMS

const isLanguage = (name: string): name is Language => name in PROGRAMS

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

interface Example {
  language: Language
  code: string
  /** the block below it: JSON compared by shape, text line by line */
  expected?: { language: 'json' | 'text'; text: string }
}

/** The blocks of a text that can be run, each with what it is said to response. A block that shows a file is run elsewhere. */
function examplesOf(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].map(match => ({
    language: match[1]!,
    text: match[2]!,
    from: match.index,
    to: match.index + match[0].length,
  }))
  return blocks.flatMap((block, i) => {
    const { language, text: code } = block
    // a block without code shows a file
    if (code === '') return []
    assert.doesNotMatch(language, /^(javascript|ts|typescript|bash|shell)$/, 'js and sh are run')
    if (!isLanguage(language)) return []
    const next = blocks[i + 1]
    const follows = next && markdown.slice(block.to, next.from).trim() === ''
    const expected =
      follows && (next.language === 'json' || next.language === 'text')
        ? { expected: { language: next.language, text: next.text } as const }
        : {}
    return [{ language, code, ...expected }]
  })
}

/** Runs the blocks one after the other in one shell, as a reader who pastes them; those of Node as files. */
async function run(examples: readonly Example[], name: string): Promise<{ code: number; output: string }[]> {
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

/** JSON as the documentation shows it: `…` means that something is left out. */
const readShown = (text: string): unknown => JSON.parse(text.replace(/,?\s*…(?=\s*[}\]])/g, ''))

/** What is the same in every response to the example: what was sent, and what the text says about it. */
const EXACT = new Set([
  'object',
  'code',
  'type',
  'algorithm',
  'api_version',
  'version',
  'status',
  'parse_status',
  'title',
  'department',
  'system',
  'name',
  'summary',
  'body',
  'recommendation',
  'stage',
  'source',
  'label',
  'ready',
  'matched',
  'reason',
  'enabled',
  'gap',
  'method',
  'required',
  'has_resume',
  'requested',
  'added',
])

/** `…` in a text is what differs from store to store. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && !value.includes('…'))

/** What is shown must be in the response, with the same kinds of values, and rows where rows are shown. */
function compare(shown: unknown, response: unknown, where: string): void {
  if (shown === null || response === null) return
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(response), `${where} is a list`)
    if (shown.length === 0) return
    assert.notEqual(response.length, 0, `${where} has rows, as it is shown`)
    compare(shown[0], response[0], `${where}[0]`)
    return
  }
  assert.equal(typeof response, typeof shown, `${where}: ${JSON.stringify(response)}`)
  if (typeof shown !== 'object') return
  for (const [name, value] of Object.entries(shown as object)) {
    const given: unknown = (response as Record<string, unknown>)[name]
    assert.notEqual(given, undefined, `${where}.${name} is in the response`)
    if (EXACT.has(name) && isPlain(value)) assert.equal(given, value, `${where}.${name}`)
    compare(value, given, `${where}.${name}`)
  }
}

function check(example: Example, { code, output }: { code: number; output: string }): void {
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
    compare(readShown(expected.text), response, 'response')
    return
  }
  for (const line of expected.text.trim().split('\n')) {
    const pattern = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\d+/g, '\\d+')
    assert.match(output, new RegExp(pattern, 'i'), example.code)
  }
}

const texts = [
  ...readdirSync(join(ROOT, 'docs/guides')).map(file => ({ name: file, path: join(ROOT, 'docs/guides', file) })),
  { name: 'operating.md', path: join(ROOT, 'docs/operating.md') },
  { name: 'README.md', path: join(ROOT, 'README.md') },
]

/** Installing and starting is what the whole run has done already. */
const IS_INSTALLATION = /^npm (ci|test|start)/

for (const { name, path } of texts) {
  test(`docs examples: ${name}: every example works as written and returns what is shown`, async () => {
    const examples = examplesOf(readFileSync(path, 'utf8')).filter(({ code }) => !IS_INSTALLATION.test(code))
    const results = await run(examples, name)
    for (const [i, example] of examples.entries()) check(example, results[i]!)
  })
}

test('first-call.md: reads a candidate and ends with the event of the list that the reader created', async () => {
  const examples = examplesOf(readFileSync(join(ROOT, 'docs/guides/first-call.md'), 'utf8')).filter(
    ({ code }) => !IS_INSTALLATION.test(code),
  )
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

/** Runs the code of the errors guide against a server that responds to each call with the next of these. */
async function runRetrySample(responses: { status: number; code?: string; retryAfter?: number }[]) {
  const [{ code }] = examplesOf(readFileSync(join(ROOT, 'docs/guides/errors.md'), 'utf8')).filter(
    ({ language }) => language === 'js',
  ) as [Example]
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
 * What the demo has no record of: endpoints that the reader registers, their deliveries, exports. Its people have
 * reserved addresses, which are never mailed. The guide has registered the same endpoint before.
 */
const NOT_IN_DEMO = /^(GET|POST) \/(webhooks\/(endpoints|deliveries)\/\{|exports\/\{|messages$|webhooks\/endpoints$)/
const UNDERSTOOD = /"code":"(not_found|recipient_unsubscribed|webhook_endpoint_exists)"/

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
    const code = curlOf(route, handles).replace(/^curl -s/, `curl -s -o ${at(routeName(route))} -w '%{http_code}'`)
    return { language: 'sh' as const, code }
  })
  const results = await run(examples, 'reference')
  const refused = routes.flatMap((route, i) => {
    const status = Number(results[i]!.output)
    if (status < 400) return []
    const body = readFileSync(at(routeName(route)), 'utf8')
    const excused = NOT_IN_DEMO.test(routeName(route)) && UNDERSTOOD.test(body)
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
  const shown = { language: 'json', text: '{ "object": "list", "data": [{ "id": "x", … }], … }' } as const
  const example = { language: 'sh', code: 'x', expected: shown } as const
  check(example, { code: 0, output: '{"object":"list","data":[{"id":"y","more":1}],"has_more":false}' })
  for (const output of [
    '{"object":"job","data":[]}',
    '{"object":"list","data":[{"ID":"x"}]}',
    '{"object":"list"}',
    'x',
  ]) {
    assert.throws(() => check(example, { code: 0, output }), output)
  }
  const plain = { language: 'sh', code: 'x' } as const
  assert.throws(() => check(plain, { code: 1, output: '' }))
  assert.throws(() => check(plain, { code: 0, output: '{"detail":{"code":"not_found"}}' }))
  assert.throws(() => examplesOf('```ts\nx\n```'))
})
