import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ApiConnectionError,
  ApiError,
  ApiTimeoutError,
  type Attempt,
  AuthenticationError,
  type ClientOptions,
  FeedGapError,
  HiringClient,
  HiringError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  UnexpectedResponseError,
} from '../../packages/sdk/src/index.ts'
import { ERRORS } from '../../src/contract/errors.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { faultyNetwork } from '../harness/faulty-network.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService()
const network = await faultyNetwork(service.origin)
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })

/** A client behind the network, which waits for nothing and notes how long it would have waited. */
function client(options: Partial<ClientOptions> = {}) {
  const waits: number[] = []
  const sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted()
    waits.push(Math.round(ms))
  }
  const made = new HiringClient({
    baseUrl: network.origin,
    apiKey: key.secret,
    runtime: { sleep, random: () => 0.5 },
    ...options,
  })
  return Object.assign(made, { waits })
}

interface List {
  id: string
  name: string
}
const createList = (sdk: HiringClient, name: string) =>
  sdk.request<List>({ method: 'POST', path: '/lists', body: { name } })

const refusal = (status: number, code: string, seconds?: number) => ({
  status,
  headers: { 'content-type': 'application/json', ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }) },
  body: JSON.stringify({
    detail: { code, type: ERRORS[code as keyof typeof ERRORS].type, message: code, request_id: 'req_1' },
  }),
})

test('SDK retries: a write whose response is lost is repeated under the same Idempotency-Key and done once', async () => {
  const sdk = client()
  network.plan((_, n) => (['cut_request', 'lose_response', 'cut_body', 'none'] as const)[n] ?? 'none')
  const list = await createList(sdk, 'Made once')
  const keys = network.requests.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys.length, 4)
  assert.equal(new Set(keys).size, 1)
  assert.deepEqual(sdk.waits, [375, 750, 1500])
  network.plan(() => 'none')
  const named = (await sdk.list<List>('/lists').toArray()).filter(({ name }) => name === 'Made once')
  assert.deepEqual(
    named,
    [list].map(({ id }) => named.find(row => row.id === id)),
  )
  await createList(sdk, 'Another one')
  assert.notEqual(network.requests.at(-1)!.headers['idempotency-key'], keys[0], 'each call has a key of its own')
})

test('SDK retries: gives up after maxRetries with an ApiConnectionError', async () => {
  const sdk = client({ maxRetries: 2 })
  network.plan(() => 'cut_request')
  await assert.rejects(sdk.request({ path: '/me' }), ApiConnectionError)
  assert.equal(network.requests.length, 3)
})

test('SDK retries: 502, 503 and 504 of a proxy are repeated, a page of a proxy is named in the error', async () => {
  const sdk = client()
  network.plan((_, n) => [{ status: 503 }, { status: 502 }, { status: 504 }][n] ?? 'none')
  assert.equal((await sdk.request<{ object: string }>({ path: '/me' })).object, 'credential')
  network.plan(() => ({ status: 404, body: '<h1>Not here</h1>' }))
  await assert.rejects(sdk.request({ path: '/me' }), (error: ApiError) => {
    assert.deepEqual([error.status, error.code], [404, 'http_404'])
    return true
  })
  assert.equal(network.requests.length, 1)
})

test('SDK retries: Retry-After is waited for, with some spread, up to the ceiling', async () => {
  const sdk = client()
  network.plan((_, n) => (n === 0 ? refusal(429, 'rate_limit_exceeded', 17) : 'none'))
  await sdk.request({ path: '/me' })
  assert.deepEqual(sdk.waits, [17_500])

  network.plan((_, n) =>
    n === 0 ? { status: 503, headers: { 'retry-after': new Date(Date.now() + 40_000).toUTCString() } } : 'none',
  )
  await sdk.request({ path: '/me' })
  assert.ok(sdk.waits[1]! > 20_000 && sdk.waits[1]! <= 41_000, `a date counts too: ${sdk.waits[1]}`)

  network.plan(() => refusal(429, 'rate_limit_exceeded', 61))
  await assert.rejects(sdk.request({ path: '/me' }), (error: ApiError) => error.retryAfterSeconds === 61)
  assert.deepEqual([network.requests.length, sdk.waits.length], [1, 2])
})

test('SDK retries: never waits for the daily budget, the daily messages or the monthly quota', async () => {
  for (const [code, seconds] of [
    ['personal_data_quota_exceeded', 5],
    ['message_quota_exceeded', 5],
    ['rate_limit_exceeded', 30 * 86_400],
    ['too_many_pending_uploads', 600],
    ['delivery_failed', 1],
  ] as const) {
    const sdk = client()
    network.plan(() => refusal(429, code, seconds))
    await assert.rejects(sdk.request({ path: '/me' }), (error: ApiError) => error.code === code)
    assert.deepEqual([network.requests.length, sdk.waits], [1, []], code)
  }
})

