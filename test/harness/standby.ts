import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import {
  chooseRunAs,
  type DataDirectory,
  initialise,
  type Launched,
  launch,
  makeSocketDirectory,
  preparePlace,
  readPassword,
  readPidFile,
  removeStalePidFiles,
  superuser,
} from '../../src/kernel/embedded-postgres/process.ts'
import { atFileEnd } from './file-end.ts'
import { freePort } from './free-port.ts'
import { until } from './receiver.ts'

const DATABASE = 'hiring'
const STANDBY = 'standby'

/** A PostgreSQL server on loopback that nothing starts again when it ends. */
export interface Server {
  /** `127.0.0.1:port` */
  host: string
  url: string
  /** One statement on a connection of its own, in the database of `url`. */
  query<Row = Record<string, unknown>>(text: string): Promise<Row[]>
  /** To all its processes, as if the machine stopped. */
  signal(name: NodeJS.Signals): void
  /** Starts it again after its end, at the same address. */
  start(): Promise<void>
  /** Kills it and starts it again as a standby of another server, with the data that it has. */
  restartAsStandbyOf(source: Server): Promise<void>
}

const folders: string[] = []
const running = new Set<Launched>()
atFileEnd(async () => {
  await Promise.all([...running].map(server => server.stop()))
  running.clear()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const SETTINGS = {
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '512MB',
  // a standby refuses to run with fewer than its primary
  max_connections: '120',
  shared_buffers: '64MB',
  timezone: 'UTC',
  // how soon a primary notices that its standby is gone, and the other way round
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '100ms',
}

interface Running extends Server {
  place: DataDirectory
  port: number
  password: string
}

/**
 * A primary and a standby that streams from it; synchronous: a commit is acknowledged when the standby has it on its
 * disk. Made from the embedded server's programs, so without pg_basebackup: by the same functions.
 */
export async function startPair(opts: { synchronous: boolean }): Promise<{ primary: Server; standby: Server }> {
  const folder = mkdtempSync(join(tmpdir(), 'hiring-pair-'))
  folders.push(folder)
  const place = preparePlace(join(folder, 'primary'))
  await initialise(place, false)
  const primary = await startServer(place, readPassword(place), {}, true)
  const standby = await addStandby(folder, primary)
  // only now: before the standby was there, every commit would have waited for it
  if (opts.synchronous) {
    await primary.query(`alter system set synchronous_standby_names = '${STANDBY}'`)
    await primary.query('select pg_reload_conf()')
    const synchronous = `select from pg_stat_replication where sync_state = 'sync'`
    await until('the standby is synchronous', async () => (await primary.query(synchronous)).length === 1)
  }
  return { primary, standby }
}

async function addStandby(folder: string, primary: Running): Promise<Server> {
  const place = preparePlace(join(folder, STANDBY))
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  await client.query(`select pg_backup_start('${STANDBY}', true)`)
  cpSync(primary.place.data, place.data, {
    recursive: true,
    preserveTimestamps: true,
    filter: path => !/^postmaster\.(pid|opts)$/.test(basename(path)),
  })
  const { rows } = await client.query('select labelfile from pg_backup_stop()')
  await client.end()
  writeFileSync(join(place.data, 'backup_label'), rows[0].labelfile)
  writeFileSync(join(place.data, 'standby.signal'), '')
  return startServer(place, primary.password, following(primary.port, primary.password))
}

const following = (port: number, password: string) => ({
  primary_conninfo: `host=127.0.0.1 port=${port} user=${superuser} password=${password} application_name=${STANDBY}`,
  hot_standby_feedback: 'on',
})

async function startServer(
  place: DataDirectory,
  password: string,
  settings: Record<string, string>,
  isNew = false,
): Promise<Running> {
  const port = await freePort()
  const runAs = await chooseRunAs(place)
  const socketDirectory = makeSocketDirectory(place, runAs)
  const host = `127.0.0.1:${port}`
  let database = 'postgres'
  let launched: Launched
  const urlOf = (database: string) => `postgres://${superuser}:${password}@${host}/${database}`
  const query = async <Row>(text: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: urlOf(database), connectionTimeoutMillis: 10_000 })
    client.on('error', () => {}) // shows as the failure of the statement
    try {
      await client.connect()
      return (await client.query(text)).rows
    } finally {
      client.end().catch(() => {})
    }
  }
  const start = async (role: Record<string, string> = settings) => {
    removeStalePidFiles(place, readPidFile(place), socketDirectory)
    launched = launch(place, runAs, {
      ...SETTINGS,
      ...role,
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: `"${socketDirectory}"`,
    })
    running.add(launched)
    for (const deadline = performance.now() + 60_000; ; await delay(50)) {
      try {
        await query('select 1')
        return
      } catch (error) {
        if (!launched.alive() || performance.now() > deadline) throw new Error(launched.output(), { cause: error })
      }
    }
  }
  const signal = (name: NodeJS.Signals) => {
    const { pid } = readPidFile(place)!
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout.match(/\d+/g)
    process.kill(pid, name)
    for (const child of children ?? []) {
      try {
        process.kill(Number(child), name)
      } catch {
        // it ended in the meantime
      }
    }
  }
  const restartAsStandbyOf = async (source: Server) => {
    if (launched.alive()) signal('SIGKILL')
    await until('it has ended', () => !launched.alive())
    writeFileSync(join(place.data, 'standby.signal'), '')
    await start(following(Number(source.host.split(':')[1]), password))
  }
  await start()
  if (isNew) await query(`create database ${DATABASE}`)
  database = DATABASE
  return { host, url: urlOf(DATABASE), query, signal, start: () => start(), restartAsStandbyOf, place, port, password }
}
