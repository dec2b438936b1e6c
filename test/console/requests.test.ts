import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let workspace: string
let owner: Person
let key: { id: string; secret: string }
let quiet: { id: string; secret: string }

interface Call {
  key?: string
  workspace?: string
  method?: string
  route?: string | null
  status?: number
  code?: string | null
  ms?: number
  /** before now */
  minutes: number
  now?: number
}

async function add(call: Call): Promise<string> {
  const id = newHandle('request')
  const at = new Date((call.now ?? clock.now()) - call.minutes * 60_000).toISOString()
  await service.services.db.query(sql`
    insert into request_log (workspace_id, id, created_at, key_id, method, route, params, status, code, duration_ms)
    values (${call.workspace ?? workspace}, ${id}, ${at}::timestamptz, ${call.key ?? key.id}, ${call.method ?? 'GET'},
      ${call.route === undefined ? '/jobs' : call.route}, '{}', ${call.status ?? 200}::integer, ${call.code ?? null},
      ${call.ms ?? 10}::integer)`)
  return id
}

before(async () => {
  service = await sharedTestService()
  workspace = (await service.workspace()).id
  owner = await signedIn(service, workspace)
  key = await service.key({ workspace, name: 'Payroll' })
  quiet = await service.key({ workspace, name: 'Quiet' })
})

const idsOf = async (query: string) => {
  const response = await owner.get(`/requests${query}`)
  assert.equal(response.status, 200, response.text)
  return response.body.data.map((row: { id: string }) => row.id)
}

test('console request log: 200 with the calls of this workspace by key, status, code, method, route, time and id', async () => {
  const other = (await service.workspace()).id
  const foreign = await add({ workspace: other, key: (await service.key({ workspace: other })).id, minutes: 1 })
  const recent = await add({ minutes: 2 })
  const missing = await add({ minutes: 30, status: 404, code: 'not_found', route: '/jobs/{job_handle}' })
  const limited = await add({ minutes: 90, status: 429, code: 'rate_limit_exceeded', key: quiet.id })
  const failed = await add({ minutes: 3 * 24 * 60, status: 500, code: 'internal_error', method: 'POST', route: null })
  assert.deepEqual(await idsOf(''), [recent, missing, limited, failed])
  assert.deepEqual(await idsOf('?range=1h'), [recent, missing])
  assert.deepEqual(await idsOf('?range=24h'), [recent, missing, limited])
  assert.deepEqual(await idsOf(`?key_id=${quiet.id}`), [limited])
  assert.deepEqual(await idsOf('?status=errors'), [missing, limited, failed])
  assert.deepEqual(await idsOf('?status=4xx'), [missing, limited])
  assert.deepEqual(await idsOf('?status=500'), [failed])
  assert.deepEqual(await idsOf('?code=not_found'), [missing])
  assert.deepEqual(await idsOf('?method=POST'), [failed])
  assert.deepEqual(await idsOf(`?route=${encodeURIComponent('/jobs/{job_handle}')}`), [missing])
  assert.deepEqual(await idsOf(`?range=1h&request_id=${failed}`), [failed], 'an id is found whatever the range')
  assert.deepEqual(await idsOf(`?request_id=${foreign}`), [])
  const before = encodeURIComponent(new Date(clock.now() - 60 * 60_000).toISOString())
  assert.deepEqual(await idsOf(`?created_before=${before}`), [limited, failed])
  const { body } = await owner.get('/requests')
  assert.deepEqual(body.data[1], {
    id: missing,
    created_at: body.data[1].created_at,
    key: { id: key.id, name: 'Payroll', is_app: false },
    method: 'GET',
    route: '/jobs/{job_handle}',
    status: 404,
    code: 'not_found',
    duration_ms: 10,
    did_you_mean: null,
  })
  assert.equal((await owner.get(`/requests/${foreign}`)).status, 404)
  for (const query of ['?status=abc', '?code=none', '?range=1y', '?created_after=now']) {
    assert.equal((await owner.get(`/requests${query}`)).status, 400, query)
  }
})

