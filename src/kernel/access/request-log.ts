import { API_LIMITS } from '../../contract/limits.ts'
import { type Database, DatastoreUnavailable } from '../db/database.ts'
import { ofWorkspace, type Partition } from '../db/partitions.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/**
 * The log of API calls. A call is queued after its response was written and stored with others a moment later, so no
 * response waits for it. The queue has a fixed size: while the database is unavailable or too slow, further calls are
 * not logged but counted (`hiring_request_log_dropped_total`). A process that is killed loses its last quarter of a second.
 */
const FLUSH_MS = 250
/** After a failure, so that a database that starts is not asked four times a second by every process. */
const RETRY_MS = 1_000
/** Rows of one statement: a few milliseconds of the database. */
const BATCH_ROWS = 500
/**
 * Calls of one key in a minute that are stored although a limit or the key itself was refused, or no endpoint has the path.
 * Nothing else limits them, and a loop of them would bury the other calls of the workspace.
 */
export const UNLIMITED_CALLS_PER_MINUTE = 120
/** A row takes about 600 bytes of memory, so a full queue takes 12 MB. */
export const QUEUE_ROWS = 20_000

/** One call. Only names, handles, codes and numbers: nothing that a caller wrote freely. */
export interface LoggedRequest {
  workspace: string
  id: string
  /** the database's time when the key was looked up, in milliseconds */
  at: number
  key: string
  actingUser: string | null
  method: string
  route: string | null
  /** JSON */
  params: string
  status: number
  code: string | null
  param: string | null
  ms: number
}

export class RequestLog {
  readonly enabled: boolean
  readonly #db: Database
  readonly #log: Log
  readonly #metrics: Pick<Metrics, 'requestsNotLogged'>
  readonly #queue: LoggedRequest[] = []
  #minute = 0
  /** calls of this minute that no limit stops, by key */
  readonly #unlimited = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(db: Database, log: Log, metrics: Pick<Metrics, 'requestsNotLogged'>, opts: { enabled: boolean }) {
    this.#db = db
    this.#log = log
    this.#metrics = metrics
    this.enabled = opts.enabled
  }

  record(request: LoggedRequest): void {
    if (!this.enabled) return
    if (this.#queue.length >= QUEUE_ROWS || this.#isRepeated(request)) this.#metrics.requestsNotLogged(1)
    else {
      this.#queue.push(request)
      this.#timer ??= this.#flushIn(FLUSH_MS)
    }
  }

  #isRepeated({ key, status, route, at }: LoggedRequest): boolean {
    if (status !== 401 && status !== 429 && route !== null) return false
    const minute = Math.floor(at / 60_000)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#unlimited.clear()
    }
    const count = (this.#unlimited.get(key) ?? 0) + 1
    this.#unlimited.set(key, count)
    return count > UNLIMITED_CALLS_PER_MINUTE
  }

  /** Stores what is queued; one flush after the other. Throws if the database is unavailable; the rows stay queued. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const stored = this.#flushing.then(() => this.#store())
    this.#flushing = stored.catch(() => {
      if (this.#queue.length > 0) this.#timer ??= this.#flushIn(RETRY_MS)
    })
    return stored
  }

  /** Stores what is queued, for a reader of the log. If that fails, the reader sees the log without it. */
  async settle(): Promise<void> {
    if (this.#queue.length > 0) await this.flush().catch(() => {})
  }

  /** The last flush. What cannot be stored is lost and counted. */
  async stop(): Promise<void> {
    try {
      do await this.flush()
      while (this.#queue.length > 0)
    } finally {
      clearTimeout(this.#timer)
      this.#drop(this.#queue.length)
    }
  }

  #flushIn(ms: number): NodeJS.Timeout {
    const flush = () => {
      this.flush().catch(error => this.#log.warn({ err: error }, 'storing the request log failed, retrying'))
    }
    return setTimeout(flush, ms).unref()
  }

  /** Rows that come while this runs wait for the next flush, so that each transaction stores many. */
  async #store(): Promise<void> {
    for (let left = this.#queue.length; left > 0; left -= BATCH_ROWS) {
      const rows = this.#queue.slice(0, Math.min(left, BATCH_ROWS))
      try {
        await this.#insert(rows)
        this.#queue.splice(0, rows.length)
      } catch (error) {
        if (error instanceof DatastoreUnavailable) throw error
        // a batch that is refused now is refused the next time as well
        this.#log.error({ err: error }, 'a part of the request log was refused')
        this.#drop(rows.length)
      }
    }
  }

  /**
   * In a transaction, which has a connection of its own: no read waits behind the batch. Its commit does not wait for the
   * disk; a crash of the database may lose the last moments of the log, and nothing else.
   */
  async #insert(rows: readonly LoggedRequest[]): Promise<void> {
    await this.#db.transaction(async tx => {
      await Promise.all([
        tx.query(sql`select set_config('synchronous_commit', 'off', true)`),
        tx.query(insertRows(rows)),
      ])
    })
  }

  #drop(count: number): void {
    if (count === 0) return
    this.#queue.splice(0, count)
    this.#metrics.requestsNotLogged(count)
  }
}

