import { present } from '../errors/present.ts'
import { Type } from '../schema/types.ts'
import { parseInstant } from './params.ts'
import { isUri } from './uri.ts'

/** Scheme and host, without user info. The parser alone also takes https:host and https:///host, and drops an empty user. */
const AUTHORITY = /^[a-z]+:\/\/(?!\.)[^/?#@]+(?:[/?#]|$)/

/** `a..b` names no host: a label between two dots is missing. */
const hasEmptyLabel = (uri: string): boolean => new URL(uri).hostname.includes('..')

/** A URL in the characters of RFC 3986: letters of other alphabets are escaped. What is not a URL is returned as it is. */
export function asUri(text: string): string {
  if (isUri(text) || !AUTHORITY.test(text) || /[\s\\]|\p{Cc}/u.test(text) || !URL.canParse(text)) return text
  const { origin, pathname, search, hash } = new URL(text)
  const rest = pathname + search + hash
  return origin + rest.replace(/[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9a-f]{2})/gi, encodeURIComponent)
}

/** Whether a text, written as `asUri` has it, is a URL with a host and without user info. */
export function isWebUrl(text: string, schemes: readonly string[] = ['https:']): boolean {
  const uri = asUri(text)
  if (!isUri(uri) || !AUTHORITY.test(uri) || !URL.canParse(uri)) return false
  return schemes.includes(new URL(uri).protocol) && !hasEmptyLabel(uri)
}

/** Whether a text is a phone number as people write them. */
export const isPhoneNumber = (text: string): boolean => /^[0-9 +().-]+$/.test(text) && /[0-9]/.test(text)

/** The formats that texts of a body can have, under the names that OpenAPI shows. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uri: text => isWebUrl(text),
  'date-time': text => parseInstant(text) !== undefined,
}

export const TIME_MESSAGE = 'must be an RFC 3339 timestamp such as 2026-11-01T00:00:00Z'
/** For people in forms as well as for partners. */
export const URL_MESSAGE =
  'must be a full URL that begins with https://, such as https://example.com/about, without a user name, spaces or backslashes'

export const FORMAT_MESSAGES: Readonly<Record<string, string>> = { uri: URL_MESSAGE, 'date-time': TIME_MESSAGE }

/** For descriptions of URLs that a body sets. */
export const ASCII_URL =
  'Stored and returned in ASCII: other letters of the host as Punycode, those of the path percent-encoded.'

/** An https URL in a body. */
export const httpsUrl = (opts: { maxLength?: number; description?: string } = {}) =>
  Type.String({ format: 'uri', pattern: '^https://', ...opts })

/** A time in a body. */
export const bodyTime = () => Type.String({ format: 'date-time', maxLength: 64 })

/** A time of a checked body, as the store shows times. */
export const bodyInstant = (text: string): string => present(parseInstant(text), 'the time')
