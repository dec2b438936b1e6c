import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '../../src/contract/events.ts'
import { claimDeliveries, readyRetries } from '../../src/delivery/lease.ts'
import {
  type Claim,
  FIRST_ENDPOINT,
  forceIndexPlans,
  releaseDeliveries as releasing,
} from '../../src/delivery/lease-store.ts'
import type { InFlightDelivery } from '../../src/delivery/states.ts'
import { isDistributed } from '../../src/kernel/citus/distributed.ts'
import type { Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { emit } from '../harness/events.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService({ ROLES: 'api' }, { resolveName: async () => ['8.8.8.8'] })
const { db } = service.services
const inCluster = await isDistributed(db)

/** An endpoint with this many deliveries waiting. */
async function waiting(deliveries: number): Promise<string> {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const made = await service.post('/webhooks/endpoints', key, {
    url: 'https://x.example.com/',
    event_types: ['job.updated'],
  })
  await emit(db, workspace, Array<EventType>(deliveries).fill('job.updated'))
  await sequenceBatch(db)
  return made.body.id
}

const claimIn = async (on: Transaction, opts: Partial<Claim>) => {
  const perEndpoint = opts.perEndpoint ?? 16
  const claim: Claim = {
    slow: false,
    perEndpoint,
    perFastEndpoint: perEndpoint,
    limit: 128,
    after: FIRST_ENDPOINT,
    ended: [],
    ...opts,
  }
  const [, found] = await Promise.all([
    on.query(forceIndexPlans('transaction', inCluster)),
    claimDeliveries(db, claim, on),
  ])
  return found
}
const claim = async (opts: Partial<Claim>) => (await db.transaction(tx => claimIn(tx, opts))).deliveries
const releaseDeliveries = (rows: InFlightDelivery[]) => db.eachPartition(rows, part => db.query(releasing(part)))
const countBy = (rows: { endpoint_id: string }[], id: string) => rows.filter(row => row.endpoint_id === id).length

test('webhook claim: at most so many in flight per endpoint, and the first of every endpoint before the second of any', async () => {
  const backlog = await waiting(100)
  const small = [await waiting(1), await waiting(1)]
  const first = await claim({ perEndpoint: 5, limit: 3 })
  assert.equal(first.length, 3)
  assert.deepEqual(new Set(first.map(row => row.endpoint_id)), new Set([backlog, ...small]))
  const second = await claim({ perEndpoint: 5 })
  assert.equal(countBy(second, backlog), 4, 'one is in flight already')
  assert.equal((await claim({ perEndpoint: 5 })).length, 0)
  await releaseDeliveries(second)
  assert.equal((await claim({ perEndpoint: 5 })).length, 4)
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook claim: an attempt that ended and is not recorded yet is not in flight, also when it is recorded during the claim', async () => {
  const endpoint = await waiting(40)
  const first = await claim({ perEndpoint: 8 })
  assert.equal(first.length, 8)
  const ended = first.slice(0, 3).map(row => row.id)
  const second = await claim({ perEndpoint: 8, ended })
  assert.equal(countBy(second, endpoint), 3)
  assert.ok(
    second.every(row => !ended.includes(row.id)),
    'its lease holds until it is recorded',
  )
  assert.equal((await claim({ perEndpoint: 8, ended })).length, 0)
  await db.query(sql`
    update webhook_deliveries set status = 'delivered', lease_token = null, leased_until = null
    where id = any(${ended}::uuid[])`)
  assert.equal((await claim({ perEndpoint: 8, ended })).length, 0)
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook claim: a receiver that failed three times in a row is claimed in the other lane', async () => {
  const failing = await waiting(10)
  await db.query(sql`update webhook_endpoints set consecutive_failures = 3 where id = ${failing}::uuid`)
  const healthy = await waiting(10)
  assert.equal(countBy(await claim({}), failing), 0)
  const rows = await claim({ slow: true, perEndpoint: 2 })
  assert.equal(rows.length, 2)
  assert.equal(countBy(rows, healthy), 0)
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook claim: a receiver that took more than two seconds the last time is claimed in the other lane', async () => {
  const slow = await waiting(10)
  await db.query(sql`update webhook_endpoints set last_attempt_ms = 2001 where id = ${slow}::uuid`)
  assert.equal((await claim({})).length, 0)
  assert.equal(countBy(await claim({ slow: true, perEndpoint: 2 }), slow), 2)
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook claim: only a receiver that acknowledged the last time, and quickly, may have more in flight', async () => {
  const endpoint = await waiting(40)
  const more = { perEndpoint: 4, perFastEndpoint: 20 }
  const set = (failures: number, ms: number, success: string | null) =>
    db.query(sql`
      update webhook_endpoints set consecutive_failures = ${failures}, last_attempt_ms = ${ms},
        last_success_at = ${success}::timestamptz where id = ${endpoint}::uuid`)
  const taken = async () => {
    const rows = await claim(more)
    await releaseDeliveries(rows)
    return rows.length
  }
  assert.equal(await taken(), 4, 'nothing is known of it')
  await set(0, 250, '2026-11-01T00:00:00Z')
  assert.equal(await taken(), 20)
  await set(1, 250, '2026-11-01T00:00:00Z')
  assert.equal(await taken(), 4, 'it failed since')
  await set(0, 251, '2026-11-01T00:00:00Z')
  assert.equal(await taken(), 4, 'it was not quick')
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook claim: a claim locks what it takes and nothing else', async () => {
  for (let i = 0; i < 4; i++) await waiting(16)
  const workspaces = await db.query(sql<{ id: string }>`select distinct workspace_id as id from webhook_deliveries`)
  const unlockedOf = ({ id }: { id: string }) =>
    db.query(sql`select 1 from webhook_deliveries where workspace_id = ${id} for update skip locked`)
  await db.transaction(async tx => {
    assert.equal((await claimIn(tx, { limit: 4 })).deliveries.length, 4)
    const unlocked = await Promise.all(workspaces.map(unlockedOf))
    assert.equal(unlocked.flat().length, 60)
    assert.equal((await claim({ limit: 8 })).length, 8, 'another process takes the next ones at the same time')
  })
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook claim: retries that are not due cost a claim nothing, and are ready when their time has come', async () => {
  const endpoint = await waiting(3)
  await db.query(sql`
    update webhook_deliveries set status = 'retrying', ready = false, next_attempt_at = app_now() + interval '1 hour'
    where endpoint_id = ${endpoint}::uuid`)
  await readyRetries(db)
  const ready = () => db.query(sql`select 1 from webhook_deliveries where ready and status in ('pending', 'retrying')`)
  assert.equal((await ready()).length, 0)
  clock.advance(3_601_000)
  await readyRetries(db)
  assert.equal((await claim({})).length, 3)
  clock.reset()
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook claim: side by side: no delivery is claimed twice', async () => {
  await waiting(200)
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim({ perEndpoint: 40, limit: 40 })))
  const ids = claims.flat().map(row => row.id)
  assert.equal(new Set(ids).size, ids.length)
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook claim: a lease that ran out is taken over under the same attempt number, with a new token', async () => {
  await waiting(1)
  const [first] = await claim({})
  assert.equal(first!.attempt, 1)
  clock.advance(29_000)
  assert.equal((await claim({})).length, 0)
  clock.advance(2_000)
  const [second] = await claim({})
  assert.equal(second!.id, first!.id)
  assert.equal(second!.attempt, 1)
  assert.notEqual(second!.lease_token, first!.lease_token)
  assert.equal(second!.unix_seconds - first!.unix_seconds >= 30, true, 'a fresh t')
  clock.reset()
})
