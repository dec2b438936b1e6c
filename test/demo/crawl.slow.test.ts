import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoSecret, loadDemo } from '../../demo/index.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { type IssuedKey, rotateKey } from '../../src/resources/keys/index.ts'
import { readEvents } from '../applications/setup.ts'
import { startTestService } from '../harness/service.ts'

/**
 * Every GET of the API, for every record of the demo workspace. The harness compares each response with the description
 * that the service gives of itself. Loops are off: the demo is seen as it was loaded.
 */
const service = await startTestService({ ROLES: 'api' })
const { db, keyring } = service.services
const summary = await loadDemo(service.services)
const [acme] = summary!.workspaces
const key = demoSecret(keyring)
// some thousand calls: the largest plan's limits
await db.query(sql`update workspaces set plan = 'enterprise' where id = ${acme!.id}`)
await readEvents({ service }, acme!.id)

const { body: description } = await service.get('/openapi.json')
const gets = Object.entries(description.paths as Record<string, { get?: object }>).flatMap(([path, { get }]) =>
  get ? [path] : [],
)

const problems: string[] = []
const succeeded = new Map<string, number>()

async function look(path: string, url: string, as: { secret: string } | string = key): Promise<unknown> {
  const { status, body } = await service.get(url, as)
  if (status === 200) succeeded.set(path, (succeeded.get(path) ?? 0) + 1)
  else if (status !== 404 && status !== 403) problems.push(`${url}: ${status}`)
  return body
}

/** All rows of a list, page after page. */
async function walk(path: string, url: string): Promise<{ id: string }[]> {
  const rows: { id: string }[] = []
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const next = `${url}${url.includes('?') ? '&' : '?'}limit=100${cursor === null ? '' : `&cursor=${cursor}`}`
    const page = (await look(path, next)) as { data?: { id: string }[]; next_cursor?: string | null }
    rows.push(...(page.data ?? []))
    cursor = page.next_cursor ?? null
  }
  return rows
}

/** A sample of events and deliveries is enough: they are made alike. */
const SAMPLE = 200

/** The records of the demo, by the parameter that takes them. */
async function handles(): Promise<Record<string, readonly string[]>> {
  const all = async (path: string, query = '') =>
    (await walk(path, path + query)).map(row => row.id).filter(id => id !== undefined)
  const people = await db.query(
    sql<{ person_id: string }>`select person_id from identities where workspace_id = ${acme!.id} limit 100`,
  )
  const events = await db.query(
    sql<{ id: string }>`select id from events where workspace_id = ${acme!.id} order by sequence desc limit ${SAMPLE}`,
  )
  const slugs = await db.query(sql<{ slug: string }>`select slug from jobs where workspace_id = ${acme!.id}`)
  const users = await db.query(sql<{ id: string }>`select id from users where workspace_id = ${acme!.id}`)
  return {
    workspace_handle: [acme!.id],
    user_handle: users.map(row => row.id),
    job_handle: await all('/jobs', '?include_unpublished=true'),
    slug: slugs.map(row => row.slug),
    event_handle: events.map(row => row.id),
    endpoint_id: await all('/webhooks/endpoints'),
    delivery_id: (await all('/webhooks/deliveries')).slice(0, SAMPLE),
    request_id: (await all('/requests')).slice(0, SAMPLE),
    project_handle: await all('/projects'),
    list_handle: await all('/lists'),
    profile_handle: await all('/sourced-profiles'),
    person_handle: people.map(row => row.person_id),
    application_handle: await all('/applications'),
    applicant_handle: await all('/applicants'),
    package_handle: await all('/packages'),
    order_handle: await all('/orders'),
    export_id: [(await service.post('/exports', key, { resources: ['jobs'] })).body.id],
  }
}

/** A sample of the pool, and of files, is enough: they are made alike, and files have a tier of their own. */
const POOL_SAMPLE = 100
const FILE_SAMPLE = 80
const CONCURRENCY = 8

async function lookAll(path: string, urls: readonly string[], as?: IssuedKey): Promise<void> {
  const waiting = [...urls]
  const next = async () => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) await look(path, url, as)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, next))
}

const known = await handles()
const pool = await look('/pool/profiles', `/pool/profiles?limit=${POOL_SAMPLE}`)
const poolHandles = (pool as { data: { id: string }[] }).data.map(row => row.id)
const files = await db.query(
  sql<{ profile_id: string; type: string }>`
    select profile_id, type from attachments where workspace_id = ${acme!.id} limit ${FILE_SAMPLE}`,
)

const reports = await db.query(
  sql<{ order_id: string; id: string }>`select order_id, id from order_reports where workspace_id = ${acme!.id}`,
)

/** The keys of the vendors, with new secrets: those of the demo are shown to no one. */
const vendors: IssuedKey[] = []
const publishers = sql<{ id: string }>`
  select id from api_keys k where exists (select from packages where workspace_id = ${acme!.id} and vendor_id = k.id)`
for (const { id } of await db.query(publishers)) vendors.push(await rotateKey(db, id))

/** What a vendor alone reads, of its own open orders. */
const OF_VENDORS = ['/orders/{order_handle}/candidate', '/orders/{order_handle}/resume/download']
/** The demo has no installed app, and no test workspace: `test/installations` and `test/test-workspaces` call these. */
const NOT_IN_DEMO = ['/installations', '/installations/{installation_handle}', '/test/clock', '/test/mailbox']

/** Every URL of a path in the demo. */
function urlsOf(path: string): string[] {
  if (path === '/people/resolve')
    return ['/people/resolve?linkedin_url=https://www.linkedin.com/in/no-such-person-at-all']
  const [name] = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  if (name === undefined) return [path]
  if (path.includes('{kind}'))
    return files.map(({ profile_id, type }) => path.replace('{profile_handle}', profile_id).replace('{kind}', type))
  if (path.includes('{report_id}'))
    return reports.map(({ order_id, id }) => path.replace('{order_handle}', order_id).replace('{report_id}', id))
  const values = path.startsWith('/pool/') ? poolHandles : known[name]!
  const urls = values.map(value => path.replace(`{${name}}`, value))
  return path.endsWith('/download') ? urls.slice(0, FILE_SAMPLE) : urls
}

for (const path of gets) {
  if (NOT_IN_DEMO.includes(path)) continue
  test(`demo: every response of GET ${path} matches openapi.json`, async () => {
    clock.advance(60_000) // another minute of the rate limit
    const callers = OF_VENDORS.includes(path) ? vendors : [undefined]
    for (const as of callers) await lookAll(path, urlsOf(path), as)
    assert.deepEqual(problems.splice(0).slice(0, 20), [])
    // resolved is a person who is not there
    assert.equal(succeeded.has(path), path !== '/people/resolve')
  })
}

test('demo: parsed résumés have the product’s form, with experience and education', async () => {
  const rows = await db.query(
    sql<{ application_id: string }>`
      select application_id from resumes where workspace_id = ${acme!.id} and parse_status = 'parsed' limit 400`,
  )
  let shown = 0
  for (const { application_id } of rows) {
    const { status, body } = await service.get(`/applications/${application_id}/resume`, key)
    if (status !== 200) continue
    shown++
    assert.ok(body.parsed.structured.experience.length > 0, application_id)
    assert.ok(Array.isArray(body.parsed.structured.education), application_id)
  }
  assert.ok(shown > 100, `${shown} of ${rows.length}`)
})
