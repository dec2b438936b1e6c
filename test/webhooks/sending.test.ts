import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import Stripe from 'stripe'
import type { EventType } from '../../src/contract/events.ts'
import { API_PREFIX } from '../../src/contract/version.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { RETRY_JITTER } from '../../src/resources/webhooks/rules.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, type Receiver, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const receiver = await startReceiver()
const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)
const { db } = service.services

const respondWith =
  (status: number, headers: Record<string, string> = {}): Receiver['respond'] =>
  (_request, response) =>
    void response.writeHead(status, headers).end()

/** A workspace, a key and an endpoint with a path of its own at the receiver. */
async function endpoint(types: EventType[] = ['job.published'], respond?: Receiver['respond']) {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const url = `${receiver.url}/${workspace}`
  const made = await service.post('/webhooks/endpoints', key, { url, event_types: types })
  assert.equal(made.status, 201, made.text)
  if (respond) responders.set(workspace, respond)
  const id: string = made.body.id
  const deliveries = async (query = '') => (await service.get(`/webhooks/deliveries?${query}`, key)).body.data
  return {
    workspace,
    key,
    id,
    secret: made.body.signing_secret as string,
    path: `/webhooks/endpoints/${id}`,
    respondWith: (next: Receiver['respond']) => void responders.set(workspace, next),
    received: () => receiver.received.filter(r => r.path.endsWith(workspace)),
    read: async () => (await service.get(`/webhooks/endpoints/${id}`, key)).body,
    deliveries,
    /** the newest delivery, once it is in this state and no attempt is in flight */
    async settled(status: string, attempt?: number) {
      await until(`a delivery is ${status} ${attempt ?? ''}`, async () => {
        const [newest] = await deliveries()
        if (newest?.status !== status || (attempt ?? newest.attempt) !== newest.attempt) return false
        const { attempts } = (await service.get(`/webhooks/deliveries/${newest.id}`, key)).body
        return attempts.at(-1)?.duration_ms !== null
      })
      return (await deliveries())[0]
    },
    detail: async (delivery: string) => (await service.get(`/webhooks/deliveries/${delivery}`, key)).body,
  }
}

const responders = new Map<string, Receiver['respond']>()
receiver.respond = (request, response, body) => {
  const respond = responders.get(request.url!.split('/').at(-1)!)
  if (respond) respond(request, response, body)
  else response.end()
}

const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1000)

/** The wait after an attempt that ended after `sent_at` and before now: no shorter and no longer than it should be. */
async function assertWait(sentAt: string, nextAt: string, seconds: number, what: string, vary = 0): Promise<void> {
  const { now } = (await db.one(sql<{ now: string }>`select app_now() as now`))!
  const [least, most] = [
    Date.parse(sentAt) + seconds * (1 - vary) * 1000,
    Date.parse(now) + seconds * (1 + vary) * 1000,
  ]
  const next = Date.parse(nextAt)
  assert.ok(next >= least && next <= most, `${what}: ${sentAt}, ${nextAt}`)
}

test('webhook sending: a delivery: the body is the feed row byte for byte, with the headers of the specification', async () => {
  const e = await endpoint()
  await emit(db, e.workspace, ['job.published'])
  const delivery = await e.settled('delivered')
  const [got] = e.received()
  assert.equal(e.received().length, 1)
  const feed = await service.get('/events', e.key)
  assert.ok(feed.text.includes(`"data":[${got!.body}]`))
  const event = JSON.parse(got!.body)
  const { headers } = got!
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['user-agent'], 'Service-Webhooks/1.0')
  assert.equal(headers['service-event-id'], event.id)
  assert.equal(headers['service-delivery-id'], delivery.id)
  assert.equal(headers['service-delivery-attempt'], '1')
  assert.equal(headers['service-api-version'], event.api_version)
  assert.equal(headers['service-partner-api-version'], event.api_version)
  assert.equal(headers.host, receiver.host)
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['service-signature'] as string)!
  assert.equal(v1, createHmac('sha256', e.secret).update(`${t}.${got!.body}`).digest('hex'))
  assert.deepEqual(Object.keys(delivery), [
    'object',
    'id',
    'endpoint_id',
    'event_id',
    'event_type',
    'status',
    'attempt',
    'response_status',
    'error',
    'next_attempt_at',
    'delivered_at',
    'created_at',
  ])
  assert.equal(delivery.response_status, 200)
  assert.equal(delivery.error, null)
  assert.equal(delivery.next_attempt_at, null)
  const { attempts } = await e.detail(delivery.id)
  assert.equal(attempts.length, 1)
  assert.deepEqual(Object.keys(attempts[0]), [
    'attempt',
    'sent_at',
    'duration_ms',
    'response_status',
    'error',
    'response_body',
  ])
  // an attempt begins with its lease, and is signed when it is sent: a second may pass in between
  const signedAfter = Number(t) - secondsOf(attempts[0].sent_at)
  assert.ok(signedAfter >= 0 && signedAfter <= 5, `${signedAfter} s`)
  assert.ok((await e.read()).last_success_at)
})

