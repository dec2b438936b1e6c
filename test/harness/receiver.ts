import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { ResolveName } from '../../src/kernel/net/resolve-name.ts'
import { noteDelivery } from './evidence.ts'
import { atFileEnd } from './file-end.ts'

const TLS = join(import.meta.dirname, 'tls')

/** The authority that signed the receivers' certificate, which is for hooks.test and *.hooks.test. */
export const CA_FILE = join(TLS, 'ca.pem')
export const RECEIVER_TLS = {
  cert: readFileSync(join(TLS, 'receiver.pem')),
  key: readFileSync(join(TLS, 'receiver.key')),
}

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  path: string
  at: number
}

export interface Receiver {
  /** host:port, to be allowed by the service */
  host: string
  port: number
  url: string
  received: Received[]
  connections: number
  /** how many connections were open at the same moment, at most */
  mostOpen: number
  /** responds to requests from now on; by default with 200 */
  respond: (request: IncomingMessage, response: ServerResponse, body: string) => void
  /** closes the connections that clients keep */
  hangUp(): void
  close(): Promise<void>
}

const ok: Receiver['respond'] = (_request, response) => void response.end('ok')

const started: Receiver[] = []
atFileEnd(async () => {
  await Promise.all(started.splice(0).map(receiver => receiver.close()))
})

/** A real HTTPS server that keeps what it was sent. */
export async function startReceiver(name = 'hooks.test'): Promise<Receiver> {
  const sockets = new Set<Duplex>()
  const server = createServer(RECEIVER_TLS)
  const receiver: Receiver = {
    host: '',
    port: 0,
    url: '',
    received: [],
    connections: 0,
    mostOpen: 0,
    respond: ok,
    hangUp: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      receiver.hangUp()
      await new Promise(resolve => server.close(resolve))
    },
  }
  /** A connection that its client closed before the newest one began is still in the set until its end was read. */
  const countOpen = async (): Promise<void> => {
    const open = [...sockets]
    // twice: between two timers the event loop reads what has arrived, however late it is
    for (let i = 0; i < 2; i++) await delay(50, undefined, { ref: false })
    receiver.mostOpen = Math.max(receiver.mostOpen, open.filter(socket => sockets.has(socket)).length)
  }
  server.on('request', (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      noteDelivery(body)
      receiver.received.push({ headers: request.headers, body, path: request.url ?? '', at: performance.now() })
      receiver.respond(request, response, body)
    })
  })
  server.on('connection', socket => {
    receiver.connections++
    sockets.add(socket)
    void countOpen()
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  receiver.port = (server.address() as AddressInfo).port
  receiver.host = `${name}:${receiver.port}`
  receiver.url = `https://${receiver.host}/hook`
  started.push(receiver)
  return receiver
}

/** Names as the tests want them; those of receivers lead to this machine. */
export const testNames =
  (names: Record<string, string[] | (() => string[])> = {}): ResolveName =>
  async hostname => {
    const found = names[hostname]
    if (found) return typeof found === 'function' ? found() : found
    return hostname === 'hooks.test' || hostname.endsWith('.hooks.test') ? ['127.0.0.1'] : []
  }

/** Waits for something that happens soon, and says what did not. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 120_000): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not happen: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
