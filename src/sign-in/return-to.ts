import { KEEPS_OPENER } from '../pages/send.ts'

const SOMEWHERE = 'http://local.invalid'
const LONGEST = 2_000

/**
 * Where to go after signing in: a path of this service, or undefined. Browsers read `\` as `/`, drop tabs and line ends,
 * and take what begins with two slashes for another host, so none of these is let through, nor anything that resolves
 * to them.
 */
export function localPath(text: string | null | undefined): string | undefined {
  if (!text || text.length > LONGEST || !/^\/[^\\\x00-\x20\x7f-\xa0]*$/.test(text) || text.startsWith('//'))
    return undefined
  if (!URL.canParse(text, SOMEWHERE)) return undefined
  const url = new URL(text, SOMEWHERE)
  if (url.origin !== SOMEWHERE || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}

/** On the way to an app, the app that opened this window keeps its reference to it. */
export const openerPolicy = (returnTo: string | undefined): Readonly<Record<string, string>> =>
  returnTo?.startsWith('/oauth/interaction/') ? KEEPS_OPENER : {}
