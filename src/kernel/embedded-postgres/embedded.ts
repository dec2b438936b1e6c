// The PostgreSQL server that comes with the product, for installations without DATABASE_URL.
//
// Several processes share one server: the service and the command line. None of them owns it. A process that opens the
// directory joins the server that runs there or starts one, and holds one connection, the keeper, until it leaves; a
// process that is killed loses its keeper by itself. A process that leaves and sees no other connection of ours stops
// the server. A process that loses its keeper checks whether a server runs, and starts one if not. All of these decisions
// are made under one lock file, so that no process joins a server that is being stopped. A server whose processes are
// all gone without leaving it, because they were killed, stops by itself (process.ts).

import { closeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { code, startTimeoutMs, withLock } from './lock.ts'
import {
  chooseRunAs,
  type DataDirectory,
  initialise,
  isPostmaster,
  type Launched,
  launch,
  makeSocketDirectory,
  openUse,
  port,
  preparePlace,
  readPassword,
  readPidFile,
  reason,
  removeStalePidFiles,
  stopPostmaster,
  superuser,
} from './process.ts'

export interface EmbeddedServer {
  /** libpq-style settings for `pg`: the folder of the Unix socket as host, user, database, password */
  connection: { host: string; port: number; user: string; password: string; database: string }
  /** true if this call started the server process, false if a running one was joined */
  started: boolean
  /** leave the server; the last process that leaves stops it (fast shutdown). Idempotent. */
  release(): Promise<void>
}

interface Options {
  /** holds data, password, socket and log; created with mode 0700 */
  directory: string
  log?: (line: string) => void
  /** false trades the data's survival of a machine crash for speed: for tests only */
  durable?: boolean
  /** further or other PostgreSQL settings, applied if this call starts the server */
  settings?: Record<string, string>
  /** Called when another process begins to do what takes time: to create the data, or to start the server. */
  onBegin?: () => void
}

interface Attached {
  keeper: pg.Client
  /** the descriptor that says that this process uses the server; undefined for one that an older release started */
  use: number | undefined
  socketDirectory: string
  started: boolean
}

const database = 'hiring'
const keeperName = 'hiring-keeper'
const pollMs = 15
const farewellMs = 500
const longestRestartDelayMs = 5000
const calmMs = 30_000
const maxKills = 3

const defaults = {
  max_connections: '200',
  shared_buffers: '256MB',
  jit: 'off',
  // Nothing replicates from the embedded server, and with the least WAL bulk loads are faster.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '2GB',
  // An import fills the default before it is written.
  wal_buffers: '32MB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Otherwise a long statement of a process that was killed runs on.
  client_connection_check_interval: '5s',
}

const fragile = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Statements and their values are personal data and must not reach the log. The text of an ERROR may quote a value
 * ('invalid input syntax for type integer: "…"'), so errors are left to the client that caused them: in the order of
 * log_min_messages `log` is above `error`, and below `fatal` and `panic`.
 */
const discreet = {
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_statement: 'none',
  log_min_duration_statement: '-1',
}

function serverSettings(options: Options, socketDirectory: string): Record<string, string> {
  return {
    ...defaults,
    ...(options.durable === false ? fragile : {}),
    ...options.settings,
    ...discreet,
    listen_addresses: '',
    port: String(port),
    // A list: quoted, a comma or a blank in the path stays part of it.
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  }
}

export async function openEmbedded(options: Options): Promise<EmbeddedServer> {
  const log = options.log ?? (() => {})
  const place = preparePlace(options.directory)
  const leaving = new AbortController()
  let keeper: pg.Client | undefined
  let use: number | undefined
  let recovery = Promise.resolve()
  let restartDelayMs = 0
  let left: Promise<void> | undefined
  const release = () => {
    left ??= leave().finally(() => opened.delete(release))
    return left
  }

  opened.add(release)
  const opening = withLock(place.lock, leaving.signal, async () => {
    // Only here: data that vanishes under a running service must not come back empty.
    await initialise(place, options.durable !== false, leaving.signal, options.onBegin)
    return attach(place, options, leaving.signal)
  })
  const first = await opening.catch(error => {
    if (!leaving.signal.aborted) opened.delete(release)
    throw error
  })
  hold(first)
  log(`PostgreSQL ${first.started ? 'started' : 'joined'} in ${place.directory}`)
  return {
    connection: { host: first.socketDirectory, port, user: superuser, password: readPassword(place), database },
    started: first.started,
    release,
  }

  function hold({ keeper: client, use: ours }: Attached): void {
    closeUse()
    keeper = client
    use = ours
    const since = performance.now()
    client.once('end', () => {
      keeper = undefined
      if (leaving.signal.aborted) return
      if (performance.now() - since > calmMs) restartDelayMs = 0
      recovery = recover()
    })
  }

  /** The connection was lost, with the server or alone. Tries until there is one again, or we leave. */
  async function recover(): Promise<void> {
    log('PostgreSQL stopped unexpectedly')
    while (!leaving.signal.aborted) {
      try {
        await sleep(restartDelayMs, undefined, { signal: leaving.signal })
        restartDelayMs = Math.min(restartDelayMs * 2 || 100, longestRestartDelayMs)
        const again = await withLock(place.lock, leaving.signal, () =>
          attach(place, options, leaving.signal, first.socketDirectory),
        )
        hold(again)
        log(`PostgreSQL was ${again.started ? 'started' : 'joined'} again`)
        return
      } catch (error) {
        if (!leaving.signal.aborted) log(`PostgreSQL could not be restarted: ${reason(error)}`)
      }
    }
  }

  function closeUse(): void {
    if (use !== undefined) closeSync(use)
    use = undefined
  }

  async function leave(): Promise<void> {
    leaving.abort()
    await opening.catch(() => {})
    await recovery
    await withLock(place.lock, undefined, async () => {
      const running = readPidFile(place)
      if (!running || !isPostmaster(running.pid, place.data)) return keeper?.end()
      // We may have lost ours while others, who are quicker, have theirs again.
      const client = keeper ?? (await connect(running.socketDirectory, readPassword(place)))
      // A server without connections is not in use; one that runs and does not respond is left alone.
      const needed = client ? await isNeededByOthers(client).catch(() => true) : false
      await Promise.race([client?.end(), sleep(farewellMs, undefined, { ref: false })])
      if (needed) return
      log((await stopPostmaster(place, running)) ? 'PostgreSQL stopped' : `PostgreSQL does not stop (${running.pid})`)
    })
    closeUse()
  }
}

/** Leaves of the servers that this process has opened, or is opening. */
const opened = new Set<() => Promise<void>>()

/** Leaves every server, also one that is just being started: for a process that is stopped in the middle of a start. */
export async function leaveEmbedded(): Promise<void> {
  await Promise.all([...opened].map(release => release()))
}

/** Under the lock: a connection to the server of this directory, which is started if none runs. */
async function attach(
  place: DataDirectory,
  options: Options,
  signal: AbortSignal,
  knownSocketDirectory?: string,
): Promise<Attached> {
  const password = readPassword(place)
  const deadline = performance.now() + startTimeoutMs
  let launched: Launched | undefined
  let kills = 0
  let use = openUse(place)
  try {
    for (let delayMs = 0; ; delayMs = pollMs) {
      await sleep(delayMs, undefined, { signal })
      if (performance.now() > deadline) throw new Error(`PostgreSQL was not ready in time: see ${place.logFile}`)
      const running = readPidFile(place)
      const alive = running !== undefined && isPostmaster(running.pid, place.data)
      // While it says that it is not ready, a try would only fill its log.
      if (alive && /^(starting|stopping)/.test(running.status)) continue
      // The socket is tried even if the process is not seen: it may run in another container on the same volume.
      if (running?.socketDirectory) {
        const keeper = await connect(running.socketDirectory, password)
        if (keeper)
          return { keeper, use, socketDirectory: running.socketDirectory, started: launched?.alive() ?? false }
      }
      if (alive || launched?.alive()) continue
      if (launched) {
        // Backends outlive a killed postmaster for a moment, and a server whose starter was killed may have come up.
        // One that was killed is tried again, but not for ever: it may be its own fault.
        const output = launched.output()
        const again = /shared memory block|lock file/.test(output) || (launched.killed() && ++kills < maxKills)
        if (!again) throw new Error(`PostgreSQL did not start: ${output}`)
        await sleep(pollMs * 5, undefined, { signal })
      }
      const runAs = await chooseRunAs(place)
      const socketDirectory = makeSocketDirectory(place, runAs, knownSocketDirectory)
      removeStalePidFiles(place, running, socketDirectory)
      launched = launch(place, runAs, serverSettings(options, socketDirectory))
      options.onBegin?.()
      if (use !== undefined) closeSync(use)
      use = launched.use
    }
  } catch (error) {
    await launched?.stop()
    if (use !== undefined) closeSync(use)
    throw error
  }
}

/** A keeper, or undefined if no server accepts connections there now. Makes the database if it is not there yet. */
async function connect(host: string, password: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...{ host, port, user: superuser, password, ssl: false, application_name: keeperName },
    // Not in the database itself: a keeper there would forbid to copy, rename or drop it.
    database: 'postgres',
    connectionTimeoutMillis: 10_000,
    query_timeout: 20_000,
  })
  // A lost connection is noticed by the event 'end', which follows.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (!rowCount) await client.query(`create database ${database}`)
    return client
  } catch (error) {
    await client.end()
    const comesAndGoes = error instanceof pg.DatabaseError ? /^(57P|53)/.test(code(error)) : code(error) !== 'EACCES'
    if (comesAndGoes) return undefined
    throw error
  }
}

/** Whether another process holds the server. Each that does has a keeper; other connections are stragglers of our own. */
async function isNeededByOthers(keeper: pg.Client): Promise<boolean> {
  const { rows } = await keeper.query<{ keepers: number }>(
    `select count(*)::int as keepers from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()`,
    [keeperName],
  )
  return rows.some(({ keepers }) => keepers > 0)
}
