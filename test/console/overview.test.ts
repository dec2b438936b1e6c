import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { sweepOnce } from '../../src/workers/prune-rows.ts'
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

interface Figures {
  requests: { requests: number; client_errors: number; server_errors: number; limited: number }[]
}

const sums = ({ requests }: Figures) =>
  (['requests', 'client_errors', 'server_errors', 'limited'] as const).map(name =>
    requests.reduce((total, row) => total + row[name], 0),
  )

test('console overview: requests, errors and what was over the limit are counted for each key and hour', async () => {
  const key = await service.key({ workspace, name: 'Busy' })
  const other = await service.key({ workspace, name: 'Quiet' })
  for (let i = 0; i < 3; i++) await service.get('/me', key)
  await service.get('/jobs/job_none', key)
  await service.get('/me', other)
  await service.services.usage.flush()
  const { body } = await owner.get('/overview')
  assert.equal(body.requests.length, 24)
  assert.equal(body.bucket, 'hour')
  assert.deepEqual(sums(body), [5, 1, 0, 0])
  assert.equal(body.requests.at(-1).requests, 5)
  assert.deepEqual(
    body.keys.map((k: { name: string; requests: number; errors: number }) => [k.name, k.requests, k.errors]),
    [
      ['Busy', 4, 1],
      ['Quiet', 1, 0],
    ],
  )
  assert.deepEqual(sums((await owner.get(`/overview?key_id=${other.id}`)).body), [1, 0, 0, 0])
  assert.equal(body.month.used, 5)
  assert.equal(body.month.quota, 1_000_000)
  assert.deepEqual(body.per_minute, { general: 600, expensive: 60, download: 30 })
  assert.equal(body.personal_data_per_day, 5_000)
})

test('console overview: a day, a week by the hour, a month by the day: each begins with its first bucket and has no holes', async () => {
  const lengths = { '24h': 24, '7d': 168, '30d': 30 }
  for (const [range, length] of Object.entries(lengths)) {
    const { body } = await owner.get(`/overview?range=${range}`)
    assert.equal(body.requests.length, length)
    assert.equal(body.deliveries.length, length)
    const step = range === '30d' ? 86_400_000 : 3_600_000
    const times = body.requests.map((row: { at: string }) => Date.parse(row.at))
    assert.ok(times.every((time: number, i: number) => i === 0 || time - times[i - 1] === step))
    assert.ok(times.at(-1) <= Date.parse(body.to) && Date.parse(body.to) - times.at(-1) < step)
  }
  clock.advance(2 * 86_400_000)
  const later = await signedIn(service, workspace)
  assert.equal(sums((await later.get('/overview')).body)[0], 0)
  assert.equal(sums((await later.get('/overview?range=7d')).body)[0], 5)
  clock.reset()
  assert.equal((await owner.get('/overview?range=1y')).status, 400)
})

test('console overview: personal data shown today is listed with its budget, day by day', async () => {
  const place = (await service.workspace('growth')).id
  const person = await signedIn(service, place)
  const { id } = await service.key({ workspace: place })
  await service.services.db.query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    values (${place}, ${id}, app_now()::date, 7), (${place}, ${id}, app_now()::date - 1, 3)`)
  const { body } = await person.get('/overview')
  assert.deepEqual(
    body.personal_data.slice(-2).map((row: { used: number }) => row.used),
    [3, 7],
  )
  assert.equal(body.personal_data.length, 7)
  assert.equal(body.keys[0].personal_data_today, 7)
  assert.equal(body.personal_data_per_day, 20_000)
  assert.equal((await owner.get('/overview')).body.personal_data.at(-1).used, 0, "another workspace's are not counted")
})

test('console overview: figures older than a year are deleted, newer ones are retained', async () => {
  const { db } = service.services
  const { id } = await service.key({ workspace })
  const endpoint = '00000000-0000-4000-8000-000000000001'
  await db.query(sql`
    insert into webhook_endpoints (workspace_id, id, key_id, url, event_types)
    values (${workspace}, ${endpoint}::uuid, ${id}, 'https://hooks.test/old', '{job.updated}')`)
  await db.query(sql`
    insert into webhook_stats (workspace_id, endpoint_id, hour, delivered)
    select ${workspace}, ${endpoint}::uuid, app_now() - d * interval '1 day', 1 from unnest(array[1, 399, 401, 800]) as d`)
  await sweepOnce(db)
  assert.equal((await db.one(sql<{ n: number }>`select count(*) as n from webhook_stats`))!.n, 2)
})
