import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES, EVENTS, type EventType } from '../../src/contract/events.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { emit } from '../harness/events.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService()
const { db } = service.services
const { id: workspace, userEmail } = await service.workspace('enterprise')
const other = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })

const sequenced = () =>
  until(
    'every event has its place',
    async () => !(await db.one(sql`(select 1 from outbox limit 1) union all (select 1 from shared_outbox limit 1)`)),
  )

async function publish(into: string | null, types: readonly EventType[], origin: string | null = null) {
  const ids = await emit(db, into, types, origin)
  await sequenced()
  return ids
}

interface Event {
  id: string
  type: string
  sequence: number
  workspace_id: string | null
  data: { object: { id: string } }
}
const idsOf = (response: { body: { data: Event[] } }) => response.body.data.map(event => event.data.object.id)
/** The end of a log, as a reader sees it. */
const lastSequence = async (of = key): Promise<number> => {
  let next = 0
  for (let more = true; more; ) {
    const { body } = await service.get(`/events?after=${next}&limit=100`, of)
    next = body.next_after
    more = body.has_more
  }
  return next
}

test('event feed: 200: oldest first, with next_cursor null and next_after; the row is the stored text byte for byte', async () => {
  const start = await lastSequence()
  const ids = await publish(workspace, ['job.published', 'applicant.created', 'job.closed'])
  const response = await service.get(`/events?after=${start}`, key)
  assert.equal(response.status, 200)
  assert.deepEqual(Object.keys(response.body), [
    'object',
    'data',
    'has_more',
    'next_cursor',
    'next_after',
    'oldest_sequence',
    'gap',
    'epoch',
  ])
  assert.deepEqual(idsOf(response), ids)
  assert.equal(response.body.next_cursor, null)
  assert.equal(response.body.has_more, false)
  assert.equal(response.body.gap, false)
  assert.equal(response.body.next_after, response.body.data.at(-1).sequence)
  const stored = await db.query(
    sql<{ body: string }>`
      select body from events where workspace_id = ${workspace} and sequence > ${start} order by sequence`,
  )
  assert.ok(response.text.includes(`"data":[${stored.map(row => row.body).join(',')}]`))
})

test('event feed: the event: exactly the fields of the specification, origin only on API writes', async () => {
  const start = await lastSequence()
  await publish(workspace, ['job.published'], key.id)
  await publish(workspace, ['job.published'])
  const [api, product] = (await service.get(`/events?after=${start}`, key)).body.data
  assert.deepEqual(Object.keys(api), [
    'object',
    'id',
    'type',
    'api_version',
    'created_at',
    'sequence',
    'workspace_id',
    'data',
    'links',
  ])
  assert.equal(api.object, 'event')
  assert.match(api.id, /^evt_/)
  assert.equal(api.data.object.origin, `api:${key.id}`)
  assert.ok(!('origin' in product.data.object))
  assert.deepEqual(api.links, {
    self: `/api/partner/v1/events/${api.id}`,
    record: `/api/partner/v1/jobs/${api.data.object.id}`,
  })
})

test('event feed: limit, has_more and after: every event once, 25 by default, 100 at most', async () => {
  const start = await lastSequence()
  const ids = await publish(workspace, Array<EventType>(130).fill('job.updated'))
  assert.equal((await service.get(`/events?after=${start}`, key)).body.data.length, 25)
  for (const limit of [1, 40, 100]) {
    const seen: string[] = []
    let after = start
    let more = true
    while (more) {
      const page = await service.get(`/events?after=${after}&limit=${limit}`, key)
      seen.push(...idsOf(page))
      after = page.body.next_after
      more = page.body.has_more
      if (limit === 1 && seen.length === 5) break
    }
    assert.deepEqual(seen, limit === 1 ? ids.slice(0, 5) : ids)
  }
  for (const bad of ['0', '101', 'x']) {
    const response = await service.get(`/events?limit=${bad}`, key)
    assert.equal(response.status, 400)
    assert.equal(response.body.detail.param, 'limit')
  }
})

test('event feed: 400: after must be a whole number; unknown parameters and a cursor are refused', async () => {
  for (const query of ['after=-1', 'after=1.5', 'after=abc', 'cursor=cur_x', 'exclude_origin=other']) {
    const response = await service.get(`/events?${query}`, key)
    assert.equal(response.status, 400, query)
    assert.equal(response.body.detail.code, 'invalid_request', query)
  }
})

