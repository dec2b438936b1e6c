/**
 * Records a real call of every endpoint against a fresh service with the demo workspaces, for the reference. Run it with
 * `npm run samples` after an endpoint was added or its shape changed, and look at what changed. With --check it writes
 * nothing and fails where the file differs: the demo's data and the moment of the calls are the same every time.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readData } from '../demo/data.ts'
import { demoSecret, demoWorkspace, loadDemo } from '../demo/index.ts'
import { routes } from '../src/app.ts'
import { API_PREFIX } from '../src/contract/version.ts'
import { demoHandles } from '../src/docs/demo-handles.ts'
import type { Sample } from '../src/docs/samples.ts'
import { readConfig } from '../src/kernel/config/config.ts'
import { clock } from '../src/kernel/time/clock.ts'
import { startService } from '../src/main.ts'
import { runNextExport } from '../src/resources/exports/index.ts'
import { rotateKey } from '../src/resources/keys/index.ts'

const ROOT = join(import.meta.dirname, '..')
const FILE = join(ROOT, 'src/docs/samples.json')

// biome-ignore lint/suspicious/noExplicitAny: responses of every kind
type Json = any

const check = process.argv.includes('--check')
const data = readData()
/** The calls are made on the morning after the demo's last day. */
const MORNING = Date.parse(data.end) + 9 * 3_600_000
clock.advance(MORNING - clock.now())

const dataDir = mkdtempSync(join(tmpdir(), 'hiring-samples-'))
// no workers: the calls that need one run it themselves
const service = await startService(readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', ROLES: 'api' }), {
  beforeListening: async services => {
    await loadDemo(services)
  },
  // a public address where no receiver is expected to respond
  resolveName: async () => ['203.0.114.10'],
})
const { publicUrl, keyring } = service.services
const base_url = publicUrl + API_PREFIX
let key = demoSecret(keyring)

/** So many calls, some hundred, are made within one minute, to which times are cut. */
const STEP_MS = 100
let calls = 0

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; response: Json }> {
  // the same moment in every recording, however long the calls before it took
  clock.advance(MORNING + ++calls * STEP_MS - clock.now())
  const reply = await fetch(base_url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'idempotency-key': crypto.randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json = reply.headers.get('content-type')?.includes('json')
  const text = await reply.text()
  return { status: reply.status, response: json ? JSON.parse(text) : null }
}

const get = async (path: string): Promise<Json> => (await call('GET', path)).response

const samples: Record<string, Sample> = {}
const failed: string[] = []

/** Calls an endpoint and records the call with its response. */
async function record(method: 'GET' | 'POST', template: string, path: string, body?: unknown): Promise<Json> {
  const { status, response } = await call(method, path, body)
  if (status >= 400) failed.push(`${method} ${path}: ${JSON.stringify(response?.detail)}`)
  else
    samples[`${method} ${template}`] = {
      path,
      ...(body === undefined ? {} : { body }),
      status,
      response: shown(response),
    }
  return response
}

const CHOSEN_BY_CHANCE: Readonly<Record<string, string>> = {
  next_cursor: 'eyJjIjoiMjAyNi0xMC0zMVQyMzo1OSJ9',
  signing_secret: 'whsec_c2FtcGxlIHNlY3JldCwgc2hvd24gb25seSBvbmNlISE=',
  dial_in_code: '482913',
  epoch: '5e04d5e136343667f8d141475f7c3393',
}

/** Shortened where a reader would only scroll; secrets and the URL of this machine replaced. */
function shown(value: Json, name = ''): Json {
  if (Array.isArray(value)) {
    const most = name === 'data' ? 2 : 6
    return value.slice(0, most).map(item => shown(item))
  }
  if (typeof value === 'object' && value !== null) {
    const isExportFile = 'rows' in value && 'bytes' in value
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, name === 'scope_descriptions' ? 6 : undefined)
        // the length of a compressed file depends on what was made during the recording
        .map(([key, inner]) => [key, isExportFile && key === 'bytes' ? 120 * value.rows : shown(inner, key)]),
    )
  }
  if (typeof value !== 'string') return value
  const text = value.replaceAll(new URL(base_url).origin, 'https://hiring.example')
  const fixed = CHOSEN_BY_CHANCE[name]
  if (fixed !== undefined) return fixed
  // counted from the time of the call
  if (name === 'applied_after') return `${text.slice(0, 16)}:00.000Z`
  if (/(^|_)url$/.test(name) && text.includes('?')) return `${text.slice(0, text.indexOf('?'))}?...`
  const most = /(^|_)url$/.test(name) ? 120 : 240
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The records of the demo that the reference calls, so that a response belongs to the call that is shown above it. */
const handles = (await demoHandles(service.services, ({ db, keyring }) => demoWorkspace(db, keyring)))!