test('SDK retries: every code of the error catalogue is repeated as the catalogue says', async () => {
  for (const [code, { status, retry }] of Object.entries(ERRORS)) {
    const sdk = client({ maxRetries: 4 })
    network.plan(() => refusal(status, code, status === 429 ? 1 : undefined))
    await assert.rejects(sdk.request({ path: '/me' }), ApiError)
    const daily = code === 'personal_data_quota_exceeded' || code === 'message_quota_exceeded'
    const expected = daily ? 1 : { no: 1, with_new_key: 1, once: 2, after_wait: 5 }[retry]
    assert.equal(network.requests.length, expected, `${code}: ${retry}`)
  }
})

test('SDK retries: a real rate limit of the service ends in a wait of at most a minute', async () => {
  const { id } = await service.workspace('none')
  const narrow = await service.key({ workspace: id })
  const sdk = client({ apiKey: narrow.secret, maxRetries: 0 })
  network.plan(() => 'none')
  // 60 in each of at most two windows
  const calls = await Promise.allSettled(Array.from({ length: 121 }, () => sdk.request({ path: '/me' })))
  const refused = calls.flatMap(call => (call.status === 'rejected' ? [call.reason as RateLimitError] : []))
  assert.ok(refused.length > 0)
  assert.ok(refused[0] instanceof RateLimitError)
  assert.ok(refused[0].retryAfterSeconds! <= 60)
})