test('event feed: type: a comma list; 400 unknown_event_type for a name that is not in the catalogue', async () => {
  const start = await lastSequence()
  const [a, , c] = await publish(workspace, ['job.published', 'job.updated', 'list.created'])
  const response = await service.get(`/events?after=${start}&type=job.published,list.created`, key)
  assert.deepEqual(idsOf(response), [a, c])
  for (const bad of ['job.exploded', 'job.published,', 'ping', 'toString']) {
    const refused = await service.get(`/events?type=${bad}`, key)
    assert.equal(refused.status, 400, bad)
    assert.equal(refused.body.detail.code, 'unknown_event_type')
    assert.equal(refused.body.detail.param, 'type')
  }
})

test('event feed: each type is shown with events:read and its own scope, and left out without either', async () => {
  const start = await lastSequence()
  await publish(workspace, EVENT_TYPES)
  const scopes = [...new Set(EVENT_TYPES.map(type => EVENTS[type].scope))]
  for (const scope of scopes) {
    const narrow = await service.key({ workspace, scopes: [...new Set<Scope>(['events:read', scope])] })
    const response = await service.get(`/events?after=${start}&limit=100`, narrow)
    const expected = EVENT_TYPES.filter(type => [scope, 'events:read'].includes(EVENTS[type].scope))
    assert.deepEqual(
      response.body.data.map((event: Event) => event.type),
      expected,
      scope,
    )
  }
  const blind = await service.key({ workspace, scopes: ['jobs:read'] })
  const refused = await service.get('/events', blind)
  assert.equal(refused.status, 403)
  assert.equal(refused.body.detail.required_scope, 'events:read')
})

test('event feed: next_after is the last sequence scanned: a key that may read nothing of it still moves on', async () => {
  const narrow = await service.key({ workspace, scopes: ['events:read'] })
  const start = await lastSequence()
  await publish(workspace, Array<EventType>(60).fill('job.updated'))
  const response = await service.get(`/events?after=${start}`, narrow)
  assert.deepEqual(response.body.data, [])
  assert.equal(response.body.has_more, false)
  assert.equal(response.body.next_after, await lastSequence())
  assert.equal(
    (await service.get(`/events?after=${response.body.next_after}`, narrow)).body.next_after,
    response.body.next_after,
  )
})

test('GET /events: `after` beyond the end of the log is a gap, and next_after is the end of the log', async () => {
  const end = await lastSequence()
  assert.deepEqual(await pageEnd(`after=${end}`), { next_after: end, gap: false, has_more: false })
  for (const ahead of [end + 1, 2 * end + 1_000, Number.MAX_SAFE_INTEGER]) {
    assert.deepEqual(await pageEnd(`after=${ahead}`), { next_after: end, gap: true, has_more: false })
    const narrowed = await pageEnd(`after=${ahead}&type=job.updated&exclude_origin=self&limit=1`)
    assert.deepEqual(narrowed, { next_after: end, gap: true, has_more: false })
  }
})

const pageEnd = async (query: string, of = key) => {
  const { next_after, gap, has_more } = (await service.get(`/events?${query}`, of)).body
  return { next_after, gap, has_more }
}

test('GET /events: numbers count in the log of one workspace and say nothing of what happens in others', async () => {
  const quiet = await service.workspace('enterprise')
  const reader = await service.key({ workspace: quiet.id })
  assert.deepEqual(await pageEnd('after=0', reader), { next_after: 0, gap: false, has_more: false })
  const start = await lastSequence()
  await publish(other.id, Array<EventType>(30).fill('job.updated'))
  assert.equal((await pageEnd(`after=${start}`)).next_after, start, 'nothing happened here')
  await publish(quiet.id, ['job.updated', 'job.updated'])
  const { body } = await service.get('/events', reader)
  assert.deepEqual(
    body.data.map((event: Event) => event.sequence),
    [1, 2],
  )
  assert.deepEqual([body.next_after, body.oldest_sequence], [2, 1])
})

test('event feed: a long range that the key may not read is skipped in bounded steps, with has_more', async () => {
  const narrow = await service.key({ workspace, scopes: ['events:read'] })
  const start = await lastSequence()
  await emit(db, workspace, Array<EventType>(1100).fill('job.updated'))
  await publish(workspace, ['data_subject.erasure_completed'])
  const first = await service.get(`/events?after=${start}`, narrow)
  assert.deepEqual(first.body.data, [])
  assert.equal(first.body.has_more, true)
  assert.equal(first.body.next_after, start + 1_000)
  const second = await service.get(`/events?after=${first.body.next_after}`, narrow)
  assert.equal(second.body.data.length, 1)
  assert.equal(second.body.has_more, false)
})

