import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { isLocalOnly } from '../src/kernel/config/config.ts'
import type { OwnReceiver } from '../src/kernel/net/own-receiver.ts'
import type { Services } from '../src/kernel/services/services.ts'
import { selfSigned } from './certificate.ts'

// Host names that exist nowhere else: the domain is reserved for examples.

export const RECEIVER_HOST = 'receiver.demo.example'
/** Leads to the same receiver, whose certificate is for the other name. */
export const UNTRUSTED_HOST = 'untrusted.demo.example'
/** Has a private IP address, which webhooks are not sent to. */
export const PRIVATE_HOST = 'private.demo.example'
const PRIVATE_ADDRESS = '10.0.0.10'

/** What the receiver says with a status, as receivers of partners do; the delivery log shows it. */
const TEXTS: Readonly<Record<number, string>> = {
  200: '{"received":true}',
  410: '{"error":"this integration was removed"}',
  500: 'Internal Server Error: cannot read properties of undefined (reading "candidate_id")',
  503: '{"error":"maintenance","retry":true}',
}

/** `later` accepts a delivery with this attempt: four days after the first. */
const ACCEPTED_ATTEMPT = 5
const LATER_SECONDS = 86_400

export interface DemoReceiver extends OwnReceiver {
  close(): Promise<void>
}

/**
 * Starts a receiver on loopback. The first part of the path says what happens to a request:
 *
 *   /200 or any other status   that response
 *   /later                     503 with Retry-After, and 200 to the fifth attempt of a delivery
 *   /timeout                   no response
 *   /closed                    the connection is closed without a response
 *
 * `outcomeOf` may replace the outcome of a path.
 */
export async function startReceiver(
  outcomeOf: (path: string) => string = path => path.split('/')[1]!,
): Promise<DemoReceiver> {
  const { certificate, key } = selfSigned(RECEIVER_HOST)
  const server = createServer({ cert: certificate, key }, (request, response) => {
    request.resume().on('end', () => respond(request, response, outcomeOf(request.url!)))
  })
  await new Promise<void>(resolve => server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve))
  // it serves this process alone, and does not keep it running
  server.unref()
  return {
    hosts: new Set([RECEIVER_HOST, UNTRUSTED_HOST]),
    port: (server.address() as AddressInfo).port,
    certificate: Buffer.from(certificate),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function respond(request: IncomingMessage, response: ServerResponse, outcome: string): void {
  if (outcome === 'timeout') return
  if (outcome === 'closed') return void request.socket.destroy()
  if (outcome === 'later') {
    const accepted = Number(request.headers['service-delivery-attempt']) >= ACCEPTED_ATTEMPT
    const status = accepted ? 200 : 503
    response.writeHead(status, accepted ? {} : { 'Retry-After': String(LATER_SECONDS) }).end(TEXTS[status])
    return
  }
  const status = /^[2-5]\d\d$/.test(outcome) ? Number(outcome) : 404
  const isRedirect = status >= 300 && status < 400
  response.writeHead(status, isRedirect ? { Location: `https://${RECEIVER_HOST}/200` } : {}).end(TEXTS[status])
}

/**
 * Starts the receiver and sends what goes to its host names there. If only this machine reaches the service, webhooks
 * may also go to http URLs of this machine. All other URLs are checked as always.
 */
export async function openReceiver(
  services: Pick<Services, 'config' | 'ownReceiver' | 'isLocalDemo' | 'resolveName'>,
): Promise<DemoReceiver> {
  const receiver = await startReceiver()
  const { resolveName } = services
  services.ownReceiver = receiver
  services.isLocalDemo = isLocalOnly(services.config)
  services.resolveName = async (host, opts) => (host === PRIVATE_HOST ? [PRIVATE_ADDRESS] : resolveName(host, opts))
  return receiver
}
