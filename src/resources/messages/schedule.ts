import { API_LIMITS } from '../../contract/limits.ts'
import { fillTemplate, MESSAGE_VARIABLES, type TemplateValues } from '../../contract/mail-template.ts'
import type { MessagePurpose } from '../../contract/message-purposes.ts'
import { secondsToMidnight } from '../../kernel/access/usage.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { type InputFault, refuseIfAny, refuseInput } from '../../kernel/http/faults.ts'
import type { IdempotentRequest } from '../../kernel/http/route.ts'
import { isHandle, newHandle } from '../../kernel/ids/handles.ts'
import type { Services } from '../../kernel/services/services.ts'
import { templateFault } from '../../kernel/text/template-fault.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { readSender } from './address-mail.ts'
import { findRecipient, type ReadFacts, readMessageFacts } from './recipient.ts'
import { isSeen, MESSAGE_LIMITS } from './rules.ts'
import {
  cancelAllScheduled,
  cancelScheduled,
  insertReceived,
  insertScheduled,
  nameOfTemplate,
  selectStatus,
} from './schedule-store.ts'
import { lockMessageKey, messageByKey } from './store.ts'
import { type MessageText, sealText } from './texts.ts'

/** Whose message it is, and about which application. */
export interface OnApplication {
  workspace: string
  applicationId: string
  userId: string
}

export interface MessageDraft extends MessageText {
  purpose: MessagePurpose
  templateId?: string | null | undefined
  /** undefined or past: as soon as it may leave */
  sendAt?: string | null | undefined
  /** what only the caller knows, such as the time of an interview */
  values?: TemplateValues
  /** a repeat of it schedules nothing */
  repeat?: IdempotentRequest | undefined
}

type Needs = Pick<Services, 'keyring' | 'config' | 'publicUrl'>

/** A message leaves within a year: what is later is a mistyped date. */
const LATEST_MS = 366 * 86_400_000

/** In this time a click can be taken back. */
export const SEND_DELAY_SECONDS = 10

export interface Scheduled {
  id: string
  scheduled_for: string | null
}

/**
 * Schedules a message of a member, with the values of the candidate in it. A worker sends it, and checks everything again
 * then; what is checked here tells the member at the click what would stop it. `blocked`: the person must not be emailed,
 * and nothing was scheduled.
 */
export async function scheduleMessage(
  tx: Transaction,
  services: Needs,
  on: OnApplication,
  draft: MessageDraft,
): Promise<{ message: Scheduled } | { blocked: NonNullable<ReadFacts['blocked']> }> {
  const { workspace, applicationId, userId } = on
  const id = newHandle('message')
  const { idempotencyKey = id, fingerprint = Buffer.alloc(0) } = draft.repeat ?? {}
  await tx.query(lockSuppressionsShared())
  await tx.query(lockMessageKey(workspace, userId, idempotencyKey))
  const before = await tx.one(messageByKey(workspace, userId, idempotencyKey, fingerprint))
  if (before) {
    if (!before.fingerprint.equals(fingerprint)) fail('idempotency_key_reused')
    return { message: { id: before.id, scheduled_for: before.scheduled_for } }
  }
  const recipient = await findRecipient(tx, workspace, { application_id: applicationId })
  const facts = await readMessageFacts({ ...services, db: tx }, on)
  if (!recipient || !facts) fail('not_found')
  if (facts.blocked !== null || recipient.applicant_id === null) return { blocked: facts.blocked ?? 'no_address' }
  if (!(await readSender(tx, workspace, userId))) fail('sender_email_missing')
  if (draft.sendAt && Date.parse(draft.sendAt) > Date.parse(facts.now) + LATEST_MS)
    refuseInput([{ param: 'send_at', message: 'must be within a year' }])
  const secondsLeft = secondsToMidnight(Date.parse(facts.now))
  const isLater = draft.sendAt && Date.parse(draft.sendAt) >= Date.parse(facts.now) + secondsLeft * 1000
  if (!isLater && facts.used_today >= API_LIMITS.messagesPerDay)
    fail('message_quota_exceeded', { retry_after_seconds: secondsLeft })
  const text = filledText(draft, facts)
  const template = draft.templateId ? await tx.one(nameOfTemplate(workspace, draft.templateId)) : undefined
  const message = await tx.only(
    insertScheduled({
      workspace,
      id,
      applicationId,
      applicantId: recipient.applicant_id,
      author: userId,
      idempotencyKey,
      fingerprint,
      purpose: draft.purpose,
      templateName: template?.name ?? null,
      sendAt: draft.sendAt ?? null,
      delaySeconds: SEND_DELAY_SECONDS,
      text: sealText(services.keyring, { workspace, id }, text),
    }),
  )
  return { message }
}

