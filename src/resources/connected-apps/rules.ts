import { ALL_SCOPES, isAppScope, isScope, keyScopes, type Rights, SCOPES, type Scope } from '../../contract/scopes.ts'
import { charactersIn } from '../../kernel/text/text.ts'

export const APP_KINDS = ['web', 'browser', 'native'] as const

export type AppKind = (typeof APP_KINDS)[number]

/** What an app learns about the person who signs in. */
export const SIGN_IN_SCOPES = {
  openid: 'See who you are: your id, your workspace and your role in it.',
  profile: 'See your name and picture.',
  email: 'See your email address.',
  offline_access: 'Keep access when you are not using the app, until you revoke it.',
} as const

/** One line for people about a scope of either kind. */
export const scopeInWords = (scope: string): string =>
  isScope(scope) ? SCOPES[scope].description : SIGN_IN_SCOPES[scope as keyof typeof SIGN_IN_SCOPES]

/** What an app may be granted. */
export const APP_SCOPES: readonly string[] = [...Object.keys(SIGN_IN_SCOPES), ...ALL_SCOPES.filter(isAppScope)]

/** Selects the scopes asked for that a person with these rights can give. */
export const grantable = (asked: readonly string[], rights: Rights, hasPlan: boolean): string[] =>
  asked.filter(
    scope =>
      Object.hasOwn(SIGN_IN_SCOPES, scope) ||
      (keyScopes(rights).includes(scope as Scope) && (hasPlan || !SCOPES[scope as Scope].paid)),
  )

/** Why an address cannot be one that codes are sent to; undefined if it can. */
export function redirectFault(uri: string, kind: AppKind): string | undefined {
  if (charactersIn(uri) > 2_000 || !URL.canParse(uri) || /[\s\\*]/.test(uri)) return 'is not a URL'
  const url = new URL(uri)
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '') return 'contains a user name or password'
  if (url.protocol === 'https:') return undefined
  if (kind !== 'native') return 'must start with https://'
  if (url.protocol === 'http:') {
    return ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
      ? undefined
      : 'may use http only for loopback addresses'
  }
  // RFC 8252: a scheme of one's own is a domain name backwards
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)
    ? undefined
    : 'has a scheme that is not a reversed domain name'
}
