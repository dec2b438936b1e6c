import { API_LIMITS } from '../../contract/limits.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import { secondsToMidnight } from '../../kernel/access/usage.ts'
import { type Database, DatastoreUnavailable, type Queryable, type Transaction } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { IdempotentRequest } from '../../kernel/http/route.ts'
import { isHandle, newHandle } from '../../kernel/ids/handles.ts'
import { isAddress, MailInDoubt, MailNotSent } from '../../kernel/mail/mail.ts'
import type { Services } from '../../kernel/services/services.ts'
import { shownName } from '../../kernel/text/names.ts'
import { pause } from '../../kernel/time/pause.ts'
import { unsubscribeApplicant } from '../applicants/actions.ts'
import { applicantConsent } from '../applicants/store.ts'
import { lockSuppressionsShared, suppressedAmong } from '../suppressions/store.ts'
import { fullNameOf } from '../users/shape.ts'
import { userById } from '../users/store.ts'
import { workspaceById } from '../workspaces/store.ts'
import { composeMessage, type MessageMail } from './message-mail.ts'
import { isReservedAddress } from './rules.ts'
import type { MessageRow } from './shape.ts'
import {
  countMessage,
  insertMessage,
  keptOffMail,
  lockMessageKey,
  messageById,
  messageByKey,
  noteFailed,
  noteSent,
  type Recipient,
  recipientByApplicant,
  recipientByApplication,
  type StoredMessage,
} from './store.ts'
import { type Unsubscription, unsubscribeToken } from './unsubscribe-link.ts'

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

type Needs = Pick<Services, 'db' | 'mailer' | 'keyring' | 'log' | 'publicUrl'>

const SUPPRESSION_RETRY_SECONDS = 5
const DELIVERY_RETRY_SECONDS = 30
const STORE_TRIES = 6
const STORE_PAUSE_MS = 500

/**
 * Sends a message, at most once for an Idempotency-Key and a body whatever dies when.
 *
 *   (none)  -- claim: every check passed, the day's allowance taken, committed -->  sending
 *   sending -- the mail provider accepted the mail -->                              sent
 *   sending -- the mail was certainly not sent: allowance given back -->            failed
 *   sending -- anything else: the process died, the connection was lost -->         stays for good
 *
 * Only the request that made the claim hands the mail over, and it does so once: whoever finds a claim answers with what
 * it says. `sending` and `sent` are shown as `queued` and `sent`; `failed` repeats delivery_failed. The text is kept
 * nowhere: a claim whose process died cannot be taken up again, since nobody knows whether the mail went out. After 24
 * hours a key is forgotten: another body under it is a new message, and so is the same body if it was certainly not
 * sent; a message that was sent, or may have been, is found for good.
 */
export async function sendMessage(services: Needs, input: SendMessage): Promise<SentMessage> {
  const id = newHandle('message')
  const claim = await claimed(services, input, id)
  if ('stored' in claim) return { message: shown(claim.stored), repeated: true }
  const message = { id, to: input.to, status: 'queued', sent_at: null } as const
  const outcome = await deliver(services, claim.letter)
  if (outcome === 'in doubt') return { message, repeated: false }
  const { workspace, caller } = input
  try {
    if (outcome === 'sent') {
      const row = await retryStatement(services, noteSent(workspace, id))
      return { message: { ...message, status: 'sent', sent_at: row!.sent_at }, repeated: false }
    }
    await retryStatement(services, noteFailed(workspace, id, caller.homeWorkspace))
  } catch (error) {
    // The answer is what every repeat will say: the store still has it as being delivered.
    services.log.error({ err: error, message: id, outcome }, 'recording the outcome of a message failed')
    return { message, repeated: false }
  }
  throw deliveryFailed()
}

/**
 * The claim, in a transaction. If the store is lost during it, the claim may have been committed although its answer never
 * came: nobody but us knows that handle, so if it is there, it is ours to send.
 */
async function claimed(services: Needs, input: SendMessage, id: string): Promise<Claim> {
  let claim: Claim | undefined
  try {
    return await services.db.transaction(async tx => {
      claim = undefined
      claim = await claimMessage(tx, services, input, id)
      return claim
    })
  } catch (error) {
    if (!claim || !(error instanceof DatastoreUnavailable)) throw error
    if ('letter' in claim && (await retryStatement(services, messageById(input.workspace, id)))) return claim
    throw error
  }
}