test('event feed: exclude_origin=self: without what this key caused, with what others caused', async () => {
  const start = await lastSequence()
  const second = await service.key({ workspace })
  await publish(workspace, ['job.updated'], key.id)
  const [b] = await publish(workspace, ['job.updated'], second.id)
  const [c] = await publish(workspace, ['job.updated'])
  assert.deepEqual(idsOf(await service.get(`/events?after=${start}&exclude_origin=self`, key)), [b, c])
  assert.equal((await service.get(`/events?after=${start}`, key)).body.data.length, 3)
})

test('GET /events: events of another workspace are not there', async () => {
  const start = await lastSequence()
  await publish(other.id, ['job.updated'])
  const [mine] = await publish(workspace, ['job.updated'])
  assert.deepEqual(idsOf(await service.get(`/events?after=${start}`, key)), [mine])
})

test('event feed: an event of the shared pool is in the log of every workspace that a key with pool:read reaches, and in no other', async () => {
  const places = await Promise.all(Array.from({ length: 5 }, () => service.workspace('enterprise')))
  const [own, listed, without, revoked, late] = places.map(place => place.id) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const scopes: Scope[] = ['events:read', 'jobs:read', 'pool:read']
  const reader = (place: string) => service.key({ workspace: place, scopes })
  const keys = {
    own: await reader(own),
    listed: await service.key({ workspace: own, scopes, reach: [own, listed] }),
    without: await service.key({ workspace: without, scopes: ['events:read', 'jobs:read'] }),
    revoked: await reader(revoked),
  }
  await db.query(sql`update api_keys set revoked_at = app_now() where id = ${keys.revoked.id}`)
  await publish(own, ['job.updated', 'job.updated'])
  const [batch] = await publish(null, ['pool.batch_upserted'])
  const first = await service.get('/events?type=pool.batch_upserted', keys.own)
  const second = await service.get(`/events?type=pool.batch_upserted&workspace_id=${listed}`, keys.listed)
  assert.deepEqual([idsOf(first), idsOf(second)], [[batch], [batch]])
  const [a, b] = [first.body.data[0], second.body.data[0]]
  assert.deepEqual([a.workspace_id, a.sequence, b.sequence], [null, 3, 1], 'each log has a number of its own for it')
  // the second key must name the workspace, and so do its links
  const same = ({ links, ...event }: typeof a) => ({ ...event, sequence: 0, self: links.self.split('?')[0] })
  assert.deepEqual(same(a), same(b), 'and it is the same event in both')
  assert.equal((await service.get(`/events/${a.id}?workspace_id=${listed}`, keys.listed)).body.sequence, 1)
  assert.deepEqual(await pageEnd('after=0', keys.without), { next_after: 0, gap: false, has_more: false })
  const afterwards = await reader(late)
  const [next] = await publish(null, ['pool.batch_upserted'])
  assert.deepEqual(idsOf(await service.get('/events', afterwards)), [next], 'a first key reads from then on')
  assert.equal((await service.get(`/events/${a.id}`, afterwards)).status, 404)
  assert.deepEqual(idsOf(await service.get('/events', await reader(revoked))), [])
  assert.equal((await service.get(`/events/${a.id}`, keys.without)).status, 404)
})

test('event feed: an event of no workspace reaches every workspace through a key of all workspaces, and through a connected app', async () => {
  const [place, app] = [(await service.workspace('enterprise')).id, await service.workspace('enterprise')]
  const consent = await db.one(sql<{ id: string }>`
    with app as (
      insert into connected_apps (workspace_id, id, name, kind, redirect_uris, scopes)
      values (${app.id}, gen_random_uuid(), 'App', 'web', '{https://app.example/cb}', '{events:read,pool:read}') returning id
    )
    insert into app_consents (workspace_id, id, app_id, user_id, scopes)
    select ${app.id}, ${newHandle('credential')}, app.id, u.id, '{events:read,pool:read}' from app, users u
    where u.workspace_id = ${app.id} limit 1 returning id`)
  assert.ok(consent)
  await publish(null, ['pool.batch_upserted'])
  const count = async (workspace: string) =>
    (await db.query(sql`select 1 from events where workspace_id = ${workspace} and type = 'pool.batch_upserted'`))
      .length
  assert.deepEqual([await count(place), await count(app.id)], [0, 1])
  const all = await service.key({ workspace, reach: 'all', scopes: ['events:read', 'pool:read'] })
  await publish(null, ['pool.batch_upserted'])
  assert.equal(await count(place), 1)
  assert.equal((await service.get(`/events?workspace_id=${place}`, all)).body.data.length, 1)
})

