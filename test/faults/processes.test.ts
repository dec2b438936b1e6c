import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { LOCKS } from '../../src/kernel/db/locks.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { SILENT_LEADER_MS } from '../../src/workers/sequence-events.ts'
import { createRandom, seedOfRun } from '../harness/random.ts'
import { until } from '../harness/receiver.ts'
import { type Node, readiness, startCluster } from './cluster.ts'
import { assertNothingLost, Load } from './load.ts'

const cluster = await startCluster()
const { db, receiver } = cluster
const [apiOne, apiTwo, workerOne, workerTwo] = await Promise.all([
  cluster.start('api'),
  cluster.start('api'),
  cluster.start('worker'),
  cluster.start('worker'),
])
let apis = [apiOne, apiTwo]
let workers = [workerOne, workerTwo]
// a process that is stopped does not respond: after this time a client asks another one
const load = new Load(cluster, () => apis, { timeoutMs: 5_000 })
await load.start()

/** The session that numbers the feed, as PostgreSQL sees it. */
const leader = async () =>
  (
    await db.one(sql<{ pid: number }>`
      select pid from pg_locks where locktype = 'advisory' and objid = ${LOCKS.eventSequencer}::bigint::oid
        and classid = 0 and objsubid = 1 and granted`)
  )?.pid

test('worker stopped with SIGSTOP for longer than its leases: another one takes over, and after SIGCONT nothing is done twice', async () => {
  const before = await leader()
  assert.ok(before)
  const deliveredBy = receiver.received.length
  for (const worker of workers) worker.signal('SIGSTOP')
  // both are stopped: what they hold stays held for a while, and clients are served
  await load.progress(10)
  assert.equal((await readiness(apiOne)).status, 200)
  // a stopped process is still connected; the server ends the session of a leader that is silent
  await until('the session of the leader has ended', async () => (await leader()) !== before, 2 * SILENT_LEADER_MS)
  workers[1]!.signal('SIGCONT')
  await until('another session leads', async () => (await leader()) !== undefined)
  await until('webhooks are delivered', () => receiver.received.length > deliveredBy + 10)
  // longer than the lease of a delivery, so that what the first one holds was given to the other
  await delay(5_000)
  workers[0]!.signal('SIGCONT')
  await load.progress(10)
  await until('ready', async () => (await readiness(workers[0]!)).status === 200)
})

test('API process stopped with SIGSTOP: the other one serves; after SIGCONT it serves again, and nothing is there twice', async () => {
  apiOne.signal('SIGSTOP')
  await load.progress(20)
  apiOne.signal('SIGCONT')
  await load.progress(10)
  await until('ready', async () => (await readiness(apiOne)).status === 200)
})

test('clocks ten minutes slow and fast: leases, rate limits, signed URLs and signatures of webhooks as with the right time', async () => {
  const began = performance.now()
  const [slow, fast] = await Promise.all([
    cluster.start('api', {}, -10 * 60_000),
    cluster.start('worker', {}, 10 * 60_000),
  ])
  const right = apis
  apis = [slow]
  // the other workers do nothing, so that the fast one leads and delivers
  for (const worker of workers) worker.signal('SIGSTOP')
  await db.query(sql`select pg_terminate_backend(${(await leader()) ?? 0}::integer)`)
  const before = receiver.received.length
  await load.progress(20)
  await until('webhooks of the fast worker', () => receiver.received.length > before + 10)
  for (const { headers } of receiver.received.slice(before)) {
    const seconds = Number(/\bt=(\d+)/.exec(String(headers['service-signature']))?.[1])
    assert.ok(Math.abs(seconds - Date.now() / 1000) < 120, `signed at ${seconds}: ${JSON.stringify(headers)}`)
  }
  // a URL that the slow process has signed is valid now, at another process
  const upload = await load.call('POST', '/uploads', { content_type: 'text/plain', size_bytes: 4 })
  const lifetime = Date.parse(upload.expires_at) - Date.now()
  assert.ok(lifetime > 50 * 60_000 && lifetime <= 60 * 60_000, `${lifetime} ms`)
  const { pathname, search } = new URL(upload.upload.url)
  const url = new URL(pathname + search, right[0]!.base)
  const put = await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'text' })
  assert.equal(put.status, 200)
  // late: a stopped worker can hold a row until the server ends its transaction
  assert.deepEqual(
    load.refusals(began).filter(refusal => refusal !== 'late'),
    [],
  )
  apis = right
  for (const worker of workers) worker.signal('SIGCONT')
  await load.progress(5)
  await Promise.all([slow.kill(), fast.kill()])
})

test('processes killed with SIGKILL at random: their clients ask another one, and new processes continue', async t => {
  const seed = seedOfRun()
  t.diagnostic(`FAULTS_SEED=${seed}`)
  const random = createRandom(seed)
  for (let round = 0; round < 3; round++) {
    await delay(random() * 500)
    const role = random() < 0.5 ? 'api' : 'worker'
    const group = role === 'api' ? apis : workers
    const victim = group[Math.floor(random() * group.length)]!
    const starting = cluster.start(role)
    await victim.kill()
    const others = group.filter(node => node !== victim)
    if (role === 'api') apis = others
    else workers = others
    const fresh: Node = await starting
    if (role === 'api') apis = [...others, fresh]
    else workers = [...others, fresh]
    await load.progress(5)
  }
})

test('after all of it: nothing acknowledged is lost, nothing twice, no gap in the feed, every webhook delivered', async () => {
  await load.stop()
  // clients saw processes that were gone or did not respond, and nothing else
  assert.deepEqual(
    load.refusals().filter(refusal => !['none', 'late', '409 idempotency_in_flight'].includes(refusal)),
    [],
  )
  await assertNothingLost(cluster, load)
})
