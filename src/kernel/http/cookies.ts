import type { IncomingMessage } from 'node:http'
import type { Services } from '../services/services.ts'

type Where = Pick<Services, 'publicUrl'>

const isSecure = ({ publicUrl }: Where): boolean => publicUrl.startsWith('https:')

/**
 * With https, browsers accept a cookie whose name begins with `__Host-` only from this host, over TLS, for all paths.
 * Neither another host of the same domain nor a page without TLS can set it.
 */
export const cookieName = (where: Where, name: string): string => (isSecure(where) ? `__Host-${name}` : name)

/** The same for cookies that are bound to a path, which `__Host-` does not allow. */
export const pathCookieName = (where: Where, name: string): string => (isSecure(where) ? `__Secure-${name}` : name)

/**
 * Lax: the cookie is sent when an app redirects a browser here, never with a form of another site. With a `path`, the
 * browser sends it to the pages below alone.
 */
export const setCookie = (where: Where, name: string, value: string, seconds: number, path?: string): string =>
  `${(path === undefined ? cookieName : pathCookieName)(where, name)}=${value}; Path=${path ?? '/'}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure(where) ? '; Secure' : ''}`

export const clearCookie = (where: Where, name: string, path?: string): string => setCookie(where, name, '', 0, path)

export function readCookie(where: Where, request: IncomingMessage, name: string, bound?: 'path'): string | undefined {
  const wanted = (bound === 'path' ? pathCookieName : cookieName)(where, name)
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === wanted && value) return value
  }
  return undefined
}
