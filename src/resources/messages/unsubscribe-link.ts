import type { Keyring } from '../../kernel/crypto/signing.ts'
import { isHandle } from '../../kernel/ids/handles.ts'

/** Who unsubscribes, and from whom. */
export interface Unsubscription {
  workspace: string
  applicant: string
}

/**
 * The token in an unsubscribe link: two handles and a signature. It says nothing about the person, and it does not
 * expire: the link in an old mail still unsubscribes.
 */
export function unsubscribeToken(keyring: Keyring, { workspace, applicant }: Unsubscription): string {
  const named = `${workspace}.${applicant}`
  return `${named}.${keyring.sign('unsubscribe', named).toString('base64url')}`
}

export function readUnsubscribeToken(keyring: Keyring, token: string): Unsubscription | undefined {
  const [workspace = '', applicant = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isHandle('workspace', workspace) || !isHandle('applicant', applicant)) return undefined
  const signed = Buffer.from(signature, 'base64url')
  if (!keyring.verify('unsubscribe', `${workspace}.${applicant}`, signed)) return undefined
  // base64 has several spellings of the same bytes; one is ours
  return signed.toString('base64url') === signature ? { workspace, applicant } : undefined
}
