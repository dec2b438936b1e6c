import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Database } from '../../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { openEmbedded } from '../../src/kernel/embedded-postgres/embedded.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { cloneOnCluster, clusterOfRun } from './citus.ts'
import { readCpuSeconds } from './cpu-seconds.ts'

export interface Connection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface TestServer {
  connection: Connection
  /** What the server and its connections that have ended needed; 0 where the system does not count it. */
  cpuSeconds(): number
  stop(): Promise<void>
}

const ROOT = join(import.meta.dirname, '../..')
const TEMPLATE = 'hiring_template'

/** Data directories with the template, which later runs copy: making one takes seconds of CPU. */
const SNAPSHOTS = join(ROOT, 'node_modules/.cache/test-postgres')

/** A server that forgets durability for speed, with the schema in a template database. */
export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hiring-test-'))
  const directory = join(folder, 'postgres')
  const snapshot = join(SNAPSHOTS, snapshotKey())
  if (existsSync(snapshot)) copyFolder(snapshot, directory)
  else await makeTemplate(directory, snapshot)
  const server = await openServer(directory)
  return {
    connection: server.connection,
    cpuSeconds: () => readCpuSeconds(Number.parseInt(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8'), 10)),
    async stop() {
      await server.release()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// some files start several services
const openServer = (directory: string) =>
  openEmbedded({ directory, durable: false, settings: { max_connections: '500' } })

/** Everything that the template depends on, and the user whose files the snapshot consists of. */
const snapshotKey = (): string =>
  createHash('sha256')
    .update(JSON.stringify([readMigrations().map(({ hash }) => hash), postgresVersion(), process.getuid?.()]))
    .update(readFileSync(import.meta.filename))
    .digest('hex')
    .slice(0, 16)

const postgresVersion = (): string =>
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies['embedded-postgres']

async function makeTemplate(directory: string, snapshot: string): Promise<void> {
  const server = await openServer(directory)
  // a run makes thousands of connections, and with the default of 4096 a quarter of the cost of each is the password
  const { user, password } = server.connection
  await admin(server.connection, `set scram_iterations = 1; alter role ${user} password '${password}'`)
  await admin(server.connection, `create database ${TEMPLATE}`)
  const db = openDatabase({ ...server.connection, database: TEMPLATE }, 4)
  await migrate(db)
  await db.close()
  await server.release()
  // under another name first, so that an interrupted copy is never used
  const unfinished = join(folderOfSnapshots(), `unfinished-${process.pid}`)
  copyFolder(directory, unfinished)
  try {
    renameSync(unfinished, snapshot)
  } catch {
    rmSync(unfinished, { recursive: true, force: true }) // another process was faster
  }
}

/** A connection takes as long as it takes on a busy machine: no test is about that. */
export const openDatabase = (connection: ConstructorParameters<typeof Database>[0], connections: number): Database =>
  new Database(connection, { connections, waitMs: 30_000, log: createLog('silent') })

/** With modes and owners, on which PostgreSQL insists; Node's own copy leaves them to the umask. */
const copyFolder = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to])

/** Without the snapshots of other migrations, which nothing uses any more. */
function folderOfSnapshots(): string {
  mkdirSync(SNAPSHOTS, { recursive: true })
  for (const name of readdirSync(SNAPSHOTS).filter(name => !name.startsWith('unfinished-')))
    rmSync(join(SNAPSHOTS, name), { recursive: true, force: true })
  return SNAPSHOTS
}

let own: Promise<TestServer> | undefined

/** The run's server, or one of this file's own when it is run by itself. */
export async function serverConnection(): Promise<Connection> {
  const given = process.env['HIRING_TEST_POSTGRES']
  if (given) return JSON.parse(given) as Connection
  own ??= startTestServer()
  return (await own).connection
}

export async function stopOwnServer(): Promise<void> {
  await (await own)?.stop()
  own = undefined
}

let counter = 0

export interface TestDatabase {
  connection: Connection
  /** the same as an address, for settings and child processes */
  url: string
  drop(): Promise<void>
}

/** A database of its own, with the schema and nothing in it. */
export async function cloneDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${process.pid}_${++counter}`
  const cluster = clusterOfRun()
  if (cluster) return cloneOnCluster(cluster, name)
  const connection = await serverConnection()
  await admin(connection, `create database ${name} template ${template} strategy file_copy`)
  const { user, password, host, port } = connection
  return {
    connection: { ...connection, database: name },
    url: `postgres://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    drop: () => admin(connection, `drop database if exists ${name} with (force)`),
  }
}

export async function admin(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres', ssl: false })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