test('webhook sending: a delivery to an endpoint of a key that must name its workspace: the feed row of that key, links included', async () => {
  const { id: home, userEmail } = await service.workspace('enterprise')
  const { id: workspace } = await service.workspace('enterprise')
  const key = await service.key({ workspace: home, userEmail, reach: [home, workspace] })
  const naming = `workspace_id=${workspace}`
  const body = { url: `${receiver.url}/${workspace}`, event_types: ['job.published'] }
  assert.equal((await service.post(`/webhooks/endpoints?${naming}`, key, body)).status, 201)
  await emit(db, workspace, ['job.published'])
  const received = () => receiver.received.filter(r => r.path.endsWith(workspace))
  await until('the delivery arrives', async () => received().length === 1)
  const feed = await service.get(`/events?${naming}`, key)
  assert.ok(feed.text.includes(`"data":[${received()[0]!.body}]`))
  const { links } = JSON.parse(received()[0]!.body)
  assert.equal((await service.get(service.origin + links.self, key)).status, 200)
})

test('webhook sending: the npm package stripe verifies deliveries, with the old and the new secret during a rotation', async () => {
  const stripe = new Stripe('sk_test_unused')
  const e = await endpoint()
  const verify = (secret: string, i: number) => {
    const { headers, body } = e.received()[i]!
    return stripe.webhooks.constructEvent(body, headers['service-signature'] as string, secret)
  }
  await emit(db, e.workspace, ['job.published'])
  await until('one', () => e.received().length === 1)
  assert.equal(verify(e.secret, 0).type, 'job.published')
  const rotated = await service.post(`${e.path}/rotate-secret`, e.key, { overlap_seconds: 60 })
  const renewed = rotated.body.signing_secret
  assert.throws(() => verify(renewed, 0))
  await emit(db, e.workspace, ['job.published'])
  await until('two', () => e.received().length === 2)
  assert.equal((e.received()[1]!.headers['service-signature'] as string).match(/v1=/g)!.length, 2)
  assert.equal(verify(e.secret, 1).type, 'job.published')
  assert.equal(verify(renewed, 1).type, 'job.published')
  assert.throws(() => verify('whsec_other', 1))
  const third = (await service.post(`${e.path}/rotate-secret`, e.key, { overlap_seconds: 60 })).body.signing_secret
  await emit(db, e.workspace, ['job.published'])
  await until('three', () => e.received().length === 3)
  assert.equal((e.received()[2]!.headers['service-signature'] as string).match(/v1=/g)!.length, 2)
  assert.throws(() => verify(e.secret, 2), 'never more than two secrets sign')
  verify(renewed, 2)
  verify(third, 2)
  // otherwise its lease ends with the advance, and it is sent a second time
  await until('recorded', async () => (await e.deliveries('status=delivered')).length === 3)
  clock.advance(61_000)
  await emit(db, e.workspace, ['job.published'])
  await until('four', () => e.received().length === 4)
  const signature = e.received()[3]!.headers['service-signature'] as string
  assert.equal(signature.match(/v1=/g)!.length, 1)
  const t = Number(/t=(\d+)/.exec(signature)![1])
  assert.equal(
    stripe.webhooks.constructEvent(e.received()[3]!.body, signature, third, 300, undefined, t * 1000).type,
    'job.published',
  )
  clock.reset()
})

