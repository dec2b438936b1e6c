/**
 * confirmation and already_applied: after an application. access: a link that someone asked for. email_change: to the new
 * address of a person. email_changed: to the previous one, after the change. check_…: about a test or check that was ordered.
 * interview_…: about an interview that the team planned. data_copy: the link to everything that is stored, sent by a member.
 */
export const MAIL_KINDS = [
  'confirmation',
  'already_applied',
  'access',
  'email_change',
  'email_changed',
  'check_invitation',
  'check_reminder',
  'check_canceled',
  'interview_times',
  'interview_invitation',
  'interview_canceled',
  'data_copy',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** About an order: their link opens a page of the order, and does not expire. */
export const CHECK_MAILS = ['check_invitation', 'check_reminder', 'check_canceled'] as const
export type CheckMail = (typeof CHECK_MAILS)[number]

/** About an interview: times to choose from, the invitation as it is now, and its end. */
export const INTERVIEW_MAILS = ['interview_times', 'interview_invitation', 'interview_canceled'] as const
export type InterviewMail = (typeof INTERVIEW_MAILS)[number]

const interviewMails: readonly MailKind[] = INTERVIEW_MAILS
export const isInterviewMail = (kind: MailKind): kind is InterviewMail => interviewMails.includes(kind)

const checkMails: readonly MailKind[] = CHECK_MAILS
export const isCheckMail = (kind: MailKind): kind is CheckMail => checkMails.includes(kind)

/**
 * Emails to an address that is not the one of the record: not yet proved to be the person's, or no longer theirs. Their
 * reader can do nothing in the person's name but confirm the new address.
 */
export const goesElsewhere = (kind: MailKind): boolean => kind === 'email_change' || kind === 'email_changed'

/** To an address that the sender of a form typed and no one has proved: it has no words that the sender chose. */
export const isUnproved = (kind: MailKind): boolean => kind === 'email_change'

/** Waits between attempts of an email, in seconds; the last one is repeated. */
const RETRY_SECONDS = [60, 300, 1_800, 7_200]
const LAST_RETRY_SECONDS = 21_600

/** After this time an email is given up: by then its link would surprise rather than help. */
const GIVE_UP_SECONDS = 86_400

/** How long after a failed attempt the next one follows; null: there is none. */
export function retryDelay(attempt: number, ageSeconds: number): number | null {
  const delay = RETRY_SECONDS[attempt - 1] ?? LAST_RETRY_SECONDS
  return ageSeconds + delay < GIVE_UP_SECONDS ? delay : null
}

/**
 * How a session began: with the link of an email after an application, which works for days, or with one that was asked for
 * and works for minutes. A change of the email address and an erasure need the second: an old email that someone finds in a
 * mailbox or was forwarded is not enough.
 */
export type LinkProof = 'confirmation' | 'access'

/** A link of an email about an interview opens its page, and proves what a confirmation proves. */
export type LinkPurpose = LinkProof | 'email_change' | 'interview'

export const LINK_PURPOSES: Readonly<Record<keyof typeof LINK_SECONDS, LinkPurpose>> = {
  confirmation: 'confirmation',
  already_applied: 'confirmation',
  access: 'access',
  email_change: 'email_change',
  interview_times: 'interview',
  interview_invitation: 'interview',
  interview_canceled: 'interview',
  data_copy: 'confirmation',
}

/** Pages that a link can be asked for on, because they need one; it leads back to them. */
export const LANDING_PAGES = ['details', 'erasure'] as const
export type ProvenPage = (typeof LANDING_PAGES)[number]

/** Where a link can lead: also to everything that is stored, and to the page of an interview. */
export type LandingPage = ProvenPage | 'data' | `interviews/${string}`

export const isLandingPage = (text: string | null): text is LandingPage =>
  text === 'data' || LANDING_PAGES.some(page => page === text) || /^interviews\/[0-9a-f-]{36}$/.test(text ?? '')

const MINUTES = 60
const DAYS = 86_400

/**
 * How long a mailed link works, once. A link that someone asked for is used within minutes. The one in a confirmation is
 * the first way to the candidate's page and is opened when the person next thinks of the application: days, not weeks, since
 * anyone who reads the mailbox later can ask for a new link anyway.
 */
export const LINK_SECONDS: Readonly<Record<Exclude<MailKind, 'email_changed' | CheckMail>, number>> = {
  confirmation: 14 * DAYS,
  already_applied: 14 * DAYS,
  access: 30 * MINUTES,
  email_change: 60 * MINUTES,
  interview_times: 14 * DAYS,
  interview_invitation: 14 * DAYS,
  interview_canceled: 14 * DAYS,
  data_copy: 14 * DAYS,
}

export const SESSION_SECONDS = 60 * MINUTES

/**
 * Emails that a person asked for themselves are sent although they unsubscribed: nothing else would let them in. So are the
 * link to their data, and the one that warns of a change by someone else.
 */
export const sentToUnsubscribed = (kind: MailKind): boolean =>
  kind === 'access' || kind === 'data_copy' || goesElsewhere(kind)

/** Names the email for ever, in its Message-ID and in the local outbox; an erasure finds it there (execute-store.ts). */
export const mailId = (rowId: string): string => `candidate-${rowId}`

/**
 * A first name as a greeting has it. Anyone can type one into a form, and the service mails it to the address that they
 * typed: a name with digits, or that looks like an address, is left out, and the greeting has none.
 */
export const greetedName = (name: string | null): string | null =>
  name === null || [...name].length > 40 || /[\p{N}/:@\\<>]|\p{L}\.\p{L}|www\./iu.test(name) ? null : name

/** The state of an application that candidates see; never the stage, never a reason. */
export type PublicState = 'received' | 'in_review' | 'decided' | 'withdrawn'

const PUBLIC_STATES: Readonly<Record<string, PublicState>> = {
  new: 'received',
  in_review: 'in_review',
  advanced: 'in_review',
  rejected: 'decided',
  hired: 'decided',
  withdrawn: 'withdrawn',
}

export const publicState = (status: string): PublicState => PUBLIC_STATES[status] ?? 'in_review'

/** The state of a test or check that candidates see; never its outcome. */
export type PublicCheckState = 'to_do' | 'in_progress' | 'done' | 'not_needed'

const PUBLIC_CHECK_STATES: Readonly<Record<string, PublicCheckState>> = {
  invited: 'to_do',
  in_progress: 'in_progress',
  completed: 'done',
}

export const publicCheckState = (status: string): PublicCheckState => PUBLIC_CHECK_STATES[status] ?? 'not_needed'