const filled = (method: 'GET' | 'POST', template: string): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const handle = handles[`${method} ${template} ${name}`] ?? handles[name]
    if (!handle) throw new Error(`the demo has nothing to show: ${name} of ${template}`)
    return handle
  })

const read = (template: string, query = ''): Promise<Json> => record('GET', template, filled('GET', template) + query)
const write = (template: string, body?: unknown): Promise<Json> =>
  record('POST', template, filled('POST', template), body)

/** Before the first write, so that every record in them is one of the demo. */
async function recordReads(): Promise<void> {
  // the demo's own: rows of this recording would name its requests
  await read('/audit/personal-data-reads', '?limit=2')
  await read('/requests', '?status=400&limit=2')
  await read('/requests/{request_id}')
  for (const path of ['/ping', '/versions', '/me', '/me/access', '/workspaces', '/workspaces/{workspace_handle}'])
    await read(path)
  await read('/workspaces/{workspace_handle}/users')
  await read('/users/{user_handle}')

  await read('/jobs', '?status=published&location_type=remote&limit=2')
  await read('/jobs/by-slug/{slug}')
  for (const part of [
    '',
    '/sections',
    '/pipeline-stages',
    '/application-form',
    '/prescreen-questions',
    '/publish-readiness',
  ])
    await read(`/jobs/{job_handle}${part}`)
  await read('/jobs/{job_handle}/applications', '?status=new,in_review&limit=2')

  await read('/applications', '?status=in_review,advanced&limit=2')
  for (const part of [
    '',
    '/score',
    '/stage-transitions',
    '/resume',
    '/resume/download',
    '/screening',
    '/notes',
    '/scorecards',
    '/interviews',
  ])
    await read(`/applications/{application_handle}${part}`)
  await read('/applications/{application_handle}/answers')
  await read('/applicants', '?has_applications=true&limit=2')
  for (const part of ['', '/applications', '/resumes', '/contact-info'])
    await read(`/applicants/{applicant_handle}${part}`)
  await recordSourcing()
  await recordLists()
  await read('/events', '?after=0&type=application.created,application.stage_changed&limit=2')
  await read('/events/{event_handle}')
  await read('/analytics/hiring-funnel', '?group_by=department')
  await read('/suppressions', '?after=0&limit=2')
}

async function recordSourcing(): Promise<void> {
  await read('/sourced-profiles', '?has_contact_info=true&q=engineer&limit=2')
  for (const part of ['', '/contact-info', '/attachments', '/list-memberships', '/attachments/{kind}/content'])
    await read(`/sourced-profiles/{profile_handle}${part}`)
  await read('/pool/profiles', '?title=engineer&limit=2')
  await read('/pool/profiles/{profile_handle}')
  await write('/pool/search', { query: 'backend engineer', terms: { skills: ['Go', 'PostgreSQL'] }, limit: 2 })

  const person = await read('/people/{person_handle}')
  const linkedin = `https://${person.identity.value.replace(/^https:\/\//, '')}`
  await read('/people/resolve', `?linkedin_url=${encodeURIComponent(linkedin)}`)
  await write('/people/resolve:batch', {
    keys: [
      { kind: 'linkedin_url', value: linkedin },
      { kind: 'email', value: 'jobs@acme.example' },
    ],
  })
  for (const part of ['/profiles', '/contact-info', '/resumes', '/applications'])
    await read(`/people/{person_handle}${part}`)
}

async function recordOrders(): Promise<void> {
  await read('/packages', '?kind=skills_test&status=active&limit=2')
  await read('/packages/{package_handle}')
  await read('/orders', '?status=completed,in_progress&limit=2')
  await read('/applications/{application_handle}/orders')
  for (const part of ['', '/result', '/reports/{report_id}/content']) await read(`/orders/{order_handle}${part}`)

  await write('/orders', {
    application_id: handles['POST /orders application_id'],
    package_id: handles['POST /orders package_id'],
    source: { system: 'acme_ats', external_id: 'check-1042' },
  })
  await write('/orders/{order_handle}/cancel', { reason: 'The candidate took another offer.' })
  const extend = '/orders/{order_handle}/extend'
  await write(extend, { due_at: handles[`POST ${extend} due_at`] })
  await write('/orders/{order_handle}/repeat', {})
  await asVendor(recordVendorCalls)
}

