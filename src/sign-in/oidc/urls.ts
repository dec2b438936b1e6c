import type { IncomingMessage } from 'node:http'

/** The path to which apps redirect users for authorization. */
export const AUTHORIZATION = '/oauth/authorize'
/** The path to which a browser returns after an interaction, followed by the id of the interaction. */
export const RESUMPTION = `${AUTHORIZATION}/`

/** The provider reads its origin from the request. This replaces it with the public URL, whatever the headers say. */
export function forcePublicOrigin(request: IncomingMessage, publicUrl: string): void {
  const { protocol, host } = new URL(publicUrl)
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.headers['x-forwarded-host'] = host
}
