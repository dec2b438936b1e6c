import type { MessagePurpose } from '../../contract/message-purposes.ts'
import { browsesJob, type LimitedPerson } from '../../kernel/access/reach.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { MessageFailure } from './schedule-store.ts'
import type { SealedText } from './texts.ts'

/** `queued`: it is being sent, or its outcome is unknown. */
export type ShownStatus = 'scheduled' | 'queued' | 'sent' | 'failed' | 'canceled' | 'received'

export interface SentMessageRow extends SealedText {
  id: string
  direction: 'out' | 'in'
  status: ShownStatus
  failure: MessageFailure | null
  purpose: MessagePurpose | null
  created_at: string
  /** when a worker sends it */
  scheduled_for: string | null
  sent_at: string | null
  /** the handle of a member, of a key, or of the candidate who wrote it */
  key_id: string
  template_name: string | null
  application_id: string | null
  /** The job of an application of the same person; null: the message was written to the person. */
  job_title: string | null
}

/**
 * Messages to the person of an application, for whichever application they were written; for people who are limited to
 * jobs, only those for applications to these.
 */
export const messagesToPerson = (
  workspace: string,
  applicationId: string,
  page: Page,
  onTeam?: LimitedPerson,
): Sql<SentMessageRow> =>
  sql<SentMessageRow>`
    select m.id, m.direction, case m.status when 'sending' then 'queued' else m.status end as status, m.failure, m.purpose,
      m.created_at, m.scheduled_for, m.sent_at, m.key_id, m.template_name, m.application_id, m.subject_sealed, m.body_sealed,
      (select j.title from applications o join jobs j on j.workspace_id = o.workspace_id and j.id = o.job_id
        where o.workspace_id = ${workspace} and o.id = m.application_id) as job_title
    from messages m
    where m.workspace_id = ${workspace} and m.applicant_id = (
      select a.applicant_id from applications a where a.workspace_id = ${workspace} and a.id = ${applicationId})
      ${
        onTeam
          ? sql`and exists (select from applications o where o.workspace_id = ${workspace} and o.id = m.application_id
              and ${browsesJob(onTeam, sql`o.job_id`)})`
          : none
      }
    ${page.clause}`

/** Who of these are members or keys of the workspace, by their names. */
export const sendersAmong = (workspace: string, ids: readonly string[]) =>
  sql<{ id: string; name: string }>`
    select u.id, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as name from users u
    where u.workspace_id = ${workspace} and u.id = any(${ids}::text[])
    union all
    select k.id, k.name from api_keys k where k.workspace_id = ${workspace} and k.id = any(${ids}::text[])`

/** How many of these candidates can be written to, and why the others cannot, by what the records say. */
export const countWritable = (workspace: string, applications: readonly string[]) =>
  sql<{ sends: number; stopped: number; no_address: number; unsubscribed: number }>`
    select count(*) filter (where blocked is null)::integer as sends,
      count(*) filter (where blocked = 'stopped')::integer as stopped,
      count(*) filter (where blocked = 'no_address')::integer as no_address,
      count(*) filter (where blocked = 'unsubscribed')::integer as unsubscribed
    from (select case when p.suppressed_at is not null then 'stopped'
        when p.email is null then 'no_address'
        when p.unsubscribed_at is not null or exists (
          select from unsubscribes x where x.workspace_id = ${workspace} and x.email_key = p.email_key) then 'unsubscribed'
        end as blocked
      from applications a left join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id
      where a.workspace_id = ${workspace} and a.id = any(${applications}::text[])) people`