test('SDK timeout: an attempt without a response ends with an ApiTimeoutError; a signal ends the call with its reason', async () => {
  const sdk = client({ maxRetries: 1, timeoutMs: 50 })
  network.plan(() => 'silence')
  await assert.rejects(sdk.request({ path: '/me' }), ApiTimeoutError)
  assert.equal(network.requests.length, 2)

  const controller = new AbortController()
  const reason = new Error('no longer needed')
  const call = client({ timeoutMs: 60_000 }).request({ path: '/me', signal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await assert.rejects(call, reason)
  await assert.rejects(sdk.request({ path: '/me', signal: controller.signal }), reason)

  // a wait between two attempts ends too
  const waiting = new AbortController()
  network.plan(() => {
    setImmediate(() => waiting.abort(reason))
    return refusal(429, 'rate_limit_exceeded', 59)
  })
  const real = new HiringClient({ baseUrl: network.origin, apiKey: key.secret })
  await assert.rejects(real.request({ path: '/me', signal: waiting.signal }), reason)
})

test('SDK errors: each type of error has a class, with code, fields and request id', async () => {
  const sdk = client()
  network.plan(() => 'none')
  await assert.rejects(sdk.request({ path: '/jobs/job_missing' }), NotFoundError)
  await assert.rejects(client({ apiKey: 'svc_live_wrong' }).request({ path: '/me' }), AuthenticationError)
  await assert.rejects(
    sdk.request({ path: '/jobs', query: { page: 2, limit: 1000 } }),
    (error: InvalidRequestError) => {
      assert.ok(error instanceof InvalidRequestError)
      assert.equal(error.code, 'invalid_request')
      assert.deepEqual(error.errors.map(({ param }) => param).sort(), ['limit', 'page'])
      assert.match(error.requestId!, /^req_/)
      assert.match(error.docUrl!, /#invalid_request$/)
      return true
    },
  )
})

test('SDK lists: await gives one page, for await every row once', async () => {
  const { id, userEmail: owner } = await service.workspace('enterprise')
  const sdk = client({ apiKey: (await service.key({ workspace: id, userEmail: owner })).secret })
  network.plan(() => 'none')
  const made = new Set<string>()
  for (let i = 0; i < 7; i++) made.add((await createList(sdk, `List ${i}`)).id)
  const page = await sdk.list<List>('/lists', { limit: 3 })
  assert.deepEqual([page.object, page.data.length, page.has_more], ['list', 3, true])
  const second = await page.next()!
  const third = await second.next()!
  assert.deepEqual([second.data.length, third.data.length, third.next()], [3, 1, undefined])

  network.plan((_, n) => (n % 2 === 0 ? 'cut_body' : 'none'))
  const seen: string[] = []
  for await (const { id } of sdk.list<List>('/lists', { limit: 2 })) seen.push(id)
  assert.deepEqual([seen.length, new Set(seen)], [7, made])
  network.plan(() => 'none')
  assert.equal((await sdk.list<List>('/lists').toArray(2)).length, 2)
  assert.match(network.requests[0]!.path, /limit=100/)
  assert.equal(sdk.list('/lists')[Symbol.toStringTag], 'PagePromise')
  assert.equal(network.requests.length, 1, 'nothing is requested before the list is used')
})

test('SDK lists: for await reads more rows than the 10,000 of one listing, each once, in both orders', async () => {
  network.plan(() => 'none')
  const { id, userEmail: owner } = await service.workspace('enterprise')
  const sdk = client({ apiKey: (await service.key({ workspace: id, userEmail: owner })).secret })
  // three rows in each millisecond
  const ids = Array.from({ length: 10_250 }, () => newHandle('list'))
  await service.services.db.query(sql`
    insert into lists (workspace_id, id, name, created_at, updated_at)
    select ${id}, ids.id, 'List', time, time
    from (select id, timestamptz '2026-01-01 00:00:00Z' + (place / 3) * interval '1 millisecond' as time
      from unnest(${ids}::text[]) with ordinality as ids (id, place)) ids`)
  for (const order of ['asc', 'desc']) {
    const seen: string[] = []
    for await (const { id } of sdk.list<List>('/lists', { order })) seen.push(id)
    assert.equal(seen.length, ids.length, order)
    assert.equal(new Set(seen).size, ids.length, order)
  }
  // a list without such windows ends with the error
  await service.services.db.query(sql`
    with profiles as (
      insert into sourced_profiles (workspace_id, id, full_name, origin, acquisition)
      select ${id}, 'cnd_' || substr(list, 5), 'Ada', 'xray', 'xray_search' from unnest(${ids}::text[]) as ids (list) returning id)
    insert into list_memberships (workspace_id, id, list_id, sourced_profile_id)
    select ${id}, 'mem_' || substr(id, 5), ${ids[0]!}, id from profiles`)
  const members = sdk.list(`/lists/${ids[0]}/members`).toArray()
  await assert.rejects(members, (error: ApiError) => error.code === 'result_window_exceeded')
})

test('SDK feed: for await reads every event in order; a gap or another epoch is thrown', async () => {
  const { id, userEmail: owner } = await service.workspace('enterprise')
  const sdk = client({ apiKey: (await service.key({ workspace: id, userEmail: owner })).secret })
  network.plan(() => 'none')
  const begin = await sdk.events.end()
  for (let i = 0; i < 5; i++) await createList(sdk, `List ${i}`)
  const read = async () => {
    const events = []
    for await (const event of sdk.events.list({ ...begin, limit: 2, type: ['list.created'] })) events.push(event)
    return events
  }
  await until('five events', async () => (await read()).length === 5)
  const events = await read()
  const sequences = events.map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  )
  assert.deepEqual([events.length, new Set(sequences).size], [5, 5])
  assert.equal((await sdk.events.get(events[0]!.id)).sequence, sequences[0])

  const gap = await sdk.events.list({ after: 1_000_000 })
  assert.deepEqual([gap.gap, gap.data.length], [true, 0], 'a single page shows the gap')
  const all = async (query: { after: number; epoch?: string }) => {
    for await (const _ of sdk.events.list(query)) assert.fail('an event behind a gap')
  }
  await assert.rejects(all({ after: 1_000_000 }), (error: FeedGapError) => {
    assert.ok(error instanceof FeedGapError)
    assert.deepEqual([error.reason, error.after, error.nextAfter], ['gap', 1_000_000, sequences.at(-1)])
    return true
  })
  await assert.rejects(all({ after: 0, epoch: 'another' }), (error: FeedGapError) => error.reason === 'epoch_changed')
})

test('SDK feed: tail yields new events, waits out an outage and ends with its signal', async () => {
  const outages: unknown[] = []
  const sdk = new HiringClient({
    baseUrl: network.origin,
    apiKey: key.secret,
    maxRetries: 0,
    runtime: { sleep: () => new Promise(resolve => setImmediate(resolve)) },
  })
  network.plan(() => 'none')
  const controller = new AbortController()
  const names: string[] = []
  const before = await createList(sdk, 'Before')
  const isInFeed = async () => {
    const events = await sdk.events.list({ type: 'list.created' }).toArray()
    return events.some(({ data }) => data.object.id === before.id)
  }
  await until('the event of the first list', isInFeed)
  network.plan(() => 'none')
  const tail = sdk.events.tail({
    after: 'now',
    type: 'list.created',
    signal: controller.signal,
    onOutage: error => outages.push(error),
  })
  const first = tail.next()
  await until('a poll', async () => network.requests.filter(({ path }) => path.includes('/events')).length > 1)
  const wanted = new Set<string>()
  wanted.add((await createList(sdk, 'First')).id)
  names.push((await first).value!.data.object.id)
  network.plan((_, n) => (n < 3 ? 'cut_request' : n < 5 ? { status: 503 } : 'none'))
  const second = tail.next()
  await until('the end of the outage', async () => network.requests.length > 5)
  wanted.add((await createList(sdk, 'Second')).id)
  names.push((await second).value!.data.object.id)
  assert.equal(outages.length, 5)
  const third = tail.next()
  controller.abort()
  assert.deepEqual(await third, { value: undefined, done: true })
  assert.deepEqual(new Set(names), wanted)
})

test('SDK client: an id that is missing or that a URL would resolve makes no call', async () => {
  network.plan(() => 'none')
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    assert.throws(() => client().jobs.get(id), HiringError)
  }
  await assert.rejects(client().jobs.get('../lists'), NotFoundError)
  assert.deepEqual(
    network.requests.map(({ path }) => path),
    ['/api/partner/v1/jobs/..%2Flists'],
  )
})

test('SDK client: refuses a wrong base URL and a missing key, follows no redirect', async () => {
  assert.throws(() => new HiringClient({ baseUrl: 'hiring.example', apiKey: 'k' }), HiringError)
  assert.throws(() => new HiringClient({ baseUrl: 'https://hiring.example', apiKey: '' }), HiringError)
  const sdk = client()
  network.plan(() => ({ status: 301, headers: { location: 'https://elsewhere.example/?email=a@b.example' } }))
  await assert.rejects(sdk.request({ path: '/me' }), error => {
    assert.ok(error instanceof UnexpectedResponseError && error.status === 301)
    assert.match(error.message, /redirected to https:\/\/elsewhere\.example\/: set/)
    return true
  })
  assert.equal(network.requests.length, 1)
  network.plan(() => 'none')
  const job = await client({ baseUrl: `${network.origin}/api/partner/v1/` }).request<{ object: string }>({
    path: '/api/partner/v1/me',
  })
  assert.equal(job.object, 'credential')
})

test('SDK responses: a typed call gives status and headers of the same request', async () => {
  const sdk = client()
  const made = sdk.lists.create({ name: 'Headroom' }, { idempotencyKey: 'headroom-0001' })
  const { data, status, requestId, replayed, headers } = await made.withResponse()
  assert.deepEqual([data.name, status, replayed, (await made).id], ['Headroom', 201, false, data.id])
  assert.match(requestId!, /^req_/)
  assert.ok(Number(headers.get('ratelimit-remaining')) > 0)
  const again = await sdk.lists.create({ name: 'Headroom' }, { idempotencyKey: 'headroom-0001' }).withResponse()
  assert.deepEqual([again.replayed, again.data.id], [true, data.id])
  const page = await sdk.lists.list({ limit: 1 }).withResponse()
  assert.deepEqual([page.status, page.data.data.length, typeof page.data.next], [200, 1, 'function'])
  const events = await sdk.events.list().withResponse()
  assert.match(events.requestId!, /^req_/)
})

test('SDK responses: a refused call rejects once, whether its body or its response is awaited', async () => {
  const sdk = client()
  const lost: unknown[] = []
  const onLost = (reason: unknown) => lost.push(reason)
  process.on('unhandledRejection', onLost)
  await assert.rejects(sdk.jobs.get(newHandle('job')).withResponse(), NotFoundError)
  await assert.rejects(sdk.jobs.get(newHandle('job')), NotFoundError)
  await new Promise(setImmediate)
  process.off('unhandledRejection', onLost)
  assert.deepEqual(lost, [])
})

test('SDK onAttempt: the template of the path, and the headers of the response', async () => {
  const seen: Attempt[] = []
  const sdk = client({ onAttempt: attempt => seen.push(attempt) })
  const list = await createList(sdk, 'Templates')
  await sdk.lists.get(list.id)
  await sdk.lists.listMembers(list.id).toArray()
  await sdk.get(`/api/partner/v1/lists/${list.id}?limit=1`).catch(() => {})
  assert.deepEqual(
    seen.map(({ path }) => path),
    ['/lists', '/lists/{list_handle}', '/lists/{list_handle}/members', '/api/partner/v1/lists/{id}'],
  )
  for (const { headers } of seen) assert.ok(headers?.has('ratelimit-remaining'))
})
