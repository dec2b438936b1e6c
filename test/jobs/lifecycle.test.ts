import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobStatus } from '../../src/contract/job-status.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { closeDueJobs, createJob, editJob, moveJob, setStages } from '../../src/resources/jobs/index.ts'
import { closeDueJobsWorker } from '../../src/workers/close-due-jobs.ts'
import { assertFailure, buildPush, faultsOf, startJobs } from './setup.ts'

const { blocked, db, eventsOf, newWorkspace, service, typesOf } = await startJobs()

const { workspace, key, userEmail } = await newWorkspace()

const MOVES = ['publish', 'unpublish', 'close', 'reopen'] as const

const add = (status: JobStatus) =>
  db.transaction(async tx => {
    const id = await createJob(tx, workspace, { title: 'Job', content: { summary: 'Text' } })
    if (status !== 'draft') await moveJob(tx, workspace, id, 'publish')
    if (status === 'closed') await moveJob(tx, workspace, id, 'close')
    return id
  })
const read = async (id: string) => (await service.get(`/jobs/${id}`, key)).body
const move = (id: string, name: string, body?: unknown) => service.post(`/jobs/${id}/${name}`, key, body)

const TABLE: [JobStatus, (typeof MOVES)[number], JobStatus | 'refused', string][] = [
  ['draft', 'publish', 'published', 'job.published'],
  ['draft', 'unpublish', 'draft', ''],
  ['draft', 'close', 'refused', ''],
  ['draft', 'reopen', 'refused', ''],
  ['published', 'publish', 'published', ''],
  ['published', 'unpublish', 'draft', 'job.unpublished'],
  ['published', 'close', 'closed', 'job.closed'],
  ['published', 'reopen', 'published', ''],
  ['closed', 'publish', 'refused', ''],
  ['closed', 'unpublish', 'refused', ''],
  ['closed', 'close', 'closed', ''],
  ['closed', 'reopen', 'published', 'job.reopened'],
]

for (const [from, name, to, type] of TABLE) {
  if (to === 'refused') {
    test(`job lifecycle: 409 invalid_job_transition: ${name} of a ${from} job changes nothing`, async () => {
      const id = await add(from)
      const before = await read(id)
      const events = await typesOf(id)
      const response = await move(id, name)
      assertFailure(response, 409, 'invalid_job_transition')
      assert.match(response.body.detail.message, new RegExp(from))
      assert.deepEqual(await read(id), before)
      assert.deepEqual(await typesOf(id), events)
    })
  } else if (type === '') {
    test(`job lifecycle: 200: ${name} of a ${from} job is no write and no event`, async () => {
      const id = await add(from)
      const before = await read(id)
      const events = await typesOf(id)
      const response = await move(id, name)
      assert.equal(response.status, 200)
      assert.deepEqual(response.body, before)
      assert.deepEqual(await typesOf(id), events)
    })
  } else {
    test(`job lifecycle: 200: ${name} moves a ${from} job to ${to} and emits ${type}`, async () => {
      const id = await add(from)
      const before = await read(id)
      const response = await move(id, name, {})
      assert.equal(response.status, 200)
      assert.equal(response.body.status, to)
      assert.ok(response.body.updated_at > before.updated_at)
      assert.deepEqual(response.body, await read(id))
      const event = (await eventsOf(id)).at(-1)!
      const dated = name === 'publish' || name === 'unpublish'
      assert.equal(event.type, type)
      assert.deepEqual(event.data, {
        object: {
          object: 'job',
          id,
          workspace_id: workspace,
          updated_at: response.body.updated_at,
          status: to,
          changed: dated ? ['status', 'published_at'] : ['status'],
          origin: `api:${key.id}`,
        },
        previous_attributes: { status: from, ...(dated ? { published_at: before.published_at } : {}) },
      })
    })
  }
}

test('job lifecycle: published_at: set by publishing, cleared by unpublishing, unchanged by closing and reopening', async () => {
  const id = await add('draft')
  const { published_at } = (await move(id, 'publish')).body
  assert.notEqual(published_at, null)
  assert.equal((await move(id, 'close')).body.published_at, published_at)
  clock.advance(60_000)
  assert.equal((await move(id, 'reopen')).body.published_at, published_at)
  assert.equal((await move(id, 'unpublish')).body.published_at, null)
  clock.reset()
})

