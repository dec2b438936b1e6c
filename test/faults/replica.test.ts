import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Database } from '../../src/kernel/db/database.ts'
import { MAX_LAG_SECONDS, Replica } from '../../src/kernel/db/replica.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { hiring } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'
import { startPair } from '../harness/standby.ts'
import { figure, type Node, readiness, startInstallation } from './cluster.ts'
import { Load } from './load.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** What an export and the hiring funnel read. */
const READ_THERE =
  /^(outbox|jobs|career_sites|job_search|pipeline_stages|form_fields|prescreen_questions|funnel_|application_funnel)/

const { primary, standby } = await startPair({ synchronous: false })
const cluster = await startInstallation({ url: primary.url })
const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(standby.host.split(':')[1]) })
const settings = { DATABASE_REPLICA_URL: standby.url.replace(standby.host, `127.0.0.1:${proxy.port}`) }
const api = await cluster.start('api', settings)
const worker = await cluster.start('worker', settings)
const load = new Load(cluster, () => [api])
await load.start()

const readsOf = async (node: Node) => ({
  replica: await figure(node, 'hiring_replica_reads_total', 'server="replica"'),
  primary: await figure(node, 'hiring_replica_reads_total', 'server="primary"'),
})
/** Figures are rendered once a second. */
const served = (node: Node, replica: number, primary: number) =>
  until(`${replica} reads at the replica, ${primary} at the primary`, async () => {
    const reads = await readsOf(node)
    return reads.replica === replica && reads.primary === primary
  })
const failing = async (node: Node) => (await readiness(node)).failing
const used = (node: Node) => until('the replica is used', async () => !(await failing(node)).includes('replica'))

/** An export of jobs under load: its rows are those of its position in the feed. */
async function exportJobs(): Promise<void> {
  const { db, workspace } = cluster
  const { id } = await load.call('POST', '/exports', { resources: ['jobs'] })
  const known = load.acknowledged
    .filter(change => change.startsWith('job.published'))
    .map(change => change.split(' ')[1]!)
  await until(
    'the export is ready',
    async () =>
      (await db.one(sql`select from exports where workspace_id = ${workspace} and id = ${id} and status = 'ready'`)) !==
      undefined,
  )
  const { as_of_sequence, files } = await load.call('GET', `/exports/${id}`)
  const file = Buffer.from(await (await fetch(files[0].url)).arrayBuffer())
  const lines = gunzipSync(file).toString().trim().split('\n')
  const ids = lines.map(line => JSON.parse(line).id as string).toSorted()
  const published = await db.query(sql<{ id: string }>`
    select distinct body::jsonb #>> '{data,object,id}' as id from events
    where workspace_id = ${workspace} and type = 'job.published' and sequence <= ${as_of_sequence}::bigint`)
  assert.deepEqual(ids, published.map(row => row.id).toSorted(), 'the rows are those of its position')
  assert.deepEqual(
    known.filter(one => !ids.includes(one)),
    [],
    'it has what was acknowledged before it was ready',
  )
}

const funnel = async (job: string) => (await load.call('GET', `/analytics/hiring-funnel?job_id=${job}`)).job_id

test('replica: exports and analytics are read there, exact under load, and nothing else is', async () => {
  await used(api)
  await used(worker)
  const job = load.acknowledged[0]!.split(' ')[1]!
  for (let i = 0; i < 3; i++) {
    await exportJobs()
    assert.equal(await funnel(job), job)
  }
  await served(worker, 3, 0)
  await served(api, 3, 0)
  assert.ok((await figure(api, 'hiring_replica_lag_seconds')) < MAX_LAG_SECONDS)
  const read = `select relname from pg_stat_user_tables where coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0`
  await until('the standby has counted them', async () => (await standby.query(read)).length > 1)
  const tables = (await standby.query<{ relname: string }>(read)).map(row => row.relname)
  assert.deepEqual(
    tables.filter(name => !READ_THERE.test(name)),
    [],
  )
})

test('replica that does not replay: exports and a job that it lacks are read at the primary', async () => {
  await standby.query('select pg_wal_replay_pause()')
  try {
    await until(
      'paused',
      async () => (await standby.query(`select where pg_get_wal_replay_pause_state() = 'paused'`)).length === 1,
    )
    await load.progress()
    await exportJobs()
    await served(worker, 3, 1)
    const job = load.acknowledged.findLast(change => change.startsWith('job.published'))!.split(' ')[1]!
    assert.equal(await funnel(job), job)
  } finally {
    await standby.query('select pg_wal_replay_resume()')
  }
  await until('an export is read there again', async () => {
    await exportJobs()
    return (await readsOf(worker)).replica > 3
  })
})

test('replica that is down: /readyz reports it and stays ready, reads go to the primary; it is used again when it is back', async () => {
  await proxy.set('refuse')
  const job = load.acknowledged[0]!.split(' ')[1]!
  assert.equal(await funnel(job), job)
  await exportJobs()
  for (const node of [api, worker]) {
    await until('/readyz names it', async () => {
      const { status, failing } = await readiness(node)
      return status === 200 && failing.includes('replica')
    })
  }
  const lag = () => figure(api, 'hiring_replica_lag_seconds')
  await until('its lag is unknown, for which there is an alert', async () => Number.isNaN(await lag()))
  await proxy.set('pass')
  await used(api)
  await until('its lag is known', async () => (await lag()) < MAX_LAG_SECONDS)
  await until('it is read again', async () => {
    assert.equal(await funnel(job), job)
    return (await readsOf(api)).replica > 3
  })
  await load.stop()
})

test('replica: more than 30 s behind, a server that is no standby: not used, and doctor says why', async () => {
  const log = createLog('silent')
  const open = (url: string) => new Database({ connectionString: url }, { connections: 4, role: 'any', log })
  await standby.query('select pg_wal_replay_pause()')
  const replica = new Replica(cluster.db, open(standby.url), log)
  await replica.start()
  try {
    assert.match(await replica.check(), /^\d+\.\d s behind the primary$/)
    await cluster.db.query(sql`create table probe ()`)
    const lag = replica.lagSeconds
    await until('it is seen', () => lag() > 0)
    clock.advance((MAX_LAG_SECONDS + 1) * 1_000)
    await until('too late', () =>
      replica.check().then(
        () => false,
        (error: Error) => /^3\d s behind the primary$/.test(error.message),
      ),
    )
  } finally {
    clock.reset()
    await standby.query('select pg_wal_replay_resume()')
    await replica.close()
  }
  const doctor = async (url: string) => {
    const { stdout } = await hiring(['doctor', '--json'], { ...cluster.settings, DATABASE_REPLICA_URL: url })
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; detail: string }[] }
    const { state, detail } = checks.find(check => check.name === 'replica')!
    return `${state}: ${detail}`
  }
  assert.match(await doctor(standby.url), /^ok: \d+\.\d s behind the primary$/)
  assert.equal(await doctor(primary.url), 'warning: not a standby')
})