test('event feed: a key that reaches several workspaces names one, and reads that one', async () => {
  const wide = await service.key({ workspace, reach: [workspace, other.id] })
  const theirKey = await service.key({ workspace: other.id })
  const start = await lastSequence(theirKey)
  await publish(workspace, ['job.updated'])
  const [theirs] = await publish(other.id, ['job.updated'])
  assert.equal((await service.get('/events', wide)).body.detail.code, 'workspace_id_required')
  assert.deepEqual(idsOf(await service.get(`/events?after=${start}&workspace_id=${other.id}`, wide)), [theirs])
  assert.equal((await service.get(`/events?workspace_id=${other.id}`, key)).status, 404)
})

test('GET /events/{h}: the same bytes as in the feed', async () => {
  const start = await lastSequence()
  await publish(workspace, ['job.published'])
  await publish(null, ['pool.batch_upserted'])
  const feed = await service.get(`/events?after=${start}`, key)
  for (const event of feed.body.data) {
    const one = await service.get(`/events/${event.id}`, key)
    assert.equal(one.status, 200)
    assert.ok(feed.text.includes(one.text))
  }
})

test('event feed: 404: another workspace, an unreadable type, a malformed or unknown handle are all one response', async () => {
  const start = await lastSequence()
  await publish(workspace, ['job.published'])
  const event = (await service.get(`/events?after=${start}`, key)).body.data[0]
  const narrow = await service.key({ workspace, scopes: ['events:read', 'lists:read'] })
  const stranger = await service.key({ workspace: other.id })
  const responses = [
    await service.get(`/events/${event.id}`, narrow),
    await service.get(`/events/${event.id}`, stranger),
    await service.get(`/events/${newHandle('event')}`, key),
    await service.get('/events/evt_x', key),
  ]
  for (const response of responses) {
    assert.equal(response.status, 404)
    assert.equal(response.body.detail.code, 'not_found')
    assert.equal(response.body.detail.message, responses[0]!.body.detail.message)
  }
})

test('event feed: retention: 30 days; oldest_sequence says where the feed begins, gap that the reader lies before it', async () => {
  const before = await lastSequence()
  await publish(workspace, ['job.updated', 'job.updated'])
  clock.advance(31 * 86_400_000)
  const [kept] = await publish(workspace, ['job.updated'])
  await pruneOnce(db)
  const behind = await service.get(`/events?after=${before}`, key)
  assert.deepEqual(idsOf(behind), [kept])
  assert.equal(behind.body.gap, true)
  assert.equal(behind.body.oldest_sequence, before + 3)
  assert.equal((await service.get(`/events?after=${before + 2}`, key)).body.gap, false)
  assert.equal((await service.get('/events', key)).body.gap, false)
  clock.reset()
})

test('events: openapi.json and /me/access describe the event and the envelope fields of a page', async () => {
  const { body } = await service.get('/openapi.json')
  const page = body.paths['/events'].get.responses['200'].content['application/json'].schema
  assert.equal(page.$ref, '#/components/schemas/event_page')
  const { properties } = body.components.schemas.event_page
  assert.deepEqual([properties.next_after.type, properties.next_after.format], ['integer', 'int64'])
  assert.equal(properties.data.items.$ref, '#/components/schemas/event')
  const { event, declared_event, other_event, job_deleted_event_record } = body.components.schemas
  assert.deepEqual(
    event.anyOf.map((kind: { $ref: string }) => kind.$ref),
    ['#/components/schemas/declared_event', '#/components/schemas/other_event'],
  )
  assert.deepEqual(Object.keys(declared_event.discriminator.mapping), EVENT_TYPES)
  assert.equal(other_event.properties.type.enum, undefined)
  assert.ok(job_deleted_event_record.required.includes('reason'))
  const access = await service.get('/me/access?limit=100', key)
  const events = access.body.data.find((row: { resource: string }) => row.resource === 'events')
  assert.ok(events.fields.some((field: { name: string }) => field.name === 'sequence'))
})
