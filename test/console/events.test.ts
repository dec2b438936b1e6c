import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { SEARCH_SCAN } from '../../src/resources/events/store.ts'
import { emit, SYNTHETIC_TITLE } from '../harness/events.ts'
import { readFeed } from '../harness/feed.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let workspace: string
let owner: Person

before(async () => {
  service = await startTestService({ ROLES: 'api' })
  workspace = (await service.workspace()).id
  owner = await signedIn(service, workspace)
})

const search = async (query = '') => (await owner.get(`/events${query}`)).body

test('console events: newest first, with the bytes of the feed and the key that caused each', async () => {
  const key = await service.key({ workspace, name: 'Writer' })
  const { db } = service.services
  await emit(db, workspace, ['job.published'])
  await emit(db, workspace, ['job.updated'], key.id)
  await emit(db, null, ['pool.batch_upserted'])
  await emit(db, (await service.workspace()).id, ['job.closed'])
  const feed = await readFeed(service, workspace)
  const found = await search()
  assert.deepEqual(
    found.data.map((event: { type: string }) => event.type),
    ['pool.batch_upserted', 'job.updated', 'job.published'],
  )
  assert.deepEqual(JSON.parse(found.data[2].body), feed[0])
  assert.deepEqual(found.data[1].origin, { id: key.id, name: 'Writer' })
  assert.equal(found.data[2].origin, null)
  assert.equal(found.next_before, null)
  const { last_event: last } = (await owner.get('/overview')).body
  assert.deepEqual(
    last,
    { sequence: found.data[0].sequence, created_at: found.data[0].created_at },
    'as on the overview',
  )
})

test('console events: narrowed by type, by record or event id, by who caused it, and by time', async () => {
  const { db } = service.services
  const key = await service.key({ workspace })
  clock.advance(86_400_000)
  const later = await signedIn(service, workspace)
  const start = await db.now()
  const [id] = await emit(db, workspace, ['job.reopened'], key.id)
  await emit(db, workspace, ['job.unpublished'])
  await readFeed(service, workspace)
  const types = async (query: string) =>
    (await later.get(`/events?${query}`)).body.data.map((event: { type: string }) => event.type)
  assert.deepEqual(await types('type=job.reopened,job.closed'), ['job.reopened'])
  assert.deepEqual(await types(`about=${id}`), ['job.reopened'])
  const [event] = (await later.get(`/events?about=${id}`)).body.data
  assert.deepEqual(await types(`about=${event.id}`), ['job.reopened'])
  assert.deepEqual(await types(`origin=${key.id}`), ['job.reopened'])
  assert.deepEqual(await types('origin=product&type=job.unpublished'), ['job.unpublished'])
  const at = encodeURIComponent(new Date(start - 1000).toISOString())
  assert.deepEqual(await types(`created_after=${at}`), ['job.unpublished', 'job.reopened'])
  assert.deepEqual((await types(`created_before=${at}`)).includes('job.reopened'), false)
  assert.deepEqual(await types(`about=${encodeURIComponent(`%' or "`)}`), [])
  assert.equal((await later.get('/events?type=job.vanished')).status, 400)
  clock.reset()
})

test('console events: one search scans a bounded range, says so, and continues from there to the end, with no event twice', async () => {
  const place = (await service.workspace()).id
  const person = await signedIn(service, place)
  const { db } = service.services
  const body = JSON.stringify({ data: { object: { id: 'job_x' }, previous_attributes: { title: SYNTHETIC_TITLE } } })
  await db.query(sql`
    with numbered as (
      update event_logs set last_sequence = last_sequence + ${SEARCH_SCAN + 200} where workspace_id = ${place}
      returning last_sequence
    )
    insert into events (sequence, workspace_id, id, type, created_at, body)
    select last_sequence - ${SEARCH_SCAN + 200} + n, ${place}, 'evt_' || lpad(n::text, 20, '0'),
      case when n <= 60 then 'job.closed' else 'job.updated' end, app_now(), ${body}
    from numbered, generate_series(1, ${SEARCH_SCAN + 200}) as n`)
  const ask = async (query: string) => (await person.get(`/events?type=job.closed${query}`)).body
  const first = await ask('')
  assert.deepEqual([first.data.length, first.unfinished], [0, true])
  const second = await ask(`&before=${first.next_before}`)
  assert.deepEqual([second.data.length, second.unfinished], [50, false])
  const third = await ask(`&before=${second.next_before}`)
  assert.deepEqual([third.data.length, third.next_before], [10, null])
  const ids = [...second.data, ...third.data].map((event: { id: string }) => event.id)
  assert.equal(new Set(ids).size, 60)
})
