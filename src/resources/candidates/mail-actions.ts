import { randomBytes } from 'node:crypto'
import { addressFault, isTestWorkspace } from '../../kernel/access/workspace-kind.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { isAddress, type Mail } from '../../kernel/mail/mail.ts'
import type { MailLoop, MailServices, WrittenMail } from '../../kernel/mail/queue.ts'
import { shownName } from '../../kernel/text/names.ts'
import { accountKey, emailKey, isReservedAddress } from '../../kernel/text/person-keys.ts'
import { clock } from '../../kernel/time/clock.ts'
import { sitePathOf } from '../careers/index.ts'
import { type EntryTexts, type Invitation, type Organizer, readInvitation, writeInvite } from '../interviews/index.ts'
import { unsubscribeToken } from '../messages/index.ts'
import { checkToken } from '../orders/index.ts'
import { type Identifier, lockSuppressionsShared, suppressedAmong } from '../suppressions/index.ts'
import {
  goesElsewhere,
  greetedName,
  isCheckMail,
  isInterviewMail,
  isUnproved,
  LINK_PURPOSES,
  LINK_SECONDS,
  type MailKind,
  mailId,
  retryDelay,
  sentToUnsubscribed,
} from './rules.ts'
import {
  assignMail,
  CANDIDATE_MAILS,
  type ClaimedMail,
  deleteLink,
  deleteUnusedLinks,
  dropMail,
  insertLink,
  insertMail,
  isTooMany,
  lockLinks,
  type MailedCheck,
  type MailRecipient,
  type MailSender,
  mailedCheck,
  type NewMail,
  selectMailRecipient,
  selectMailSender,
  selectPlainSender,
} from './store.ts'

/**
 * An email to a candidate, sent by a worker after the transaction. Whether anyone has the address, and whether they may be
 * written to, is looked up then, so that the transaction takes the same time for everyone.
 */
export const queueMail = async (tx: Transaction, mail: NewMail): Promise<void> => {
  // an address that someone typed is only looked up: the email goes to the address that the record has
  const address = goesElsewhere(mail.kind) ? mail.address.trim() : accountKey(mail.address)
  const key = emailKey(address)
  // someone typed an address that the workspace must not store
  if (key !== undefined && (await addressFault(tx, mail.workspace, key)) !== undefined) return
  await tx.query(insertMail({ ...mail, address }))
}

/** What the text of an email is made of. */
export interface MailFacts {
  kind: MailKind
  language: string
  company: string
  /** that replies go to; null: no one reads them */
  contact: string | null
  look: { slug: string; accent_color: string | null; logo_blob_key: string | null }
  /** The address of the pages, without a path. */
  origin: string
  firstName: string | null
  jobTitle: string | null
  /** When the event happened that the email is about. */
  at: string
  /**
   * to the candidate's page, or to confirm the new address; of `email_changed` the careers site, which anyone can open; null
   * where the email is about an interview and there is no site
   */
  link: string | null
  /** the page of the interview, without a sign-in: for calendars, where it stays for long */
  pageUrl: string | null
  /** how long the link works; null: always */
  linkSeconds: number | null
  /** null: the reader of the mailbox may not be the person */
  unsubscribeUrl: string | null
  /** The test or check that the email is about. */
  check: MailedCheck | null
  /** The interview that the email is about. */
  interview: Invitation | null
  /** The workspace's templates, by language. */
  templates: Readonly<Record<string, { subject: string; body: string }>>
}

/** Writes the texts; the catalogue of the careers site belongs to the pages. */
export type WriteMail = (facts: MailFacts) => Pick<Mail, 'subject' | 'text' | 'html'> & { entry?: EntryTexts }

/** Emails to candidates. */
export const candidateMails = (write: WriteMail): MailLoop<ClaimedMail> => ({
  name: 'send-candidate-mails',
  everyMs: 1_000,
  claim: CANDIDATE_MAILS.claim,
  describe: ({ id, attempt }) => ({ mail: mailId(id), attempt }),
  async write(services, claimed) {
    const mail = await services.db.transaction(tx => prepare(tx, services, write, claimed))
    return mail ? [mail] : []
  },
  settle: (claimed, outcome) =>
    CANDIDATE_MAILS.settle(
      claimed,
      outcome,
      retryDelay(claimed.attempt, (clock.now() - Date.parse(claimed.created_at)) / 1000),
    ),
})

