import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlanCode } from '../../src/contract/plans.ts'
import { API_PREFIX } from '../../src/contract/version.ts'
import type { Connection, Database } from '../../src/kernel/db/database.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { type EmbeddedServer, openEmbedded } from '../../src/kernel/embedded-postgres/embedded.ts'
import { createKey, type IssuedKey } from '../../src/resources/keys/index.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { createWorkspace } from '../../src/resources/workspaces/index.ts'
import { atFileEnd } from '../harness/file-end.ts'
import { refusePersonal } from '../harness/personal-data.ts'
import { openDatabase } from '../harness/postgres.ts'
import { FOR_SPEED } from '../harness/process.ts'
import { CA_FILE, type Receiver, startReceiver } from '../harness/receiver.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export interface Node {
  child: ChildProcess
  /** Where the API is; empty for a worker. */
  base: string
  /** where the process serves /readyz and /metrics */
  health: string
  signal(name: NodeJS.Signals): void
  /** Kills it if it still runs, and waits for its end. */
  kill(): Promise<void>
}

/** A database, a webhook receiver, and processes of the service. */
export interface Installation {
  /** past a proxy */
  db: Database
  receiver: Receiver
  settings: Record<string, string>
  dataDir: string
  workspace: string
  /** for tests */
  key: IssuedKey
  /** one for each client of a load */
  keys: string[]
  /** The same with another workspace. */
  another(): Promise<Installation>
  /** `clockOffsetMs`: the process has a wrong clock. */
  start(roles: 'api' | 'worker', settings?: Record<string, string>, clockOffsetMs?: number): Promise<Node>
}

/** The database is durable, as an operator's is, with a proxy in front. */
export interface Cluster extends Installation {
  database: TcpProxy
  /** the process id of PostgreSQL */
  postgres(): number
}

const nodes = new Set<Node>()
const ending: (() => Promise<void>)[] = []
atFileEnd(async () => {
  const kills = await Promise.allSettled([...nodes].map(node => node.kill()))
  for (const end of ending.splice(0).reverse()) await end()
  // what a process has logged is a fault of the file, but no reason to leave the others running
  for (const kill of kills) if (kill.status === 'rejected') throw kill.reason
})

const CLIENTS = 4
const MAIN = join(import.meta.dirname, 'node-main.ts')
const SKEWED_CLOCK = join(import.meta.dirname, 'skewed-clock.ts')
const CHECK_RESPONSES = join(import.meta.dirname, '../harness/check-own-responses.ts')

const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hiring-faults-'))
  ending.push(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export async function startCluster(
  opts: { plan?: PlanCode; dataDir?: string; postgresDir?: string } = {},
): Promise<Cluster> {
  const folder = temporaryFolder()
  const directory = opts.postgresDir ?? join(folder, 'postgres')
  const server: EmbeddedServer = await openEmbedded({
    directory,
    // little space is enough: one of the tests fills it
    settings: { shared_buffers: '64MB', max_wal_size: '64MB', min_wal_size: '32MB' },
  })
  ending.push(() => server.release())
  const { connection } = server
  const database = await startTcpProxy({ path: join(connection.host, `.s.PGSQL.${connection.port}`) })
  const url = `postgres://${connection.user}:${connection.password}@127.0.0.1:${database.port}/${connection.database}`
  const installation = await startInstallation({ dataDir: join(folder, 'data'), ...opts, connection, url })
  return {
    ...installation,
    database,
    postgres: () => Number(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0]),
  }
}

/** On a database that runs: at `url` for the processes, at `connection` for the test. */
export async function startInstallation(opts: {
  url: string
  connection?: Connection
  plan?: PlanCode
  dataDir?: string
}): Promise<Installation> {
  const dataDir = opts.dataDir ?? join(temporaryFolder(), 'data')
  const connection = opts.connection ?? { connectionString: opts.url }
  const db = openDatabase(connection, 4)
  ending.push(() => db.close())
  await migrate(db)
  const receiver = await startReceiver()
  const settings: Record<string, string> = {
    DATABASE_URL: opts.url,
    DATA_DIR: dataDir,
    SECRET_KEY: 'ab'.repeat(32),
    LOG_LEVEL: 'error',
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_CONNECTIONS: '10',
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    WEBHOOK_CA: CA_FILE,
  }
  const withWorkspace = async (): Promise<Installation> => ({
    db,
    receiver,
    settings,
    dataDir,
    ...(await createHome(db, opts.plan ?? 'enterprise')),
    another: withWorkspace,
    start: (roles, further = {}, clockOffsetMs = 0) =>
      startNode({ ...settings, ...further, ROLES: roles }, clockOffsetMs),
  })
  return withWorkspace()
}

async function createHome(db: Database, plan: PlanCode): Promise<Pick<Installation, 'workspace' | 'key' | 'keys'>> {
  const { id: workspace } = await createWorkspace(db, { name: 'Test workspace', plan })
  const userEmail = 'owner@test.example'
  await createUser(db, { workspace, email: userEmail, role: 'owner', firstName: 'Olga' })
  const key = await createKey(db, { workspace, userEmail, scopes: 'all' })
  const keys: string[] = []
  for (let i = 0; i < CLIENTS; i++) keys.push((await createKey(db, { workspace, userEmail, scopes: 'all' })).secret)
  return { workspace, key, keys }
}

async function startNode(settings: Record<string, string>, clockOffsetMs: number): Promise<Node> {
  const args = [...(clockOffsetMs === 0 ? [] : ['--import', SKEWED_CLOCK]), '--import', CHECK_RESPONSES, MAIN]
  const env = {
    PATH: process.env['PATH'],
    HOME: tmpdir(),
    TMPDIR: tmpdir(),
    FAULTS_CLOCK_OFFSET_MS: String(clockOffsetMs),
    ...FOR_SPEED,
    ...settings,
  }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr!.on('data', chunk => (errors += chunk))
  const ended = once(child, 'close').then(() => {
    refusePersonal('the log of a process', errors)
    if (/differs from its description|request failed/.test(errors)) throw new Error(errors)
  })
  ended.catch(() => {}) // thrown by `kill`, which every node ends with
  const line = await Promise.race([once(child.stdout!, 'data'), ended.then(() => undefined)])
  if (!line) throw new Error(`a process ended before it was ready: ${errors}`)
  const { port, metricsPort } = JSON.parse(String(line[0])) as { port?: number; metricsPort: number }
  const node: Node = {
    child,
    base: port === undefined ? '' : `http://127.0.0.1:${port}${API_PREFIX}`,
    health: `http://127.0.0.1:${metricsPort}`,
    signal: name => void child.kill(name),
    async kill() {
      nodes.delete(node)
      child.kill('SIGKILL')
      await ended
    },
  }
  nodes.add(node)
  return node
}

/** What /readyz says: its status, and the parts that fail. */
export async function readiness(node: Node): Promise<{ status: number; failing: string[] }> {
  const response = await fetch(`${node.health}/readyz`)
  const { checks } = (await response.json()) as { checks: Record<string, string> }
  const failing = Object.keys(checks).filter(name => checks[name] !== 'ok')
  return { status: response.status, failing: failing.sort() }
}

/** A figure of /metrics, added up over its labels that match. */
export async function figure(node: Node, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${node.health}/metrics`)).text()
  const rows = text.split('\n').filter(row => row.startsWith(name) && row.includes(labels))
  return rows.reduce((sum, row) => sum + Number(row.slice(row.lastIndexOf(' ') + 1)), 0)
}
