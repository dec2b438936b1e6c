import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openFolderBlobs } from '../../src/kernel/blobs/folder.ts'
import { distribute } from '../../src/kernel/citus/cluster.ts'
import { readPlacement } from '../../src/kernel/citus/moves.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { attachmentFolder, deleteProfile } from '../../src/resources/sourced-profiles/index.ts'
import { type Installation, type Node, readiness, startInstallation } from '../faults/cluster.ts'
import { assertNothingLost, Load } from '../faults/load.ts'
import { startCitus, withoutCitus } from '../harness/citus.ts'
import { createRandom, seedOfRun } from '../harness/random.ts'
import { until } from '../harness/receiver.ts'

/** acknowledged changes; CRASH_WRITES=10000 takes some minutes */
const WRITES = Number(process.env['CRASH_WRITES'] ?? 1_500)
/** far more than they take on a busy machine */
const ALL_WRITES_MS = 160 * WRITES
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

const citus = withoutCitus ? undefined : await startDistributed()

test('cluster: coordinator, nodes and processes killed with SIGKILL during writes: nothing lost, nothing twice, no event before its change', {
  skip: withoutCitus,
}, async t => {
  const seed = seedOfRun()
  t.diagnostic(`FAULTS_SEED=${seed}`)
  const random = createRandom(seed)
  const { url, kill: killNode, start: startNode } = citus!
  const first = await startInstallation({ url })
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
      await killNode(node)
      await startNode(node)
    }
  }
  for (const [i, victim] of VICTIMS.entries()) {
    const at = ((i + random()) / VICTIMS.length) * WRITES
    await until(`${Math.round(at)} changes`, () => acknowledged() >= at, ALL_WRITES_MS)
    // not when a change has just been acknowledged
    await delay(random() * 30)
    await kill(victim)
    await Promise.all(loads.map(load => load.progress(2)))
  }
  await until('all changes', () => acknowledged() >= WRITES, ALL_WRITES_MS)
  await Promise.all(loads.map(load => load.stop()))
  for (const node of [...apis, worker]) {
    await until('ready', async () => (await readiness(node)).status === 200)
  }
  t.diagnostic(`${acknowledged()} changes acknowledged`)
  for (const [i, load] of loads.entries()) {
    assert.deepEqual(
      load.refusals().filter(refusal => !REFUSALS.includes(refusal)),
      [],
    )
    await assertNothingLost(homes[i]!, load)
  }
  for (const node of [...apis, worker]) await node.kill()
})

test('cluster: a node stays down: 429 datastore_unavailable for its workspaces, others read and write, and all catches up', {
  skip: withoutCitus,
}, async () => {
  const { url, nodes, kill, start } = citus!
  const first = await startInstallation({ url })
  const [lost, other] = (await apart(first)) as [Installation, Installation]
  const api = await first.start('api')
  const worker = await first.start('worker')
  const load = (home: Installation) => new Load(home, () => [api], { timeoutMs: TIMEOUT_MS, pauseMs: 5 })
  const [ofLost, ofOther] = [load(lost), load(other)]
  await Promise.all([ofLost.start(), ofOther.start()])
  const { port } = await readPlacement(first.db, lost.workspace)
  const node = nodes.findIndex(one => one.port === port)
  await kill(node)
  const downSince = performance.now()
  // three times as much as the clients can have had in flight
  await ofOther.progress(50)
  const refused = () => ofLost.refusals(downSince)
  await until('refused', () => refused().includes('429 datastore_unavailable'))
  const acknowledged = ofLost.acknowledged.length
  await ofOther.progress(20)
  assert.equal(ofLost.acknowledged.length, acknowledged, 'nothing is acknowledged that cannot be stored')
  assert.deepEqual(
    [...refused(), ...ofOther.refusals(downSince)].filter(refusal => !REFUSALS.includes(refusal)),
    [],
  )
  await start(node)
  await Promise.all([ofLost.progress(20), ofOther.progress(20)])
  await Promise.all([ofLost.stop(), ofOther.stop()])
  await assertNothingLost(lost, ofLost)
  await assertNothingLost(other, ofOther)
  for (const process of [api, worker]) await process.kill()
})

test('cluster: the coordinator killed during deletions: no record is gone without the note that its files are to be removed', {
  skip: withoutCitus,
}, async () => {
  const { url, kill, start } = citus!
  const { db, workspace, dataDir } = await startInstallation({ url })
  const blobs = await openFolderBlobs({
    folder: dataDir,
    publicUrl: () => '',
    signingKeys: () => [Buffer.alloc(32)],
    now: Date.now,
  })
  const ids = Array.from({ length: 200 }, () => newHandle('sourced_profile'))
  await db.query(sql`
    insert into sourced_profiles (workspace_id, id, full_name, origin, acquisition)
    select ${workspace}, id, 'Kim', 'xray', 'xray_search' from unnest(${ids}::text[]) id`)
  const waiting = [...ids]
  const remove = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const profile = id
      // without a response it is not known what became of it
      await db
        .transaction(tx => deleteProfile(tx, blobs, { workspace, originKeyId: null }, profile, 'test'))
        // a coordinator that is down refuses immediately: the kills are to meet deletions
        .catch(() => delay(20))
    }
  }
  const removing = Promise.all(Array.from({ length: 4 }, remove))
  for (const left of [150, 100, 50]) {
    await until(`${left} left`, () => waiting.length <= left)
    await kill(0)
    await start(0)
  }
  await removing
  const kept = await db.query(sql<{ id: string }>`select id from sourced_profiles where workspace_id = ${workspace}`)
  const there = new Set(kept.map(row => row.id))
  const noted = await db.query(sql<{ key: string }>`
    select blob_key as key from file_deletions where workspace_id = ${workspace}`)
  const gone = ids.filter(id => !there.has(id))
  assert.ok(gone.length > 0)
  assert.deepEqual(noted.map(({ key }) => key).sort(), gone.map(id => attachmentFolder(workspace, id)).sort())
})

async function startDistributed() {
  const started = await startCitus(WORKERS)
  for (const { port } of started.nodes) await configure(port)
  await prepare(started.url)
  return started
}

/** A workspace on each of the nodes. */
async function apart(first: Installation): Promise<Installation[]> {
  const byPort = new Map([[(await readPlacement(first.db, first.workspace)).port, first]])
  while (byPort.size < WORKERS) {
    const next = await first.another()
    byPort.set((await readPlacement(first.db, next.workspace)).port, next)
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
