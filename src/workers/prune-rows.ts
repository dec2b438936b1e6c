import { API_LIMITS } from '../contract/limits.ts'
import type { Database } from '../kernel/db/database.ts'
import { type Sql, sql } from '../kernel/db/sql.ts'
import type { Services } from '../kernel/services.ts'
import { pause } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'

/** Removes what has outlived its time, in small pieces so that nothing waits for it. Every process may run it. */
const INTERVAL_MS = 60_000
const ROUNDS_PER_SWEEP = 60
const PIECE = 5_000

export const pruneRows = ({ db, blobs, log }: Pick<Services, 'db' | 'blobs' | 'log'>): Worker => ({
  name: 'prune',
  async run(signal) {
    for (let round = 0; !signal.aborted; round++) {
      await pruneOnce(db, signal)
      if (round % ROUNDS_PER_SWEEP === 0) {
        await sweepOnce(db, signal)
        await blobs.sweep().catch(error => log.warn({ err: error }, 'the files were not swept'))
      }
      await pause(INTERVAL_MS, signal)
    }
  },
})

export const pruneOnce = (db: Database, signal = new AbortController().signal): Promise<void> =>
  removeAll(db, [pruneEvents, pruneDeliveries, pruneIdempotency, pruneWindows, pruneSignInState, pruneTickets], signal)

/** What may wait an hour. */
export const sweepOnce = (db: Database, signal = new AbortController().signal): Promise<void> =>
  removeAll(
    db,
    [pruneStats, pruneWebhookStats, pruneBudgets, pruneMessageCounts, pruneErasureCounts, pruneSessions, pruneAttempts],
    signal,
  )

async function removeAll(
  db: Database,
  statements: readonly (() => Sql<Removed>)[],
  signal: AbortSignal,
): Promise<void> {
  for (const statement of statements) {
    let removed = PIECE
    while (removed === PIECE && !signal.aborted) removed = (await db.one(statement()))?.removed ?? 0
  }
}

interface Removed {
  removed: number
}

const EXPIRED = sql`created_at < app_now() - ${API_LIMITS.eventRetentionDays}::integer * interval '1 day'`

/**
 * In each log oldest first and without holes, so that it always begins at one sequence, which readers are shown. The
 * boundary is found from the old end: of a log with nothing to remove, one row is looked at. The logs are locked last, in
 * the order in which the sequencer locks them, so that it waits for the end of this statement alone; what another
 * transaction has locked (an erasure that rewrites it) is left for the next time.
 */
const pruneEvents = (): Sql<Removed> => sql<Removed>`
  -- the logs that begin with an event that has expired, and the first number that each keeps
  with due as materialized (
    select l.workspace_id, coalesce((
        select sequence from events where workspace_id = l.workspace_id and not (${EXPIRED}) order by sequence limit 1
      ), l.last_sequence + 1) as kept
    from event_logs l
    where (select ${EXPIRED} from events where workspace_id = l.workspace_id order by sequence limit 1)
  ), chosen as materialized (
    select e.workspace_id, e.sequence from due d join events e on e.workspace_id = d.workspace_id and e.sequence < d.kept
    order by e.workspace_id, e.sequence limit ${PIECE} for update of e skip locked
  ), gone as (
    delete from events e using chosen c where e.workspace_id = c.workspace_id and e.sequence = c.sequence
    returning e.workspace_id, e.sequence
  ), ends as materialized (
    select workspace_id, max(sequence) + 1 as oldest from gone group by workspace_id
  ), locked as materialized (
    select l.workspace_id, n.oldest from event_logs l join ends n on n.workspace_id = l.workspace_id
    order by l.workspace_id for update of l
  ), noted as (
    update event_logs l set oldest_sequence = greatest(l.oldest_sequence, k.oldest)
    from locked k where l.workspace_id = k.workspace_id
  )
  select count(*)::integer as removed from gone`

/** The delivery log reaches as far back as the feed; what still waits is never touched. */
const pruneDeliveries = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from webhook_deliveries where (workspace_id, id) in (
      select workspace_id, id from webhook_deliveries
      where created_at < app_now() - ${API_LIMITS.eventRetentionDays}::integer * interval '1 day'
        and status in ('delivered', 'failed', 'canceled')
      order by created_at limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

const pruneIdempotency = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from idempotency_records where (workspace_id, key_id, method, path, idempotency_key) in (
      select workspace_id, key_id, method, path, idempotency_key from idempotency_records
      where expires_at < app_now() order by expires_at limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

const pruneWindows = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from rate_windows where (key_id, tier) in (
      select key_id, tier from rate_windows where started_at < app_now() - interval '10 minutes'
      limit ${PIECE} for update skip locked
    ) returning 1
  )
  select count(*)::integer as removed from gone`

/** Figures of a chart: more than a year back nobody looks. */
const pruneStats = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from request_stats where (workspace_id, key_id, hour) in (
      select workspace_id, key_id, hour from request_stats where hour < app_now() - interval '400 days' limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

const pruneWebhookStats = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from webhook_stats where (workspace_id, endpoint_id, hour) in (
      select workspace_id, endpoint_id, hour from webhook_stats where hour < app_now() - interval '400 days' limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

/** Counters of days that are over; what was read stays in the audit rows. */
const pruneBudgets = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from personal_data_usage where (workspace_id, key_id, day) in (
      select workspace_id, key_id, day from personal_data_usage where day < app_now()::date - 90 limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

const pruneMessageCounts = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from message_usage where (workspace_id, key_id, day) in (
      select workspace_id, key_id, day from message_usage where day < app_now()::date - 90 limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

const pruneErasureCounts = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from erasure_request_usage where (workspace_id, day) in (
      select workspace_id, day from erasure_request_usage where day < app_now()::date - 90 limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

/** Codes, tokens, grants and interactions of the sign-in flow: what has expired is not found any more. */
const pruneSignInState = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from oidc_records where (kind, id_hash) in (
      select kind, id_hash from oidc_records where expires_at < app_now() order by expires_at limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

const pruneTickets = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from sign_in_tickets where token_hash in (
      select token_hash from sign_in_tickets where expires_at < app_now() order by expires_at limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

/** Longer than any session lasts. */
const pruneSessions = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from sessions where token_hash in (
      select token_hash from sessions where created_at < app_now() - interval '8 days' order by created_at limit ${PIECE}
    ) returning 1
  )
  select count(*)::integer as removed from gone`

/** Longer than any window of attempts. */
const pruneAttempts = (): Sql<Removed> => sql<Removed>`
  with gone as (
    delete from sign_in_attempts where subject in (
      select subject from sign_in_attempts where started_at < app_now() - interval '25 hours'
      order by started_at limit ${PIECE} for update skip locked
    ) returning 1
  )
  select count(*)::integer as removed from gone`
