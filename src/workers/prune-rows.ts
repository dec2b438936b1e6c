import { API_LIMITS } from '../contract/limits.ts'
import { pruneRequests } from '../kernel/access/request-log.ts'
import type { Database } from '../kernel/db/database.ts'
import { none, type Sql, sql } from '../kernel/db/sql.ts'
import { pruneEvents } from '../kernel/feed/prune.ts'
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
 * A table, its primary key, and which rows are deleted in which order. `skip locked`: requests update these rows at any
 * time, so locked rows are left for the next round.
 */
type Rule = readonly [table: Sql, key: Sql, condition: Sql, locked?: 'skip locked']

/** The delivery log goes as far back as the feed; deliveries that still wait are never deleted. */
const EVERY_MINUTE: readonly Rule[] = [
  [
    sql`webhook_deliveries`,
    sql`workspace_id, id`,
    sql`created_at < app_now() - ${API_LIMITS.eventRetentionDays}::integer * interval '1 day'
      and status in ('delivered', 'failed', 'canceled') order by created_at`,
  ],
  [
    sql`idempotency_records`,
    sql`workspace_id, key_id, method, path, idempotency_key`,
    sql`expires_at < app_now() order by expires_at`,
  ],
  [sql`rate_windows`, sql`key_id, tier`, sql`started_at < app_now() - interval '10 minutes'`, 'skip locked'],
  [sql`oidc_records`, sql`kind, id_hash`, sql`expires_at < app_now() order by expires_at`],
  [sql`partner_sessions`, sql`token_hash`, sql`expires_at < app_now() order by expires_at`],
  [sql`sign_in_tickets`, sql`token_hash`, sql`expires_at < app_now() order by expires_at`],
  [sql`company_sign_in_flows`, sql`token_hash`, sql`expires_at < app_now() order by expires_at`],
  [sql`candidate_links`, sql`workspace_id, token_hash`, sql`expires_at < app_now() order by expires_at`],
  [sql`candidate_sessions`, sql`workspace_id, token_hash`, sql`expires_at < app_now() order by expires_at`],
]

/**
 * Counts for charts, which show at most a year; counters of past days (the audit rows stay); resolved alerts; sessions
 * and attempt windows that ended long ago. Rows of emails to candidates stay like those of messages, because an erasure
 * finds the emails in a local outbox by them; those that were given up before anyone was found do not.
 */
const EVERY_HOUR: readonly Rule[] = [
  [sql`spent_challenges`, sql`workspace_id, hash`, sql`expires_at < app_now() order by expires_at`],
  [
    sql`candidate_mails`,
    sql`workspace_id, id`,
    sql`due_at is null and applicant_id is null and created_at < app_now() - interval '30 days'`,
  ],
  [sql`request_stats`, sql`workspace_id, key_id, hour`, sql`hour < app_now() - interval '400 days'`],
  [sql`webhook_stats`, sql`workspace_id, endpoint_id, hour`, sql`hour < app_now() - interval '400 days'`],
  [sql`personal_data_usage`, sql`workspace_id, key_id, day`, sql`day < app_now()::date - 90`],
  [sql`message_usage`, sql`workspace_id, key_id, day`, sql`day < app_now()::date - 90`],
  [sql`erasure_request_usage`, sql`workspace_id, day`, sql`day < app_now()::date - 90`],
  [sql`alerts`, sql`workspace_id, id`, sql`resolved_at < app_now() - interval '90 days' order by resolved_at`],
  [sql`sessions`, sql`token_hash`, sql`created_at < app_now() - interval '8 days' order by created_at`],
  [
    sql`sign_in_attempts`,
    sql`subject`,
    sql`started_at < app_now() - interval '25 hours' order by started_at`,
    'skip locked',
  ],
]

const prune = ([table, key, condition, locked]: Rule): Sql<Removed> => sql<Removed>`
  with removed as (
    delete from ${table} where (${key}) in (
      select ${key} from ${table} where ${condition} limit ${BATCH_SIZE}
      ${locked ? sql`for update skip locked` : none}
    ) returning 1
  )
  select count(*)::integer as removed from removed`

export const pruneOnce = (db: Database, signal = new AbortController().signal): Promise<void> =>
  removeAll(db, [pruneEvents(BATCH_SIZE), pruneRequests(BATCH_SIZE), ...EVERY_MINUTE.map(prune)], signal)

export const sweepOnce = (db: Database, signal = new AbortController().signal): Promise<void> =>
  removeAll(db, EVERY_HOUR.map(prune), signal)

async function removeAll(db: Database, statements: readonly Sql<Removed>[], signal: AbortSignal): Promise<void> {
  for (const statement of statements) {
    let removed = BATCH_SIZE
    while (removed === BATCH_SIZE && !signal.aborted) removed = (await db.one(statement))?.removed ?? 0
  }
}

interface Removed {
  removed: number
}
