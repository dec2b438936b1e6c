import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DatastoreUnavailable } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { type Planted, Plants, plantPerson } from '../erasure/planting.ts'
import { searchEverything } from '../erasure/search.ts'
import { onNode, startTestCluster, type TestCluster, useCluster, withoutCitus } from '../harness/citus.ts'
import { feedOf } from '../harness/feed.ts'
import { randomOf, seedOfRun } from '../harness/random.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { killWorker, startWorker } from '../harness/worker-process.ts'

const started = withoutCitus ? undefined : await startTestCluster()
if (started) {
  useCluster(started.cluster)
  after(started.stop)
}

const ERASED = ['a', 'c']
/** Each is killed as often as it is named here, while an erasure is in progress. */
const VICTIMS = ['node 0', 'process', 'node 0', 'node 1', 'node 0', 'node 2'] as const
const ALL_ERASED_MS = 90_000

test('cluster: coordinator, nodes and process killed with SIGKILL during erasures: nothing of the person is left on any server, each is reported once', {
  skip: withoutCitus,
}, async t => {
  const seed = seedOfRun()
  t.diagnostic(`FAULTS_SEED=${seed}`)
  const random = randomOf(seed)
  const { citus, cluster } = started!
  const service = await startTestService({ ROLES: 'api', LIMITER: 'postgres' })
  const { db } = service.services
  const theirs = new Map<string, Plants>()
  const persons: Planted[] = []
  for (const tag of ERASED) {
    theirs.set(tag, new Plants(tag))
    persons.push(await plantPerson(service, theirs.get(tag)!))
  }
  const others = new Plants('b', { stays: true })
  const other = await plantPerson(service, others)
  const before = await searchEverything(service, [...others.all.keys()])
  await commitSlowly(cluster)
  const requested = new Map<Planted, string>()
  for (const person of persons) {
    const { suppressionId } = await requestErasure(db, { email: person.email, requestedBy: 'command_line' })
    requested.set(person, suppressionId)
  }

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
  const reached = sql<{ steps: number; open: number }>`
    select (select count(*)::integer from erasure_targets where done_at is not null) as steps,
      (select count(*)::integer from erasures where completed_at is null) as open`
  const progress = async () => (await repeated(() => db.one(reached)))!
  let killed = 0
  for (const victim of VICTIMS) {
    let now = await progress()
    const { steps } = now
    const isReached = async () => {
      now = await progress()
      return now.open === 0 || now.steps > steps
    }
    await until('a step', isReached, ALL_ERASED_MS)
    if (now.open === 0) break
    await delay(random() * 200)
    await kill(victim)
    killed++
  }
  t.diagnostic(`${killed} kills`)
  assert.ok(killed >= 4, 'most kills met an erasure')
  await until('all erasures are completed', async () => (await progress()).open === 0, ALL_ERASED_MS)
  await killWorker(worker)

  const plants = [...theirs.values()].flatMap(person => [...person.all])
  const found = await searchEverything(service, [...plants.map(([plant]) => plant), ...others.all.keys()])
  const left = plants.flatMap(([plant, where]) => found.get(plant)!.map(place => `${where}: ${place}`))
  assert.deepEqual(left, [])
  const lost = [...others.all].filter(([plant]) => before.get(plant)!.length > 0 && found.get(plant)!.length === 0)
  assert.deepEqual(lost, [], 'nothing of another person is lost')
  assert.equal((await service.get(`/applicants/${other.applicantId}`, other.home.key)).status, 200)

  for (const [person, suppression] of requested) {
    for (const { workspace } of [person.home, person.away]) {
      const about = (await feedOf(service, workspace)).map(event => `${event.type} ${event.data.object.id}`)
      const deleted = about.filter(event => /^\w+\.(deleted|removed) /.test(event))
      const reports = ['suppression_applied', 'erasure_completed'].map(type => `data_subject.${type} ${suppression}`)
      const once = [...reports, ...deleted]
      for (const event of once) assert.equal(about.filter(one => one === event).length, 1, event)
      assert.notEqual(deleted.length, 0, 'its records are reported as deleted')
    }
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