/**
 * An array as PostgreSQL reads it. Only for values without a character that is special there, which all but one column
 * have: the driver would look for such characters in every value.
 */
const plainArray = (values: readonly (string | number | null)[]) => `{${values.map(value => value ?? 'NULL').join()}}`

/** A batch whose commit was not confirmed is sent again: rows that exist are left as they are. */
const insertRows = (rows: readonly LoggedRequest[]) => sql`
  insert into request_log (workspace_id, id, created_at, key_id, acting_user_id, method, route, params, status, code, param,
    duration_ms)
  select workspace_id, id, to_timestamp(ms / 1000.0), key_id, acting_user_id, method, route, params, status, code, param,
    duration_ms
  from unnest(${plainArray(rows.map(r => r.workspace))}::text[], ${plainArray(rows.map(r => r.id))}::text[],
    ${plainArray(rows.map(r => Math.floor(r.at)))}::bigint[], ${plainArray(rows.map(r => r.key))}::text[],
    ${plainArray(rows.map(r => r.actingUser))}::text[], ${plainArray(rows.map(r => r.method))}::text[],
    ${plainArray(rows.map(r => r.route && `"${r.route}"`))}::text[], ${rows.map(r => r.params)}::json[],
    ${plainArray(rows.map(r => r.status))}::smallint[], ${plainArray(rows.map(r => r.code))}::text[],
    ${plainArray(rows.map(r => r.param))}::text[], ${plainArray(rows.map(r => r.ms))}::integer[])
    as r (workspace_id, id, ms, key_id, acting_user_id, method, route, params, status, code, param, duration_ms)
  on conflict (workspace_id, id) do nothing`

interface ExpiringLog {
  workspace_id: string
  days: number
}

/** Workspaces with calls whose retention is over. Of one with nothing to delete, one row of the index is read. */
export const logsWithExpired = (limit: number): Sql<ExpiringLog> =>
  sql<ExpiringLog>`
    select l.workspace_id, l.days from (
      select l.workspace_id, coalesce(r.request_log_days, ${API_LIMITS.requestLogDays}::integer) as days
      from event_logs l left join workspace_retention r on r.workspace_id = l.workspace_id
    ) l
    where exists (select from request_log q
      where q.workspace_id = l.workspace_id and q.created_at < app_now() - l.days * interval '1 day')
    limit ${limit}`

/** Deletes a batch of them. */
export const pruneRequests = (part: Partition<ExpiringLog>, batchSize: number): Sql<{ removed: number }> =>
  sql<{ removed: number }>`
    with due as materialized (
      select d.workspace_id, d.id
      from unnest(${part.rows.map(row => row.workspace_id)}::text[], ${part.rows.map(row => row.days)}::integer[])
        as h (workspace_id, days)
      cross join lateral (
        select l.workspace_id, l.id from request_log l
        where l.workspace_id = h.workspace_id and l.created_at < app_now() - h.days * interval '1 day'
          ${ofWorkspace(part, 'l.workspace_id')}
        order by l.created_at, l.id limit ${batchSize}
      ) d limit ${batchSize}
    ), removed as (
      delete from request_log l using due d
      where l.workspace_id = d.workspace_id and l.id = d.id ${ofWorkspace(part, 'l.workspace_id')} returning 1
    )
    select count(*)::integer as removed from removed`
