import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { apply } from '../../demo/activity/applications.ts'
import { DEMO_OWNER } from '../../demo/credentials.ts'
import { Scene, seeded } from '../../demo/index.ts'
import { openFolderBlobs } from '../../src/kernel/blobs/folder.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { composer } from '../../src/kernel/mail/compose.ts'
import { Outbox } from '../../src/kernel/mail/outbox.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { beginSession, SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { cloneDatabase, stopOwnServer } from '../harness/postgres.ts'
import { hiring, startProcess, temporaryFolder } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'
import { COVERAGE } from './coverage.ts'

// The demo as `npm start` runs it: in a process of its own, with workers.

const folder = temporaryFolder()
const database = await cloneDatabase()
const log = createLog('silent')
const db = new Database(database.connection, { connections: 4, log })
const env = { DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on' }
let demo = await startProcess(env)
const key = demo.key!

after(async () => {
  demo.child.kill('SIGTERM')
  await demo.ended
  await db.close()
  await database.drop()
  await stopOwnServer()
})

// biome-ignore lint/suspicious/noExplicitAny: responses and rows of every kind
type Json = any

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const response = await fetch(demo.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const query = (text: string): Promise<Json[]> => db.query(sql<Json>`${raw(text)}`)
const [{ id: acme }] = await query(`select id from workspaces where name = 'Acme Robotics'`)

const register = (url: string) => call('POST', '/webhooks/endpoints', { url, event_types: ['list.deleted'] })

/** The endpoint with this URL, registered if it is not there. */
async function endpointAt(url: string): Promise<Json> {
  const { data } = (await call('GET', '/webhooks/endpoints?limit=100')).body
  return data.find((one: Json) => one.url === url) ?? (await register(url)).body
}

/** How a test ping ends; it is pending until then. */
async function ping(url: string): Promise<[status: string, error: string | null]> {
  const { body } = await call('POST', `/webhooks/endpoints/${(await endpointAt(url)).id}/test`)
  assert.equal(body.status, 'pending')
  // not over HTTP: asking again and again would reach the limit of the minute
  await until(`the ping of ${url} ends`, async () => {
    const [row] = await query(`select status from webhook_deliveries where id = '${body.id}'`)
    return row.status !== 'pending'
  })
  const { status, error } = (await call('GET', `/webhooks/deliveries/${body.id}`)).body
  return [status, error]
}

const OUTCOMES: readonly (readonly [url: string, status: string, error: string | null])[] = [
  ['https://receiver.demo.example/200/warehouse', 'delivered', null],
  ['https://receiver.demo.example/500/new', 'failed', 'http_status'],
  ['https://receiver.demo.example/302/new', 'failed', 'redirect_refused'],
  ['https://receiver.demo.example/closed/new', 'failed', 'connection_failed'],
  ['https://receiver.demo.example/timeout/new', 'failed', 'timeout'],
  ['https://untrusted.demo.example/200/new', 'failed', 'tls_failed'],
  ['https://receiver.demo.example/410/new', 'failed', 'http_status'],
]

test('running demo: a test ping ends as the path of the receiver says', async () => {
  const found = await Promise.all(OUTCOMES.map(async ([url]) => [url, ...(await ping(url))]))
  assert.deepEqual(found, OUTCOMES)
  const gone = await endpointAt('https://receiver.demo.example/410/new')
  assert.deepEqual([gone.enabled, gone.disabled_reason], [false, 'gone'])
})

test('running demo: only the host names of its receiver lead to loopback', async () => {
  for (const url of [
    'https://receiver.demo.example:8443/200',
    'https://other.demo.example/200',
    'https://private.demo.example/200/new',
    'https://localhost/200',
  ]) {
    const { status, body } = await register(url)
    assert.deepEqual([status, body.detail.code], [400, 'webhook_url_not_allowed'], url)
  }
})

test('running demo: a new key is labeled test, by the command and in the console; another label is possible', async () => {
  const create = async (...options: string[]) => {
    const args = ['keys', 'create', '--workspace', acme, '--scopes', 'jobs:read', '--json', ...options]
    const { stdout, stderr } = await hiring(args, env)
    return (JSON.parse(stdout || assert.fail(stderr)).secret as string).slice(0, 9)
  }
  assert.deepEqual([await create(), await create('--environment', 'live')], ['svc_test_', 'svc_live_'])

  const [owner] = await query(`select id, workspace_id from users where email_key = '${DEMO_OWNER}'`)
  const how = { method: 'link', address: '127.0.0.1', userAgent: 'test' } as const
  const cookie = `${SESSION_COOKIE}=${await beginSession(db, owner, how)}`
  const { origin } = new URL(demo.baseUrl)
  const session: Json = await (await fetch(`${origin}/console/api/session`, { headers: { cookie } })).json()
  const made = await fetch(`${origin}/console/api/keys`, {
    method: 'POST',
    headers: { cookie, origin, 'x-csrf-token': session.csrf_token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Sync', scopes: ['jobs:read'], ip_allowlist: [], expires_in_days: null }),
  })
  const { secret }: Json = await made.json()
  assert.deepEqual([made.status, secret.slice(0, 9)], [200, 'svc_test_'])
})

/** Work that the workers would do now. What waits for a person is none. */
const DUE = `
  select 'résumé' as work from resumes r join applicants p on p.workspace_id = r.workspace_id and p.id = r.applicant_id
    where r.parse_status in ('pending', 'parsing') and p.suppressed_at is null
  union all select 'event' from outbox
  union all select 'delivery' from webhook_deliveries
    where status = 'pending' or status = 'retrying' and next_attempt_at <= app_now()
  union all select 'erasure' from erasures where completed_at is null
  union all select 'email to owners' from erasure_requests where notify_at is not null`

/** The first résumé of a process waits for the choice of its sandbox. */
const PARSING_MS = 240_000

test('running demo: the start prints its careers site, which has its logo, jobs of every kind and forms with all questions', async () => {
  const site = demo.careersUrl!
  assert.match(site, /^http:\/\/127\.0\.0\.1:\d+\/careers\/acme-robotics$/)
  const open = async (path: string) => {
    const response = await fetch(site + path, { headers: { accept: 'text/html' } })
    return { status: response.status, text: await response.text(), url: response.url }
  }
  const list = await open('')
  assert.equal(list.status, 200)
  assert.match(list.text, /Build robots that people like to work with/)
  const logo = await fetch(`${site}/logo`)
  assert.deepEqual([logo.status, logo.headers.get('content-type')], [200, 'image/png'])
  const former = await fetch(site.replace(/acme-robotics$/, 'acme/logo'))
  assert.deepEqual([former.status, former.url], [200, `${site}/logo`])
  const german = await open('/jobs/servicetechniker-robotik-m-w-d?lang=de')
  assert.deepEqual([german.status, /Das bringen Sie mit/.test(german.text)], [200, true])
  const [closed] = await query(
    `select slug from jobs where workspace_id = '${acme}' and status = 'closed' order by id limit 1`,
  )
  const gone = await open(`/jobs/${closed.slug}`)
  assert.ok([200, 410].includes(gone.status), String(gone.status))
  assert.match(gone.text, /noindex/)
  const form = await open('/jobs/senior-robotics-software-engineer/apply')
  assert.equal(form.status, 200)
  for (const label of ['A sample of your work', 'Do you need a visa?', 'Are you a veteran?', 'Earliest start'])
    assert.ok(form.text.includes(label), label)
})

test('running demo: shows every state after its workers have done all that they can do', {
  timeout: 2 * PARSING_MS,
}, async () => {
  const blobs = await openFolderBlobs({
    folder: join(folder, 'files'),
    publicUrl: () => '',
    signingKeys: () => [Buffer.alloc(32)],
    now: () => db.now(),
  })
  const outbox = new Outbox(join(folder, 'outbox'), composer({ address: 'no-reply@localhost' }))
  const random = seeded('running')
  const scene = new Scene({ db, blobs, outbox, log, workspace: acme, isDemo: true, random, subject: 'running' })
  // the newest of all: when it is done, the workers had their turn with everything older
  const { id } = await apply(scene, { resume: true })
  const isParsed = async () =>
    (await query(`select parse_status from applications where id = '${id}'`))[0].parse_status === 'parsed'
  await until('the new résumé is parsed', isParsed, PARSING_MS)
  await until('its events are delivered to the healthy endpoints', async () => {
    const [row] = await query(`
      select count(*) as n from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      join events v on v.workspace_id = d.workspace_id and v.sequence = d.event_sequence
      where d.status = 'delivered' and e.url ~ '/200/(warehouse|crm)$' and v.type = 'application.created'
        and v.body like '%${id}%'`)
    return row.n === 2
  })
  await until('nothing is left to do', async () => (await query(DUE)).length === 0)

  for (const [table, column, values] of COVERAGE) {
    const rows = await query(`select distinct coalesce((${column})::text, 'null') as value from ${table}
      where workspace_id = '${acme}'`)
    const expected = values.split(' ').filter(value => !(table === 'webhook_deliveries' && value === 'pending'))
    assert.deepEqual(rows.map(row => row.value).sort(), expected, `${table}.${column}`)
  }
  const { data } = (await call('GET', '/webhooks/endpoints?limit=100')).body
  for (const url of ['https://receiver.demo.example/200/warehouse', 'https://receiver.demo.example/200/crm']) {
    const { enabled, consecutive_failures } = data.find((one: Json) => one.url === url)
    assert.deepEqual([enabled, consecutive_failures ?? 0], [true, 0], url)
  }
  // another workspace asks for an erasure: its owners were mailed, and it waits for their decision
  const open = await query(`select id from erasure_requests where workspace_id = '${acme}' and state = 'open'`)
  assert.equal(open.length, 1)
  const mails = readdirSync(join(folder, 'outbox'))
  assert.equal(mails.filter(name => name.startsWith(`erasure-request-${open[0].id}-`)).length, 1)
  assert.ok(mails.filter(name => name.startsWith('msg_')).length >= 5, mails.join(' '))
})

test('running demo: the receiver is there again after a restart', async () => {
  demo.child.kill('SIGTERM')
  assert.equal((await demo.ended).code, 0)
  demo = await startProcess(env)
  assert.deepEqual(await ping('https://receiver.demo.example/200/warehouse'), ['delivered', null])
})
