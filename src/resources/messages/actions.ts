import { API_LIMITS } from '../../contract/limits.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import type { LimitedPerson } from '../../kernel/access/reach.ts'
import { secondsToMidnight } from '../../kernel/access/usage.ts'
import { isTestWorkspace } from '../../kernel/access/workspace-kind.ts'
import { type Database, DatastoreUnavailable, type Queryable, type Transaction } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { IdempotentRequest } from '../../kernel/http/route.ts'
import { isHandle, newHandle } from '../../kernel/ids/handles.ts'
import { isAddress, MailInDoubt, MailNotSent } from '../../kernel/mail/mail.ts'
import type { Services } from '../../kernel/services/services.ts'
import { shownName } from '../../kernel/text/names.ts'
import { isReservedAddress } from '../../kernel/text/person-keys.ts'
import { pause } from '../../kernel/time/pause.ts'
import { readConsent, subscribeApplicant, unsubscribeApplicant } from '../applicants/index.ts'
import { type Identifier, lockSuppressionsShared, suppressedAmong } from '../suppressions/index.ts'
import { userById } from '../users/index.ts'
import { fullNameOf } from '../users/shape.ts'
import { workspaceById } from '../workspaces/index.ts'
import { composeMessage, type MessageMail } from './message-mail.ts'
import type { MessageRow } from './shape.ts'
import {
  companyName,
  countMessage,
  insertMessage,
  lockMessageKey,
  type MessageFacts,
  messageById,
  messageByKey,
  messagesToPerson,
  noteFailed,
  noteSent,
  type Recipient,
  recipientByApplicant,
  recipientByApplication,
  type SentMessageRow,
  type StoredMessage,
  selectMessageFacts,
  selectUnsubscribe,
  sendersAmong,
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

type Needs = Pick<Services, 'db' | 'mailer' | 'keyring' | 'log' | 'publicUrl' | 'config'>

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
 *   sending -- anything else: the process died, the connection was lost -->         stays permanently
 *
 * Only the request that made the claim sends the mail, and it does so once: a request that finds a claim returns its
 * state. `sending` and `sent` are shown as `queued` and `sent`; `failed` repeats delivery_failed. The text is not
 * stored: a claim whose process died cannot be resumed, since it is unknown whether the mail was sent. After 24
 * hours a key expires: another body under it is a new message, and so is the same body if it was certainly not
 * sent; a message that was sent, or may have been, is found permanently.
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

/** Retries a statement about an in-flight message while the store is unavailable. It may run twice. */
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
async function deliver(services: Needs, message: MessageMail): Promise<'sent' | 'failed' | 'in doubt'> {
  let handedOver = false
  try {
    const mail = composeMessage(message)
    handedOver = true
    await services.mailer.send(mail)
    return 'sent'
  } catch (error) {
    const outcome = !handedOver || error instanceof MailNotSent ? 'failed' : 'in doubt'
    const known = error instanceof MailNotSent || error instanceof MailInDoubt
    // what the mailer throws names no address
    const cause = known ? { reason: error.message } : { err: error }
    services.log.warn({ message: message.id, outcome, ...cause }, 'the mail provider did not accept a message')
    return outcome
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
  const [user, from] = await Promise.all([
    tx.one(userById(caller.homeWorkspace, caller.userId!)),
    tx.only(workspaceById(workspace)),
  ])
  const replyTo = user?.email?.trim() ?? ''
  if (!isAddress(replyTo)) fail('sender_email_missing')

  const row = await tx.only(
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
  const counted = await tx.one(countMessage(caller.homeWorkspace, caller.keyId, row.day, API_LIMITS.messagesPerDay))
  if (!counted) fail('message_quota_exceeded', { retry_after_seconds: secondsToMidnight(input.now) })
  const token = unsubscribeToken(services.keyring, { workspace, applicant: applicantId })
  const message: MessageMail = {
    id,
    workspaceId: workspace,
    to: { name: recipient.full_name, address },
    replyTo: { name: shownName(fullNameOf(user), 'fullName'), address: replyTo },
    subject: input.subject,
    text: input.text,
    html: input.html,
    workspaceName: shownName(from.name, 'workspace') ?? 'a hiring workspace',
    unsubscribeUrl: `${services.publicUrl}/unsubscribe/${token}`,
  }
  return { message }
}

/** A malformed handle gets the same response as an unknown one. */
async function findRecipient(
  tx: Transaction,
  workspace: string,
  to: SendMessage['to'],
): Promise<Recipient | undefined> {
  const { application_id: application, applicant_id: applicant } = to
  if (application !== undefined) {
    return isHandle('application', application) ? tx.one(recipientByApplication(workspace, application)) : undefined
  }
  if (applicant === undefined || !isHandle('applicant', applicant)) return undefined
  return tx.one(recipientByApplicant(workspace, applicant))
}

/** The address to write to, if the person may be written to. The error does not reveal which list blocks it. */
async function mailable(
  tx: Transaction,
  workspace: string,
  recipient: Recipient,
  isReachable: (emailKey: string) => boolean,
) {
  const { applicant_id: applicantId, email, email_key: emailKey, linkedin_key: linkedinKey } = recipient
  if (recipient.barred || applicantId === null || email === null || emailKey === null) fail('recipient_unsubscribed')
  const identifiers = identifiersOf(emailKey, linkedinKey)
  const [unsubscribed, suppressed] = await Promise.all([
    tx.query(selectUnsubscribe(workspace, emailKey)),
    tx.query(suppressedAmong(workspace, identifiers)),
    // whatever the read error: without both lists no email is sent
  ]).catch(() => fail('suppression_check_unavailable', { retry_after_seconds: SUPPRESSION_RETRY_SECONDS }))
  if (unsubscribed.length > 0 || suppressed.length > 0 || !isReachable(emailKey)) fail('recipient_unsubscribed')
  return { applicantId, address: email.trim() }
}

/**
 * Reserved addresses get no email of a key. A person in front of our pages may write to them where nothing leaves the
 * machine: the local outbox, or the mailbox of a test workspace, shows what would have been sent.
 */
const hasMailbox =
  ({ config }: Pick<Needs, 'config'>, originKeyId: string | null, isTest: boolean) =>
  (key: string): boolean =>
    (originKeyId === null && (isTest || config.SMTP_URL === undefined)) || !isReservedAddress(key)

const identifiersOf = (email: string, linkedin: string | null): Identifier[] => [
  { kind: 'email', key: email },
  ...(linkedin === null ? [] : [{ kind: 'linkedin_url' as const, key: linkedin }]),
]

export type MessageToPerson = Omit<SentMessageRow, 'key_id'> & { sender: string | null }

/** A page of the messages to the person of an application, with the names of their senders. */
export async function readMessages(
  db: Queryable,
  workspace: string,
  applicationId: string,
  page: Page,
  onTeam?: LimitedPerson,
): Promise<MessageToPerson[]> {
  const rows = await db.query(messagesToPerson(workspace, applicationId, page, onTeam))
  const ids = [...new Set(rows.map(({ key_id }) => key_id))]
  const senders = new Map((await db.query(sendersAmong(workspace, ids))).map(({ id, name }) => [id, name]))
  return rows.map(({ key_id, ...row }) => ({ ...row, sender: senders.get(key_id) ?? null }))
}

export interface ReadFacts extends Pick<MessageFacts, 'first_name' | 'job_title' | 'used_today'> {
  company: string
  /** `no_mailbox`: no email can arrive at the address */
  blocked: MessageFacts['blocked'] | 'no_mailbox'
}

/** What a message of a person to a candidate is made of, and why it would be refused: the same checks as when it is sent. */
export async function readMessageFacts(
  { db, config }: Pick<Needs, 'db' | 'config'>,
  { workspace, applicationId, userId }: { workspace: string; applicationId: string; userId: string },
): Promise<ReadFacts | undefined> {
  const [found, named] = await Promise.all([
    db.one(selectMessageFacts(workspace, applicationId, userId)),
    db.one(companyName(workspace)),
  ])
  if (!found || !named) return undefined
  const { email, email_key: key, linkedin_key, ...read } = found
  const facts = { ...read, company: named.name }
  if (facts.blocked || email === null || key === null) return { ...facts, blocked: facts.blocked ?? 'no_address' }
  const suppressed = await db.query(suppressedAmong(workspace, identifiersOf(key, linkedin_key)))
  const canArrive = isAddress(email.trim()) && hasMailbox({ config }, null, await isTestWorkspace(db, workspace))(key)
  return { ...facts, blocked: suppressed.length > 0 ? 'stopped' : canArrive ? null : 'no_mailbox' }
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
