import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventType } from '../../src/contract/events.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, type Received, type Receiver, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { killWorker, startWorker } from '../harness/worker-process.ts'

const EVENTS = Number(process.env['HIRING_TEST_DELIVERIES'] ?? 2_000)
/** A free machine needs a second for a thousand; one that is busy with other tests up to half a minute. */
const LIMIT_MS = Math.max(60_000, EVENTS * 30)

const receiver = await startReceiver()
const settings = {
  WEBHOOK_ALLOW_HOSTS: receiver.host,
  WEBHOOK_CA: CA_FILE,
  LIMITER: 'postgres',
  SECRET_KEY: randomBytes(32).toString('hex'),
}
const service = await startTestService({ ...settings, ROLES: 'api' }, { resolveName: testNames() })
const { db } = service.services
const worker = {
  ...settings,
  DATABASE_URL: service.database.url,
  DATA_DIR: service.services.config.DATA_DIR,
}

async function register() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const url = `${receiver.url}/${workspace}`
  const made = await service.post('/webhooks/endpoints', key, { url, event_types: ['job.updated'] })
  assert.equal(made.status, 201)
  return { workspace, key, received: () => receiver.received.filter(r => r.path.endsWith(workspace)) }
}

const recordOf = (received: { body: string }): string => JSON.parse(received.body).data.object.id

const attemptOf = ({ headers }: Received, before = 0) =>
  `${headers['service-delivery-id']} ${Number(headers['service-delivery-attempt']) - before}`

/**
 * That no attempt was a second one, but after a first that did not end within its ten seconds: on a busy machine that happens,
 * and the sender is right to try again.
 */
async function assertOwnNumbers(received: readonly Received[]): Promise<void> {
  const late = await db.query(sql<{ attempt: string }>`
    select delivery_id || ' ' || attempt as attempt from webhook_attempts where error = 'timeout'`)
  const mayFollow = new Set(late.map(({ attempt }) => attempt))
  const again = received.filter(r => r.headers['service-delivery-attempt'] !== '1')
  assert.deepEqual(
    again.filter(r => !mayFollow.has(attemptOf(r, 1))),
    [],
    'an attempt that was cut off is made again under its own number',
  )
}

test('webhook crash: without failures four senders deliver every event exactly once', async () => {
  const workers = await Promise.all([1, 2, 3, 4].map(() => startWorker(worker)))
  const targets = await Promise.all([register(), register(), register(), register()])
  const ids: string[] = []
  for (let i = 0; i < EVENTS / 100; i++) {
    const { workspace } = targets[i % targets.length]!
    ids.push(...(await emit(db, workspace, Array<EventType>(100).fill('job.updated'))))
  }
  await until('all are delivered', () => receiver.received.length >= ids.length, LIMIT_MS)
  await until('all are recorded', async () => {
    const open = sql`select 1 from webhook_deliveries where status <> 'delivered' union all select 1 from webhook_handovers`
    return (await db.query(open)).length === 0
  })
  await assertOwnNumbers(receiver.received)
  assert.equal(new Set(receiver.received.map(r => attemptOf(r))).size, receiver.received.length, 'no duplicate')
  assert.equal(new Set(receiver.received.map(r => r.headers['service-delivery-id'])).size, ids.length)
  assert.deepEqual(new Set(receiver.received.map(recordOf)), new Set(ids))
  for (const child of workers) await killWorker(child)
})

test('webhook crash: a process killed at any point between a change and its delivery loses no delivery', async () => {
  const target = await register()
  const soon: Receiver['respond'] = (_request, response) => void setTimeout(() => response.end(), Math.random() * 40)
  const never: Receiver['respond'] = () => {}
  const ids: string[] = []
  // once for certain while an attempt is in flight (first, before leases of killed processes use the capacity of the endpoint),
  // then six times at a random moment
  for (const response of [never, soon, soon, soon, soon, soon, soon]) {
    receiver.respond = response
    const before = receiver.received.length
    const child = await startWorker(worker)
    const emitting = (async () => {
      for (let i = 0; i < 10; i++) {
        ids.push(...(await emit(db, target.workspace, Array<EventType>(5).fill('job.updated'))))
        await delay(Math.random() * 30)
      }
    })()
    if (response === never) await until('an attempt is in flight', () => receiver.received.length > before)
    else await delay(20 + Math.random() * 250)
    await killWorker(child)
    await emitting
  }
  const left = await db.one(sql<{ leased: number }>`
    select (select count(*) from webhook_deliveries where lease_token is not null)
      + (select count(*) from webhook_handovers) as leased`)
  assert.ok(left!.leased > 0, 'some attempts were cut off')
  // the leases of the killed processes expire
  clock.advance(31_000)
  const successor = await startTestService(settings, { database: service.database, resolveName: testNames() })
  await until('all are delivered', async () => {
    const open = await db.query(sql`
      select 1 from webhook_deliveries where workspace_id = ${target.workspace} and status <> 'delivered'
      union all select 1 from outbox union all select 1 from webhook_handovers`)
    return open.length === 0
  })
  assert.deepEqual(new Set(target.received().map(recordOf)), new Set(ids))
  await assertOwnNumbers(target.received())
  await successor.stop()
  clock.reset()
})

test('webhook crash: a sender that stops releases its unfinished deliveries', async () => {
  const target = await register()
  receiver.respond = () => {} // hangs
  const first = await startTestService(settings, { database: service.database, resolveName: testNames() })
  await emit(db, target.workspace, ['job.updated'])
  await until('it is in flight', () => target.received().length === 1)
  await first.stop()
  const rows = await db.query(sql`
    select status, attempt, lease_token from webhook_deliveries where workspace_id = ${target.workspace}`)
  assert.deepEqual(rows, [{ status: 'pending', attempt: 0, lease_token: null }])
})
