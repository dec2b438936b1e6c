import type { Log } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'
import { type Database, DatastoreUnavailable, type DbSession, type Queryable, timedOut } from './database.ts'
import { sql } from './sql.ts'

/** A standby that is further behind is not read from. */
export const MAX_LAG_SECONDS = 30
const LOOK_MS = 1_000
/** Positions of the primary that are stored: a standby further behind has the lag of the oldest. */
const MAX_POSITIONS = 300
/** How long an export waits for the standby before it locks anything, and then with the lock of the workspace's log. */
const CATCH_UP_MS = 5_000
const LOCKED_CATCH_UP_MS = 1_000
const POLL_MS = 10
/** A standby may take this much longer before it counts as one that does not respond. */
const RESPOND_MS = 1_000

/** The standby cannot be used now: the primary is. */
class ReplicaUnusable extends Error {}

interface Position {
  at: number
  lsn: bigint
}

interface StandbyState {
  standby: boolean
  replayed: string | null
  /** the age of the last commit that it replayed */
  own_seconds: number
  system: string | null
  /** the timeline that it receives now; null: nothing, or the role may not see it */
  receives: number | null
  /** the timeline of its last restartpoint, minutes old at most */
  restarts_on: number
}

/**
 * A standby of the primary, for reads that may be old. How old its data is, is measured against positions of the primary's
 * log, not by the standby's own account: one that has lost its primary believes that it has everything.
 */
export class Replica {
  readonly #primary: Database
  readonly #standby: Database
  readonly #log: Log
  readonly #stop = new AbortController()
  readonly #positions: Position[] = []
  readonly #counted = { replica: 0, primary: 0 }
  #watching: Promise<void> = Promise.resolve()
  /** whether the standby had a position of the primary that was seen before */
  #reached = false
  /** why it is not used; undefined: it is */
  #fault: string | undefined = 'not checked yet'
  #lagSeconds = Number.NaN
  /** the identifier that the primary shares with its standbys */
  #system: string | undefined
  /** The timeline of the primary when it was seen last; 0: it was not seen. */
  #timeline = 0

  constructor(primary: Database, standby: Database, log: Log) {
    this.#primary = primary
    this.#standby = standby
    this.#log = log
  }

