import pg from 'pg'
import { clock } from '../time/clock.ts'
import { hostUrls, type ServerRole, urlAt } from './host-urls.ts'
import { type HostOptions, Hosts } from './hosts.ts'

export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string }

const STATEMENT_TIMEOUT_MS = 15_000
/** A machine that vanished without a word loses its sessions, and the locks that they hold, after half a minute. */
const KEEPALIVE = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'
/** The same for a server that vanished. Without this time the system waits for hours before it looks. */
const KEEPALIVE_IDLE_MS = 15_000
/**
 * A process that is stopped (SIGSTOP, a frozen machine) stays connected: its kernel responds to keepalives. What it has
 * locked in an open transaction is free after this time. No transaction waits so long for anything but the database.
 */
export const IDLE_TRANSACTION_MS = 30_000
const SESSION = `-c timezone=UTC -c datestyle=ISO -c jit=off ${KEEPALIVE}`

/** How every connection is opened. */
export function clientOptions(connection: Connection, waitMs: number, role: ServerRole): HostOptions {
  const servers = 'connectionString' in connection ? (hostUrls(connection.connectionString) ?? []) : []
  const options = (server: Connection) => ({ ...server, ...sessionOptions(waitMs), role })
  const [first, ...others] = servers.map(connectionString => options({ connectionString }))
  if (!first) return options(connection)
  return others.length === 0 ? first : { ...first, hosts: new Hosts([first, ...others], role) }
}

function sessionOptions(waitMs: number): pg.ClientConfig {
  return {
    application_name: 'hiring',
    options: `${SESSION} -c idle_in_transaction_session_timeout=${IDLE_TRANSACTION_MS}`,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 2_000,
    connectionTimeoutMillis: waitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_IDLE_MS,
    pipeline: true,
    types: { getTypeParser: parserFor },
  } as pg.ClientConfig
}

/** Plans each statement once and for all values. */
export const withGenericPlans = (options: HostOptions): HostOptions => ({
  ...options,
  options: `${options.options} -c plan_cache_mode=force_generic_plan`,
})

/** For connections whose notices are watched: a change of a key is waited for by the process, not by the trigger. */
export const withNotices = (options: HostOptions): HostOptions => ({
  ...options,
  options: `${options.options} -c client_min_messages=notice -c hiring.waits_for_key_caches=on`,
})

/** Without limits of time, also where the server has its own. Set as options: the driver leaves out a limit of 0. */
export const withoutTimeouts = (options: HostOptions): HostOptions => ({
  ...options,
  statement_timeout: 0,
  query_timeout: 0,
  options: `${SESSION} -c statement_timeout=0 -c idle_in_transaction_session_timeout=0`,
})

/** At another server with the same credentials, such as a node of a cluster. */
export function atServer({ hosts: _, ...options }: HostOptions, server: { name: string; port: number }): HostOptions {
  const { connectionString } = options
  if (connectionString === undefined) return { ...options, host: server.name, port: server.port }
  return { ...options, connectionString: urlAt(connectionString, server) }
}

/**
 * For long snapshots at a standby, which may freeze: a batch of rows takes milliseconds, the first one of many sorted rows
 * some seconds.
 */
const SNAPSHOT_STATEMENT_MS = 120_000
export const forSnapshots = (options: HostOptions): HostOptions => ({
  ...withoutTimeouts(options),
  query_timeout: SNAPSHOT_STATEMENT_MS + 2_000,
  options: `${SESSION} -c statement_timeout=${SNAPSHOT_STATEMENT_MS} -c idle_in_transaction_session_timeout=0`,
})

const appliedOffsets = new WeakMap<pg.ClientBase, number>()

/** Costs a comparison; sends something only after a test moved the clock. */
export function applyClock(client: pg.ClientBase): void {
  const offset = clock.offset()
  if ((appliedOffsets.get(client) ?? 0) === offset) return
  appliedOffsets.set(client, offset)
  client.query(`set hiring.clock_offset_ms = '${offset}'`).catch(() => appliedOffsets.delete(client))
}

const OID = { int8: 20, numeric: 1700, timestamptz: 1184, date: 1082 }

// biome-ignore lint/suspicious/noExplicitAny: the driver's own signature
function parserFor(oid: number, format?: any): any {
  switch (oid) {
    case OID.timestamptz:
      return isoFromPostgres
    case OID.int8: // counts and sequence numbers, all far below 2^53
    case OID.numeric:
      return Number
    case OID.date:
      return (text: string) => text
    default:
      return pg.types.getTypeParser(oid, format)
  }
}

/** `2026-11-15 03:02:35.12+00` to `2026-11-15T03:02:35.120Z`, by cutting text: some ten times faster than through Date. */
export function isoFromPostgres(text: string): string {
  const plus = text.indexOf('+', 19)
  if (plus < 0 || text.length > 26) return new Date(text).toISOString()
  const fraction = plus === 19 ? '000' : text.slice(20, plus).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