test('job lifecycle: 409 stale_resource: expected_updated_at no longer matches, nothing is changed', async () => {
  for (const name of MOVES) {
    const id = await add('published')
    const before = await read(id)
    const events = await typesOf(id)
    const response = await move(id, name, { expected_updated_at: '2020-01-01T00:00:00.000Z' })
    assertFailure(response, 409, 'stale_resource', 'expected_updated_at')
    assert.deepEqual(await read(id), before)
    assert.deepEqual(await typesOf(id), events)
  }
})

test('job lifecycle: 200: expected_updated_at as it was shown, in any spelling of the instant', async () => {
  const id = await add('published')
  const { updated_at } = await read(id)
  const shifted = updated_at.replace('Z', '+00:00')
  assert.equal((await move(id, 'close', { expected_updated_at: shifted })).status, 200)
})

test('job lifecycle: of two moves with the same expected_updated_at, one wins, the other gets 409 stale_resource', async () => {
  const id = await add('published')
  const { updated_at: expected_updated_at } = await read(id)
  const responses = await Promise.all([
    move(id, 'close', { expected_updated_at }),
    move(id, 'unpublish', { expected_updated_at }),
  ])
  assert.deepEqual(responses.map(a => a.status).toSorted(), [200, 409])
  assertFailure(responses.find(a => a.status === 409)!, 409, 'stale_resource')
})

test('job lifecycle: 400 invalid_request: a wrong time, an unknown field', async () => {
  const id = await add('published')
  assertFailure(await move(id, 'close', { expected_updated_at: 'now' }), 400, 'invalid_request', 'expected_updated_at')
  assertFailure(await move(id, 'close', { reason: 'x' }), 400, 'invalid_request', 'reason')
})

test('job lifecycle: 422 job_not_publishable: publish and reopen list each gap and change nothing', async () => {
  const id = await db.transaction(tx => createJob(tx, workspace, { title: 'Bare' }))
  const draft = await read(id)
  const response = await move(id, 'publish')
  assertFailure(response, 422, 'job_not_publishable', 'content')
  assert.deepEqual(faultsOf(response), { content: 'needs a summary or a description' })
  assert.deepEqual(await read(id), draft)

  const closed = await add('closed')
  await db.transaction(async tx => {
    await editJob(tx, workspace, closed, { content: null, close_at: '2020-01-01T00:00:00Z' })
    await setStages(tx, workspace, closed, [{ name: 'Hired', type: 'hired' }])
  })
  const reopened = await move(closed, 'reopen')
  assertFailure(reopened, 422, 'job_not_publishable')
  assert.deepEqual(Object.keys(faultsOf(reopened)), ['content', 'pipeline_stages', 'close_at'])
  assert.equal((await read(closed)).status, 'closed')
})

test('job lifecycle: 422 job_not_publishable: the stages are counted after waiting for the transaction that changes them', async () => {
  const id = await add('draft')
  let waiting!: ReturnType<typeof move>
  await db.transaction(async tx => {
    await setStages(tx, workspace, id, [{ name: 'Hired', type: 'hired' }])
    waiting = move(id, 'publish')
    await blocked()
  })
  assertFailure(await waiting, 422, 'job_not_publishable', 'pipeline_stages')
  assert.equal((await read(id)).status, 'draft')
})

test('job lifecycle: 422 job_not_publishable: close_at is judged by the clock of the database', async () => {
  const id = await add('draft')
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  await db.transaction(tx => editJob(tx, workspace, id, { close_at: soon }))
  clock.advance(2 * 3_600_000)
  assertFailure(await move(id, 'publish'), 422, 'job_not_publishable', 'close_at')
  clock.reset()
  assert.equal((await move(id, 'publish')).status, 200)
})

