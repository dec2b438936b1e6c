import ipaddr from 'ipaddr.js'

const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3')
/** Inside 2000::/3, and yet not public: documentation, and prefixes that carry an IPv4 address which could be any. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(range => ipaddr.parseCIDR(range))

/** Whether an address belongs to the public internet. Anything that is not written as a plain address does not. */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast'
  if (!ipaddr.IPv6.isValid(text) || text.includes('%')) return false
  const address = ipaddr.IPv6.parse(text)
  const inside = ([range, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) => address.match(range, bits)
  return address.range() === 'unicast' && inside(GLOBAL_UNICAST_V6) && !NOT_PUBLIC_V6.some(inside)
}

/** Two spellings of one address; a socket that speaks both families reports IPv4 as ::ffff:a.b.c.d. */
export const sameAddress = (a: string, b: string): boolean =>
  ipaddr.isValid(a) && ipaddr.isValid(b) && ipaddr.process(a).toString() === ipaddr.process(b).toString()
