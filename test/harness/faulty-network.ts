import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** What happens to one request on its way. */
export type Fault =
  | 'none'
  /** the connection is closed before the request reaches the service */
  | 'cut_request'
  /** the service processes the request, and its response is lost */
  | 'lose_response'
  /** the connection is closed in the middle of the body */
  | 'cut_body'
  /** no response, and the connection stays open */
  | 'silence'
  /** a proxy responds instead of the service */
  | { status: number; headers?: Record<string, string>; body?: string }

export interface Passed {
  method: string
  path: string
  headers: IncomingMessage['headers']
  fault: Fault
}

export interface FaultyNetwork {
  origin: string
  requests: Passed[]
  /** chooses the fault of each request; the number counts from 0 */
  plan(choose: (request: { method: string; path: string }, n: number) => Fault): void
}

/** A proxy in front of a service, with real connections that fail as planned. */
export async function faultyNetwork(target: string): Promise<FaultyNetwork> {
  const requests: Passed[] = []
  let choose: (request: { method: string; path: string }, n: number) => Fault = () => 'none'

  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/' } = incoming
    const fault = choose({ method, path }, requests.length)
    requests.push({ method, path, headers: incoming.headers, fault })
    if (fault === 'cut_request') return void incoming.socket.destroy()
    if (fault === 'silence') return void incoming.resume()
    if (typeof fault === 'object') {
      incoming.resume()
      return void outgoing.writeHead(fault.status, fault.headers).end(fault.body ?? '')
    }
    pass(incoming, outgoing, target + path, fault)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    plan(next) {
      requests.length = 0
      choose = next
    },
  }
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, url: string, fault: Fault): void {
  const headers = { ...incoming.headers, host: new URL(url).host }
  const forward = request(url, { method: incoming.method ?? 'GET', headers }, response => {
    const chunks: Buffer[] = []
    response.on('data', chunk => chunks.push(chunk))
    response.on('end', () => {
      if (fault === 'lose_response') return incoming.socket.destroy()
      const body = Buffer.concat(chunks)
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      if (fault !== 'cut_body') return outgoing.end(body)
      outgoing.write(body.subarray(0, body.length >> 1), () => incoming.socket.destroy())
    })
  })
  forward.on('error', () => incoming.socket.destroy())
  incoming.pipe(forward)
}