/** 400 for a text with a variable that has no value here, or that is too long with its values. */
function filledText(draft: MessageDraft, facts: ReadFacts): MessageText {
  const { company, job_title, link } = facts
  const known: TemplateValues = {
    first_name: facts.first_name ?? '',
    job_title,
    company,
    ...(link !== undefined && { link }),
    ...draft.values,
  }
  const variables = MESSAGE_VARIABLES.filter(name => known[name] !== undefined)
  const faults: InputFault[] = []
  const fill = (param: 'subject' | 'body') => {
    const text = fillTemplate(draft[param], known).trim()
    const fault =
      templateFault(draft[param], { variables, oneLine: param === 'subject' }) ??
      (isSeen(text) ? undefined : 'must not be blank') ??
      (charactersIn(text) > MESSAGE_LIMITS[param] ? `must have at most ${MESSAGE_LIMITS[param]} characters` : undefined)
    if (fault !== undefined) faults.push({ param, message: fault })
    return text
  }
  const text = { subject: fill('subject'), body: fill('body') }
  refuseIfAny(faults)
  return text
}

/** undefined: there is no such message of the application. `false`: it has left, or was canceled before. */
export async function cancelMessage(
  tx: Transaction,
  { workspace, applicationId }: Omit<OnApplication, 'userId'>,
  id: string,
): Promise<{ id: string; canceled: boolean } | undefined> {
  if (!isHandle('message', id)) return undefined
  if (await tx.one(cancelScheduled(workspace, applicationId, id))) return { id, canceled: true }
  const stored = await tx.one(selectStatus(workspace, applicationId, id))
  return stored && { id, canceled: stored.status === 'canceled' }
}

/** Those of one purpose that wait, such as the message of a rejection that is taken back. Returns how many. */
export const cancelMessages = async (
  tx: Transaction,
  { workspace, applicationId }: Omit<OnApplication, 'userId'>,
  purpose: MessagePurpose,
): Promise<number> => (await tx.query(cancelAllScheduled(workspace, applicationId, purpose))).length

/** A reply that arrived elsewhere, noted by a member. Nothing is noted about a person whose processing was stopped. */
export const noteReply = (
  tx: Transaction,
  services: Pick<Services, 'keyring'>,
  { userId, ...on }: OnApplication,
  body: string,
): Promise<{ id: string }> => receive(tx, services, { ...on, author: userId }, body)

/**
 * What a candidate writes on their own page, about an application of theirs. The same form again, after a double click or a
 * lost response, is stored once.
 */
export const receiveReply = (
  tx: Transaction,
  services: Pick<Services, 'keyring'>,
  { workspace, applicationId, applicantId }: { workspace: string; applicationId: string; applicantId: string },
  { body, formId }: { body: string; formId: string },
): Promise<{ id: string }> => receive(tx, services, { workspace, applicationId, author: applicantId, formId }, body)

interface Received extends Omit<OnApplication, 'userId'> {
  /** the member who notes it, or the candidate who wrote it */
  author: string
  /** one form is received once */
  formId?: string
}

async function receive(
  tx: Transaction,
  { keyring }: Pick<Services, 'keyring'>,
  { workspace, applicationId, author, formId }: Received,
  body: string,
): Promise<{ id: string }> {
  await tx.query(lockSuppressionsShared())
  const id = newHandle('message')
  const idempotencyKey = formId ?? id
  const fingerprint = Buffer.alloc(0)
  await tx.query(lockMessageKey(workspace, author, idempotencyKey))
  const before = await tx.one(messageByKey(workspace, author, idempotencyKey, fingerprint))
  if (before) return { id: before.id }
  const recipient = await findRecipient(tx, workspace, { application_id: applicationId })
  if (!recipient || (isHandle('applicant', author) && recipient.applicant_id !== author)) fail('not_found')
  if (recipient.applicant_id === null || recipient.stopped) fail('applicant_suppressed')
  const text = sealText(keyring, { workspace, id }, { body })
  const { applicant_id: applicantId } = recipient
  return tx.only(
    insertReceived({ workspace, id, applicationId, applicantId, author, idempotencyKey, fingerprint, text }),
  )
}