/** Packages and orders are changed with the key of their vendor, which gets a secret for this. */
async function asVendor(run: () => Promise<void>): Promise<void> {
  const { vendor } = await get(`/packages/${handles['package_handle']}`)
  key = (await rotateKey(service.services.db, vendor.id)).secret
  await run()
  key = demoSecret(keyring)
}

async function recordVendorCalls(): Promise<void> {
  const host = 'tests.codecraft.example'
  await write('/packages', {
    external_id: 'sql-basics',
    kind: 'skills_test',
    name: 'SQL basics',
    description: 'Joins, groups and windows, on a real database.',
    privacy_url: `https://${host}/privacy`,
    invitation: 'service',
    candidate_host: host,
    duration_minutes: 45,
    languages: ['en', 'de'],
    shares: ['email'],
  })
  await write('/packages/{package_handle}/withdraw', {})

  const order = '/orders/{order_handle}'
  await read(`${order}/candidate`)
  await read(`${order}/resume/download`)
  await write(`${order}/accept`, { external_id: 'cc-88123', candidate_url: `https://${host}/start/cc-88123` })
  await write(`${order}/decline`, { code: 'unsupported_country', message: 'Not offered outside Europe.' })
  await write(`${order}/progress`, { waiting_on: 'candidate' })
  await write(`${order}/reports`, { content_type: 'application/pdf', size_bytes: 48213, filename: 'embedded-c.pdf' })
  const scored = (value: number, max: number) => ({ value, min: 0, max, unit: 'points' })
  await write(`${order}/complete`, {
    outcome: 'recommended',
    score: { ...scored(42, 50), passing: 30 },
    sections: [{ name: 'Pointers and memory', score: scored(18, 20), comment: 'Fast and without mistakes.' }],
    summary: 'Solved most tasks in the first attempt.',
  })
  await write(`${order}/fail`, { code: 'candidate_unreachable', message: 'Three emails had no reply.' })
}

async function recordLists(): Promise<void> {
  await read('/projects', '?limit=2')
  await read('/projects/{project_handle}')
  await read('/projects/{project_handle}/lists', '?limit=2')
  await read('/lists', '?limit=2')
  await read('/lists/{list_handle}')
  await read('/lists/{list_handle}/members')
}

async function recordWrites(): Promise<void> {
  await write('/jobs', {
    source: { system: 'acme_ats', external_id: 'req-1042', canonical_url: 'https://careers.acme.example/jobs/1042' },
    title: 'Senior Data Engineer',
    department: 'Data',
    employment_type: 'full_time',
    location_type: 'remote',
    locations: ['Lisbon, Portugal'],
    content: {
      summary: 'Own the pipelines that every team builds on.',
      skills_required: ['Python', 'SQL', 'Airflow'],
    },
    compensation: { salary_min: 70000, salary_max: 92000, currency: 'EUR', interval: 'annual' },
    publish: false,
  })
  for (const change of ['publish', 'close', 'reopen', 'unpublish']) await write(`/jobs/{job_handle}/${change}`)

  await write('/uploads', { content_type: 'application/pdf', size_bytes: 48213, filename: 'ada-okafor.pdf' })
  await write('/applications', {
    job_id: handles['job_handle'],
    candidate: { first_name: 'Ada', last_name: 'Okafor', email: 'ada.okafor@mail.example' },
    source: { system: 'acme_ats', external_id: 'cand-88123' },
    ...(await requiredAnswers(handles['job_handle']!)),
  })
  const move = '/applications/{application_handle}/move'
  await write(move, { stage_id: handles[`POST ${move} stage_id`] })
  await write('/applications/{application_handle}/notes', { body: 'Strong portfolio; ask about on-call experience.' })
  await write('/applications/{application_handle}/scorecards', {
    recommendation: 'yes',
    summary: 'Clear thinking, solid SQL.',
    ratings: [
      { name: 'SQL', score: 4 },
      { name: 'Communication', score: 5 },
    ],
  })
  await write('/applications/{application_handle}/reject', { reason: 'Looking for deeper experience with streaming.' })
  for (const change of ['reopen', 'hire']) await write(`/applications/{application_handle}/${change}`, {})

  await write('/lists', { name: 'Data engineers, Lisbon', description: 'First round' })
  await write('/lists/{list_handle}/members', { members: [{ sourced_profile_id: handles['profile_handle'] }] })
  await write('/lists/{list_handle}/members/{member_handle}/stage', { stage: 'interviewing' })
  await recordMessage(handles['job_handle']!)

  const acknowledge = '/suppressions/{suppression_id}/acknowledge'
  await write(acknowledge, { deleted_at: handles[`POST ${acknowledge} deleted_at`] })
  const made = await write('/exports', { resources: ['jobs', 'applications'] })
  await runNextExport(service.services)
  await record('GET', '/exports/{export_id}', `/exports/${made.id}`)
}

