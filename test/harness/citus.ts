import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { distribute } from '../../src/kernel/citus/cluster.ts'
import { CLUSTER_SETTINGS, WORKER_SETTINGS } from '../../src/kernel/citus/cluster-settings.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import type { TestDatabase } from './postgres.ts'
import { openDatabase } from './postgres.ts'

const run = promisify(execFile)

/** Starts clusters where a checkout has them next to it. */
const SCRIPT = join(import.meta.dirname, '../../../shared/cluster/citus.sh')

/** What a test is left out for; false if a cluster can be started. */
export const withoutCitus: string | false = existsSync(SCRIPT) ? false : 'no Citus next to the checkout'

export interface Citus {
  /** Connects to the database `hiring`, an empty one, on the coordinator. */
  url: string
  /** host and port; the first is the coordinator */
  nodes: { name: string; port: number }[]
  /** kill -9 */
  kill(node: number): Promise<void>
  /** Starts a killed one again. */
  start(node: number): Promise<void>
  /** Stops its processes, which stay connected, until the returned function is called. */
  freeze(node: number): Promise<() => void>
}

/** A coordinator and workers, stopped after the tests of the file. `fast`: for tests that kill no server. */
export async function startCitus(workers = 2, opts: { fast?: true } = {}): Promise<Citus> {
  const { citus, stop } = await openCitus(workers)
  after(stop)
  if (opts.fast) await makeFast(citus)
  return citus
}

export async function openCitus(workers: number): Promise<{ citus: Citus; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'hiring-citus-'))
  const port = await freePorts(workers + 1)
  const stop = async () => {
    await run(SCRIPT, ['stop', folder])
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const starting = run(SCRIPT, ['start', folder, '--workers', String(workers), '--port', String(port)])
  const { stdout } = await starting.catch(async error => {
    const said = logsOf(folder)
    await stop()
    throw new Error(`the cluster does not start: ${said}`, { cause: error })
  })
  const nodes = Array.from({ length: workers + 1 }, (_, i) => ({ name: '127.0.0.1', port: port + i }))
  for (const node of nodes) await allowDecoding(node.port)
  const citus: Citus = {
    url: stdout.trim(),
    nodes,
    kill: async node => void (await run(SCRIPT, ['kill', folder, String(node)])),
    start: async node => void (await run(SCRIPT, ['node', folder, String(node)])),
    freeze: async node => {
      const main = readFileSync(join(folder, `node${node}`, 'postmaster.pid'), 'utf8').split('\n')[0]!
      process.kill(Number(main), 'SIGSTOP')
      const { stdout } = await run('pgrep', ['-P', main])
      const all = [main, ...stdout.trim().split('\n')].map(Number)
      const send = (signal: NodeJS.Signals) => {
        for (const pid of all) process.kill(pid, signal)
      }
      send('SIGSTOP')
      return () => send('SIGCONT')
    },
  }
  return { citus, stop }
}

/** What the servers below a folder and the programs that create them wrote last. */
const logsOf = (folder: string): string =>
  readdirSync(folder)
    .filter(name => name.endsWith('.log'))
    .map(name => `${name}: ${readFileSync(join(folder, name), 'utf8').slice(-1_000)}`)
    .join('\n')

/** Another empty database on all nodes, with Citus in it; the address of the one on the coordinator. */
export async function createClusterDatabase({ nodes }: Pick<Citus, 'nodes'>, database: string): Promise<string> {
  for (const { port } of nodes) {
    await onNode(port, 'postgres', `create database ${database}`)
    await onNode(port, database, 'create extension citus')
  }
  const [coordinator, ...workers] = nodes as [Citus['nodes'][number], ...Citus['nodes']]
  const { name, port } = coordinator
  await onNode(port, database, `select citus_set_coordinator_host('${name}', ${port})`)
  for (const worker of workers) await onNode(port, database, `select citus_add_node('${worker.name}', ${worker.port})`)
  return addressOf(port, database)
}

