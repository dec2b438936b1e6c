import { accountKey, domainKey } from '../../kernel/text/person-keys.ts'

/** Keys are managed by people whose email address is of an allowed domain, the exact one; no list allows every domain. */
export const mayManageKeys = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.some(allowed => domainKey(allowed) === corporateDomain(email))

export const corporateDomain = (email: string): string => {
  const key = accountKey(email)
  return key.slice(key.lastIndexOf('@') + 1)
}

export type KeyState = 'active' | 'expired' | 'revoked'

/** `now` is the time of the database. */
export function keyState(key: { revoked_at: string | null; expires_at: string | null }, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && Date.parse(key.expires_at) <= now ? 'expired' : 'active'
}
