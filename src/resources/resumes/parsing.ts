import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import type { ReadResume } from './parse/isolate.ts'

/**
 * Reading a résumé. `pending` when a file is attached; `parsing` while a worker holds it by a lease; then `parsed`, or
 * `failed`: at once when the file is at fault, after three tries when something else was. A worker that died leaves a
 * lease that runs out, and the next one takes the résumé over; the token keeps the first from writing should it live.
 */
const LEASE_SECONDS = 90
const TRIES = 3
const RETRY_SECONDS = 30

export interface ClaimedResume {
  workspace_id: string
  id: string
  application_id: string
  mime: string
  blob_key: string
  parse_attempts: number
  parse_lease_token: string
  /** YYYY-MM by the database's clock */
  today: string
}

export const claimResume = (db: Database): Promise<ClaimedResume | undefined> =>
  db.transaction(tx => tx.one(claim(randomUUID())))

const claim = (token: string): Sql<ClaimedResume> => sql<ClaimedResume>`
  with next as (
    select workspace_id, id from resumes
    where parse_status in ('pending', 'parsing') and coalesce(parse_leased_until, '-infinity') <= app_now()
    order by created_at limit 1 for update skip locked
  ), held as (
    update resumes r set parse_status = 'parsing', parse_attempts = parse_attempts + 1, parse_lease_token = ${token},
      parse_leased_until = app_now() + ${LEASE_SECONDS}::integer * interval '1 second'
    from next where r.workspace_id = next.workspace_id and r.id = next.id
    returning r.workspace_id, r.id, r.application_id, r.mime, r.blob_key, r.parse_attempts, r.parse_lease_token,
      to_char(app_now() at time zone 'UTC', 'YYYY-MM') as today
  ), shown as (
    update applications a set parse_status = 'parsing' from held
    where a.workspace_id = held.workspace_id and a.id = held.application_id
  )
  select * from held`

/** Stores the end of reading and announces it; false when the résumé is no longer this worker's. */
export async function finishParsing(
  tx: Transaction,
  claimed: ClaimedResume,
  read: ReadResume | undefined,
): Promise<boolean> {
  const status = read ? 'parsed' : 'failed'
  const row = await tx.one(storeOutcome(claimed, status, read))
  if (!row) return false
  await appendEvents(tx, [
    {
      type: 'application.resume_parsed',
      workspaceId: claimed.workspace_id,
      id: claimed.application_id,
      updatedAt: row.updated_at,
      values: { job_id: row.job_id, parse_status: status },
      originKeyId: null,
    },
  ])
  return true
}

/** The application is locked first, as every change of it does. */
const storeOutcome = (claimed: ClaimedResume, status: 'parsed' | 'failed', read: ReadResume | undefined) =>
  sql<{ job_id: string; updated_at: string }>`
    with application as (
      select workspace_id, id from applications
      where workspace_id = ${claimed.workspace_id} and id = ${claimed.application_id} for update
    ), stored as (
      update resumes r set parse_status = ${status}, parse_leased_until = null, parse_lease_token = null,
        parsed = ${read ? JSON.stringify(read.profile) : null}::jsonb, raw_text = ${read?.text ?? null},
        parsed_at = case when ${status} = 'parsed' then app_now() end
      from application a
      where r.workspace_id = a.workspace_id and r.application_id = a.id and r.parse_lease_token = ${claimed.parse_lease_token}
      returning r.workspace_id, r.application_id
    )
    update applications a set parse_status = ${status}, updated_at = app_touch(a.updated_at)
    from stored where a.workspace_id = stored.workspace_id and a.id = stored.application_id
    returning a.job_id, a.updated_at`

/** Something other than the file was in the way: tried again later, `true`, unless it was the last try. */
export async function retryParsing(db: Database, claimed: ClaimedResume): Promise<boolean> {
  if (claimed.parse_attempts >= TRIES) return false
  await db.query(sql`
    with back as (
      update resumes set parse_status = 'pending', parse_lease_token = null,
        parse_leased_until = app_now() + ${RETRY_SECONDS}::integer * interval '1 second'
      where workspace_id = ${claimed.workspace_id} and id = ${claimed.id}
        and parse_lease_token = ${claimed.parse_lease_token}
      returning workspace_id, application_id
    )
    update applications a set parse_status = 'pending' from back
    where a.workspace_id = back.workspace_id and a.id = back.application_id`)
  return true
}