test('console request log: a call that was just made is there, with its parameters and what it read of people', async () => {
  const response = await service.get('/jobs?limit=3&q=welder', key)
  const id = response.headers.get('service-request-id')!
  await service.services.db.query(sql`
    insert into personal_data_reads (workspace_id, key_id, subject_object, subject_id, field, units, request_id)
    values (${workspace}, ${key.id}, 'applicant', 'apl_one', 'email', 2, ${id})`)
  const { status, body } = await owner.get(`/requests/${id}`)
  assert.deepEqual(
    [status, body.route, body.params, body.param, body.acting_user, body.personal_data_units],
    [200, '/jobs', { limit: '3', q: null }, null, null, 2],
  )
  assert.equal((await owner.get(`/requests/${newHandle('request')}`)).status, 404)
})

test('console request log: a path that no endpoint has is listed with the nearest one', async () => {
  const response = await service.post('/jbos', key, {})
  const id = response.headers.get('service-request-id')!
  const { body } = await owner.get(`/requests?request_id=${id}`)
  assert.deepEqual([body.data[0].route, body.data[0].did_you_mean], [null, 'POST /jobs'])
  assert.equal((await owner.get(`/requests/${id}`)).body.did_you_mean, 'POST /jobs')
})

test('console request log: figures are 200 and empty for times long before any call', async () => {
  for (const query of [
    '?created_before=0001-01-01T00:00:00Z',
    '?created_after=0001-01-01T00:00:00Z&created_before=0001-01-02T00:00:00Z',
  ]) {
    const { status, body } = await owner.get(`/requests/figures${query}`)
    assert.equal(status, 200, query)
    assert.equal(body.total.requests, 0)
  }
})

test('console request log: figures add up calls, errors and milliseconds by time and by endpoint, without holes', async () => {
  const own = (await service.workspace()).id
  const admin = await signedIn(service, own, { role: 'admin' })
  const ofKey = (await service.key({ workspace: own, name: 'Figures' })).id
  // one instant: calls that were made together are in one bucket
  const calls = { workspace: own, key: ofKey, now: clock.now() }
  for (let ms = 1; ms <= 100; ms++) await add({ ...calls, minutes: 120, ms })
  await add({ ...calls, minutes: 10, ms: 1_000, status: 500, code: 'internal_error' })
  await add({ ...calls, minutes: 10, ms: 4, status: 404, route: '/me', code: 'not_found' })
  await add({ ...calls, minutes: 10, ms: 4, status: 429, route: '/me', code: 'rate_limit_exceeded' })
  const figures = async (query: string) => (await admin.get(`/requests/figures${query}`)).body
  const day = await figures('')
  assert.equal(day.series.length, 48)
  assert.equal(day.step_minutes, 30)
  assert.deepEqual(day.total, {
    requests: 103,
    client_errors: 1,
    server_errors: 1,
    limited: 1,
    p50_ms: 50,
    p95_ms: 96,
  })
  const sum = (series: { requests: number }[]) => series.reduce((total, row) => total + row.requests, 0)
  assert.equal(sum(day.series), 103)
  const hundred = day.series.find((row: { requests: number }) => row.requests === 100)
  assert.deepEqual([hundred.p50_ms, hundred.p95_ms], [50, 95])
  for (const [i, row] of day.series.entries()) {
    if (i > 0) assert.equal(Date.parse(row.at) - Date.parse(day.series[i - 1].at), 30 * 60_000)
  }
  assert.deepEqual(
    day.endpoints.map((row: { route: string; requests: number }) => [row.route, row.requests]),
    [
      ['/jobs', 101],
      ['/me', 2],
    ],
  )
  assert.equal(day.counted_from, null)
  assert.equal((await figures('?range=1h')).total.requests, 3)
  assert.equal((await figures('?range=1h')).series.length, 60)
  assert.equal((await figures('?range=7d')).series.length, 56)
  assert.equal((await figures('?status=errors')).total.requests, 3)
  assert.equal((await figures(`?key_id=${key.id}`)).total.requests, 0)
  const after = encodeURIComponent(new Date(clock.now() - 20 * 60_000).toISOString())
  const short = await figures(`?created_after=${after}`)
  assert.deepEqual([short.total.requests, sum(short.series)], [3, 3])
})

test('console request log: 403 for members and viewers, 401 without a session', async () => {
  for (const role of ['member', 'viewer'] as const) {
    const person = await signedIn(service, workspace, { role })
    for (const path of ['/requests', '/requests/figures', `/requests/${newHandle('request')}`]) {
      assert.equal((await person.get(path)).status, 403, path)
    }
  }
  assert.equal((await service.call('GET', `${service.origin}/console/api/requests`)).status, 401)
})
