import { API_LIMITS } from '../../contract/limits.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import type { Services } from '../../kernel/services/services.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { addressedMail, readSender } from './address-mail.ts'
import { deliver, retryStatement } from './deliver.ts'
import type { MessageMail } from './message-mail.ts'
import { findRecipient, readMessageFacts } from './recipient.ts'
import {
  cancelScheduled,
  claimMessage,
  type DueMessage,
  dueMessages,
  holdDecision,
  type MessageFailure,
  noteRefused,
} from './schedule-store.ts'
import { countMessage, noteFailed, noteSent } from './store.ts'
import { openText } from './texts.ts'

export type SendServices = Pick<Services, 'db' | 'mailer' | 'keyring' | 'log' | 'publicUrl' | 'config'>

/** Waits after an attempt that certainly sent nothing, in seconds; after the last one it is given up. */
const RETRY_SECONDS = [60, 300, 1_800]

/**
 * Sends the next messages that are due; false if none was. The claim is committed before the mail leaves and is never
 * taken back unless the mail was certainly not sent, so that a message leaves once at most, whatever dies when.
 */
export async function sendDueMessages(services: SendServices): Promise<boolean> {
  const due = await services.db.query(dueMessages)
  const ends = await Promise.allSettled(due.map(message => sendDue(services, message)))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return ends.some(end => end.status === 'fulfilled' && end.value)
}

async function sendDue(services: SendServices, due: DueMessage): Promise<boolean> {
  const claim = await services.db.transaction(tx => claimDue(tx, services, due))
  if (!claim) return false
  if (!('mail' in claim)) return true
  const { workspace_id: workspace, id } = due
  const outcome = await deliver(services, claim.mail)
  if (outcome === 'sent') await retryStatement(services, noteSent(workspace, id))
  else if (outcome === 'failed')
    await retryStatement(services, noteFailed(workspace, id, workspace, RETRY_SECONDS[claim.attempt - 1] ?? null))
  return true
}

type Claim = { failure: MessageFailure } | { canceled: true } | { mail: MessageMail; attempt: number }

/** The same checks as when it was scheduled: the person may have unsubscribed since, or the member may have left. */
async function claimDue(tx: Transaction, services: SendServices, due: DueMessage): Promise<Claim | undefined> {
  await tx.query(lockSuppressionsShared())
  // before the message, in the order of a change of the application; a key that reopens one knows nothing of its message
  const decided = await tx.one(holdDecision(due))
  if (decided && decided.status !== 'rejected')
    return (await tx.one(cancelScheduled(due.workspace_id, decided.id, due.id))) && { canceled: true }
  const claimed = await tx.one(claimMessage(due))
  if (!claimed) return undefined
  const { workspace_id: workspace, id } = due
  const { application_id: applicationId, author: userId, attempt } = claimed
  const refuse = async (failure: MessageFailure): Promise<Claim> => {
    await tx.query(noteRefused(due, failure))
    return { failure }
  }
  const recipient = await findRecipient(tx, workspace, { application_id: applicationId })
  const facts = await readMessageFacts({ ...services, db: tx }, { workspace, applicationId, userId })
  const blocked = facts ? facts.blocked : 'no_address'
  const text = openText(services.keyring, { workspace, id }, claimed)
  if (blocked !== null || !recipient?.applicant_id || recipient.email === null) return refuse(blocked ?? 'no_address')
  const sender = await readSender(tx, workspace, userId)
  if (!sender || text.subject === null || text.body === null) return refuse('no_sender')
  if (!(await tx.one(countMessage(workspace, userId, claimed.day, API_LIMITS.messagesPerDay))))
    return refuse('allowance')
  const mail = await addressedMail(tx, services, {
    id,
    workspace,
    to: { name: recipient.full_name, address: recipient.email.trim() },
    applicantId: recipient.applicant_id,
    sender,
    text: { subject: text.subject, body: text.body },
    ownPageUrl: facts?.link,
  })
  return { mail, attempt }
}
