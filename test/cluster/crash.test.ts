import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { distribute, placeOf } from '../../src/kernel/db/cluster.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { type Installation, type Node, readiness, startInstallation } from '../faults/cluster.ts'
import { assertNothingLost, Load } from '../faults/load.ts'
import { startCitus, withoutCitus } from '../harness/citus.ts'
import { randomOf, seedOfRun } from '../harness/random.ts'
import { until } from '../harness/receiver.ts'

/** acknowledged changes; CRASH_WRITES=10000 takes some minutes */
const WRITES = Number(process.env['CRASH_WRITES'] ?? 1_500)
const SHARDS = 4
const WORKERS = 2
/** how long a client waits before it repeats a call at another process */
const TIMEOUT_MS = 20_000

const REFUSALS = [
  '429 datastore_unavailable',
  // the suppression list is on the coordinator, and its check has a code of its own
  '429 suppression_check_unavailable',
  '409 idempotency_in_flight',
  // a row stays locked until the server has noticed that its client is gone
  '409 application_modified_concurrently',
  'none',
  'late',
]

/** Each is killed as often as it is named here. */
const VICTIMS = ['api', 'node 1', 'node 0', 'worker', 'node 2', 'node 0', 'api', 'node 1'] as const

test('cluster: coordinator, nodes and processes killed with SIGKILL during writes: nothing lost, nothing twice, no event before its change', {
  skip: withoutCitus,
}, async t => {
  const seed = seedOfRun()
  t.diagnostic(`FAULTS_SEED=${seed}`)
  const random = randomOf(seed)
  const citus = await startCitus(WORKERS)
  for (const { port } of citus.nodes) await configure(port)
  await prepare(citus.url)
  const first = await startInstallation({ url: citus.url })
  const homes = await apart(first)
  let apis = [await first.start('api'), await first.start('api')]
  let worker = await first.start('worker')
  const loads = homes.map(home => new Load(home, () => apis, { timeoutMs: TIMEOUT_MS, pauseMs: 5 }))
  await Promise.all(loads.map(load => load.start()))
  const acknowledged = () => loads.reduce((sum, load) => sum + load.acknowledged.length, 0)

  const kill = async (victim: (typeof VICTIMS)[number]) => {
    if (victim === 'api') {
      const [old, other] = apis as [Node, Node]
      await old.kill()
      apis = [other]
      apis = [other, await first.start('api')]
    } else if (victim === 'worker') {
      await worker.kill()
      worker = await first.start('worker')
    } else {
      const node = Number(victim.slice(-1))
      await citus.kill(node)
      await citus.start(node)
    }
  }
  for (const [i, victim] of VICTIMS.entries()) {
    const at = ((i + random()) / VICTIMS.length) * WRITES
    await until(`${Math.round(at)} changes`, () => acknowledged() >= at, 240_000)
    // not when a change has just been acknowledged
    await delay(random() * 30)
    await kill(victim)
    await Promise.all(loads.map(load => load.progress(2)))
  }
  await until('all changes', () => acknowledged() >= WRITES, 240_000)
  await Promise.all(loads.map(load => load.stop()))
  for (const node of [...apis, worker]) {
    await until('ready', async () => (await readiness(node)).status === 200, 60_000)
  }
  t.diagnostic(`${acknowledged()} changes acknowledged`)
  for (const [i, load] of loads.entries()) {
    assert.deepEqual(
      load.refusals().filter(refusal => !REFUSALS.includes(refusal)),
      [],
    )
    await assertNothingLost(homes[i]!, load)
  }
})

/** A workspace on each of the nodes. */
async function apart(first: Installation): Promise<Installation[]> {
  const byPort = new Map([[(await placeOf(first.db, first.workspace)).port, first]])
  while (byPort.size < WORKERS) {
    const next = await first.another()
    byPort.set((await placeOf(first.db, next.workspace)).port, next)
  }
  return [...byPort.values()]
}

async function prepare(url: string): Promise<void> {
  const db = new Database({ connectionString: url }, { connections: 4, log: createLog('silent') })
  await migrate(db)
  await distribute(db, { shards: SHARDS, onProgress: () => {} })
  await db.close()
}

/** A process that is killed loses nothing of what it wrote to the system, and this needs no disk. */
async function configure(port: number): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', ssl: false })
  await client.connect()
  for (const setting of ["fsync = 'off'", "citus.recover_2pc_interval = '2s'"])
    await client.query(`alter system set ${setting}`)
  await client.query('select pg_reload_conf()')
  await client.end()
}