test('webhook sending: the schedule: ten attempts at the specified distances, a fifth more or less, each with a fresh t, then failed with event_expired', async () => {
  const e = await endpoint(['job.published'], respondWith(503))
  await emit(db, e.workspace, ['job.published'])
  const delays = [10, 30, 120, 600, 3_600, 21_600, 43_200, 86_400, 86_400]
  const due: string[] = []
  for (const [i, seconds] of delays.entries()) {
    const delivery = await e.settled('retrying', i + 1)
    assert.equal(delivery.error, 'http_status')
    assert.equal(delivery.response_status, 503)
    const { attempts } = await e.detail(delivery.id)
    await assertWait(attempts[i].sent_at, delivery.next_attempt_at, seconds, `after attempt ${i + 1}`, RETRY_JITTER)
    due.push(delivery.next_attempt_at)
    clock.advance(seconds * (1 + RETRY_JITTER) * 1000)
  }
  const delivery = await e.settled('failed', 10)
  assert.equal(delivery.error, 'event_expired')
  assert.equal(delivery.next_attempt_at, null)
  assert.equal(e.received().length, 10)
  assert.deepEqual(
    e.received().map(r => r.headers['service-delivery-attempt']),
    ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  )
  assert.equal(new Set(e.received().map(r => r.body)).size, 1)
  assert.equal(new Set(e.received().map(r => r.headers['service-delivery-id'])).size, 1)
  const { attempts } = await e.detail(delivery.id)
  assert.equal(attempts.length, 10)
  for (const [i, time] of due.entries()) assert.ok(attempts[i + 1].sent_at >= time, 'not a moment early')
  assert.deepEqual(
    e.received().map(r => Number(/t=(\d+)/.exec(r.headers['service-signature'] as string)![1])),
    attempts.map((a: { sent_at: string }) => secondsOf(a.sent_at)),
  )
  assert.ok(attempts.every((a: { error: string }) => a.error === 'http_status'))
  assert.equal((await e.read()).consecutive_failures, 10)
  assert.equal((await service.get('/events?type=job.published', e.key)).body.data.length, 1, 'it remains in the feed')
  clock.reset()
})

test('webhook sending: Retry-After: the longer of the two waits, at most 24 hours; seconds only', async () => {
  const cases: [string, number, number?][] = [
    ['120', 120],
    ['5', 10, RETRY_JITTER],
    ['200000', 86_400],
    ['99999999999', 86_400],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 10, RETRY_JITTER],
    ['-5', 10, RETRY_JITTER],
  ]
  for (const [header, seconds, vary] of cases) {
    const e = await endpoint(['job.published'], respondWith(429, { 'retry-after': header }))
    await emit(db, e.workspace, ['job.published'])
    const delivery = await e.settled('retrying')
    const { attempts } = await e.detail(delivery.id)
    await assertWait(attempts[0].sent_at, delivery.next_attempt_at, seconds, header, vary)
  }
})

test('webhook sending: redirects are not followed and count as failures', async () => {
  const trap = await startReceiver()
  for (const status of [301, 302, 303, 307, 308, 304]) {
    const e = await endpoint(['job.published'], respondWith(status, { location: trap.url }))
    await emit(db, e.workspace, ['job.published'])
    const delivery = await e.settled('retrying')
    assert.equal(delivery.error, 'redirect_refused')
    assert.equal(delivery.response_status, status)
  }
  assert.equal(trap.connections, 0)
})

test('webhook sending: 410 disables the endpoint immediately as gone; pending deliveries are canceled, later events make no delivery', async () => {
  const e = await endpoint(['job.published'], respondWith(503))
  await emit(db, e.workspace, ['job.published'])
  await e.settled('retrying')
  e.respondWith(respondWith(410))
  await emit(db, e.workspace, ['job.published'])
  const gone = await e.settled('failed')
  assert.equal(gone.response_status, 410)
  assert.equal(gone.error, 'http_status')
  const read = await e.read()
  assert.equal(read.enabled, false)
  assert.equal(read.disabled_reason, 'gone')
  assert.ok(read.disabled_at)
  assert.deepEqual((await e.deliveries()).map((d: { status: string }) => d.status).toSorted(), ['canceled', 'failed'])
  await emit(db, e.workspace, ['job.published'])
  await until('sequenced', async () => (await service.get('/events?type=job.published', e.key)).body.data.length === 3)
  assert.equal((await e.deliveries()).length, 2)
})

test('webhook sending: five days without success since the first failure: disabled as failing; a success in between forgets', async () => {
  const hour = 3_600_000
  const e = await endpoint(['job.published'], respondWith(500))
  await emit(db, e.workspace, ['job.published'])
  await e.settled('retrying', 1)
  e.respondWith(respondWith(204))
  clock.advance(13_000)
  await e.settled('delivered')
  assert.equal((await e.read()).consecutive_failures, 0)
  e.respondWith(respondWith(500))
  clock.advance(118 * hour)
  await emit(db, e.workspace, ['job.published'])
  await e.settled('retrying', 1)
  assert.equal((await e.read()).enabled, true)
  assert.equal((await e.read()).consecutive_failures, 1)
  clock.advance(118 * hour)
  await e.settled('retrying', 2)
  assert.equal((await e.read()).enabled, true)
  clock.advance(4 * hour)
  await until('disabled', async () => !(await e.read()).enabled)
  assert.equal((await e.read()).disabled_reason, 'failing')
  assert.equal((await e.deliveries())[0].status, 'canceled')
  clock.reset()
})

