import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../harness/receiver.ts'
import { figure, readiness, startCluster } from './cluster.ts'
import { assertNothingLost, Load } from './load.ts'

const cluster = await startCluster()
const { database } = cluster
const api = await cluster.start('api')
const worker = await cluster.start('worker')
const load = new Load(cluster, () => [api])
await load.start()

/** The longest that a statement may take, with the wait for a connection and a busy machine. */
const LONGEST_MS = 25_000
const UNAVAILABLE = ['429 datastore_unavailable']

/** The suppression list is in the same database, and its check has a code of its own. */
const CHECKS_UNAVAILABLE = ['429 suppression_check_unavailable']
const assertRefused = (since: number, least = 1) => {
  const refusals = load.refusals(since)
  assert.ok(refusals.length >= least, 'no call was refused')
  assert.deepEqual(
    refusals.filter(r => !UNAVAILABLE.includes(r) && !CHECKS_UNAVAILABLE.includes(r)),
    [],
  )
  assert.ok(load.slowestMs(since) < LONGEST_MS, `${load.slowestMs(since)} ms`)
}
const back = async () => {
  await load.progress()
  for (const node of [api, worker]) await until('ready', async () => (await readiness(node)).status === 200)
}

test('database refuses connections: 429 datastore_unavailable, /readyz and metrics name it; service without a restart', async () => {
  const began = performance.now()
  const before = await figure(api, 'hiring_http_failures_total', 'unavailable')
  await database.set('refuse')
  await until('calls are refused', () => load.refusals(began).length > 0)
  for (const node of [api, worker]) {
    await until('not ready', async () => {
      const { status, failing } = await readiness(node)
      return status === 503 && failing.includes('database')
    })
  }
  await until('metrics', async () => (await figure(api, 'hiring_http_failures_total', 'unavailable')) > before)
  await database.set('pass')
  await back()
  assertRefused(began)
})

test('database resets connections in the middle of commits: the repeated call has the first result, nothing twice', async () => {
  const began = performance.now()
  for (let i = 0; i < 5; i++) {
    await database.cutAfter(/\bcommit\b/)
    await load.progress(3)
  }
  for (let i = 0; i < 5; i++) {
    database.reset()
    await load.progress(3)
  }
  await back()
  assertRefused(began)
})

test('database hangs without a word: calls end within the limit, /readyz names it, service without a restart', async () => {
  const began = performance.now()
  await database.set('hang')
  await until('not ready', async () => (await readiness(api)).failing.includes('database'))
  await until('calls are refused', () => load.refusals(began).length > 0)
  // only new connections work: those that were open are lost, and the service has to notice that
  await database.set('pass')
  await back()
  assertRefused(began)
})

test('PostgreSQL killed with SIGKILL and started again: 429 during it, then service without a restart', async () => {
  const began = performance.now()
  process.kill(cluster.postgres(), 'SIGKILL')
  await until('calls are refused', () => load.refusals(began).length > 0)
  await back()
  assertRefused(began)
})

test('after all faults of the database: nothing acknowledged is lost, nothing twice, no gap, every webhook delivered', async () => {
  await load.stop()
  await assertNothingLost(cluster, load)
})
