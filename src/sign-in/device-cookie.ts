import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { readCookie, setCookie } from '../kernel/http/cookies.ts'
import type { Services } from '../kernel/services/services.ts'
import { accountKey } from '../kernel/text/person-keys.ts'

/**
 * A browser in which a user signed in has a cookie that proves it, also after sign-out: a random id of the browser, and
 * for each account a signature over both. It grants no access. Attempts from such a browser are counted separately, so
 * that guesses from other browsers do not lock the owner out.
 */
const COOKIE = 'hiring_browser'
const SECONDS = 180 * 86_400
const MAX_ACCOUNTS = 8
const NAME_BYTES = 16
const TAG_BYTES = 16

type Needs = Pick<Services, 'keyring' | 'publicUrl'>

/** The id of the browser, if this account was signed in there before. */
export function knownDevice(services: Needs, request: IncomingMessage, account: string): string | undefined {
  const parsed = parse(services, request)
  if (!parsed) return undefined
  const isOfAccount = (tag: string) =>
    services.keyring.verifyText('session', tagText(parsed.name, account), tag, TAG_BYTES)
  return parsed.tags.some(isOfAccount) ? parsed.name : undefined
}

/** The Set-Cookie header that adds the account. Of many accounts the latest are retained. */
export function deviceCookie(services: Needs, request: IncomingMessage, account: string): string {
  const parsed = parse(services, request) ?? { name: randomBytes(NAME_BYTES).toString('base64url'), tags: [] }
  const tag = services.keyring.signText('session', tagText(parsed.name, account), TAG_BYTES)
  const tags = [tag, ...parsed.tags.filter(other => other !== tag)].slice(0, MAX_ACCOUNTS)
  return setCookie(services, COOKIE, [parsed.name, ...tags].join('.'), SECONDS)
}

const tagText = (name: string, account: string): string => `browser ${name} ${accountKey(account)}`

function parse(services: Needs, request: IncomingMessage): { name: string; tags: string[] } | undefined {
  const parts = (readCookie(services, request, COOKIE) ?? '').split('.')
  if (parts.length > MAX_ACCOUNTS + 1 || !parts.every(part => /^[\w-]{22}$/.test(part))) return undefined
  const [name, ...tags] = parts as [string, ...string[]]
  return { name, tags }
}
