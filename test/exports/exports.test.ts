import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mock, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { guardedPaths } from '../../src/kernel/http/shape.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { deleteApplicant } from '../../src/resources/applications/index.ts'
import { dropExports, runNextExport } from '../../src/resources/exports/index.ts'
import { jobShape } from '../../src/resources/jobs/shape.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { apply, newTenant, startWorld } from '../applications/setup.ts'
import { ALL, type Any, downloadRows, downloadText, exportNow, listed } from './setup.ts'

const world = await startWorld()
const { service } = world
const { db, blobs } = service.services
const silent = createLog('silent')
/** what an export is made with */
const parts = { db, blobs, log: silent, publicUrl: service.services.publicUrl }
const HOUR = 3_600_000

/** Writes what waits in this process. */
const runAll = async () => {
  while (await runNextExport(parts));
}

const filesOf = async (workspace: string) => {
  const keys: string[] = []
  for await (const key of blobs.list(`exports/${workspace}/`)) keys.push(key)
  return keys
}

/** How many sessions hold one. */
const snapshots = async () =>
  (
    await db.query(sql`select 1 from pg_stat_activity
      where datname = current_database() and xact_start is not null and state = 'idle in transaction'`)
  ).length

/** A tenant with something of every resource. */
async function filledTenant() {
  const tenant = await newTenant(service)
  const { workspace, key, job } = tenant
  const application = await apply(
    { ...tenant, service },
    {},
    { phone: '+41 44 668 18 00', email: `v${newHandle('job')}@planted.example` },
  )
  await service.post(`/applications/${application.id}/move`, key, { stage_id: job.stages[1] })
  await service.post(`/applications/${application.id}/reject`, key, { reason: 'a reason inside' })
  const profile = newHandle('sourced_profile')
  await db.query(sql`insert into sourced_profiles (workspace_id, id, full_name, origin, acquisition)
    values (${workspace}, ${profile}, 'Grace “√” Hopper', 'xray', 'xray_search')`)
  const list = (await service.post('/lists', key, { name: 'List' })).body
  await service.post(`/lists/${list.id}/members`, key, { members: [{ sourced_profile_id: profile }] })
  await service.post('/jobs', key, { source: { system: 'acme_ats', external_id: '1' }, title: 'A draft' })
  return { ...tenant, application, profile, list }
}

test('exports: 201 export: exactly the decided fields, pending; when written, ready with its files', async () => {
  const { workspace, key } = await filledTenant()
  const asked = await service.post('/exports', key, { resources: ALL })
  assert.equal(asked.status, 201)
  const { id, created_at, expires_at } = asked.body
  assert.deepEqual(asked.body, {
    object: 'export',
    id,
    created_at,
    resources: [...ALL],
    status: 'pending',
    as_of_sequence: null,
    progress: { rows_done: 0, rows_total: null },
    files: [],
    expires_at,
  })
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 24 * HOUR)
  assert.equal(asked.headers.get('ratelimit-limit'), '600', 'the expensive tier')
  assert.deepEqual((await service.get(`/exports/${id}`, key)).body, asked.body)

  await runAll()
  const { body } = await service.get(`/exports/${id}`, key)
  assert.equal(body.status, 'ready')
  assert.deepEqual(body.progress, { rows_done: 9, rows_total: 9 })
  assert.deepEqual(
    body.files.map((f: Any) => [Object.keys(f).sort().join(), f.resource, f.rows]),
    ALL.map((resource, i) => ['bytes,resource,rows,url', resource, [2, 1, 1, 1, 1, 1, 2][i]]),
  )
  const events = (await service.get('/events?limit=100', key)).body
  assert.equal(body.as_of_sequence, events.next_after)
  for (const file of body.files) {
    const response = await fetch(file.url)
    assert.equal(response.headers.get('content-type'), 'application/gzip')
    assert.match(response.headers.get('content-disposition')!, new RegExp(`${file.resource}\\.ndjson\\.gz`))
    assert.equal((await response.arrayBuffer()).byteLength, file.bytes)
  }
  assert.equal((await filesOf(workspace)).length, ALL.length)
})

