import ipaddr from 'ipaddr.js'

/** Returns the network that one customer of a provider has at least: an IPv4 address, or the /64 of an IPv6 address. */
export function network(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString()
}