/** What is said or asked about a message under way outlasts a short absence of the store; it may be said twice. */
async function retryStatement<Row>({ db, log }: Needs, statement: Sql<Row>): Promise<Row | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.one(statement)
    } catch (error) {
      if (!(error instanceof DatastoreUnavailable) || tries === STORE_TRIES) throw error
      log.warn({ tries }, 'database unavailable while sending a message')
      await pause(STORE_PAUSE_MS)
    }
  }
}

/** Until the mailer has the mail it is certainly not sent; after that only the mailer's word counts. */
async function deliver(services: Needs, letter: MessageMail): Promise<'sent' | 'failed' | 'in doubt'> {
  let handedOver = false
  try {
    const mail = composeMessage(letter)
    handedOver = true
    await services.mailer.send(mail)
    return 'sent'
  } catch (error) {
    const outcome = !handedOver || error instanceof MailNotSent ? 'failed' : 'in doubt'
    const known = error instanceof MailNotSent || error instanceof MailInDoubt
    // what the mailer throws names no address
    const cause = known ? { reason: error.message } : { err: error }
    services.log.warn({ message: letter.id, outcome, ...cause }, 'the mail provider did not accept a message')
    return outcome
  }
}

type Claim = { stored: StoredMessage } | { letter: MessageMail }

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
  const { applicantId, address } = await mailable(tx, workspace, recipient)
  const [user, from] = await Promise.all([
    tx.one(userById(caller.homeWorkspace, caller.userId!)),
    tx.one(workspaceById(workspace)),
  ])
  const replyTo = user?.email?.trim() ?? ''
  if (!isAddress(replyTo)) fail('sender_email_missing')

  const row = await tx.one(
    insertMessage({
      workspace,
      id,
      keyId: caller.keyId,
      idempotencyKey,
      fingerprint,
      applicationId: recipient.application_id,
      applicantId,
    }),
  )
  const counted = await tx.one(countMessage(caller.homeWorkspace, caller.keyId, row!.day, API_LIMITS.messagesPerDay))
  if (!counted) fail('message_quota_exceeded', { retry_after_seconds: secondsToMidnight(input.now) })
  const token = unsubscribeToken(services.keyring, { workspace, applicant: applicantId })
  const letter: MessageMail = {
    id,
    workspaceId: workspace,
    to: { name: recipient.full_name, address },
    replyTo: { name: shownName(fullNameOf(user), 'fullName'), address: replyTo },
    subject: input.subject,
    text: input.text,
    html: input.html,
    workspaceName: shownName(from!.name, 'workspace') ?? 'a hiring workspace',
    unsubscribeUrl: `${services.publicUrl}/unsubscribe/${token}`,
  }
  return { letter }
}

/** A handle that cannot exist is answered like one that does not. */
async function findRecipient(
  tx: Transaction,
  workspace: string,
  to: SendMessage['to'],
): Promise<Recipient | undefined> {
  const { application_id: application, applicant_id: applicant } = to
  if (application !== undefined) {
    return isHandle('application', application) ? tx.one(recipientByApplication(workspace, application)) : undefined
  }
  return isHandle('applicant', applicant!) ? tx.one(recipientByApplicant(workspace, applicant!)) : undefined
}

/** The address to write to, if the person may be written to. Which list says no is nobody's business. */
async function mailable(tx: Transaction, workspace: string, recipient: Recipient) {
  const { applicant_id: applicantId, email, email_key: emailKey, linkedin_key: linkedinKey } = recipient
  if (recipient.barred || applicantId === null || email === null || emailKey === null) fail('recipient_unsubscribed')
  const identifiers = [
    { kind: 'email' as const, key: emailKey },
    ...(linkedinKey === null ? [] : [{ kind: 'linkedin_url' as const, key: linkedinKey }]),
  ]
  const [unsubscribed, suppressed] = await Promise.all([
    tx.query(keptOffMail(workspace, emailKey)),
    tx.query(suppressedAmong(workspace, identifiers)),
    // whatever keeps a list from being read: without it nobody is written to
  ]).catch(() => fail('suppression_check_unavailable', { retry_after_seconds: SUPPRESSION_RETRY_SECONDS }))
  if (unsubscribed.length > 0 || suppressed.length > 0 || isReservedAddress(emailKey)) fail('recipient_unsubscribed')
  return { applicantId, address: email.trim() }
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
  const [from, consent] = await Promise.all([
    db.one(workspaceById(workspace)),
    db.one(applicantConsent(workspace, applicant)),
  ])
  return {
    workspaceName: from?.name ?? null,
    subscribed: consent !== undefined && !consent.unsubscribed && !consent.suppressed,
  }
}

/** From the link in a mail. Somebody who is not there any more gets no mail either. */
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