/** The email with a new link, whose hash is stored; undefined and no row where it must not be sent. */
async function prepare(
  tx: Transaction,
  services: MailServices,
  write: WriteMail,
  claimed: ClaimedMail,
): Promise<WrittenMail | undefined> {
  const { workspace_id: workspace, kind, language } = claimed
  await tx.query(lockSuppressionsShared())
  const [person, site] = await Promise.all([tx.one(selectMailRecipient(claimed)), tx.one(selectMailSender(workspace))])
  const interview = isInterviewMail(kind) ? await readMailedInterview(tx, services, claimed) : undefined
  // a fixed time can be sent without a careers site
  const isPlain = interview !== undefined && !site?.enabled
  const sender = isPlain ? await tx.one(selectPlainSender(workspace)) : site
  const recipient = person && sender && { ...person, ...sender }
  const to = recipient && (await addressOf(tx, services, claimed, recipient, interview))
  const check = isCheckMail(kind) ? await tx.one(mailedCheck(claimed)) : undefined
  if (
    !to ||
    (isCheckMail(kind) && !check) ||
    (isInterviewMail(kind) && !interview) ||
    (await tx.one(isTooMany(claimed))) ||
    !(await tx.one(assignMail(claimed, recipient.applicant_id)))
  ) {
    await tx.query(dropMail(claimed))
    return undefined
  }
  const link = new URL(sitePathOf(recipient.slug), services.publicUrl)
  if (isCheckMail(kind))
    link.pathname += `/checks/${checkToken(services.keyring, { workspace, order: claimed.order_id ?? '' })}`
  const pageUrl = interview && !isPlain ? new URL(`${link.href}/me/interviews/${interview.id}`) : undefined
  pageUrl?.searchParams.set('lang', language)
  const undo =
    kind === 'email_changed' || isCheckMail(kind) || isPlain
      ? undefined
      : await addLink(tx, link, kind, { workspace, to, ...recipient })
  if (kind === 'access' && claimed.opens !== null) link.searchParams.set('opens', claimed.opens)
  if (kind === 'data_copy') link.searchParams.set('opens', 'data')
  if (interview) link.searchParams.set('opens', `interviews/${interview.id}`)
  link.searchParams.set('lang', language)
  const unsubscribe = unsubscribeToken(services.keyring, { workspace, applicant: recipient.applicant_id })
  const unsubscribeUrl = goesElsewhere(kind)
    ? null
    : `${services.publicUrl}/unsubscribe/${unsubscribe}?lang=${language}`
  const { display_name, workspace_name, contact_email: contact } = recipient
  const company = shownName(display_name, 'workspace') ?? shownName(workspace_name, 'workspace') ?? ''
  const { entry, ...texts } = write({
    kind,
    language,
    company,
    contact,
    look: recipient,
    origin: services.publicUrl,
    firstName: isUnproved(kind) ? null : greetedName(shownName(recipient.first_name, 'person')),
    jobTitle: recipient.job_title,
    link: isPlain ? null : link.href,
    pageUrl: pageUrl?.href ?? null,
    at: claimed.created_at,
    linkSeconds: kind === 'email_changed' || isCheckMail(kind) || isPlain ? null : LINK_SECONDS[kind],
    check: check ?? null,
    interview: interview ?? null,
    unsubscribeUrl,
    templates: recipient.confirmations,
  })
  const name = isUnproved(kind) ? null : greetedName(shownName(recipient.full_name, 'fullName'))
  return {
    id: mailId(claimed.id),
    audience: { workspaceId: workspace },
    to: name === null ? { address: to } : { name, address: to },
    ...(company !== '' && { fromName: company }),
    ...replyTo(interview?.organizer ?? null, contact, company),
    ...texts,
    ...(entry && interview && calendarFile(services, kind, interview, entry, { name, address: to })),
    ...(undo && { undo }),
    headers: {
      ...(unsubscribeUrl !== null && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
      // no program replies to it by itself (RFC 3834)
      'Auto-Submitted': 'auto-generated',
    },
  }
}

/** The interview that an email is about, if it still is as the email says. */
async function readMailedInterview(
  tx: Transaction,
  { keyring }: Pick<MailServices, 'keyring'>,
  { workspace_id: workspace, interview_id: id, kind }: ClaimedMail,
): Promise<Invitation | undefined> {
  const found = id === null ? undefined : await readInvitation({ db: tx, keyring }, workspace, id)
  const states = { interview_times: 'proposed', interview_invitation: 'scheduled', interview_canceled: 'canceled' }
  return found && isInterviewMail(kind) && found.state === states[kind] ? found : undefined
}

/** Answers about an interview go to the member who planned it. */
function replyTo(organizer: Organizer, contact: string | null, company: string): Pick<Mail, 'replyTo'> {
  if (organizer) return { replyTo: { ...(organizer.name && { name: organizer.name }), address: organizer.email } }
  return contact === null ? {} : { replyTo: { ...(company !== '' && { name: company }), address: contact } }
}

/** A canceled offer of times was in no calendar. */
function calendarFile(
  { publicUrl, config }: MailServices,
  kind: MailKind,
  interview: Invitation,
  entry: EntryTexts,
  to: { name: string | null; address: string },
): Pick<Mail, 'calendar'> {
  const { id, sequence, organizer, span } = interview
  if (span === null) return {}
  const attendee = { address: to.address, ...(to.name !== null && { name: to.name }) }
  const method = kind === 'interview_canceled' ? 'CANCEL' : 'REQUEST'
  const installation = { publicUrl, sender: config.MAIL_FROM }
  return { calendar: writeInvite(method, { id, sequence, organizer, span, attendee, ...entry }, installation) }
}

/** Makes the address of the site the one of a new link that works once. Returns the statement that deletes the link. */
async function addLink(
  tx: Transaction,
  link: URL,
  kind: keyof typeof LINK_SECONDS,
  { workspace, to, applicant_id }: { workspace: string; to: string; applicant_id: string },
): Promise<Sql> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = sha256(token).toString('hex')
  // each interview has emails of its own: their links stay
  if (LINK_PURPOSES[kind] !== 'interview') {
    await tx.query(lockLinks(workspace, applicant_id))
    await tx.query(deleteUnusedLinks(workspace, applicant_id, LINK_PURPOSES[kind]))
  }
  await tx.query(
    insertLink({
      workspace,
      tokenHash,
      applicantId: applicant_id,
      purpose: LINK_PURPOSES[kind],
      newAddress: kind === 'email_change' ? to : null,
      seconds: LINK_SECONDS[kind],
    }),
  )
  link.pathname += '/link'
  link.searchParams.set('token', token)
  return deleteLink(workspace, tokenHash)
}

