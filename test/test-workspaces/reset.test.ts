import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { tenantTables } from '../../src/resources/deletions/index.ts'
import { isReset } from '../../src/resources/test-workspaces/rules.ts'
import { apply, body } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { CA_FILE, startReceiver, testNames } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { ask, codeFor, exchange, installable, installer, installIn } from '../installations/setup.ts'
import { keyFor, newTestTenant, type TestTenant } from './setup.ts'

const receiver = await startReceiver()
const hooks = { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE }
const service = await startTestService({ ROLES: 'api', ...hooks }, { resolveName: testNames() })
const { db } = service.services
const live = await service.workspace('enterprise')
const liveKey = await service.key({ workspace: live.id, userEmail: live.userEmail })

const reset = ({ key }: Pick<TestTenant, 'key'>, seed?: string) =>
  service.post('/test/reset', key, seed === undefined ? undefined : { seed })
const feed = async ({ key }: Pick<TestTenant, 'key'>, after = 0) => {
  while ((await sequenceBatch(db)) > 0);
  return (await service.get(`/events?after=${after}`, key)).body
}
const count = async (path: string, key: TestTenant['key']) =>
  (await service.get(`${path}?limit=100`, key)).body.data.length

test('POST /test/reset: 403 test_workspace_required for a live key, with every scope and with none; nothing changes', async () => {
  const job = await service.post('/jobs', liveKey, {
    source: { system: 'acme_ats', external_id: '1' },
    title: 'Welder',
  })
  for (const key of [liveKey, await service.key({ workspace: live.id, scopes: ['jobs:read'] })]) {
    const { status, body: refused } = await service.post('/test/reset', key, { seed: 'small' })
    assert.deepEqual([status, refused.detail.code], [403, 'test_workspace_required'])
  }
  assert.equal((await service.get(`/jobs/${job.body.id}`, liveKey)).status, 200)
})

test('POST /test/reset: 403 insufficient_scope without test:manage, 403 without a user, 400 for another seed; changes nothing', async () => {
  const tenant = await newTestTenant(service)
  const narrow = await service.post('/test/reset', await keyFor(tenant, { scopes: ['jobs:read'] }))
  assert.deepEqual([narrow.status, narrow.body.detail.required_scope], [403, 'test:manage'])
  const ownerless = await service.key({ workspace: tenant.workspace })
  assert.equal((await service.post('/test/reset', ownerless)).body.detail.code, 'write_requires_api_key')
  const wrong = await reset(tenant, 'huge')
  assert.deepEqual([wrong.status, wrong.body.detail.param], [400, 'seed'])
  assert.equal((await service.get(`/jobs/${tenant.job.id}`, tenant.key)).status, 200)
})

test('POST /test/reset: 202, old handles are 404, epoch differs, sequence goes on; key, endpoint and members stay', async () => {
  const tenant = await newTestTenant(service)
  const { key, workspace } = tenant
  const application = await apply(tenant)
  const endpoint = await service.post('/webhooks/endpoints', key, {
    url: `${receiver.url}/reset`,
    event_types: ['application.created'],
  })
  assert.equal(endpoint.status, 201, endpoint.text)
  const before = await feed(tenant)
  const last = before.next_after
  assert.ok(before.data.length > 0)
  await db.query(sql`update credit_balances set balance = 3 where workspace_id = ${workspace}`)
  await db.query(sql`
    insert into test_mails (workspace_id, id, to_address, to_key, subject, body_text)
    values (${workspace}, 'old', 'a@example.org', 'a@example.org', 'S', 'T')`)

  const done = await reset(tenant)
  assert.deepEqual([done.status, done.body.object, done.body.seed], [202, 'test_reset', 'none'])
  for (const path of [
    `/applications/${application.id}`,
    `/applicants/${application.applicant_id}`,
    `/jobs/${tenant.job.id}`,
  ])
    assert.equal((await service.get(path, key)).status, 404, path)
  const after = await feed(tenant, last)
  assert.deepEqual(
    [after.epoch !== before.epoch, after.epoch === done.body.feed_epoch, after.gap, after.data],
    [true, true, true, []],
  )
  assert.ok(done.body.sequence > last)
  const current = await feed(tenant, done.body.sequence)
  assert.equal(current.gap, false)
  assert.equal((await service.get('/me', key)).status, 200)
  assert.equal((await service.get(`/webhooks/endpoints/${endpoint.body.id}`, key)).body.status, endpoint.body.status)
  assert.equal(await count(`/workspaces/${workspace}/users`, key), 1)
  assert.equal(await count('/test/mailbox', key), 0)
  const { balance } = (await db.one(
    sql<{ balance: number }>`select balance from credit_balances where workspace_id = ${workspace}`,
  ))!
  assert.equal(balance, 10_000)
  // what comes next has the next number
  const seeded = await service.post('/test/seed', key)
  assert.equal(seeded.status, 202)
  const events = await feed(tenant, done.body.sequence)
  assert.equal(events.data[0].sequence, done.body.sequence + 1)
  assert.equal(events.epoch, done.body.feed_epoch)
})

