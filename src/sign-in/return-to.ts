import { KEEPS_OPENER } from '../pages/send.ts'

const ANY_ORIGIN = 'http://local.invalid'
const LONGEST = 2_000

/**
 * The path of this service to go to after sign-in, or undefined. Browsers read `\` as `/`, drop tabs and line ends, and
 * treat a path that begins with two slashes as another host. So these are rejected, and everything that resolves to
 * them.
 */
export function localPath(text: string | null | undefined): string | undefined {
  if (!text || text.length > LONGEST || !/^\/[^\\\x00-\x20\x7f-\xa0]*$/.test(text) || text.startsWith('//'))
    return undefined
  if (!URL.canParse(text, ANY_ORIGIN)) return undefined
  const url = new URL(text, ANY_ORIGIN)
  if (url.origin !== ANY_ORIGIN || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}

/** During the sign-in for an app, the app keeps its reference to the window that it opened. */
export const openerPolicy = (returnTo: string | undefined): Readonly<Record<string, string>> =>
  returnTo?.startsWith('/oauth/interaction/') ? KEEPS_OPENER : {}
