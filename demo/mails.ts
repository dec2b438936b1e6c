import type { Keyring } from '../src/kernel/crypto/signing.ts'
import type { Mail } from '../src/kernel/mail/mail.ts'
import { unsubscribeToken } from '../src/resources/messages/index.ts'

const LINK = /[^\s"<>]+\/unsubscribe\/(\w+)\.(\w+)\.[\w-]+/g
const LINK_PLACE = /unsubscribe:(\w+)\.(\w+)/g

/** An email as text, without what depends on the installation: the origin and the signature of its unsubscribe link. */
export const encodeMail = (mail: Mail, writtenAt: string): string =>
  JSON.stringify({ ...mail, writtenAt }).replace(LINK, 'unsubscribe:$1.$2')

/** The email, with links of this installation. */
export function decodeMail(text: string, { keyring, publicUrl }: { keyring: Keyring; publicUrl: string }): Mail {
  const linked = text.replace(
    LINK_PLACE,
    (_, workspace, applicant) => `${publicUrl}/unsubscribe/${unsubscribeToken(keyring, { workspace, applicant })}`,
  )
  const { writtenAt, ...mail } = JSON.parse(linked) as Omit<Mail, 'writtenAt'> & { writtenAt: string }
  return { ...mail, writtenAt: Date.parse(writtenAt) }
}