/** The address to write to, if the person may be written to. */
async function addressOf(
  tx: Transaction,
  { config }: Pick<MailServices, 'config'>,
  claimed: ClaimedMail,
  recipient: MailRecipient & MailSender,
  interview: Invitation | undefined,
): Promise<string | undefined> {
  const { kind } = claimed
  const address = goesElsewhere(kind) ? claimed.address : (recipient.email ?? '').trim()
  const key = emailKey(address)
  if ((!recipient.enabled && !interview) || recipient.suppressed || key === undefined || !isAddress(address))
    return undefined
  // a mail server would only report that there is no such mailbox; the local outbox shows what was promised
  if (
    (config.SMTP_URL !== undefined && isReservedAddress(key) && !(await isTestWorkspace(tx, claimed.workspace_id))) ||
    (recipient.unsubscribed && !sentToUnsubscribed(kind) && !interview?.is_chosen)
  )
    return undefined
  const { email_key, linkedin_key } = recipient
  const identifiers: Identifier[] = [{ kind: 'email', key }]
  if (email_key !== null && email_key !== key) identifiers.push({ kind: 'email', key: email_key })
  if (linkedin_key !== null) identifiers.push({ kind: 'linkedin_url', key: linkedin_key })
  const suppressed = await tx.query(suppressedAmong(claimed.workspace_id, identifiers))
  return suppressed.length === 0 ? address : undefined
}
