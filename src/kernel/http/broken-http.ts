import type { Socket } from 'node:net'
import { ApiError } from '../errors/api-error.ts'
import { newHandle } from '../ids/handles.ts'
import type { Services } from '../services/services.ts'
import { errorReply, replyHeaders, UNKNOWN_CALLER } from './reply.ts'

// an import of node:http would load all of its exports, of which some load the HTTP client of fetch
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** After a response to broken HTTP the connection stays open for this long, so that the client can read it. */
const LINGER_MS = 2_000

/** The response to a request that cannot be parsed; undefined where the connection or its TLS is broken. */
export function brokenHttp({ code = '' }: NodeJS.ErrnoException): ApiError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout')
  if (!code.startsWith('HPE_')) return undefined
  const tooLarge = code === 'HPE_HEADER_OVERFLOW'
  return new ApiError('invalid_request', {
    message: tooLarge ? 'The headers of the request are too large.' : 'The request is not valid HTTP.',
  })
}

/** Sends the error body if the client can still read it, then closes the connection. */
export function refuseBrokenHttp(failure: ApiError, socket: Socket, services: Services): void {
  // After a response on the same connection, another one would be taken for the response to the next request.
  if (!socket.writable || socket.bytesWritten > 0) return void socket.destroySoon()
  services.metrics.failure(failure.code)
  const requestId = newHandle('request')
  const reply = errorReply(failure, requestId, services.publicUrl)
  const headers = replyHeaders(reply, { requestId, limits: UNKNOWN_CALLER, closing: true })
  let head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  socket.end(`${head}\r\n${reply.body}`)
  const end = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(end))
}
