import type { IncomingMessage, ServerResponse } from 'node:http'
import { choose, type Packed } from '../kernel/http/packed.ts'
import { SECURITY_HEADERS } from './send.ts'

export function sendPacked(
  request: IncomingMessage,
  response: ServerResponse,
  packed: Packed,
  headers: Readonly<Record<string, string>>,
): void {
  const { status, body, headers: chosen } = choose(packed, name => request.headers[name] as string | undefined)
  const content = status === 304 ? {} : { 'Content-Type': packed.type, 'Content-Length': body.length }
  response
    .writeHead(status, { ...SECURITY_HEADERS, ...content, ...chosen, ...headers })
    .end(request.method === 'HEAD' ? undefined : body)
}
