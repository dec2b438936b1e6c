/**
 * Records a real call of every endpoint against a fresh service with the demo workspaces, for the reference. Run it with
 * `npm run samples` after an endpoint was added or its shape changed, and look at what changed. With --check it writes
 * nothing and fails where the file differs: the demo's data and the moment of the calls are the same every time.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readData } from '../demo/data.ts'
import { demoSecret, loadDemo } from '../demo/index.ts'
import { routes } from '../src/app.ts'
import { API_PREFIX } from '../src/contract/version.ts'
import type { Sample } from '../src/docs/samples.ts'
import { readConfig } from '../src/kernel/config/config.ts'
import { sequenceBatch } from '../src/kernel/feed/sequencer.ts'
import type { Route } from '../src/kernel/http/route.ts'
import { clock } from '../src/kernel/time/clock.ts'
import { startService } from '../src/main.ts'
import { runNextExport } from '../src/resources/exports/index.ts'

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
const facts = { base_url: publicUrl + API_PREFIX, key: demoSecret(keyring) }

/** So many calls, some hundred, are made within one minute, to which times are cut. */
const STEP_MS = 100
let calls = 0

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; response: Json }> {
  // the same moment in every recording, however long the calls before it took
  clock.advance(MORNING + ++calls * STEP_MS - clock.now())
  const reply = await fetch(facts.base_url + path, {
    method,
    headers: {
      authorization: `Bearer ${facts.key}`,
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
  const text = value.replaceAll(new URL(facts.base_url).origin, 'https://hiring.example')
  const fixed = CHOSEN_BY_CHANCE[name]
  if (fixed !== undefined) return fixed
  // counted from the time of the call
  if (name === 'applied_after') return `${text.slice(0, 16)}:00.000Z`
  if (/(^|_)url$/.test(name) && text.includes('?')) return `${text.slice(0, text.indexOf('?'))}?...`
  const most = /(^|_)url$/.test(name) ? 120 : 240
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The records of the demo that the calls use: each has something to show. */
async function subjects() {
  const jobs = (await get('/jobs?status=published&limit=50')).data
  const applications = (await get('/applications?limit=100')).data as Json[]
  const withResume = applications.filter(a => a.has_resume && a.parse_status === 'parsed' && a.applicant_id)
  const fresh = withResume.toSorted((a, b) => b.applied_at.localeCompare(a.applied_at))
  const scored = await first(fresh, async a => (await get(`/applications/${a.id}/score`)).match_pct >= 60)
  const screened = await first(applications, async a => (await get(`/applications/${a.id}/screening`)).has_screening)
  const noted = await first(applications, async a => (await get(`/applications/${a.id}/notes`)).data?.length > 0)
  const carded = await first(applications, async a => (await get(`/applications/${a.id}/scorecards`)).data?.length > 0)
  const withAnswers = await first(
    applications,
    async a => Object.keys((await get(`/applications/${a.id}/answers`)).answers).length > 2,
  )
  const open = applications.find(a => ['new', 'in_review', 'advanced'].includes(a.status) && a.id !== scored.id)
  const profiles = (await get('/sourced-profiles?has_contact_info=true&limit=100')).data as Json[]
  const filed = await first(profiles, async p => (await get(`/sourced-profiles/${p.id}/attachments`)).data.length > 1)
  const member = await first(
    profiles,
    async p => (await get(`/sourced-profiles/${p.id}/list-memberships`)).data.length > 0,
  )
  const linked = (await get('/applicants?limit=100')).data.find((a: Json) => a.linkedin_url)
  const person = await get(`/people/resolve?linkedin_url=${encodeURIComponent(linked.linkedin_url)}`)
  return { job: jobs[0], scored, screened, noted, carded, withAnswers, open, profiles, filed, member, person }
}

async function first(rows: Json[], holds: (row: Json) => Promise<boolean>): Promise<Json> {
  for (const row of rows.slice(0, 60)) if (await holds(row)) return row
  throw new Error('the demo has nothing to show')
}

async function recordAll(): Promise<void> {
  const of = await subjects()
  const me = await get('/me')
  const wsp = me.workspace_ids[0]
  const app = of.scored.id
  const apl = of.scored.applicant_id
  const cnd = of.filed.id
  const per = of.person.canonical_id

  for (const path of ['/ping', '/versions', '/me', '/me/access', '/workspaces']) await record('GET', path, path)
  const read = (template: string, handle: string, query = '') =>
    record('GET', template, template.replace(/\{\w+\}/, handle) + query)
  await read('/workspaces/{workspace_handle}', wsp)
  await read('/workspaces/{workspace_handle}/users', wsp)
  await read('/users/{user_handle}', me.owner_user_id)

  await record('GET', '/jobs', '/jobs?status=published&location_type=remote&limit=2')
  await read('/jobs/by-slug/{slug}', of.job.slug)
  for (const part of [
    '',
    '/sections',
    '/pipeline-stages',
    '/application-form',
    '/prescreen-questions',
    '/publish-readiness',
  ])
    await read(`/jobs/{job_handle}${part}`, of.job.id)
  await read('/jobs/{job_handle}/applications', of.job.id, '?status=new,in_review&limit=2')
  const pushed = await record('POST', '/jobs', '/jobs', {
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
  for (const move of ['publish', 'close', 'reopen', 'unpublish']) {
    await record('POST', `/jobs/{job_handle}/${move}`, `/jobs/${pushed.id}/${move}`)
  }

  await record('GET', '/applications', '/applications?status=in_review,advanced&limit=2')
  await read('/applications/{application_handle}', app)
  await read('/applications/{application_handle}/answers', of.withAnswers.id)
  for (const part of ['score', 'stage-transitions', 'resume', 'resume/download'])
    await read(`/applications/{application_handle}/${part}`, app)
  await read('/applications/{application_handle}/screening', of.screened.id)
  await read('/applications/{application_handle}/notes', of.noted.id)
  await read('/applications/{application_handle}/scorecards', of.carded.id)
  const upload = { content_type: 'application/pdf', size_bytes: 48213, filename: 'ada-okafor.pdf' }
  await record('POST', '/uploads', '/uploads', upload)
  await call('POST', `/jobs/${pushed.id}/publish`)
  const application = await record('POST', '/applications', '/applications', {
    job_id: pushed.id,
    candidate: { first_name: 'Ada', last_name: 'Okafor', email: 'ada.okafor@mail.example' },
    source: { system: 'acme_ats', external_id: 'cand-88123' },
    ...(await requiredAnswers(pushed.id)),
  })
  const stages = (await get(`/jobs/${pushed.id}/pipeline-stages`)).data
  const act = (verb: string, body: object) =>
    record('POST', `/applications/{application_handle}/${verb}`, `/applications/${application.id}/${verb}`, body)
  await act('move', { stage_id: stages[2].id })
  await act('reject', { reason: 'Looking for deeper experience with streaming.' })
  await act('reopen', {})
  await act('hire', {})
  await act('notes', { body: 'Strong portfolio; ask about on-call experience.' })
  await act('scorecards', {
    recommendation: 'yes',
    summary: 'Clear thinking, solid SQL.',
    ratings: [
      { name: 'SQL', score: 4 },
      { name: 'Communication', score: 5 },
    ],
  })

  await record('GET', '/applicants', '/applicants?has_applications=true&limit=2')
  for (const part of ['', '/applications', '/resumes', '/contact-info'])
    await read(`/applicants/{applicant_handle}${part}`, apl)

  await record('GET', '/sourced-profiles', '/sourced-profiles?has_contact_info=true&q=engineer&limit=2')
  for (const part of ['', '/contact-info', '/attachments']) await read(`/sourced-profiles/{profile_handle}${part}`, cnd)
  await read('/sourced-profiles/{profile_handle}/list-memberships', of.member.id)
  const files = (await get(`/sourced-profiles/${cnd}/attachments`)).data
  const content = `/sourced-profiles/${cnd}/attachments/${files[0].type}/content`
  await record('GET', '/sourced-profiles/{profile_handle}/attachments/{kind}/content', content)

  const pool = await record('GET', '/pool/profiles', '/pool/profiles?title=engineer&limit=2')
  await read('/pool/profiles/{profile_handle}', pool.data[0].id)
  const search = { query: 'backend engineer', terms: { skills: ['Go', 'PostgreSQL'] }, limit: 2 }
  await record('POST', '/pool/search', '/pool/search', search)

  const linkedin = of.person.identity.value
  await record(
    'GET',
    '/people/resolve',
    `/people/resolve?linkedin_url=${encodeURIComponent(`https://${linkedin.replace(/^https:\/\//, '')}`)}`,
  )
  await record('POST', '/people/resolve:batch', '/people/resolve:batch', {
    keys: [
      { kind: 'linkedin_url', value: `https://${linkedin.replace(/^https:\/\//, '')}` },
      { kind: 'email', value: 'jobs@acme.example' },
    ],
  })
  for (const part of ['', '/profiles', '/contact-info', '/resumes', '/applications'])
    await read(`/people/{person_handle}${part}`, per)

  const projects = await record('GET', '/projects', '/projects?limit=2')
  await read('/projects/{project_handle}', projects.data[0].id)
  await read('/projects/{project_handle}/lists', projects.data[0].id, '?limit=2')
  await record('GET', '/lists', '/lists?limit=2')
  const list = await record('POST', '/lists', '/lists', { name: 'Data engineers, Lisbon', description: 'First round' })
  const members = { members: [{ sourced_profile_id: cnd }, { sourced_profile_id: of.member.id }] }
  const batch = await record('POST', '/lists/{list_handle}/members', `/lists/${list.id}/members`, members)
  const mem = batch.results[0].membership.id
  const stage = '/lists/{list_handle}/members/{member_handle}/stage'
  await record('POST', stage, `/lists/${list.id}/members/${mem}/stage`, { stage: 'interviewing' })
  await read('/lists/{list_handle}', list.id)
  await read('/lists/{list_handle}/members', list.id)

  while ((await sequenceBatch(service.services.db)) > 0);
  const events = await record(
    'GET',
    '/events',
    '/events?after=0&type=application.created,application.stage_changed&limit=2',
  )
  await read('/events/{event_handle}', events.data[0].id)
  await recordWebhooks()
  await recordLater(pushed.id)
  await record('GET', '/audit/personal-data-reads', '/audit/personal-data-reads?limit=2')
  // the demo's own: no call of the recording is invalid, and their milliseconds would differ each time
  const refused = await record('GET', '/requests', '/requests?status=400&limit=2')
  await read('/requests/{request_id}', refused.data[0].id)
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
  const body = {
    url: 'https://receiver.demo.example/200',
    event_types: ['application.created', 'application.stage_changed'],
    description: 'Applications to the warehouse',
  }
  const endpoint = await record('POST', '/webhooks/endpoints', '/webhooks/endpoints', body)
  const own = '/webhooks/endpoints/{endpoint_id}'
  const id = endpoint?.id ?? (await get('/webhooks/endpoints')).data[0]?.id
  if (!id) return
  const at = `/webhooks/endpoints/${id}`
  await record('GET', '/webhooks/endpoints', '/webhooks/endpoints')
  await record('GET', own, at)
  await record('POST', own, at, { description: 'Applications to the warehouse and the dashboard' })
  await record('POST', `${own}/rotate-secret`, `${at}/rotate-secret`, { overlap_seconds: 86400 })
  await record('POST', `${own}/test`, `${at}/test`)
  await record('POST', `${own}/recover`, `${at}/recover`, { after: 0 })
  await record('POST', `${own}/disable`, `${at}/disable`)
  await record('POST', `${own}/enable`, `${at}/enable`)
  const log = await record('GET', '/webhooks/deliveries', '/webhooks/deliveries?status=delivered&limit=2')
  const delivery = log.data[0]?.id
  if (!delivery) return
  await record('GET', '/webhooks/deliveries/{delivery_id}', `/webhooks/deliveries/${delivery}`)
  await record('POST', '/webhooks/deliveries/{delivery_id}/redeliver', `/webhooks/deliveries/${delivery}/redeliver`)
}

/** Suppressions, messages, exports and analytics. */
async function recordLater(job: string): Promise<void> {
  const has = (method: Route['method'], path: string) => routes.some(r => r.method === method && r.path === path)
  if (has('GET', '/analytics/hiring-funnel')) {
    await record('GET', '/analytics/hiring-funnel', '/analytics/hiring-funnel?group_by=department')
  }
  if (has('GET', '/suppressions')) {
    const notices = await record('GET', '/suppressions', '/suppressions?after=0&limit=2')
    const id = notices.data?.[0]?.id
    const path = routes.find(r => r.path.endsWith('/acknowledge'))?.path
    if (id && path)
      await record('POST', path, `/suppressions/${id}/acknowledge`, { deleted_at: notices.data[0].applied_at })
  }
  if (has('POST', '/messages')) {
    // The demo's people have reserved email addresses, which are never mailed. This email stays in the local outbox.
    const candidate = { first_name: 'Ada', last_name: 'Okafor', email: 'ada@candidate-mail.net' }
    const source = { system: 'acme_ats', external_id: 'cand-88124' }
    const application = { job_id: job, candidate, source, ...(await requiredAnswers(job)) }
    const applicant = (await call('POST', '/applications', application)).response.applicant_id
    await record('POST', '/messages', '/messages', {
      to: { applicant_id: applicant },
      subject: 'Your interview on Thursday',
      body_text: 'Hello, are you free on Thursday at 10? Best regards, Olga',
    })
  }
  if (has('POST', '/exports')) {
    const made = await record('POST', '/exports', '/exports', { resources: ['jobs', 'applications'] })
    await runNextExport(service.services)
    const path = routes.find(r => r.method === 'GET' && r.path.startsWith('/exports/'))?.path
    if (path) await record('GET', path, `/exports/${made.id}`)
  }
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
  await recordAll()
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
