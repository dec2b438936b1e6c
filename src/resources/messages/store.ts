import { API_LIMITS } from '../../contract/limits.ts'
import { textLock } from '../../kernel/db/locks.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { SealedText } from './texts.ts'

export interface StoredMessage {
  id: string
  status: 'sending' | 'sent' | 'failed' | 'scheduled' | 'canceled'
  application_id: string | null
  applicant_id: string
  fingerprint: Buffer
  scheduled_for: string | null
  sent_at: string | null
}

/** Requests with one Idempotency-Key take turns, until the end of the transaction. */
export const lockMessageKey = (workspace: string, keyId: string, idempotencyKey: string) =>
  sql`select pg_advisory_xact_lock(${textLock('messageKey', workspace, keyId, idempotencyKey)})`

/**
 * The message of an Idempotency-Key: the message of the last 24 hours, whatever happened to it; otherwise an earlier
 * message with the same body that was sent, or may have been.
 */
export const messageByKey = (
  workspace: string,
  keyId: string,
  idempotencyKey: string,
  fingerprint: Buffer,
): Sql<StoredMessage> =>
  sql<StoredMessage>`
    select id, status, application_id, applicant_id, fingerprint, scheduled_for, sent_at from messages
    where workspace_id = ${workspace} and key_id = ${keyId} and idempotency_key = ${idempotencyKey}
      and (created_at > app_now() - ${API_LIMITS.idempotencyLifetimeSeconds}::integer * interval '1 second'
        or fingerprint = ${fingerprint} and status <> 'failed')
    order by created_at desc limit 1`

export const messageById = (workspace: string, id: string) =>
  sql<{ id: string }>`select id from messages where workspace_id = ${workspace} and id = ${id}`

export interface Recipient {
  application_id: string | null
  applicant_id: string | null
  full_name: string | null
  email: string | null
  email_key: string | null
  linkedin_key: string | null
  /** by a word of the person or of the law, on the record itself */
  barred: boolean
  /** the processing of their data */
  stopped: boolean
}

const PERSON = sql`
  p.id as applicant_id, p.full_name, p.email, p.email_key, p.linkedin_key,
  coalesce(p.unsubscribed_at is not null or p.suppressed_at is not null, false) as barred,
  coalesce(p.suppressed_at is not null, false) as stopped`

export const recipientByApplicant = (workspace: string, id: string): Sql<Recipient> =>
  sql<Recipient>`
    select null as application_id, ${PERSON} from applicants p where p.workspace_id = ${workspace} and p.id = ${id}`

/** The applicant of the application may have been erased. */
export const recipientByApplication = (workspace: string, id: string): Sql<Recipient> =>
  sql<Recipient>`
    select a.id as application_id, ${PERSON}
    from applications a left join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id
    where a.workspace_id = ${workspace} and a.id = ${id}`

/** The unsubscribe of an email address in this workspace. */
export const selectUnsubscribe = (workspace: string, emailKey: string) =>
  sql<{ found: number }>`
    select 1 as found from unsubscribes where workspace_id = ${workspace} and email_key = ${emailKey}`

export interface NewMessage {
  workspace: string
  id: string
  keyId: string
  idempotencyKey: string
  fingerprint: Buffer
  applicationId: string | null
  applicantId: string
  text: SealedText
}

/** Returns the day it counts for. */
export const insertMessage = (m: NewMessage) =>
  sql<{ day: string }>`
    insert into messages (workspace_id, id, key_id, idempotency_key, fingerprint, application_id, applicant_id,
      subject_sealed, body_sealed)
    values (${m.workspace}, ${m.id}, ${m.keyId}, ${m.idempotencyKey}, ${m.fingerprint}, ${m.applicationId},
      ${m.applicantId}, ${m.text.subject_sealed}, ${m.text.body_sealed})
    returning (created_at at time zone 'UTC')::date as day`

/** One more for the day if the cap allows it, and no row if it does not. Counted in the key's home workspace. */
export const countMessage = (homeWorkspace: string, keyId: string, day: string, cap: number) =>
  sql<{ used: number }>`
    insert into message_usage as u (workspace_id, key_id, day, used)
    values (${homeWorkspace}, ${keyId}, ${day}::date, 1)
    on conflict (workspace_id, key_id, day) do update set used = u.used + 1 where u.used < ${cap}::integer
    returning used`

export const noteSent = (workspace: string, id: string) =>
  sql<{ sent_at: string }>`
    update messages set status = 'sent', sent_at = least(sent_at, app_now())
    where workspace_id = ${workspace} and id = ${id} and status in ('sending', 'sent') returning sent_at`

/** What was certainly not sent is given back to its day. `retrySeconds`: a worker tries again then. */
export const noteFailed = (
  workspace: string,
  id: string,
  homeWorkspace: string,
  retrySeconds: number | null = null,
) => sql`
  with failed as (
    update messages set status = ${retrySeconds === null ? 'failed' : 'scheduled'},
      scheduled_for = app_now() + ${retrySeconds}::float8 * interval '1 second',
      failure = ${retrySeconds === null ? 'delivery' : null}
    where workspace_id = ${workspace} and id = ${id} and status = 'sending'
    returning key_id, (coalesce(claimed_at, created_at) at time zone 'UTC')::date as day
  )
  update message_usage u set used = u.used - 1 from failed f
  where u.workspace_id = ${homeWorkspace} and u.key_id = f.key_id and u.day = f.day`

export interface MessageFacts {
  first_name: string | null
  job_title: string
  /** by what the records say */
  blocked: 'stopped' | 'unsubscribed' | 'no_address' | null
  email: string | null
  email_key: string | null
  linkedin_key: string | null
  /** messages that were sent today, or wait and leave today */
  used_today: number
  now: string
}

/** What a message to the person of an application is made of. */
export const selectMessageFacts = (workspace: string, applicationId: string, sender: string) =>
  sql<MessageFacts>`
    select coalesce(nullif(trim(p.first_name), ''), p.full_name) as first_name, j.title as job_title,
      p.email, p.email_key, p.linkedin_key,
      case
        when p.suppressed_at is not null then 'stopped'
        when p.email is null then 'no_address'
        when p.unsubscribed_at is not null or exists (
          select from unsubscribes x where x.workspace_id = ${workspace} and x.email_key = p.email_key) then 'unsubscribed'
      end as blocked,
      coalesce((select y.used from message_usage y
        where y.workspace_id = ${workspace} and y.key_id = ${sender} and y.day = (app_now() at time zone 'UTC')::date), 0)
      + (select count(*) from messages w where w.workspace_id = ${workspace} and w.key_id = ${sender}
        and w.scheduled_for < date_trunc('day', app_now() at time zone 'UTC') at time zone 'UTC' + interval '1 day'
        )::integer as used_today,
      app_now() as now
    from applications a
    join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
    left join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id
    where a.workspace_id = ${workspace} and a.id = ${applicationId}`

/** As candidates know it: by its careers site, or by the name of the workspace. `slug`: where candidates find their page. */
export const selectCompany = (workspace: string) =>
  sql<{ name: string; slug: string | null }>`
    select coalesce(nullif(trim(c.display_name), ''), w.name) as name, case when c.enabled then c.slug end as slug
    from workspaces w left join career_sites c on c.workspace_id = w.id where w.id = ${workspace}`