test('POST /test/reset: an installed app stays, with its key; a consent that is being exchanged stays, too', async () => {
  const tenant = await newTestTenant(service)
  const { workspace } = tenant
  const [app, other] = [await installable(service), await installable(service)]
  const installed = await installIn(service, app, workspace)
  const asked = await ask(other)
  const code = await codeFor((await installer(service, workspace)).browser, asked)
  assert.equal((await reset(tenant)).status, 202)
  const me = await service.get('/me', installed.access_token)
  assert.deepEqual([me.status, me.body.installation_id], [200, installed.installation_id])
  assert.equal((await exchange(service, other, { code, code_verifier: asked.verifier })).status, 200)
})

test('POST /test/reset: the epoch of other workspaces stays', async () => {
  const [one, two] = [await newTestTenant(service), await newTestTenant(service)]
  const [ofTwo, ofLive] = [(await feed(two)).epoch, (await feed({ key: liveKey })).epoch]
  await reset(one)
  assert.deepEqual([(await feed(two)).epoch, (await feed({ key: liveKey })).epoch], [ofTwo, ofLive])
  await apply(two)
})

test('POST /test/reset with seed small: the same records each time, but for handles and times', async () => {
  const tenant = await newTestTenant(service)
  const look = async () => {
    const jobs = (await service.get('/jobs?limit=100', tenant.key)).body.data
    const applicants = (await service.get('/applicants?limit=100', tenant.key)).body.data
    return {
      jobs: jobs.map(({ title }: { title: string }) => title).toSorted(),
      people: applicants.map((row: { full_name: string }) => row.full_name).toSorted(),
      applications: await count('/applications', tenant.key),
      profiles: await count('/sourced-profiles', tenant.key),
      lists: await count('/lists', tenant.key),
    }
  }
  const first = await reset(tenant, 'small')
  assert.deepEqual([first.status, first.body.seed], [202, 'small'])
  const seen = await look()
  assert.ok(
    seen.jobs.length >= 3 && seen.applications >= 8 && seen.profiles >= 5 && seen.lists >= 1,
    JSON.stringify(seen),
  )
  await reset(tenant, 'small')
  assert.deepEqual(await look(), seen)
})

test('two resets and a seed at the same time: one after the other; the records are those of one of them', async () => {
  const tenant = await newTestTenant(service)
  await reset(tenant, 'small')
  const [applications, jobs] = [await count('/applications', tenant.key), await count('/jobs', tenant.key)]
  const both = await Promise.all([reset(tenant, 'small'), reset(tenant, 'small'), reset(tenant, 'small')])
  assert.deepEqual(
    both.map(({ status }) => status),
    [202, 202, 202],
  )
  assert.equal(new Set(both.map(({ body: done }) => done.feed_epoch)).size, 3)
  assert.deepEqual([await count('/applications', tenant.key), await count('/jobs', tenant.key)], [applications, jobs])
})

test('POST /test/reset: those that wait in a process hold no session of the database', async () => {
  const tenant = await newTestTenant(service)
  const many = Array.from({ length: 12 }, () => reset(tenant))
  const waiting = sql<{ n: number }>`
    select count(*)::integer as n from pg_stat_activity
    where datname = current_database() and wait_event = 'advisory' and query like 'select pg_advisory_lock(%'`
  let done = false
  const all = Promise.all(many).finally(() => (done = true))
  let most = 0
  while (!done) most = Math.max(most, (await db.only(waiting)).n)
  assert.deepEqual(
    (await all).map(({ status }) => status),
    many.map(() => 202),
  )
  assert.equal(most, 0)
})