test('job lifecycle: close_at: a published job closes when its time has come, as a change of the product', async () => {
  const [due, later, draft] = [await add('published'), await add('published'), await add('draft')]
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  await db.transaction(async tx => {
    for (const id of [due, draft]) await editJob(tx, workspace, id, { close_at: at(1) })
    await editJob(tx, workspace, later, { close_at: at(3) })
  })
  assert.equal(await db.transaction(tx => closeDueJobs(tx, 10)), 0)
  clock.advance(2 * 3_600_000)
  // the service's own worker may be the one that closes it
  while ((await read(due)).status !== 'closed') await db.transaction(tx => closeDueJobs(tx, 10))
  assert.equal(await db.transaction(tx => closeDueJobs(tx, 10)), 0)
  clock.reset()
  assert.deepEqual(
    [(await read(due)).status, (await read(later)).status, (await read(draft)).status],
    ['closed', 'published', 'draft'],
  )
  const event = (await eventsOf(due)).at(-1)!
  assert.equal(event.type, 'job.closed')
  assert.equal(Object.hasOwn(event.data.object, 'origin'), false)
})

test('job lifecycle: close_at: the worker closes more jobs than one batch holds without a pause, and stops on request', async () => {
  const own = await newWorkspace()
  const ids = Array.from({ length: 230 }, () => newHandle('job'))
  await db.query(sql`
    insert into jobs (workspace_id, id, slug, title, source_system, status, published_at, close_at)
    select ${own.workspace}, id, id, 'Job', 'tahoe_native', 'published', app_now(), app_now()
    from unnest(${ids}::text[]) as id`)
  const stop = new AbortController()
  const running = closeDueJobsWorker({ db }).run(stop.signal)
  const open = sql`select 1 from jobs where workspace_id = ${own.workspace} and status = 'published' limit 1`
  const began = performance.now()
  while (await db.one(open)) assert.ok(performance.now() - began < 20_000, 'it paused between two chunks')
  stop.abort()
  await running
  assert.deepEqual(await typesOf(ids[229]!), ['job.closed'])
})

test('job lifecycle: lifecycle calls act on pushed jobs too', async () => {
  const { body } = await service.post('/jobs', key, buildPush())
  assert.equal((await move(body.id, 'publish')).body.status, 'published')
})

test('job lifecycle: Idempotency-Key: the first response again, without a second move', async () => {
  const id = await add('draft')
  const headers = { 'idempotency-key': 'lifecycle-1' }
  const first = await service.post(`/jobs/${id}/publish`, key, undefined, { headers })
  await move(id, 'unpublish')
  const second = await service.post(`/jobs/${id}/publish`, key, undefined, { headers })
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(second.body, first.body)
  assert.equal((await read(id)).status, 'draft')
})

test('job lifecycle: 404 not_found: identical for missing, malformed and another workspace’s; another type is named', async () => {
  const other = await newWorkspace()
  const foreign = await db.transaction(tx => createJob(tx, other.workspace, { title: 'Foreign' }))
  const bodies = new Set<string>()
  for (const name of MOVES) {
    const wrongType = await move(newHandle('user'), name)
    assertFailure(wrongType, 404, 'not_found')
    assert.match(wrongType.body.detail.message, /^usr_… is a user handle/)
    for (const handle of [newHandle('job'), 'job_1', foreign]) {
      const response = await move(handle, name)
      assertFailure(response, 404, 'not_found')
      bodies.add(JSON.stringify({ ...response.body.detail, request_id: '' }))
    }
  }
  assert.equal(bodies.size, 1)
})

test('job lifecycle: 403: jobs:manage is needed, and a key that belongs to a user; general tier', async () => {
  const id = await add('draft')
  const writer = await service.key({ workspace, userEmail, scopes: ['jobs:read', 'jobs:write'] })
  const userless = await service.key({ workspace, scopes: ['jobs:manage'] })
  for (const name of MOVES) {
    const refused = await service.post(`/jobs/${id}/${name}`, writer)
    assertFailure(refused, 403, 'insufficient_scope')
    assert.equal(refused.body.detail.required_scope, 'jobs:manage')
    assertFailure(await service.post(`/jobs/${id}/${name}`, userless), 403, 'write_requires_api_key')
  }
  assert.equal((await move(id, 'publish')).headers.get('ratelimit-limit'), '6000')
})
