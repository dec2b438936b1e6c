/** A mail to one person, complete before it is handed over. */
export interface Mail {
  /**
   * Names the mail for ever, in letters, digits, `_` and `-`: the Message-ID is made of it, so that an email that is sent
   * again after a doubt can be recognized by those who receive it.
   */
  id: string
  /** whose mail it is; decides whether it is sent at all and who may read it in the local outbox, and is sent nowhere */
  audience: MailAudience
  to: Mailbox
  /** the sender's name instead of the one of the installation; the address stays */
  fromName?: string
  /** where replies go, if not to the sender */
  replyTo?: Mailbox
  subject: string
  text: string
  /** a second rendering of the text */
  html?: string
  /** an invitation for calendar programs, inside the email and as the attachment `invite.ics` */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string }
  headers?: Readonly<Record<string, string>>
  /** when it was written, in milliseconds since the epoch; now, if it does not say */
  writtenAt?: number
}

/**
 * The workspace that sends it to its candidates or to members; a link that signs members in, which may be of several
 * workspaces. A test workspace sends nothing but the last.
 */
export type MailAudience =
  | { workspaceId: string }
  | { workspaceId: string; userIds: readonly string[] }
  | { signsIn: true; userIds: readonly string[] }

export interface Mailbox {
  name?: string
  address: string
}

export interface Mailer {
  /** Resolves when the mail was accepted; throws MailNotSent or MailInDoubt, and nothing else. */
  send(mail: Mail): Promise<void>
  /** Whether an email would be taken, in a line for people; throws where it would not. */
  check(): Promise<string>
}

/** Certainly not sent: to try again sends no second copy. */
export class MailNotSent extends Error {}

/** The mail was on its way when the connection was lost: whether it was accepted cannot be known. */
export class MailInDoubt extends Error {}

// No address that is mailed has a character with a meaning of its own in a header or an SMTP command.
const ADDRESS = /^[^\s@,;:<>()[\]"\\\p{C}]+@[^\s@,;:<>()[\]"\\\p{C}]+$/u

export const isAddress = (text: string): boolean => text.length <= 320 && ADDRESS.test(text)

/** `address`, or `Name <address>` */
export function parseMailbox(text: string): Mailbox | undefined {
  const trimmed = text.trim()
  const open = trimmed.endsWith('>') ? trimmed.indexOf('<') : -1
  const name = trimmed.slice(0, Math.max(open, 0)).trim().replace(/^"|"$/g, '')
  const address = open < 0 ? trimmed : trimmed.slice(open + 1, -1)
  if (!isAddress(address) || /["<>]/.test(name) || /\p{C}/u.test(trimmed)) return undefined
  return name === '' ? { address } : { name, address }
}

export const mailboxDomainOf = (mailbox: Mailbox): string => mailbox.address.slice(mailbox.address.lastIndexOf('@') + 1)
