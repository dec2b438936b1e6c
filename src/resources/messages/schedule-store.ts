import type { ApplicationStatus } from '../../contract/application-status.ts'
import type { MessagePurpose } from '../../contract/message-purposes.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { countWaiting, type Waiting } from '../../kernel/work/queue.ts'
import type { MessageFacts } from './store.ts'
import type { SealedText } from './texts.ts'

/** `delivery`: the mail server refused it. `allowance`: the sender had sent as many that day as one may. */
export type MessageFailure =
  | NonNullable<MessageFacts['blocked']>
  | 'no_mailbox'
  | 'no_sender'
  | 'allowance'
  | 'delivery'

export interface PageMessage {
  workspace: string
  id: string
  applicationId: string
  applicantId: string
  /** the member, or the candidate who wrote it */
  author: string
  idempotencyKey: string
  fingerprint: Buffer
  text: SealedText
}

export interface MessageToSchedule extends PageMessage {
  purpose: MessagePurpose
  templateName: string | null
  /** null: as soon as it may */
  sendAt: string | null
  delaySeconds: number
}

export const nameOfTemplate = (workspace: string, id: string) =>
  sql<{ name: string }>`select name from message_templates where workspace_id = ${workspace} and id = ${id}::uuid`

export const insertScheduled = (m: MessageToSchedule) =>
  sql<{ id: string; scheduled_for: string }>`
    insert into messages (workspace_id, id, key_id, idempotency_key, fingerprint, application_id, applicant_id, status,
      purpose, subject_sealed, body_sealed, template_name, scheduled_for)
    values (${m.workspace}, ${m.id}, ${m.author}, ${m.idempotencyKey}, ${m.fingerprint}, ${m.applicationId},
      ${m.applicantId}, 'scheduled', ${m.purpose}, ${m.text.subject_sealed}, ${m.text.body_sealed},
      ${m.templateName},
      greatest(app_now() + ${m.delaySeconds}::integer * interval '1 second', ${m.sendAt}::timestamptz))
    returning id, scheduled_for`

export const insertReceived = (m: PageMessage) =>
  sql<{ id: string }>`
    insert into messages (workspace_id, id, key_id, idempotency_key, fingerprint, application_id, applicant_id, status,
      direction, subject_sealed, body_sealed)
    values (${m.workspace}, ${m.id}, ${m.author}, ${m.idempotencyKey}, ${m.fingerprint}, ${m.applicationId},
      ${m.applicantId}, 'received', 'in', ${m.text.subject_sealed}, ${m.text.body_sealed})
    returning id`

/** The text of one that was canceled stays: it can be sent again. */
const CANCELED = sql`status = 'canceled', scheduled_for = null`

/** No row: it is not one of the application. A message that a worker has begun to send stays as it is. */
export const cancelScheduled = (workspace: string, applicationId: string, id: string) =>
  sql<{ id: string }>`
    update messages set ${CANCELED}
    where workspace_id = ${workspace} and application_id = ${applicationId} and id = ${id} and status = 'scheduled'
    returning id`

export const cancelAllScheduled = (workspace: string, applicationId: string, purpose: MessagePurpose) =>
  sql<{ id: string }>`
    update messages set ${CANCELED}
    where workspace_id = ${workspace} and application_id = ${applicationId} and purpose = ${purpose}
      and status = 'scheduled'
    returning id`

export const selectStatus = (workspace: string, applicationId: string, id: string) =>
  sql<{ id: string; status: string }>`
    select id, status from messages
    where workspace_id = ${workspace} and application_id = ${applicationId} and id = ${id}`

// The worker

export interface DueMessage {
  workspace_id: string
  id: string
}

const MESSAGES_TOGETHER = 8

export const dueMessages: Sql<DueMessage> = sql<DueMessage>`
  select workspace_id, id from messages where scheduled_for <= app_now()
  order by scheduled_for, id limit ${MESSAGES_TOGETHER}`

/** The application of the message of a rejection. It stays as it is until the transaction ends. No row: another message. */
export const holdDecision = ({ workspace_id, id }: DueMessage) =>
  sql<{ id: string; status: ApplicationStatus }>`
    select a.id, a.status from messages m
    join applications a on a.workspace_id = ${workspace_id} and a.id = m.application_id
    where m.workspace_id = ${workspace_id} and m.id = ${id} and m.purpose = 'rejection' for share of a`

export interface ClaimedMessage extends SealedText {
  id: string
  author: string
  application_id: string
  applicant_id: string
  attempt: number
  day: string
}

/** From here on it is sent at most once. No row: another process has it, or it was canceled. */
export const claimMessage = ({ workspace_id, id }: DueMessage): Sql<ClaimedMessage> =>
  sql<ClaimedMessage>`
    with due as (
      select id from messages where workspace_id = ${workspace_id} and id = ${id} and scheduled_for <= app_now()
      for update skip locked
    )
    update messages m set status = 'sending', scheduled_for = null, claimed_at = app_now(), attempt = m.attempt + 1
    from due d where m.workspace_id = ${workspace_id} and m.id = d.id
    returning m.id, m.key_id as author, m.application_id, m.applicant_id, m.attempt, m.subject_sealed, m.body_sealed,
      (m.claimed_at at time zone 'UTC')::date as day`

/** It was claimed, and may not be sent. */
export const noteRefused = ({ workspace_id, id }: DueMessage, failure: MessageFailure) => sql`
  update messages set status = 'failed', failure = ${failure} where workspace_id = ${workspace_id} and id = ${id}`

export const messagesWaiting: Sql<Waiting> = countWaiting(
  sql`scheduled_for`,
  sql`messages where scheduled_for <= app_now() order by scheduled_for`,
)