test('webhook sending: which events: the subscribed types, of this workspace and of none; an empty list means every type', async () => {
  const e = await endpoint(['job.published', 'pool.batch_upserted'])
  const everything = await endpoint(['job.closed'])
  await db.query(sql`update webhook_endpoints set event_types = '{}' where id = ${everything.id}::uuid`)
  await emit(db, e.workspace, ['job.published', 'job.closed'])
  await emit(db, everything.workspace, ['job.published', 'list.created'])
  await emit(db, null, ['pool.batch_upserted'])
  const types = (of: typeof e) =>
    of
      .received()
      .map(r => JSON.parse(r.body).type)
      .toSorted()
  await until('all', () => e.received().length === 2 && everything.received().length === 3)
  assert.deepEqual(types(e), ['job.published', 'pool.batch_upserted'])
  assert.deepEqual(types(everything), ['job.published', 'list.created', 'pool.batch_upserted'])
})

test('webhook sending: a key never gets a type that it may not read, whatever its endpoint lists', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const narrow = await service.key({
    workspace,
    userEmail,
    scopes: ['webhooks:write', 'webhooks:read', 'events:read', 'jobs:read'],
  })
  const url = `${receiver.url}/${workspace}`
  const made = await service.post('/webhooks/endpoints', narrow, { url, event_types: ['job.published'] })
  await db.query(sql`update webhook_endpoints set event_types = '{}' where id = ${made.body.id}::uuid`)
  await emit(db, workspace, ['applicant.created', 'sourced_profile.contact_info_revealed', 'job.closed'])
  const received = () => receiver.received.filter(r => r.path.endsWith(workspace))
  await until('one', () => received().length === 1)
  assert.equal(JSON.parse(received()[0]!.body).type, 'job.closed')
  assert.equal((await service.get('/webhooks/deliveries', narrow)).body.data.length, 1)
})

test('webhook sending: a disabled endpoint gets nothing, waiting deliveries are canceled, and recover brings what it missed', async () => {
  const e = await endpoint(['job.published', 'job.closed'], respondWith(500))
  const other = await service.key({ workspace: e.workspace })
  await emit(db, e.workspace, ['job.published'])
  await e.settled('retrying')
  await service.post(`${e.path}/disable`, e.key)
  assert.equal((await e.deliveries())[0].status, 'canceled')
  await emit(db, e.workspace, ['job.closed', 'list.created'])
  const feed = async () => (await service.get('/events?type=job.published,job.closed,list.created', other)).body.data
  await until('sequenced', async () => (await feed()).length === 3)
  await service.post(`${e.path}/enable`, e.key)
  e.respondWith(respondWith(200))
  const start = (await feed())[0].sequence - 1
  const before = e.received().length
  const recovered = await service.post(`${e.path}/recover`, e.key, { after: start })
  assert.equal(recovered.status, 202)
  assert.deepEqual(Object.keys(recovered.body), [
    'object',
    'endpoint_id',
    'after',
    'queued',
    'has_more',
    'next_after',
    'gap',
  ])
  assert.equal(recovered.body.queued, 2)
  assert.equal(recovered.body.has_more, false)
  await until('both', () => e.received().length === before + 2)
  await until('noted', async () => (await e.deliveries('status=delivered')).length === 2)
  const again = await service.post(`${e.path}/recover`, e.key, { after: start })
  assert.equal(again.body.queued, 0, 'what was acknowledged is not sent again')
  for (const bad of [{}, { after: -1 }, { after: 'x' }]) {
    assert.equal((await service.post(`${e.path}/recover`, e.key, bad)).status, 400)
  }
})

test('webhook sending: disabled while an attempt is in flight: its success counts, its failure becomes canceled', async () => {
  for (const [status, becomes] of [
    [200, 'delivered'],
    [500, 'canceled'],
  ] as const) {
    let respond = () => {}
    const e = await endpoint(['job.published'], (_request, response) => {
      respond = () => void response.writeHead(status).end()
    })
    await emit(db, e.workspace, ['job.published'])
    await until('in flight', () => e.received().length === 1)
    await service.post(`${e.path}/disable`, e.key)
    const [pending] = await e.deliveries()
    assert.equal(pending.status, 'pending')
    const [inFlight, ...others] = (await e.detail(pending.id)).attempts
    assert.deepEqual([inFlight.attempt, inFlight.duration_ms, others.length], [1, null, 0])
    respond()
    const delivery = await e.settled(becomes)
    assert.equal(delivery.response_status, status)
    assert.equal(delivery.next_attempt_at, null)
    const { attempts } = await e.detail(delivery.id)
    assert.deepEqual(
      attempts.map((a: { attempt: number; sent_at: string }) => [a.attempt, a.sent_at]),
      [[1, inFlight.sent_at]],
    )
  }
})