test('exports: rows look as the same key sees them on the list endpoints', async () => {
  const { workspace, key, application, list } = await filledTenant()
  const narrow = await service.key({
    workspace,
    scopes: ['jobs:read', 'applications:read', 'applicants:read', 'sourced_profiles:read', 'lists:read'],
  })
  for (const [who, resources] of [
    [key, ALL],
    [narrow, ALL.slice(0, -1)],
  ] as const) {
    const made = await exportNow(service, who, resources)
    const sources = {
      jobs: '/jobs?include_unpublished=true',
      applications: '/applications',
      applicants: '/applicants',
      sourced_profiles: '/sourced-profiles',
      lists: '/lists',
      list_memberships: `/lists/${list.id}/members`,
    }
    for (const [resource, path] of Object.entries(sources)) {
      const inOrder = (rows: Any[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const file = inOrder(await downloadRows(made, resource))
      assert.deepEqual(file, inOrder(await listed(service, who, path)), resource)
      if (resource === 'applications') {
        assert.equal('rejection_reason' in file[0], who === key)
        assert.equal(file[0].restricted?.[0], who === key ? undefined : 'rejection_reason')
      }
    }
    if (who !== key) continue
    const steps = await listed(service, key, `/applications/${application.id}/stage-transitions`)
    assert.deepEqual(
      await downloadRows(made, 'stage_transitions'),
      steps.map(step => ({ ...step, application_id: application.id })),
    )
  }
})

test('POST /exports: with view full, rows look as the same key sees them in the single reads, drafts included', async () => {
  const { workspace, key, list, application } = await filledTenant()
  const narrow = await service.key({
    workspace,
    scopes: ['jobs:read', 'applications:read', 'applicants:read', 'sourced_profiles:read', 'lists:read'],
  })
  await db.query(sql`update applications set has_resume = true where id = ${application.id}`)
  const guarded = guardedPaths(jobShape.fields).map(field => field.path)
  assert.ok(guarded.includes('voice_screening.dial_in_code'))
  for (const who of [key, narrow]) {
    const resources = who === key ? ALL : ALL.slice(0, -1)
    const made = await exportNow(service, who, resources, { view: 'full' })
    const singles = {
      jobs: '/jobs',
      applications: '/applications',
      applicants: '/applicants',
      sourced_profiles: '/sourced-profiles',
      lists: '/lists',
    }
    for (const [resource, path] of Object.entries(singles)) {
      const rows = await downloadRows(made, resource)
      assert.ok(rows.length > 0, resource)
      for (const row of rows) assert.deepEqual(row, (await service.get(`${path}/${row.id}`, who)).body, resource)
    }
    const jobs = await downloadRows(made, 'jobs')
    assert.deepEqual(jobs.map(job => job.status).sort(), ['draft', 'published'])
    for (const job of jobs) {
      assert.ok('description_md' in job.content && Number.isInteger(job.application_count))
      assert.deepEqual(job.restricted, who === key ? undefined : guarded)
    }
    assert.equal((await downloadRows(made, 'applications'))[0].resume_access.state, 'open')
    const members = await listed(service, who, `/lists/${list.id}/members`)
    assert.deepEqual(await downloadRows(made, 'list_memberships'), members, 'no single read: the rows of the list')
  }
})

test('exports: 403 insufficient_scope: a full copy of jobs cannot be fetched by a key that lost the scope of a field in it', async () => {
  const { workspace } = await filledTenant()
  const key = await service.key({ workspace, scopes: ['jobs:read', 'jobs:screening:read'] })
  const [rows, full] = [
    await exportNow(service, key, ['jobs']),
    await exportNow(service, key, ['jobs'], { view: 'full' }),
  ]
  await db.query(sql`update api_keys set scopes = '{jobs:read}' where id = ${key.id}`)
  assert.equal((await service.get(`/exports/${rows.id}`, key)).status, 200, 'list rows never show it')
  const { status, body } = await service.get(`/exports/${full.id}`, key)
  assert.deepEqual([status, body.detail.required_scope], [403, 'jobs:screening:read'])
})

test('exports: contact values, answers and résumé texts are in no export, whatever the key may read and whatever the view', async () => {
  const { key } = await filledTenant()
  const made = [await exportNow(service, key), await exportNow(service, key, ALL, { view: 'full' })]
  for (const file of made.flatMap(copy => copy.files))
    assert.doesNotMatch(await downloadText(file), /planted\.example|668 18 00|\+41/)
})

test('exports: 403 insufficient_scope: the read scope of each resource that is named', async () => {
  const { workspace } = world
  const needed = {
    jobs: 'jobs:read',
    applications: 'applications:read',
    applicants: 'applicants:read',
    sourced_profiles: 'sourced_profiles:read',
    lists: 'lists:read',
    list_memberships: 'lists:read',
    stage_transitions: 'applications:internal:read',
  }
  const all = [...new Set(Object.values(needed))]
  for (const [resource, scope] of Object.entries(needed)) {
    const key = await service.key({ workspace, scopes: [...all.filter(s => s !== scope), 'events:read'] })
    const { status, body } = await service.post('/exports', key, { resources: ALL })
    assert.deepEqual(
      [status, body.detail.code, body.detail.required_scope],
      [403, 'insufficient_scope', scope],
      resource,
    )
  }
  const { key } = await newTenant(service)
  assert.equal((await service.post('/exports', key, { resources: ALL })).status, 201)
})

test('exports: 403 insufficient_scope: a key that has lost a scope cannot fetch the fields that were written with it', async () => {
  const { workspace } = await filledTenant()
  const scopes = ['applications:read', 'applications:internal:read', 'messages:send'] as const
  const key = await service.key({ workspace, scopes: [...scopes] })
  const { id } = await exportNow(service, key, ['applications'])
  const holding = async (held: readonly string[]) => {
    await db.query(sql`update api_keys set scopes = ${held}::text[] where id = ${key.id}`)
    return service.get(`/exports/${id}`, key)
  }
  assert.equal((await holding(scopes.slice(0, 2))).status, 200, 'a scope that shows nothing of it')
  const { status, body } = await holding(['applications:read'])
  assert.equal(status, 403)
  assert.deepEqual([body.detail.code, body.detail.required_scope], ['insufficient_scope', 'applications:internal:read'])
})

test('exports: a key that belongs to no user may copy: it is a read', async () => {
  const { id: workspace } = await service.workspace('enterprise')
  const key = await service.key({ workspace, scopes: ['jobs:read'] })
  assert.equal((await exportNow(service, key, ['jobs'])).status, 'ready')
})

test('exports: 400 names the field: no resource, an unknown one, one twice, another field', async () => {
  const refused = async (body: unknown, param: string) => {
    const response = await service.post('/exports', world.key, body)
    assert.deepEqual(
      [response.status, response.body.detail.code, response.body.detail.param],
      [400, 'invalid_request', param],
      response.text,
    )
  }
  await refused({}, 'resources')
  await refused({ resources: [] }, 'resources')
  await refused({ resources: 'jobs' }, 'resources')
  await refused({ resources: ['jobs', 'users'] }, 'resources[1]')
  await refused({ resources: ['jobs', 'lists', 'jobs'] }, 'resources[2]')
  await refused({ resources: ['jobs'], format: 'csv' }, 'format')
  await refused({ resources: ['jobs'], view: 'wide' }, 'view')
})

test('exports: 404: an export of another key or workspace is like one that is not there', async () => {
  const { workspace, key, userId: _ } = await newTenant(service)
  const made = await exportNow(service, key)
  const sameWorkspace = await service.key({ workspace })
  const responses = [
    await service.get(`/exports/${randomUUID()}`, key),
    await service.get(`/exports/${made.id}`, sameWorkspace),
    await service.get(`/exports/${made.id}`, world.key),
    await service.get('/exports/nonsense', key),
  ]
  for (const { status, body } of responses) {
    assert.equal(status, 404)
    assert.deepEqual({ ...body.detail, request_id: '' }, { ...responses[0]!.body.detail, request_id: '' })
  }
})

test('exports: Idempotency-Key: a repeat is the same export', async () => {
  const { key } = await newTenant(service)
  const headers = { 'idempotency-key': 'export-0001' }
  const first = await service.post('/exports', key, { resources: ['jobs'] }, { headers })
  const again = await service.post('/exports', key, { resources: ['jobs'] }, { headers })
  assert.equal(again.body.id, first.body.id)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('exports: file URLs work for 300 seconds and are new at each read', async () => {
  const { key } = await newTenant(service)
  const made = await exportNow(service, key, ['jobs'])
  const [{ url }] = made.files
  clock.advance(270_000)
  assert.equal((await fetch(url)).status, 200)
  clock.advance(31_000)
  assert.notEqual((await fetch(url)).status, 200)
  const renewed = (await service.get(`/exports/${made.id}`, key)).body.files[0].url
  assert.notEqual(renewed, url)
  assert.equal((await fetch(renewed)).status, 200)
})

test('exports: 429 rate_limit_exceeded: at most three unfinished exports of a workspace, also under concurrent requests', async () => {
  const { workspace, key } = await newTenant(service)
  const other = await service.key({ workspace })
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, i) => service.post('/exports', i % 2 ? key : other, { resources: ['jobs'] })),
  )
  assert.equal(responses.filter(a => a.status === 201).length, 3)
  const refused = responses.find(a => a.status !== 201)!
  assert.deepEqual([refused.status, refused.body.detail.code], [429, 'rate_limit_exceeded'])
  assert.equal(refused.headers.get('retry-after'), '60')
  await runAll()
  assert.equal((await service.post('/exports', key, { resources: ['jobs'] })).status, 201)
  await runAll()
})

test('exports: 429 rate_limit_exceeded: at most 50 exports are retained; Retry-After says when the oldest expires', async () => {
  const { workspace, key } = await newTenant(service)
  await db.query(sql`
    insert into exports (workspace_id, id, key_id, resources, scopes, status, expires_at)
    select ${workspace}, gen_random_uuid(), ${key.id}, '{jobs}', '{jobs:read}', 'ready', app_now() + n * interval '1 hour'
    from generate_series(2, 51) n`)
  const refused = await service.post('/exports', key, { resources: ['jobs'] })
  assert.deepEqual([refused.status, refused.body.detail.code], [429, 'rate_limit_exceeded'])
  assert.ok(Math.abs(Number(refused.headers.get('retry-after')) - 7_200) < 10)
})

test('exports: an export expires after 24 hours with its files, and is deleted seven days later', async () => {
  const { workspace, key } = await newTenant(service)
  const made = await exportNow(service, key)
  clock.advance(24 * HOUR - 60_000)
  assert.equal((await service.get(`/exports/${made.id}`, key)).body.status, 'ready')
  clock.advance(61_000)
  const { body } = await service.get(`/exports/${made.id}`, key)
  assert.deepEqual([body.status, body.files], ['expired', []])
  await expireOnce(db, blobs)
  assert.deepEqual(await filesOf(workspace), [])
  assert.equal((await service.get(`/exports/${made.id}`, key)).body.status, 'expired')
  clock.advance(7 * 24 * HOUR)
  await expireOnce(db, blobs)
  assert.equal((await service.get(`/exports/${made.id}`, key)).status, 404)
})

/** A worker whose first file ends only when released: until then, the test decides what happens to it. */
function stuckBlobs() {
  let release = () => {}
  const stuck = new Promise<void>(resolve => (release = resolve))
  let begin = () => {}
  const begun = new Promise<void>(resolve => (begin = resolve))
  const put: typeof blobs.put = async (key, body, opts) => {
    begin()
    await stuck
    return blobs.put(key, body, opts)
  }
  const own = Object.assign(Object.create(blobs) as typeof blobs, { put })
  return { blobs: own, begun, release }
}

test('exports: after the lease of a dead worker, another starts over, and what the first left is removed', async () => {
  const { workspace, key, application } = await filledTenant()
  const { id } = (await service.post('/exports', key, { resources: ALL })).body
  const ownDb = new Database(service.database.connection, { connections: 4, log: silent })
  const first = stuckBlobs()
  const killed = new AbortController()
  const gone = runNextExport({ ...parts, db: ownDb, blobs: first.blobs }, killed.signal).catch(error => error)
  await first.begun
  const running = (await service.get(`/exports/${id}`, key)).body
  assert.equal(running.status, 'running')
  assert.deepEqual(running.progress, { rows_done: 0, rows_total: 9 })
  assert.deepEqual(running.files, [])
  await ownDb.close()
  assert.equal(await runNextExport(parts), false, 'the lease still holds')
  await service.post(`/applications/${application.id}/reopen`, key, {})
  clock.advance(61_000)
  await runAll()
  const ready = (await service.get(`/exports/${id}`, key)).body
  assert.equal(ready.status, 'ready')
  assert.ok(ready.as_of_sequence > running.as_of_sequence, 'a new snapshot')
  assert.equal((await downloadRows(ready, 'applications'))[0].status, 'in_review')
  first.release()
  // without it, it would wait for its database
  killed.abort()
  await gone
  await expireOnce(db, blobs)
  assert.equal((await filesOf(workspace)).length, ALL.length, 'only those of the one that finished')
  assert.equal((await downloadRows(ready, 'jobs')).length, 2)
})

test('exports: a worker that lost its export without knowing writes over nothing, and removes what it wrote', async () => {
  const { workspace, key } = await filledTenant()
  const { id } = (await service.post('/exports', key, { resources: ALL })).body
  const first = stuckBlobs()
  const slow = runNextExport({ ...parts, blobs: first.blobs })
  await first.begun
  await db.query(sql`update exports set leased_until = app_now() - interval '1 second' where id = ${id}`)
  await runAll()
  const ready = (await service.get(`/exports/${id}`, key)).body
  assert.equal(ready.status, 'ready')
  first.release()
  await slow
  await expireOnce(db, blobs)
  const after = (await service.get(`/exports/${id}`, key)).body
  assert.deepEqual(
    after.files.map((f: Any) => [f.resource, f.bytes]),
    ready.files.map((f: Any) => [f.resource, f.bytes]),
  )
  assert.equal((await filesOf(workspace)).length, ALL.length)
  assert.equal((await downloadRows(after, 'jobs')).length, 2)
})

test('exports: a worker that is stopped puts the export back', async () => {
  const { workspace, key } = await filledTenant()
  const { id } = (await service.post('/exports', key, { resources: ALL })).body
  const stop = new AbortController()
  const first = stuckBlobs()
  const stopping = runNextExport({ ...parts, blobs: first.blobs }, stop.signal)
  await first.begun
  stop.abort()
  first.release()
  await stopping
  assert.equal((await service.get(`/exports/${id}`, key)).body.status, 'pending')
  await runAll()
  assert.equal((await service.get(`/exports/${id}`, key)).body.status, 'ready')
  await expireOnce(db, blobs)
  assert.equal((await filesOf(workspace)).length, ALL.length)
})

test('exports: with a file store that hangs, the snapshot still ends, and the export starts over', async () => {
  const { key } = await filledTenant()
  const { id } = (await service.post('/exports', key, { resources: ALL })).body
  const first = stuckBlobs()
  const running = runNextExport({ ...parts, blobs: first.blobs }, undefined, 2_000)
  await first.begun
  // between two of its statements, and no other transaction just then
  while ((await snapshots()) !== 1) await delay(5)
  while ((await snapshots()) > 0) await delay(50)
  first.release()
  await running
  clock.advance(21_000)
  await runAll()
  assert.equal((await service.get(`/exports/${id}`, key)).body.status, 'ready')
})

test('exports: an export canceled by an erasure while it ran is no failure: its snapshot ends and no error is logged', async () => {
  const { workspace, key } = await filledTenant()
  const { id } = (await service.post('/exports', key, { resources: ALL })).body
  const warn = mock.fn()
  const first = stuckBlobs()
  const running = runNextExport({ ...parts, blobs: first.blobs, log: { ...silent, warn } as unknown as typeof silent })
  await first.begun
  await db.transaction(tx => dropExports(tx, [workspace]))
  while ((await snapshots()) > 0) await delay(50)
  first.release()
  await running
  assert.equal(warn.mock.callCount(), 0)
  await runAll()
  assert.equal((await service.get(`/exports/${id}`, key)).body.status, 'ready')
})

test('files that cannot be stored: three tries, then failed, and nothing is left', async () => {
  const { workspace, key } = await filledTenant()
  const { id } = (await service.post('/exports', key, { resources: ALL })).body
  const broken = mock.fn(() => Promise.reject(new Error('no space')))
  const own = Object.assign(Object.create(blobs) as typeof blobs, { put: broken })
  for (let i = 0; i < 5; i++) {
    await runNextExport({ ...parts, blobs: own })
    clock.advance(21_000)
  }
  assert.equal(broken.mock.callCount(), 3)
  const { body } = await service.get(`/exports/${id}`, key)
  assert.deepEqual([body.status, body.files], ['failed', []])
  assert.deepEqual(await filesOf(workspace), [])
})

test('exports: a key revoked while its export runs: it fails, and no file of it is left', async () => {
  const { workspace, key } = await filledTenant()
  const { id } = (await service.post('/exports', key, { resources: ALL })).body
  const first = stuckBlobs()
  const running = runNextExport({ ...parts, blobs: first.blobs })
  await first.begun
  await revokeKey(db, key.id)
  first.release()
  await running
  assert.equal((await service.get(`/exports/${id}`, key)).status, 401)
  const row = await db.one(sql<{ status: string }>`select status from exports where id = ${id}`)
  assert.equal(row!.status, 'failed')
  await expireOnce(db, blobs)
  assert.deepEqual(await filesOf(workspace), [])
})

test('exports: a key revoked before or after: nothing is written, and what was is removed', async () => {
  const { workspace, key } = await filledTenant()
  await exportNow(service, key)
  const { id } = (await service.post('/exports', key, { resources: ALL })).body
  // as if the request had completed while the key was being revoked
  await db.query(sql`update api_keys set revoked_at = app_now() where id = ${key.id}`)
  await runAll()
  assert.equal((await db.one(sql<{ status: string }>`select status from exports where id = ${id}`))!.status, 'failed')
  await db.query(sql`update api_keys set revoked_at = null where id = ${key.id}`)
  await revokeKey(db, key.id)
  await expireOnce(db, blobs)
  assert.deepEqual(await filesOf(workspace), [])
})

test('exports: an erasure removes ready exports, begins running ones again, and no snapshot is taken before it commits', async () => {
  const { workspace, key, application } = await filledTenant()
  const untouched = await filledTenant()
  const kept = await exportNow(service, untouched.key)
  const ready = await exportNow(service, key)
  const { id: runningId } = (await service.post('/exports', key, { resources: ['applicants'] })).body
  const first = stuckBlobs()
  const running = runNextExport({ ...parts, blobs: first.blobs })
  await first.begun

  let commit = () => {}
  const held = new Promise<void>(resolve => (commit = resolve))
  let dropped = () => {}
  const droppedAll = new Promise<void>(resolve => (dropped = resolve))
  const erasure = db.transaction(async tx => {
    await dropExports(tx, [workspace, workspace])
    await deleteApplicant(tx, { workspace, id: application.applicant_id, originKeyId: null }, 'erasure_request')
    dropped()
    await held
  })
  await droppedAll
  const { id: lateId } = (await service.post('/exports', key, { resources: ['applicants'] })).body
  first.release() // its last statement waits for the erasure, and finds that the export is no longer its own
  let finished = false
  const late = runAll().then(() => (finished = true))
  try {
    // this one is its to write, and not taken by the next
    while ((await service.get(`/exports/${lateId}`, key)).body.status === 'pending') await delay(5)
    // another workspace's export is not held up by it
    assert.equal((await exportNow(service, untouched.key)).status, 'ready')
    assert.equal(finished, false)
  } finally {
    commit() // otherwise it would be held for ever
  }
  await erasure
  await running
  await late
  await runAll()

  assert.equal((await service.get(`/exports/${ready.id}`, key)).body.status, 'expired')
  for (const id of [runningId, lateId]) {
    const { body } = await service.get(`/exports/${id}`, key)
    assert.equal(body.status, 'ready')
    assert.deepEqual(await downloadRows(body, 'applicants'), [], 'without the person')
  }
  await expireOnce(db, blobs)
  assert.equal((await filesOf(workspace)).length, 2)
  for (const file of ready.files) assert.equal((await fetch(file.url)).status, 404)
  assert.equal((await service.get(`/exports/${kept.id}`, untouched.key)).body.status, 'ready')
})

test('exports: more rows than one batch, in every resource order: none twice, none missed', async () => {
  const { workspace, key } = await newTenant(service)
  await db.query(sql`
    insert into applicants (workspace_id, id, full_name)
    select ${workspace}, 'apl_' || lpad(n::text, 20, '0'), 'Zoë ' || n from generate_series(1, 1000) n`)
  const made = await exportNow(service, key, ['applicants', 'lists'])
  assert.deepEqual(
    made.files.map((f: Any) => f.rows),
    [1000, 0],
  )
  const ids = (await downloadRows(made, 'applicants')).map(row => row.id)
  assert.equal(new Set(ids).size, 1000)
  assert.deepEqual(await downloadRows(made, 'lists'), [])
})
