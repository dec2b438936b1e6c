import { isTestWorkspace } from '../../kernel/access/workspace-kind.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { isHandle } from '../../kernel/ids/handles.ts'
import { isAddress } from '../../kernel/mail/mail.ts'
import type { Services } from '../../kernel/services/services.ts'
import { isReservedAddress } from '../../kernel/text/person-keys.ts'
import { sitePathOf } from '../careers/index.ts'
import { type Identifier, suppressedAmong } from '../suppressions/index.ts'
import {
  type MessageFacts,
  type Recipient,
  recipientByApplicant,
  recipientByApplication,
  selectCompany,
  selectMessageFacts,
  selectUnsubscribe,
} from './store.ts'

const SUPPRESSION_RETRY_SECONDS = 5

/** A malformed handle gets the same response as an unknown one. */
export async function findRecipient(
  tx: Transaction,
  workspace: string,
  to: { application_id?: string; applicant_id?: string },
): Promise<Recipient | undefined> {
  const { application_id: application, applicant_id: applicant } = to
  if (application !== undefined) {
    return isHandle('application', application) ? tx.one(recipientByApplication(workspace, application)) : undefined
  }
  if (applicant === undefined || !isHandle('applicant', applicant)) return undefined
  return tx.one(recipientByApplicant(workspace, applicant))
}

/** The address to write to, if the person may be written to. The error does not reveal which list blocks it. */
export async function mailable(
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
export const hasMailbox =
  ({ config }: Pick<Services, 'config'>, originKeyId: string | null, isTest: boolean) =>
  (key: string): boolean =>
    (originKeyId === null && (isTest || config.SMTP_URL === undefined)) || !isReservedAddress(key)

const identifiersOf = (email: string, linkedin: string | null): Identifier[] => [
  { kind: 'email', key: email },
  ...(linkedin === null ? [] : [{ kind: 'linkedin_url' as const, key: linkedin }]),
]

export interface ReadFacts extends Pick<MessageFacts, 'first_name' | 'job_title' | 'used_today' | 'now'> {
  company: string
  /** leads to the candidate's page; undefined: the workspace has no careers site */
  link: string | undefined
  /** `no_mailbox`: no email can arrive at the address */
  blocked: MessageFacts['blocked'] | 'no_mailbox'
}

/** What a message of a person to a candidate is made of, and why it would be refused: the same checks as when it is sent. */
export async function readMessageFacts(
  { db, config, publicUrl }: { db: Queryable } & Pick<Services, 'config' | 'publicUrl'>,
  { workspace, applicationId, userId }: { workspace: string; applicationId: string; userId: string },
): Promise<ReadFacts | undefined> {
  const [found, company] = await Promise.all([
    db.one(selectMessageFacts(workspace, applicationId, userId)),
    db.one(selectCompany(workspace)),
  ])
  if (!found || !company) return undefined
  const { email, email_key: key, linkedin_key, ...read } = found
  const link = company.slug === null ? undefined : `${new URL(sitePathOf(company.slug), publicUrl).href}/me`
  const facts = { ...read, company: company.name, link }
  if (facts.blocked || email === null || key === null) return { ...facts, blocked: facts.blocked ?? 'no_address' }
  const suppressed = await db.query(suppressedAmong(workspace, identifiersOf(key, linkedin_key)))
  const canArrive = isAddress(email.trim()) && hasMailbox({ config }, null, await isTestWorkspace(db, workspace))(key)
  return { ...facts, blocked: suppressed.length > 0 ? 'stopped' : canArrive ? null : 'no_mailbox' }
}