  /** Looks at both servers, then every second until it is closed. */
  async start(): Promise<void> {
    const until = now() + LOOK_MS
    do await this.#look()
    while (this.#fault === undefined && !this.#reached && now() < until)
    this.#watching = this.#watch()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#watching
    await this.#standby.close()
  }

  /** NaN while the standby is not reached. */
  lagSeconds = (): number => this.#lagSeconds

  /** Reads by the server that served them. */
  reads = (): Readonly<Record<'replica' | 'primary', number>> => this.#counted

  /** For /readyz and `doctor`. */
  async check(): Promise<string> {
    if (this.#fault !== undefined) throw new ReplicaUnusable(this.#fault)
    return `${this.#lagSeconds.toFixed(1)} s behind the primary`
  }

  /**
   * Runs reads that may be old. What fails at the standby is run at the primary, also what it does not find: it may be
   * newer than its data.
   */
  async read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    if (this.#fault === undefined) {
      try {
        const result = await work(this.#standby)
        this.count('replica')
        return result
      } catch (error) {
        // it would take as long again
        if (timedOut(error)) throw error
        if (error instanceof DatastoreUnavailable) this.#found(error.message)
      }
    }
    this.count('primary')
    return work(this.#primary)
  }

  count(server: 'replica' | 'primary'): void {
    this.#counted[server]++
  }

  /** A connection to the standby that has replayed what was committed before this call. */
  async session(): Promise<DbSession> {
    if (this.#fault !== undefined) throw new ReplicaUnusable(this.#fault)
    const session = await this.#standby.session({ timeouts: 'snapshot' })
    try {
      await this.#reach(session, CATCH_UP_MS)
      return session
    } catch (error) {
      session.close().catch(() => {})
      throw error
    }
  }

  /** Waits again for what was committed since, for a moment: locks are held. */
  caughtUp = (session: Queryable): Promise<void> => this.#reach(session, LOCKED_CATCH_UP_MS)

  /** On the session that reads later: an address may lead to several servers. */
  async #reach(session: Queryable, limitMs: number): Promise<void> {
    // the log is on the disk, and so on its way, up to here
    await this.#primary.query(FLUSH)
    const { lsn } = await this.#position()
    const done = new AbortController()
    const late = pause(limitMs + RESPOND_MS, done.signal).then(() => {
      throw new ReplicaUnusable('the replica does not respond')
    })
    try {
      await Promise.race([this.#replayed(session, lsn, limitMs, done.signal), late])
    } finally {
      late.catch(() => {})
      done.abort()
    }
  }

  async #replayed(session: Queryable, lsn: string, limitMs: number, signal: AbortSignal): Promise<void> {
    const until = now() + limitMs
    while (!signal.aborted) {
      const state = await session.only(STATE)
      const fault = await this.#faultOf(state)
      if (fault) throw new ReplicaUnusable(fault)
      if (numberOf(state.replayed) >= numberOf(lsn)) return
      if (now() > until) throw new ReplicaUnusable('behind the primary')
      await pause(POLL_MS, signal)
    }
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await pause(LOOK_MS, this.#stop.signal)
      if (!this.#stop.signal.aborted) await this.#look()
    }
  }

  async #look(): Promise<void> {
    try {
      const position = await this.#position().catch(() => undefined)
      if (position) this.#positions.push({ at: now(), lsn: numberOf(position.lsn) })
      if (this.#positions.length > MAX_POSITIONS) this.#positions.shift()
      const state = await this.#standby.only(STATE)
      this.#lagSeconds = this.#lagOf(state)
      const late =
        this.#lagSeconds > MAX_LAG_SECONDS ? `${Math.round(this.#lagSeconds)} s behind the primary` : undefined
      this.#found((await this.#faultOf(state)) ?? late)
    } catch (error) {
      this.#lagSeconds = Number.NaN
      this.#found((error as Error).message)
    }
  }

  /**
   * Since when the standby lacks something; 0 if it has the last position that was seen. Until it had one, by its own
   * account as well: it may have been behind for long when the process started.
   */
  #lagOf({ replayed, own_seconds }: StandbyState): number {
    const has = numberOf(replayed)
    const missing = this.#positions.find(position => position.lsn > has)
    this.#reached ||= missing !== this.#positions[0]
    return missing ? Math.max((now() - missing.at) / 1_000, this.#reached ? 0 : own_seconds) : 0
  }

  async #position(): Promise<{ lsn: string }> {
    const position = await this.#primary.only(POSITION)
    this.#timeline = Number.parseInt(position.file.slice(0, 8), 16)
    return position
  }

  /**
   * An old primary that came back as a standby may have more than the promoted one had, and its position is then beyond
   * any of the primary: it stays on its timeline, because the primary refuses to send it what follows there.
   */
  async #faultOf({ standby, system, receives, restarts_on }: StandbyState): Promise<string | undefined> {
    if (!standby) return 'not a standby'
    this.#system ??= (await this.#primary.only(SYSTEM)).own
    if (this.#system !== system) return 'a standby of another database'
    const follows = this.#timeline === 0 || receives === this.#timeline || restarts_on === this.#timeline
    return follows ? undefined : 'a standby that does not follow the primary'
  }

  #found(fault: string | undefined): void {
    if ((fault === undefined) !== (this.#fault === undefined)) {
      if (fault === undefined) this.#log.info({}, 'reads that may be old use the replica')
      else this.#log.warn({ reason: fault }, 'reads that may be old use the primary')
    }
    this.#fault = fault
  }
}

/** Runs reads that may be old at the replica, if there is one. */
export const readMaybeOld = <T>(
  { db, replica }: { db: Database; replica: Replica | undefined },
  work: (db: Database) => Promise<T>,
): Promise<T> => (replica ? replica.read(work) : work(db))

/** Moves with the clock of a test. */
const now = () => clock.monotonic() + clock.offset()

/** A position in the log, `16/B374D848`. */
const numberOf = (lsn: string | null): bigint => {
  const [high = '0', low = '0'] = (lsn ?? '0/0').split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

const POSITION = sql<{ lsn: string; file: string }>`
  select lsn::text as lsn, pg_walfile_name(lsn) as file from pg_current_wal_flush_lsn() as lsn`
const SYSTEM = sql<{ own: string }>`select system_identifier::text as own from pg_control_system()`
const STATE = sql<StandbyState>`
  select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as replayed,
    coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 as own_seconds,
    (select system_identifier::text from pg_control_system()) as system,
    (select received_tli from pg_stat_wal_receiver where status = 'streaming') as receives,
    (select timeline_id from pg_control_checkpoint()) as restarts_on`
/** Writes a record that means nothing and waits for this server's disk, whatever the database is set to. */
const FLUSH = sql`
  select set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'hiring', '')`
