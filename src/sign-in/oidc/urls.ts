import type { IncomingMessage } from 'node:http'

/** The path to which apps redirect users for authorization. */
export const AUTHORIZATION = '/oauth/authorize'
/** The path to which a browser returns after an interaction, followed by the id of the interaction. */
export const RESUMPTION = `${AUTHORIZATION}/`

/**
 * The provider reads its origin and the caller's address from headers of proxies. This replaces them with the public URL and
 * the address that the server trusts, whatever the headers say.
 */
export function forceForwarded(request: IncomingMessage, publicUrl: string, address: string): void {
  const { protocol, host } = new URL(publicUrl)
  request.headers['x-forwarded-for'] = address
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.headers['x-forwarded-host'] = host
}
