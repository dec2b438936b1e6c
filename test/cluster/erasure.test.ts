import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DatastoreUnavailable } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { erasureById, requestErasure } from '../../src/resources/erasures/index.ts'
import { Plants, plantPerson } from '../erasure/planting.ts'
import { searchEverything } from '../erasure/search.ts'
import { onNode, startOwnCluster, type TestCluster, withoutCitus } from '../harness/citus.ts'
import { readFeed } from '../harness/feed.ts'
import { createRandom, seedOfRun } from '../harness/random.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { killWorker, startWorker } from '../harness/worker-process.ts'

const started = withoutCitus ? undefined : await startOwnCluster()
if (started) after(started.stop)

test('cluster: a suppression and its events are committed in two phases, also of a person without records', {
  skip: withoutCitus,
}, async () => {
  const { services, workspace } = await startTestService({ ROLES: 'api' })
  const { db } = services
  const { id } = await workspace()
  const prepared = async () => (await db.query(sql`select 1 from pg_dist_transaction`)).length
  const noted: boolean[] = []
  // twice: once a minute the coordinator removes its notes of what was committed so
  for (const name of ['first', 'second']) {
    const email = `${name}@people.example`
    await db.query(sql`
      insert into identities (workspace_id, kind, value, person_id, canonical_id)
      values (${id}, 'email', ${email}, ${name}, ${name})`)
    const before = await prepared()
    await requestErasure(db, { email, requestedBy: 'command_line' })
    noted.push((await prepared()) > before)
  }
  assert.ok(noted.includes(true))
})

/** Each is killed as often as it is named here, while the erasure is in progress. */
const VICTIMS = ['node 0', 'process', 'node 1', 'node 0', 'node 2'] as const
/** far more than it takes on a busy machine */
const ERASED_MS = 90_000

test('cluster: coordinator, nodes and process killed with SIGKILL during an erasure: nothing of the person is left on any server, it is reported once', {
  skip: withoutCitus,
}, async t => {
  const seed = seedOfRun()
  t.diagnostic(`FAULTS_SEED=${seed}`)
  const random = createRandom(seed)
  const { citus, cluster } = started!
  const service = await startTestService({ ROLES: 'api', LIMITER: 'postgres' })
  const { db } = service.services
  const theirs = new Plants('a')
  const person = await plantPerson(service, theirs)
  const others = new Plants('b', { stays: true })
  const other = await plantPerson(service, others)
  const before = await searchEverything(service, [...others.all.keys()])
  await commitSlowly(cluster)
  const request = { email: person.email, requestedBy: 'command_line' }
  const { id, suppressionId } = await requestErasure(db, request)

  const settings = {
    DATABASE_URL: service.database.url,
    DATA_DIR: service.services.config.DATA_DIR,
    LOG_LEVEL: 'silent',
  }
  let worker = await startWorker(settings)
  const kill = async (victim: (typeof VICTIMS)[number]) => {
    if (victim === 'process') {
      await killWorker(worker)
      worker = await startWorker(settings)
    } else {
      const node = Number(victim.slice(-1))
      await citus.kill(node)
      await citus.start(node)
    }
  }
  const progress = async () => {
    const { records, completed_at } = (await repeated(() => db.one(erasureById(id))))!
    return { steps: records.reduce((sum, { done }) => sum + done, 0), completed: completed_at !== null }
  }
  let killed = 0
  for (const victim of VICTIMS) {
    let now = await progress()
    const { steps } = now
    const isReached = async () => {
      now = await progress()
      return now.completed || now.steps > steps
    }
    await until('a step', isReached, ERASED_MS)
    if (now.completed) break
    await delay(random() * 200)
    await kill(victim)
    killed++
  }
  t.diagnostic(`${killed} kills`)
  assert.ok(killed >= 3, 'most kills met the erasure')
  await until('it is completed', async () => (await progress()).completed, ERASED_MS)
  await killWorker(worker)

  const found = await searchEverything(service, [...theirs.all.keys(), ...others.all.keys()])
  const left = [...theirs.all].flatMap(([plant, where]) => found.get(plant)!.map(place => `${where}: ${place}`))
  assert.deepEqual(left, [])
  const lost = [...others.all].filter(([plant]) => before.get(plant)!.length > 0 && found.get(plant)!.length === 0)
  assert.deepEqual(lost, [], 'nothing of another person is lost')
  assert.equal((await service.get(`/applicants/${other.applicantId}`, other.home.key)).status, 200)

  for (const { workspace } of [person.home, person.away]) {
    const about = (await readFeed(service, workspace)).map(event => `${event.type} ${event.data.object.id}`)
    const deleted = about.filter(event => /^\w+\.(deleted|removed) /.test(event))
    const reports = ['suppression_applied', 'erasure_completed'].map(type => `data_subject.${type} ${suppressionId}`)
    for (const event of [...reports, ...deleted]) assert.equal(about.filter(one => one === event).length, 1, event)
    assert.notEqual(deleted.length, 0, 'its records are reported as deleted')
  }
})

/** An outage is no failure: what is asked is repeated until it is over. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatastoreUnavailable)) throw error
      await delay(50)
    }
  }
}

/** Nodes take long to commit, so that most kills come between the commit of a node and that of the coordinator. */
async function commitSlowly({ ports: [coordinator, ...nodes] }: TestCluster): Promise<void> {
  const set = async (port: number, settings: readonly string[]) => {
    for (const setting of settings) await onNode(port, 'postgres', `alter system set ${setting}`)
    await onNode(port, 'postgres', 'select pg_reload_conf()')
  }
  await set(coordinator!, ["citus.recover_2pc_interval = '2s'"])
  for (const port of nodes) await set(port, ["fsync = 'on'", 'commit_siblings = 0', 'commit_delay = 30000'])
}
