import { API_LIMITS } from '../../contract/limits.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import { secondsToMidnight } from '../../kernel/access/usage.ts'
import { isTestWorkspace } from '../../kernel/access/workspace-kind.ts'
import { type Database, DatastoreUnavailable, type Queryable, type Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { IdempotentRequest } from '../../kernel/http/route.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import type { Services } from '../../kernel/services/services.ts'
import { readConsent, subscribeApplicant, unsubscribeApplicant } from '../applicants/index.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { workspaceById } from '../workspaces/index.ts'
import { addressedMail, readSender } from './address-mail.ts'
import { deliver, retryStatement } from './deliver.ts'
import type { MessageMail } from './message-mail.ts'
import { findRecipient, hasMailbox, mailable } from './recipient.ts'
import type { MessageRow } from './shape.ts'
import {
  countMessage,
  insertMessage,
  lockMessageKey,
  messageById,
  messageByKey,
  noteFailed,
  noteSent,
  type StoredMessage,
} from './store.ts'
import { sealText } from './texts.ts'
import type { Unsubscription } from './unsubscribe-link.ts'

export interface SendMessage {
  workspace: string
  caller: Caller
  to: { application_id?: string; applicant_id?: string }
  subject: string
  text: string
  html: string | undefined
  repeat: IdempotentRequest
  /** the database's time, in milliseconds */
  now: number
}

export interface SentMessage {
  message: MessageRow
  /** an earlier request did it, or is doing it */
  repeated: boolean
}

type Needs = Pick<Services, 'db' | 'mailer' | 'keyring' | 'log' | 'publicUrl' | 'config'>

const DELIVERY_RETRY_SECONDS = 30

/**
 * Sends a message, at most once for an Idempotency-Key and a body whatever dies when.
 *
 *   (none)  -- claim: every check passed, the day's allowance taken, committed -->  sending
 *   sending -- the mail provider accepted the mail -->                              sent
 *   sending -- the mail was certainly not sent: allowance given back -->            failed
 *   sending -- anything else: the process died, the connection was lost -->         stays permanently
 *
 * Only the request that made the claim sends the mail, and it does so once: a request that finds a claim returns its
 * state. `sending` and `sent` are shown as `queued` and `sent`; `failed` repeats delivery_failed. A claim whose process
 * died is not resumed, since it is unknown whether the mail was sent. After 24 hours a key expires: another body under it
 * is a new message, and so is the same body if it was certainly not sent; a message that was sent, or may have been, is
 * found permanently.
 */
export async function sendMessage(services: Needs, input: SendMessage): Promise<SentMessage> {
  const id = newHandle('message')
  const claim = await claimOnce(services, input, id)
  if ('stored' in claim) return { message: shown(claim.stored), repeated: true }
  const message = { id, to: input.to, status: 'queued', sent_at: null } as const
  const outcome = await deliver(services, claim.message)
  if (outcome === 'in doubt') return { message, repeated: false }
  const { workspace, caller } = input
  try {
    if (outcome === 'sent') {
      const row = await retryStatement(services, noteSent(workspace, id))
      return { message: { ...message, status: 'sent', sent_at: present(row, id).sent_at }, repeated: false }
    }
    await retryStatement(services, noteFailed(workspace, id, caller.homeWorkspace))
  } catch (error) {
    // Every repeat returns the same response: the stored state is still `sending`.
    services.log.error({ err: error, message: id, outcome }, 'recording the outcome of a message failed')
    return { message, repeated: false }
  }
  throw deliveryFailed()
}

/**
 * The claim, in a transaction. If the connection is lost during the commit, the claim may be stored although no result
 * arrived: only this request knows the handle, so a row with it is this request's to send.
 */
async function claimOnce(services: Needs, input: SendMessage, id: string): Promise<Claim> {
  let claim: Claim | undefined
  try {
    return await services.db.transaction(async tx => {
      claim = undefined
      claim = await claimMessage(tx, services, input, id)
      return claim
    })
  } catch (error) {
    if (!claim || !(error instanceof DatastoreUnavailable)) throw error
    if ('message' in claim && (await retryStatement(services, messageById(input.workspace, id)))) return claim
    throw error
  }
}

type Claim = { stored: StoredMessage } | { message: MessageMail }

/** In the order of the specification: what was sent before, who it goes to, who it comes from, how many there were. */
async function claimMessage(tx: Transaction, services: Needs, input: SendMessage, id: string): Promise<Claim> {
  const { workspace, caller, repeat, to } = input
  const { idempotencyKey, fingerprint } = repeat
  await Promise.all([
    tx.query(lockSuppressionsShared()),
    tx.query(lockMessageKey(workspace, caller.keyId, idempotencyKey)),
  ])
  const stored = await tx.one(messageByKey(workspace, caller.keyId, idempotencyKey, fingerprint))
  if (stored) {
    if (!stored.fingerprint.equals(fingerprint)) fail('idempotency_key_reused')
    if (stored.status === 'failed') throw deliveryFailed({ 'Idempotent-Replayed': 'true' })
    return { stored }
  }
  const recipient = (await findRecipient(tx, workspace, to)) ?? fail('not_found')
  const { applicantId, address } = await mailable(
    tx,
    workspace,
    recipient,
    hasMailbox(services, caller.originKeyId, await isTestWorkspace(tx, workspace)),
  )
  const sender = (await readSender(tx, caller.homeWorkspace, caller.userId)) ?? fail('sender_email_missing')
  const row = await tx.only(
    insertMessage({
      workspace,
      id,
      keyId: caller.keyId,
      idempotencyKey,
      fingerprint,
      applicationId: recipient.application_id,
      applicantId,
      text: sealText(services.keyring, { workspace, id }, { subject: input.subject, body: input.text }),
    }),
  )
  const counted = await tx.one(countMessage(caller.homeWorkspace, caller.keyId, row.day, API_LIMITS.messagesPerDay))
  if (!counted) fail('message_quota_exceeded', { retry_after_seconds: secondsToMidnight(input.now) })
  const message = await addressedMail(tx, services, {
    id,
    workspace,
    to: { name: recipient.full_name, address },
    applicantId,
    sender,
    text: { subject: input.subject, body: input.text },
    html: input.html,
  })
  return { message }
}

const deliveryFailed = (headers: Record<string, string> = {}) =>
  new ApiError('delivery_failed', { retry_after_seconds: DELIVERY_RETRY_SECONDS }, headers)

const shown = ({ id, status, application_id, applicant_id, sent_at }: StoredMessage): MessageRow => ({
  id,
  status: status === 'sent' ? 'sent' : 'queued',
  to: application_id === null ? { applicant_id } : { application_id },
  sent_at,
})

/** What the unsubscribe page knows about the holder of a link. */
export interface Subscription {
  /** null where the workspace is not there any more */
  workspaceName: string | null
  subscribed: boolean
}

export async function subscription(db: Queryable, { workspace, applicant }: Unsubscription): Promise<Subscription> {
  const [from, consent] = await Promise.all([db.one(workspaceById(workspace)), readConsent(db, workspace, applicant)])
  return {
    workspaceName: from?.name ?? null,
    subscribed: consent !== undefined && !consent.unsubscribed && !consent.suppressed,
  }
}

/** From the link in an email. An applicant that no longer exists needs no change: no email is sent to them. */
export async function unsubscribe(
  db: Database,
  who: Unsubscription,
  source: 'link' | 'one_click',
): Promise<Subscription> {
  const { workspace, applicant } = who
  await db
    .transaction(tx => unsubscribeApplicant(tx, workspace, applicant, source))
    .catch(error => {
      if (!(error instanceof UserError)) throw error
    })
  return subscription(db, who)
}

/** Undoes it. Nothing changes for a person who no longer exists or whose processing was stopped. */
export async function resubscribe(db: Database, who: Unsubscription): Promise<Subscription> {
  const { workspace, applicant } = who
  await db
    .transaction(tx => subscribeApplicant(tx, workspace, applicant))
    .catch(error => {
      if (!(error instanceof ApiError)) throw error
    })
  return subscription(db, who)
}
