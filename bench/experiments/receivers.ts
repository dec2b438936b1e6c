// Runs in the process of the receivers.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const TLS = join(import.meta.dirname, '../../test/harness/tls')
export const CA_FILE = join(TLS, 'ca.pem')
/** What their certificate is for. */
export const HOSTNAME = 'hooks.test'
/** Each delivery names itself, so that one that comes twice counts once. */
export const DELIVERY_HEADER = 'service-delivery-id'

let arrived = new Set<string>()
let awaited: { count: number; reached: () => void } | undefined

/** Starts HTTPS servers that respond to every request with 200, and returns their ports. */
export async function open({ count }: { count: number }): Promise<number[]> {
  const secure = { cert: readFileSync(join(TLS, 'receiver.pem')), key: readFileSync(join(TLS, 'receiver.key')) }
  const opening = Array.from({ length: count }, async () => {
    const server = createServer(secure, (request, response) => {
      request.resume().on('end', () => {
        response.end('ok')
        arrived.add(String(request.headers[DELIVERY_HEADER]))
        if (awaited && arrived.size >= awaited.count) awaited.reached()
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  })
  return Promise.all(opening)
}

export function forget(): void {
  arrived = new Set()
  awaited = undefined
}

/** Resolves when this many deliveries have arrived since `forget`. */
export async function receive({ count }: { count: number }): Promise<void> {
  if (arrived.size >= count) return
  await new Promise<void>(reached => {
    awaited = { count, reached }
  })
}
