import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { SECURITY_HEADERS } from './send.ts'

/** Bytes that are sent as they are, time and again: also kept compressed. */
export interface Packed {
  type: string
  bytes: Buffer
  gzip: Buffer
}

export const pack = (bytes: Buffer, type: string): Packed => ({ type, bytes, gzip: gzipSync(bytes) })

export function sendPacked(
  request: IncomingMessage,
  response: ServerResponse,
  { type, bytes, gzip }: Packed,
  headers: Readonly<Record<string, string>>,
): void {
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const body = zipped ? gzip : bytes
  response
    .writeHead(200, {
      ...SECURITY_HEADERS,
      'Content-Type': type,
      'Content-Length': body.length,
      Vary: 'Accept-Encoding',
      ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
      ...headers,
    })
    .end(request.method === 'HEAD' ? undefined : body)
}
