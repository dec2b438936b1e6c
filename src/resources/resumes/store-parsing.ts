import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { ReadResume } from './parse/isolate.ts'

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

export interface ResumeOf {
  workspace: string
  application: string
}

/**
 * The oldest résumé that waits, or the one of an application, held by a lease; none of a person whose processing was
 * stopped. That it is being read is no change that copies need: no touch.
 */
export const claimNext = (token: string, leaseSeconds: number, of?: ResumeOf): Sql<ClaimedResume> => sql<ClaimedResume>`
  with next as (
    select workspace_id, id from resumes r
    where parse_status in ('pending', 'parsing') and coalesce(parse_leased_until, '-infinity') <= app_now()
      ${of ? sql`and workspace_id = ${of.workspace} and application_id = ${of.application}` : none}
      and not exists (select from applicants p
        where p.workspace_id = r.workspace_id and p.id = r.applicant_id and p.suppressed_at is not null)
    order by created_at limit 1 for update skip locked
  ), held as (
    update resumes r set parse_status = 'parsing', parse_attempts = parse_attempts + 1, parse_lease_token = ${token},
      parse_leased_until = app_now() + ${leaseSeconds}::integer * interval '1 second'
    from next where r.workspace_id = next.workspace_id and r.id = next.id
    returning r.workspace_id, r.id, r.application_id, r.mime, r.blob_key, r.parse_attempts, r.parse_lease_token,
      to_char(app_now() at time zone 'UTC', 'YYYY-MM') as today
  ), shown as (
    update applications a set parse_status = 'parsing' from held
    where a.workspace_id = held.workspace_id and a.id = held.application_id
  )
  select * from held`

/** The application is locked first, as every change of it does. No row when the lease is another's by now. */
export const storeOutcome = (claimed: ClaimedResume, status: 'parsed' | 'failed', read: ReadResume | undefined) =>
  sql<{ job_id: string; updated_at: string }>`
    with application as (
      select workspace_id, id from applications
      where workspace_id = ${claimed.workspace_id} and id = ${claimed.application_id} for update
    ), stored as (
      update resumes r set parse_status = ${status}, parse_leased_until = null, parse_lease_token = null,
        parsed = ${read ? JSON.stringify(read.profile) : null}::jsonb, raw_text = ${read?.text ?? null},
        parsed_at = case when ${status} = 'parsed' then app_now() end
      from application a
      where r.workspace_id = a.workspace_id and r.application_id = a.id
        and r.parse_lease_token = ${claimed.parse_lease_token}
      returning r.workspace_id, r.application_id
    )
    update applications a set parse_status = ${status}, updated_at = app_touch(a.updated_at)
    from stored where a.workspace_id = stored.workspace_id and a.id = stored.application_id
    returning a.job_id, a.updated_at`

export const giveBack = (claimed: ClaimedResume, retrySeconds: number) => sql`
  with back as (
    update resumes set parse_status = 'pending', parse_lease_token = null,
      parse_leased_until = app_now() + ${retrySeconds}::integer * interval '1 second'
    where workspace_id = ${claimed.workspace_id} and id = ${claimed.id}
      and parse_lease_token = ${claimed.parse_lease_token}
    returning workspace_id, application_id
  )
  update applications a set parse_status = 'pending' from back
  where a.workspace_id = back.workspace_id and a.id = back.application_id`
