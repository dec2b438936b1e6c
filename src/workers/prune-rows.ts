import { FIXED_RETENTION, type FixedTable, RETENTION } from '../contract/retention.ts'
import { logsWithExpired, pruneRequests } from '../kernel/access/request-log.ts'
import type { Database } from '../kernel/db/database.ts'
import { ofWorkspace, type Partition } from '../kernel/db/partitions.ts'
import { none, raw, type Sql, sql } from '../kernel/db/sql.ts'
import { logsToPrune, pruneEvents } from '../kernel/feed/prune.ts'
import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'

/**
 * Deletes rows whose retention is over, in small batches so that no other statement waits long. Every process may run
 * it.
 */
const INTERVAL_MS = 60_000
const ROUNDS_PER_SWEEP = 60
const BATCH_SIZE = 5_000

export const pruneRows = ({ db, blobs, log }: Pick<Services, 'db' | 'blobs' | 'log'>): Worker => ({
  name: 'prune',
  async run(signal) {
    for (let round = 0; !signal.aborted; round++) {
      await pruneOnce(db, signal)
      if (round % ROUNDS_PER_SWEEP === 0) {
        await sweepOnce(db, signal)
        await blobs.sweep().catch(error => log.warn({ err: error }, 'sweeping the blob store failed'))
      }
      await pause(INTERVAL_MS, signal)
    }
  },
})

/**
 * A table, its primary key, the column by which rows expire, and which of them alone. How long is written in
 * `FIXED_RETENTION`. `skip locked`: requests update these rows at any time, so locked rows are left for the next round.
 */
interface Rule {
  table: FixedTable
  key: string
  by: string
  only?: string
  /** the column has a date */
  days?: true
  /** no index has this order: any of them first */
  unordered?: true
  skipLocked?: true
}

const EVERY_MINUTE: readonly Rule[] = [
  {
    table: 'idempotency_records',
    key: 'workspace_id, key_id, method, path, idempotency_key',
    by: 'expires_at',
  },
  { table: 'rate_windows', key: 'key_id, tier', by: 'started_at', unordered: true, skipLocked: true },
  { table: 'oidc_records', key: 'kind, id_hash', by: 'expires_at' },
  { table: 'install_codes', key: 'code_hash', by: 'expires_at' },
  { table: 'partner_sessions', key: 'token_hash', by: 'expires_at' },
  { table: 'sign_in_tickets', key: 'token_hash', by: 'expires_at' },
  { table: 'passkey_challenges', key: 'challenge_hash', by: 'expires_at' },
  { table: 'company_sign_in_flows', key: 'token_hash', by: 'expires_at' },
  { table: 'company_logout_tokens', key: 'workspace_id, token_hash', by: 'expires_at' },
  { table: 'candidate_links', key: 'workspace_id, token_hash', by: 'expires_at' },
  { table: 'candidate_sessions', key: 'workspace_id, token_hash', by: 'expires_at' },
]

/**
 * Counts for charts, which show at most a year; counters of past days; resolved alerts; sessions and attempt windows that
 * ended long ago. Rows of emails to candidates stay like those of messages, because an erasure finds the emails in a
 * local outbox by them; those that were given up before anyone was found do not.
 */
const EVERY_HOUR: readonly Rule[] = [
  { table: 'spent_challenges', key: 'workspace_id, hash', by: 'expires_at' },
  {
    table: 'candidate_mails',
    key: 'workspace_id, id',
    by: 'created_at',
    only: 'due_at is null and applicant_id is null',
    unordered: true,
  },
  { table: 'request_stats', key: 'workspace_id, key_id, hour', by: 'hour', unordered: true },
  { table: 'webhook_stats', key: 'workspace_id, endpoint_id, hour', by: 'hour', unordered: true },
  { table: 'personal_data_usage', key: 'workspace_id, key_id, day', by: 'day', days: true, unordered: true },
  { table: 'message_usage', key: 'workspace_id, key_id, day', by: 'day', days: true, unordered: true },
  { table: 'erasure_request_usage', key: 'workspace_id, day', by: 'day', days: true, unordered: true },
  { table: 'test_mails', key: 'workspace_id, id', by: 'sent_at', unordered: true },
  { table: 'alerts', key: 'workspace_id, id', by: 'resolved_at' },
  { table: 'sessions', key: 'token_hash', by: 'created_at' },
  { table: 'sign_in_attempts', key: 'subject', by: 'started_at', skipLocked: true },
]