test('POST /test/reset during writes, an export and deliveries: 202, writes end with a response of the catalogue, nothing is left', async () => {
  const tenant = await newTestTenant(service)
  const { key, workspace } = tenant
  await reset(tenant, 'small')
  await service.post('/webhooks/endpoints', key, { url: `${receiver.url}/in`, event_types: ['application.created'] })
  const job = (await service.get('/jobs?limit=1', key)).body.data[0]
  const asked = await service.post('/exports', key, { resources: ['jobs', 'applications'] })
  assert.equal(asked.status, 201, asked.text)
  let going = true
  const statuses: number[] = []
  const writing = Promise.all(
    [1, 2, 3].map(async () => {
      const writer = await keyFor(tenant)
      while (going)
        statuses.push((await service.post('/applications', writer, body({ id: job.id, stages: [] }))).status)
    }),
  )
  const resets = []
  for (let n = 0; n < 3; n++) resets.push((await reset(tenant)).status)
  going = false
  await writing
  while ((await sequenceBatch(db)) > 0);
  assert.deepEqual(resets, [202, 202, 202])
  assert.ok(
    statuses.every(status => [201, 404, 429].includes(status)),
    statuses.join(' '),
  )
  assert.equal((await service.get(`/exports/${asked.body.id}`, key)).status, 404)
  await reset(tenant)
  const left: string[] = []
  for (const { name } of (await db.query(tenantTables())).filter(({ name }) => isReset(name))) {
    const { n } = (await db.one(sql<{ n: number }>`
      select count(*)::integer as n from ${raw(name)} where workspace_id = ${workspace}`))!
    if (n > 0) left.push(`${name} ${n}`)
  }
  assert.deepEqual(left, ['credit_balances 1', 'credit_entries 1'])
})

test('POST /test/reset: who was erased there can be stored again; their files are noted for removal', async () => {
  const tenant = await newTestTenant(service)
  const owner = await signedIn(service, tenant.workspace)
  const email = 'again@example.org'
  const created = await service.post('/applications', tenant.key, body(tenant.job, {}, { email }))
  assert.equal(created.status, 201)
  await owner.post('/erasures', { email, reason: 'erasure_request', confirmation: email })
  await service.services.blobs.put(`attachments/${tenant.workspace}/spr_x/file`, Buffer.from('x'), {
    contentType: 'text/plain',
    bytes: 1,
  })
  await reset(tenant, 'small')
  assert.deepEqual(await db.query(sql`select 1 from suppressed_identifiers where reach = ${tenant.workspace}`), [])
  const noted = await db.query(sql<{ blob_key: string }>`
    select blob_key from file_deletions where workspace_id = ${tenant.workspace} and blob_key like 'attachments/%file'`)
  assert.equal(noted.length, 1)
  const [job] = (await service.get('/jobs?limit=1', tenant.key)).body.data
  const again = await service.post('/applications', tenant.key, body({ id: job.id, stages: [] }, {}, { email }))
  assert.ok([200, 201].includes(again.status), again.text)
})

test('reset: every table with rows of workspaces is either emptied or retained on purpose', async () => {
  const retained = (await db.query(tenantTables())).map(({ name }) => name).filter(name => !isReset(name))
  for (const name of [
    'users',
    'api_keys',
    'api_key_secrets',
    'webhook_endpoints',
    'webhook_secrets',
    'event_logs',
    'installations',
  ])
    assert.ok(retained.includes(name), name)
  // a new table is emptied unless it is named
  assert.ok(isReset('orders'))
})

test('POST /test/simulate: 202 with the event, which is in the feed; types of the pool and unknown ones are 400', async () => {
  const tenant = await newTestTenant(service)
  const { status, body: done } = await service.post('/test/simulate', tenant.key, { event_type: 'application.created' })
  assert.deepEqual([status, done.object, done.event_type], [202, 'test_event', 'application.created'])
  const event = await service.get(`/events/${done.event_id}`, tenant.key)
  assert.deepEqual([event.body.type, event.body.sequence], ['application.created', done.sequence])
  assert.equal((await service.get(`/applications/${done.handles.application}`, tenant.key)).status, 200)
  for (const type of ['pool.batch_upserted', 'job.exploded']) {
    const refused = await service.post('/test/simulate', tenant.key, { event_type: type })
    assert.deepEqual([refused.status, refused.body.detail.param], [400, 'event_type'], type)
  }
  const erased = await service.post('/test/simulate', tenant.key, { event_type: 'data_subject.erasure_completed' })
  assert.equal(erased.status, 202, erased.text)
  const reaches = await db.query(sql<{ reach: string }>`select distinct reach from suppressions`)
  assert.ok(!reaches.some(({ reach }) => reach === 'installation'))
  assert.equal((await service.post('/test/simulate', liveKey, { event_type: 'job.updated' })).status, 403)
})