/** Later versions of PostgreSQL have a list of plugins that may decode the log; splitting a shard uses that of Citus. */
async function allowDecoding(port: number): Promise<void> {
  const known = await onNode(port, 'hiring', "select 1 from pg_settings where name = 'output_plugin_libraries'")
  if (known.length === 0) return
  await onNode(port, 'hiring', 'alter system set output_plugin_libraries = pgoutput, citus')
  await onNode(port, 'hiring', 'select pg_reload_conf()')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** The first of several in a row. Below those that the system gives to connections. */
async function freePorts(count: number): Promise<number> {
  for (let port = 20_000 + (process.pid % 500) * 20; port < 32_000; port += count) {
    const ports = Array.from({ length: count }, (_, i) => port + i)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return port
  }
  throw new Error('no free ports')
}

/**
 * The cluster of a run, with the distributed schema in a template database. A database of a cluster is one database on each
 * node, so a clone is one clone on each node: the metadata names shards and nodes, but no database.
 */
export interface TestCluster {
  /** The port of the coordinator, then those of the workers. */
  ports: readonly number[]
}

const TEMPLATE = 'hiring'
/** two on each worker: workspaces of a test are apart or together, and a clone is hundreds of files less than with more */
const SHARDS = 4
/** What is lost with the machine is not needed; crash tests start their own. */
const FAST = { fsync: 'off', full_page_writes: 'off', max_wal_size: '4GB' }

async function makeFast({ nodes }: Citus): Promise<void> {
  for (const { port } of nodes) {
    for (const [name, value] of Object.entries(FAST))
      await onNode(port, 'postgres', `alter system set ${name} = '${value}'`)
    await onNode(port, 'postgres', 'select pg_reload_conf()')
  }
}

export async function startTestCluster(
  workers = 2,
): Promise<{ cluster: TestCluster; citus: Citus; stop: () => Promise<void> }> {
  const { citus, stop } = await openCitus(workers)
  const ports = citus.nodes.map(node => node.port)
  await makeFast(citus)
  const db = openDatabase({ connectionString: citus.url }, 4)
  await migrate(db)
  await distribute(db, { shards: SHARDS, onProgress: () => {} })
  await db.close()
  for (const node of ports) {
    await onNode(node, 'postgres', `alter database ${TEMPLATE} with allow_connections false`)
    const end = `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${TEMPLATE}'`
    await onNode(node, 'postgres', end)
  }
  return { cluster: { ports }, citus, stop }
}

const addressOf = (port: number, database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`

const GIVEN = 'HIRING_TEST_CLUSTER'

/** For the processes of this run. */
export function useCluster(cluster: TestCluster): void {
  process.env[GIVEN] = JSON.stringify(cluster)
}

/** A cluster on which the services of this process are started, until it is stopped. */
export async function startOwnCluster(): ReturnType<typeof startTestCluster> {
  const started = await startTestCluster()
  useCluster(started.cluster)
  const stop = () => {
    delete process.env[GIVEN]
    return started.stop()
  }
  return { ...started, stop }
}

/** The cluster of this run, where it has one. */
export const clusterOfRun = (): TestCluster | undefined => {
  const given = process.env[GIVEN]
  return given ? (JSON.parse(given) as TestCluster) : undefined
}

export async function cloneOnCluster({ ports }: TestCluster, name: string): Promise<TestDatabase> {
  await Promise.all(
    ports.map(async (node, i) => {
      await onNode(node, 'postgres', `create database ${name} template ${TEMPLATE} strategy file_copy`)
      // as `hiring cluster distribute` makes them
      for (const [setting, value] of Object.entries({ ...CLUSTER_SETTINGS, ...(i > 0 ? WORKER_SETTINGS : {}) }))
        await onNode(node, 'postgres', `alter database ${name} set ${setting} = '${value}'`)
    }),
  )
  const place: Clones = { workers: ports.slice(1), database: name }
  moveClockOf(place)
  const [port] = ports as [number]
  return {
    connection: { host: '127.0.0.1', port, user: 'postgres', password: '', database: name },
    url: addressOf(port, name),
    drop: async () => {
      clones.delete(place)
      for (const node of ports) await onNode(node, 'postgres', `drop database if exists ${name} with (force)`)
    },
  }
}

interface Clones {
  workers: readonly number[]
  database: string
}

/** those that are in use */
const clones = new Set<Clones>()
let movesClocks = false

/**
 * A setting of a session does not reach the workers, so their databases carry the offset. A connection of the coordinator
 * to a worker reads it when it is opened: a session that learns of a moved clock keeps none of them.
 */
function moveClockOf(place: Clones): void {
  clones.add(place)
  // a file may move its clock before it starts a service
  if (clock.offset() !== 0) tellWorkers()
  if (movesClocks) return
  movesClocks = true
  const { advance, reset } = clock
  clock.advance = ms => {
    advance.call(clock, ms)
    tellWorkers()
  }
  clock.reset = () => {
    const moved = clock.offset() !== 0
    reset.call(clock)
    if (moved) tellWorkers()
  }
  forgetWorkers()
}

function tellWorkers(): void {
  for (const { workers, database } of clones) {
    const statement = `alter database ${database} set hiring.clock_offset_ms = '${clock.offset()}'`
    for (const port of workers) psql(port, statement)
  }
}

/** Connections are closed at the end of a statement that used one of them. */
const FORGET = ['set citus.max_cached_conns_per_worker = 0', `select 1 from event_logs where workspace_id = ''`]

function forgetWorkers(): void {
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (typeof args[0] === 'string' && args[0].startsWith('set hiring.clock_offset_ms')) {
      for (const text of FORGET) void (original.call(this, text) as Promise<unknown>).catch(() => {})
    }
    return original.apply(this, args)
  } as typeof pg.Client.prototype.query
}

const ROOT = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hiring-cluster/pg18-citus')

/** `clock.advance` returns when it is done. */
function psql(port: number, statement: string): void {
  const args = ['-X', '-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-c', statement]
  spawnSync(join(ROOT, 'bin/psql'), args, { env: { ...process.env, LD_LIBRARY_PATH: join(ROOT, 'lib') } })
}

export async function onNode(port: number, database: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: addressOf(port, database) })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
