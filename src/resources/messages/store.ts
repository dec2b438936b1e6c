import { API_LIMITS } from '../../contract/limits.ts'
import { textLock } from '../../kernel/db/locks.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'

export interface StoredMessage {
  id: string
  status: 'sending' | 'sent' | 'failed'
  application_id: string | null
  applicant_id: string
  fingerprint: Buffer
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
    select id, status, application_id, applicant_id, fingerprint, sent_at from messages
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
}

const PERSON = sql`
  p.id as applicant_id, p.full_name, p.email, p.email_key, p.linkedin_key,
  coalesce(p.unsubscribed_at is not null or p.suppressed_at is not null, false) as barred`

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
export const unsubscribeOf = (workspace: string, emailKey: string) =>
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
}

/** Returns the day it counts for. */
export const insertMessage = (m: NewMessage) =>
  sql<{ day: string }>`
    insert into messages (workspace_id, id, key_id, idempotency_key, fingerprint, application_id, applicant_id)
    values (${m.workspace}, ${m.id}, ${m.keyId}, ${m.idempotencyKey}, ${m.fingerprint}, ${m.applicationId},
      ${m.applicantId})
    returning created_at::date as day`

/** One more for the day if the cap allows it, and no row if it does not. Counted in the key's home workspace. */
export const countMessage = (homeWorkspace: string, keyId: string, day: string, cap: number) =>
  sql<{ used: number }>`
    insert into message_usage as u (workspace_id, key_id, day, used)
    values (${homeWorkspace}, ${keyId}, ${day}::date, 1)
    on conflict (workspace_id, key_id, day) do update set used = u.used + 1 where u.used < ${cap}::integer
    returning used`

export const noteSent = (workspace: string, id: string) =>
  sql<{ sent_at: string }>`
    update messages set status = 'sent', sent_at = coalesce(sent_at, app_now())
    where workspace_id = ${workspace} and id = ${id} and status in ('sending', 'sent') returning sent_at`

/** What was certainly not sent is given back to its day. */
export const noteFailed = (workspace: string, id: string, homeWorkspace: string) => sql`
  with failed as (
    update messages set status = 'failed'
    where workspace_id = ${workspace} and id = ${id} and status = 'sending'
    returning key_id, created_at::date as day
  )
  update message_usage u set used = u.used - 1 from failed f
  where u.workspace_id = ${homeWorkspace} and u.key_id = f.key_id and u.day = f.day`