function prune({ table, key, by, only, days, unordered, skipLocked }: Rule): Sql<Removed> {
  const [name, columns, column] = [raw(table), raw(key), raw(by)]
  const end = sql`app_now() - ${FIXED_RETENTION[table].hours}::float8 * interval '1 hour'`
  return sql<Removed>`
    with removed as (
      delete from ${name} where (${columns}) in (
        select ${columns} from ${name} where ${column} < ${days ? sql`(${end})::date` : end}
          ${only ? raw(`and ${only}`) : none} ${unordered ? none : sql`order by ${column}`} limit ${BATCH_SIZE}
        ${skipLocked ? sql`for update skip locked` : none}
      ) returning 1
    )
    select count(*)::integer as removed from removed`
}

interface ExpiringDeliveries {
  workspace_id: string
  endpoint_id: string
  days: number
}

const ENDED = sql`d.status in ('delivered', 'failed', 'canceled')`

/**
 * Endpoints with deliveries to delete: as long as their workspace set, and at least as long as its feed; those that still
 * wait are never deleted. Of an endpoint with nothing to delete, one row is read.
 */
const expiredDeliveries = (limit: number): Sql<ExpiringDeliveries> => sql<ExpiringDeliveries>`
  select e.workspace_id, e.id as endpoint_id, e.days from (
    select e.workspace_id, e.id, greatest(coalesce(r.delivery_days, ${RETENTION.deliveries.fallback}::integer),
      coalesce(r.event_days, ${RETENTION.events.fallback}::integer)) as days
    from webhook_endpoints e left join workspace_retention r on r.workspace_id = e.workspace_id
  ) e
  where exists (select from webhook_deliveries d where d.workspace_id = e.workspace_id and d.endpoint_id = e.id
    and d.created_at < app_now() - e.days * interval '1 day' and ${ENDED})
  limit ${limit}`

const pruneDeliveries = (part: Partition<ExpiringDeliveries>, batchSize: number): Sql<Removed> => sql<Removed>`
  with due as materialized (
    select d.workspace_id, d.id
    from unnest(${part.rows.map(row => row.workspace_id)}::text[], ${part.rows.map(row => row.endpoint_id)}::uuid[],
      ${part.rows.map(row => row.days)}::integer[]) as h (workspace_id, endpoint_id, days)
    cross join lateral (
      select d.workspace_id, d.id from webhook_deliveries d
      where d.workspace_id = h.workspace_id and d.endpoint_id = h.endpoint_id
        and d.created_at < app_now() - h.days * interval '1 day' and ${ENDED} ${ofWorkspace(part, 'd.workspace_id')}
      order by d.created_at, d.id limit ${batchSize}
    ) d limit ${batchSize}
  ), removed as (
    delete from webhook_deliveries d using due u
    where d.workspace_id = u.workspace_id and d.id = u.id ${ofWorkspace(part, 'd.workspace_id')} returning 1
  )
  select count(*)::integer as removed from removed`

/** Removes a batch and says how many rows it had. */
type Removal = (db: Database) => Promise<number>

/** In two steps: where something is to be removed, and its removal in partitions that a statement can change. */
const inTwoSteps =
  <Row extends { workspace_id: string }>(find: Sql<Row>, remove: (part: Partition<Row>) => Sql<Removed>): Removal =>
  async db => {
    const removed = await db.eachPartition(await db.query(find), part => db.one(remove(part)))
    return removed.reduce((sum, row) => sum + (row?.removed ?? 0), 0)
  }

const byRule =
  (rule: Rule): Removal =>
  async db =>
    (await db.one(prune(rule)))?.removed ?? 0

export const pruneOnce = (db: Database, signal = new AbortController().signal): Promise<void> =>
  removeAll(
    db,
    [
      inTwoSteps(logsToPrune(BATCH_SIZE), part => pruneEvents(part, BATCH_SIZE)),
      inTwoSteps(logsWithExpired(BATCH_SIZE), part => pruneRequests(part, BATCH_SIZE)),
      inTwoSteps(expiredDeliveries(BATCH_SIZE), part => pruneDeliveries(part, BATCH_SIZE)),
      ...EVERY_MINUTE.map(byRule),
    ],
    signal,
  )

export const sweepOnce = (db: Database, signal = new AbortController().signal): Promise<void> =>
  removeAll(db, EVERY_HOUR.map(byRule), signal)

async function removeAll(db: Database, removals: readonly Removal[], signal: AbortSignal): Promise<void> {
  for (const remove of removals) while (!signal.aborted && (await remove(db)) >= BATCH_SIZE);
}

interface Removed {
  removed: number
}