async function requiredAnswers(job: string): Promise<{ answers?: Json[] }> {
  const form = await get(`/jobs/${job}/application-form`)
  const asked = form.fields.filter(
    (f: Json) =>
      f.required &&
      !['email', 'phone', 'file', 'section', 'consent', 'eeo'].includes(f.type) &&
      !/name|linkedin/i.test(f.label),
  )
  const value = (f: Json) =>
    f.type === 'multiselect' ? [f.options[0]] : f.type === 'boolean' ? true : (f.options[0] ?? 'Three months')
  return asked.length > 0 ? { answers: asked.map((f: Json) => ({ field_id: f.id, value: value(f) })) } : {}
}

async function recordWebhooks(): Promise<void> {
  const endpoint = '/webhooks/endpoints/{endpoint_id}'
  await read('/webhooks/endpoints')
  await read(endpoint)
  await read('/webhooks/deliveries', '?status=delivered&limit=2')
  await read('/webhooks/deliveries/{delivery_id}')
  await write('/webhooks/deliveries/{delivery_id}/redeliver')
  await write('/webhooks/endpoints', {
    url: 'https://receiver.demo.example/200',
    event_types: ['application.created', 'application.stage_changed'],
    description: 'Applications to the warehouse',
  })
  await write(endpoint, { description: 'Data warehouse and dashboard' })
  await write(`${endpoint}/rotate-secret`, { overlap_seconds: 86400 })
  await write(`${endpoint}/test`)
  await write(`${endpoint}/recover`, { after: 0 })
  for (const change of ['disable', 'enable']) await write(`${endpoint}/${change}`)
}

/** The demo's people have reserved email addresses, which are never mailed. This email stays in the local outbox. */
async function recordMessage(job: string): Promise<void> {
  const candidate = { first_name: 'Ada', last_name: 'Okafor', email: 'ada@candidate-mail.net' }
  const source = { system: 'acme_ats', external_id: 'cand-88124' }
  const application = { job_id: job, candidate, source, ...(await requiredAnswers(job)) }
  const applicant = (await call('POST', '/applications', application)).response.applicant_id
  await write('/messages', {
    to: { applicant_id: applicant },
    subject: 'Your interview on Thursday',
    body_text: 'Hello, are you free on Thursday at 10? Best regards, Olga',
  })
}

/** Replaces what differs between recordings with fixed values: new handles and ids, times of the calls. */
function normalized(text: string): string {
  const known = data.tables.map(({ rows }) => rows).join('\n')
  const names = new Map<string, string>()
  const numbered = (name: string, make: (digits: string) => string) => {
    if (known.includes(name)) return name
    const made = names.get(name) ?? make(String(names.size + 1))
    names.set(name, made)
    return made
  }
  return text
    .replace(/\b([a-z]{3}_)[0-9a-hjkmnp-tv-z]{20}\b/g, (name, prefix) =>
      numbered(name, digits => `${prefix}1m8x2c4e6${digits.padStart(11, '0')}`),
    )
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, name =>
      numbered(name, digits => `0f8c3c1e-6a4d-4b0e-9a53-${digits.padStart(12, '0')}`),
    )
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, time => {
      const sinceMorning = Date.parse(time) - MORNING
      if (sinceMorning < 0) return time
      // expiry dates keep their distance, to the minute
      return new Date(MORNING + Math.floor(sinceMorning / 60_000) * 60_000).toISOString()
    })
}

try {
  await recordReads()
  await recordWebhooks()
  await recordOrders()
  await recordWrites()
  const text = normalized(`${JSON.stringify(samples, null, 1)}\n`)
  if (!check) writeFileSync(FILE, text)
  else if (readFileSync(FILE, 'utf8') !== text) {
    console.log('src/docs/samples.json is out of date: run npm run samples')
    process.exitCode = 1
  }
  const missing = routes.map(r => `${r.method} ${r.path}`).filter(name => !samples[name])
  console.log(`recorded ${Object.keys(samples).length} of ${calls} calls`)
  for (const line of failed) console.log(`refused: ${line}`)
  for (const name of missing) console.log(`not recorded: ${name}`)
} finally {
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
