import { isIPv6 } from 'node:net'

// RFC 3986, appendix A
const ESCAPE = '%[0-9a-f]{2}'
const NAME = `[-a-z0-9._~!$&'()*+,;=]|${ESCAPE}`
const PATH = `[-a-z0-9._~!$&'()*+,;=:@/]|${ESCAPE}`
const QUERY = `[-a-z0-9._~!$&'()*+,;=:@/?]|${ESCAPE}`
const AUTHORITY = `(?:(?:${NAME}|:)*@)?(?:\\[(?<literal>[^\\]]*)\\]|(?:${NAME})*)(?::\\d*)?`
// a path that begins with two slashes would be an authority
export const URI = new RegExp(
  `^[a-z][-a-z0-9+.]*:(?://${AUTHORITY}(?:/(?:${PATH})*)?|(?!//)(?:${PATH})*)(?:\\?(?:${QUERY})*)?(?:#(?:${QUERY})*)?$`,
  'i',
)
const FUTURE_ADDRESS = /^v[0-9a-f]+\.[-a-z0-9._~!$&'()*+,;=:]+$/i

/** Whether a text is an absolute URI in the characters of RFC 3986. */
export function isUri(text: string): boolean {
  const found = URI.exec(text)
  if (!found) return false
  const literal = found.groups?.['literal']
  return literal === undefined || FUTURE_ADDRESS.test(literal) || (/^[0-9a-f:.]+$/i.test(literal) && isIPv6(literal))
}
