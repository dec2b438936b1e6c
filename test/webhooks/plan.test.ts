import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { claimDeliveries } from '../../src/delivery/lease.ts'
import {
  buildClaim,
  type Claim,
  dueRetries,
  ENDPOINTS_PER_CLAIM,
  FIRST_ENDPOINT,
  forceIndexPlans,
  handedOverBodies,
  handOverCapacity,
  handOverTargets,
  markReady,
  waitingEndpoints,
} from '../../src/delivery/lease-store.ts'
import { erasedAmong, finishAttempts, lockEndpoints } from '../../src/delivery/result-store.ts'
import type { InFlightDelivery } from '../../src/delivery/states.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { FORCE_INDEX, publishBatch, selectOldest } from '../../src/kernel/feed/publish-batch.ts'
import { LEASE_SECONDS } from '../../src/resources/webhooks/rules.ts'
import { emit, SYNTHETIC_TITLE } from '../harness/events.ts'
import { buffers, explain as explainIn, listPlanNodes, type PlanNode } from '../harness/plans.ts'
import { startTestService } from '../harness/service.ts'

/** Enough for every wrong plan to be found out, and not so many that the test takes minutes. */
const WORKSPACES = 20
const ENDPOINTS_EACH = 100
const DELIVERIES_EACH = 12
const LIMIT = 128

const service = await startTestService({ ROLES: 'api' })
const { db } = service.services
const session = await db.session({ timeouts: 'off' })
after(() => session.close())
const claim: Claim = {
  slow: false,
  perEndpoint: 16,
  perFastEndpoint: 64,
  limit: LIMIT,
  after: FIRST_ENDPOINT,
  ended: [],
}
const all = <Row>(rows: readonly Row[]) => ({ rows, only: undefined })

const TABLES = [
  'webhook_deliveries',
  'webhook_handovers',
  'webhook_attempts',
  'webhook_endpoints',
  'webhook_secrets',
  'webhook_responses',
  'erasure_targets',
  'events',
  'api_keys',
]

async function fill(): Promise<void> {
  for (let i = 0; i < WORKSPACES; i++) {
    const { id: workspace, userEmail } = await service.workspace('enterprise')
    const key = await service.key({ workspace, userEmail })
    await session.query(sql`
      insert into webhook_endpoints (workspace_id, id, key_id, url, event_types)
      select ${workspace}, gen_random_uuid(), ${key.id}, 'https://x.example.com/' || n, '{}'
      from generate_series(1, ${ENDPOINTS_EACH}::integer) n`)
  }
  await session.query(sql`
    insert into webhook_secrets (workspace_id, endpoint_id, version, sealed)
    select workspace_id, id, 1, '\\x00' from webhook_endpoints`)
  await session.query(sql`
    insert into events (sequence, workspace_id, id, type, created_at, body)
    select n, (select min(id) from workspaces), 'evt_' || n, 'job.updated', now(), ${JSON.stringify({ title: SYNTHETIC_TITLE })}
    from generate_series(1, ${DELIVERIES_EACH}::integer) n on conflict do nothing`)
  // a third each: delivered, waiting, to be tried again in an hour
  await session.query(sql`
    insert into webhook_deliveries (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, status,
      attempt, ready, next_attempt_at)
    select e.workspace_id, gen_random_uuid(), e.id, e.key_id, n, 'evt_' || n, 'job.updated',
      (array['delivered', 'pending', 'retrying'])[1 + n % 3], case n % 3 when 1 then 0 else 1 end, n % 3 <> 2,
      case n % 3 when 1 then now() - interval '1 second' when 2 then now() + interval '1 hour' end
    from webhook_endpoints e, generate_series(1, ${DELIVERIES_EACH}::integer) n`)
}

/** The plan that the sender's connections keep, with what it touched. To be called inside a transaction. */
async function explain(statement: Sql): Promise<PlanNode> {
  await session.query(forceIndexPlans('transaction', false))
  return explainIn(session, statement)
}

function assertByIndex(plan: PlanNode): void {
  const wrong = listPlanNodes(plan).filter(
    node =>
      (node['Relation Name'] !== undefined && /Seq Scan|Bitmap|Sample/.test(node['Node Type'])) ||
      // a whole index, which is no better than the whole table
      (node['Node Type'].startsWith('Index') && node['Index Cond'] === undefined) ||
      /Hash Join|Merge Join/.test(node['Node Type']),
  )
  assert.deepEqual(
    wrong.map(node => `${node['Node Type']} ${node['Relation Name'] ?? ''}`),
    [],
  )
}

/** Rows that a scan of deliveries read to throw them away again. */
const wasted = (plan: PlanNode) =>
  listPlanNodes(plan)
    .filter(node => node['Relation Name'] === 'webhook_deliveries')
    .reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'], 0)

