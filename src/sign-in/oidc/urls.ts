import type { IncomingMessage } from 'node:http'

/** The path where apps send people to authorize them. */
export const AUTHORIZATION = '/oauth/authorize'
/** Where a browser comes back to after an interaction; the id of the interaction follows. */
export const RESUMPTION = `${AUTHORIZATION}/`

/** The provider takes its own origin from the request; what counts is the public URL, whatever the caller claims. */
export function forcePublicOrigin(request: IncomingMessage, publicUrl: string): void {
  const { protocol, host } = new URL(publicUrl)
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.headers['x-forwarded-host'] = host
}
