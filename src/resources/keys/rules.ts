import { accountKey, domainKey } from '../../kernel/identity.ts'

/** Keys are managed by people whose e-mail address is of an allowed domain, the exact one; no list allows every domain. */
export const mayManageKeys = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.some(allowed => domainKey(allowed) === corporateDomain(email))

export const corporateDomain = (email: string): string => {
  const key = accountKey(email)
  return key.slice(key.lastIndexOf('@') + 1)
}