async function check(state: string): Promise<void> {
  await session.script('begin')
  try {
    const scan = await explain(waitingEndpoints(FIRST_ENDPOINT))
    assertByIndex(scan)
    const endpoints = await session.query(waitingEndpoints(FIRST_ENDPOINT))
    assert.equal(endpoints.length, ENDPOINTS_PER_CLAIM)
    const plan = await explain(buildClaim(claim, all(endpoints), randomUUID()))
    assertByIndex(plan)
    const indexes = listPlanNodes(plan).flatMap(node => node['Index Name'] ?? [])
    assert.ok(indexes.includes('webhook_deliveries_ready'), `${state}: ${indexes}`)
    // some twenty pages for an endpoint looked at and fifty for a delivery taken, whatever the size of the tables
    const most = ENDPOINTS_PER_CLAIM * 20 + LIMIT * 50
    const touched = buffers(scan) + buffers(plan)
    assert.ok(touched < most, `${state}: ${touched} of ${most} pages`)
    assert.ok(wasted(plan) < LIMIT, `${state}: ${wasted(plan)} deliveries read in vain`)
  } finally {
    await session.script('rollback')
  }
  await session.script('begin')
  try {
    await session.query(forceIndexPlans('transaction', false))
    const { deliveries } = await claimDeliveries(db, claim, session)
    assert.equal(deliveries.length, LIMIT)
    const of = deliveries.map(finished)
    assertByIndex(await explain(lockEndpoints(all(of))))
    const recorded = of.map(f => ({ ...f, responseBody: f.response.body, begunAfter: null }))
    const ending = await explain(finishAttempts(all(recorded)))
    assertByIndex(ending)
    assert.ok(buffers(ending) < LIMIT * 100, `${state}: ${buffers(ending)} pages to note ${LIMIT} ends`)
    assert.ok(wasted(ending) < LIMIT, `${state}: ${wasted(ending)} deliveries read in vain to note ${LIMIT} ends`)
    assertByIndex(await explain(erasedAmong(of)))
    assertByIndex(await explain(handOverTargets(deliveries)))
    const handedOver = deliveries.map(delivery => ({ ...delivery, event_type: 'job.updated', event_sequence: 1 }))
    assertByIndex(await explain(handedOverBodies(handedOver, randomUUID())))
    assertByIndex(await explain(dueRetries()))
    assertByIndex(await explain(markReady(all(deliveries))))
  } finally {
    await session.script('rollback')
  }
}

/** New deliveries of a workspace whose endpoints have others waiting, or none. */
async function checkHandOver(state: string): Promise<void> {
  const { id: workspace } = (await session.one(sql<{ id: string }>`
    select max(workspace_id) as id from webhook_endpoints`))!
  await emit(db, workspace, ['job.updated', 'job.updated'])
  await session.script('begin')
  try {
    await session.query(sql`
      update webhook_deliveries set status = 'delivered', ready = false, next_attempt_at = null
      where workspace_id = ${workspace} and endpoint_id in (
        select id from webhook_endpoints where workspace_id = ${workspace} order by id limit ${ENDPOINTS_EACH / 2})`)
    const token = randomUUID()
    const limits = { perEndpoint: 16, perFastEndpoint: 16, perQueue: 16, ended: [], token }
    const offer = {
      token,
      leaseSeconds: LEASE_SECONDS,
      limit: LIMIT,
      perEndpoint: 16,
      capacity: handOverCapacity(limits),
      settle: async () => {},
    }
    await session.query(FORCE_INDEX)
    const plan = await explainIn(session, publishBatch(selectOldest([workspace], 100), [workspace], 'own', offer))
    // the 128 that have a turn include those of endpoints that have nothing waiting
    assert.ok(plan['Actual Rows'] >= ENDPOINTS_EACH / 2, `${state}: ${plan['Actual Rows']} handed over`)
    assert.ok(wasted(plan) < LIMIT, `${state}: ${wasted(plan)} deliveries read in vain`)
    const scans = listPlanNodes(plan).filter(
      node => node['Relation Name'] === 'webhook_deliveries' && node['Index Name'],
    )
    assert.ok(scans.length >= 2 && scans.every(node => node['Index Cond'] !== undefined))
  } finally {
    await session.script('rollback')
  }
}

const finished = (d: InFlightDelivery) => ({
  workspace_id: d.workspace_id,
  id: d.id,
  attempt: d.attempt,
  endpointId: d.endpoint_id,
  leaseToken: d.lease_token,
  sentAt: d.sent_at,
  attemptError: null,
  responseStatus: 200,
  durationMs: 5,
  status: 'delivered' as const,
  error: null,
  delaySeconds: null,
  gone: false,
  response: { body: 'stored', about: [d.event_id] },
})

const analyze = () => session.script(`analyze ${TABLES.join(', ')}`)

test('webhook claim: the sender’s statements go by index and touch a bounded number of pages, whatever the statistics say', async t => {
  for (const table of TABLES) await session.script(`alter table ${table} set (autovacuum_enabled = false)`)
  await analyze() // of empty tables
  await fill()
  await t.test('statistics of empty tables', () => check('empty').then(() => checkHandOver('empty')))
  await analyze()
  await t.test('fresh statistics', () => check('fresh').then(() => checkHandOver('fresh')))
  await session.query(sql`delete from webhook_endpoints`)
  await session.script('vacuum')
  await fill()
  await t.test('statistics of other rows', () => check('stale').then(() => checkHandOver('stale')))
})

test('webhook claim: more endpoints than a claim looks at: claims rotate, and every endpoint is served', async () => {
  const seen = new Set<string>()
  let place = FIRST_ENDPOINT
  let rounds = 0
  await session.script('begin')
  await session.query(forceIndexPlans('transaction', false))
  // at each endpoint one at a time: the next claim finds the ones before it occupied
  for (let atEnd = false; !atEnd; rounds++) {
    const how = { slow: false, perEndpoint: 1, perFastEndpoint: 1, limit: 1_000, after: place, ended: [] }
    const found = await claimDeliveries(db, how, session)
    for (const delivery of found.deliveries) seen.add(delivery.endpoint_id)
    ;({ after: place, reachedEnd: atEnd } = found)
  }
  await session.script('rollback')
  assert.equal(seen.size, WORKSPACES * ENDPOINTS_EACH)
  assert.equal(rounds, Math.floor((WORKSPACES * ENDPOINTS_EACH) / ENDPOINTS_PER_CLAIM) + 1)
  assert.deepEqual(place, FIRST_ENDPOINT)
})
