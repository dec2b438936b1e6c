import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Database } from '../../src/kernel/db/database.ts'
import { openEmbedded } from '../../src/kernel/db/embedded.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { cloneOnCluster, clusterOfRun } from './citus.ts'

export interface Connection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface TestServer {
  connection: Connection
  stop(): Promise<void>
}

const TEMPLATE = 'hiring_template'

/** A server that forgets durability for speed, with the schema in a template database. */
export async function startTestServer(): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'hiring-test-'))
  const server = await openEmbedded({
    directory: join(directory, 'postgres'),
    durable: false,
    // three files run at a time, and some of them start several services
    settings: { max_connections: '500' },
  })
  // a run makes thousands of connections, and with the default of 4096 a quarter of the cost of each is the password
  const { user, password } = server.connection
  await admin(server.connection, `set scram_iterations = 1; alter role ${user} password '${password}'`)
  await admin(server.connection, `create database ${TEMPLATE}`)
  const db = new Database({ ...server.connection, database: TEMPLATE }, { connections: 4, log: createLog('silent') })
  await migrate(db)
  await db.close()
  return {
    connection: server.connection,
    async stop() {
      await server.release()
      rmSync(directory, { recursive: true, force: true })
    },
  }
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
