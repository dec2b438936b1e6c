import type { Keyring } from '../../kernel/crypto/signing.ts'
import { isHandle } from '../../kernel/ids/handles.ts'

/** The order that a candidate is asked to do something for. */
export interface CheckLink {
  workspace: string
  order: string
}

/**
 * The token in the link of an invitation, `/careers/{slug}/checks/{token}`: two handles and a signature. It says nothing about the
 * person and does not expire: after the end of the order the page says so.
 */
export function checkToken(keyring: Keyring, { workspace, order }: CheckLink): string {
  const named = `${workspace}.${order}`
  return `${named}.${keyring.sign('order check', named).toString('base64url')}`
}

export function readCheckToken(keyring: Keyring, token: string): CheckLink | undefined {
  const [workspace = '', order = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isHandle('workspace', workspace) || !isHandle('order', order)) return undefined
  const signed = Buffer.from(signature, 'base64url')
  if (!keyring.verify('order check', `${workspace}.${order}`, signed)) return undefined
  // base64 has several spellings of the same bytes; one is ours
  return signed.toString('base64url') === signature ? { workspace, order } : undefined
}