test('webhook sending: test: 202, a ping to this endpoint and its log alone, signed, with one attempt that counts for nothing', async () => {
  const e = await endpoint(['job.published'], respondWith(500))
  const queued = await service.post(`${e.path}/test`, e.key)
  assert.equal(queued.status, 202)
  assert.equal(queued.body.event_type, 'ping')
  assert.equal(queued.body.status, 'pending')
  const delivery = await e.settled('failed')
  assert.equal(delivery.id, queued.body.id)
  assert.deepEqual([delivery.error, delivery.attempt, delivery.next_attempt_at], ['http_status', 1, null])
  const [got, ...more] = e.received()
  assert.equal(more.length, 0)
  const event = JSON.parse(got!.body)
  assert.equal(event.type, 'ping')
  assert.equal(event.object, 'event')
  assert.equal(event.id, delivery.event_id)
  assert.deepEqual([event.sequence, event.links], [0, { self: `${API_PREFIX}${e.path}` }], 'it is in no feed')
  new Stripe('sk_test_unused').webhooks.constructEvent(got!.body, got!.headers['service-signature'] as string, e.secret)
  assert.equal((await e.read()).consecutive_failures, 0)
  assert.ok(!(await service.get('/events', e.key)).text.includes(event.id))
  assert.equal((await service.get(`/events/${event.id}`, e.key)).status, 404)
  e.respondWith(respondWith(200))
  await service.post(`${e.path}/test`, e.key)
  await e.settled('delivered')
})

test('webhook sending: redeliver: a new delivery of the same event, one attempt, current secrets, also on a disabled endpoint', async () => {
  const e = await endpoint(['job.published'], respondWith(500))
  await emit(db, e.workspace, ['job.published'])
  const first = await e.settled('retrying')
  await service.post(`${e.path}/disable`, e.key)
  const failures = (await e.read()).consecutive_failures
  const again = await service.post(`/webhooks/deliveries/${first.id}/redeliver`, e.key)
  assert.equal(again.status, 202)
  assert.notEqual(again.body.id, first.id)
  assert.equal(again.body.event_id, first.event_id)
  await until('failed', async () => (await e.detail(again.body.id)).status === 'failed')
  assert.equal((await e.detail(again.body.id)).error, 'http_status')
  assert.equal((await e.detail(again.body.id)).attempts.length, 1)
  assert.equal((await e.read()).consecutive_failures, failures)
  e.respondWith(respondWith(200))
  const renewed = (await service.post(`${e.path}/rotate-secret`, e.key, { overlap_seconds: 0 })).body.signing_secret
  const third = await service.post(`/webhooks/deliveries/${again.body.id}/redeliver`, e.key)
  await until('delivered', async () => (await e.detail(third.body.id)).status === 'delivered')
  const got = e.received().at(-1)!
  assert.equal(got.body, e.received()[0]!.body)
  assert.equal(got.headers['service-delivery-attempt'], '1')
  new Stripe('sk_test_unused').webhooks.constructEvent(got.body, got.headers['service-signature'] as string, renewed)
  assert.equal((await e.read()).last_success_at, null)
  assert.equal((await e.read()).enabled, false)
})

test('webhook sending: a revoked or expired key gets nothing any more', async () => {
  const revoked = await endpoint(['job.published'], respondWith(500))
  await emit(db, revoked.workspace, ['job.published'])
  await revoked.settled('retrying')
  await revokeKey(db, revoked.key.id)
  const statusOf = (workspace: string) =>
    db.query(sql<{ status: string }>`select status from webhook_deliveries where workspace_id = ${workspace}`)
  assert.deepEqual(await statusOf(revoked.workspace), [{ status: 'canceled' }])
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail, expiresInDays: 1 })
  await service.post('/webhooks/endpoints', key, {
    url: `${receiver.url}/${workspace}`,
    event_types: ['job.published'],
  })
  clock.advance(2 * 86_400_000)
  await emit(db, workspace, ['job.published'])
  await until('the endpoint of an expired key is disabled', async () => {
    const [row] = await db.query(
      sql`select enabled, disabled_reason from webhook_endpoints where workspace_id = ${workspace}`,
    )
    return row!['enabled'] === false && row!['disabled_reason'] === 'key_revoked'
  })
  assert.deepEqual(await statusOf(workspace), [])
  assert.equal(receiver.received.filter(r => r.path.endsWith(workspace)).length, 0)
  clock.reset()
})
