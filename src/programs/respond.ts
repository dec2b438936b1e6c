import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { attachment } from '../kernel/blobs/signed-url.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { RequestAborted } from '../kernel/http/body.ts'
import { errorBody, errorReply, JSON_TYPE } from '../kernel/http/reply.ts'
import { noteRequest, requestIdOf } from '../kernel/http/request-line.ts'
import { toApiError } from '../kernel/http/to-api-error.ts'
import type { Services } from '../kernel/services/services.ts'
import { NotEnoughCredits } from '../resources/credits/index.ts'
import { Download, RESPONDED } from './endpoint.ts'
import { SessionError } from './errors.ts'

/** Sends what a handler returns as JSON, or the error that it throws. */
export async function respond(
  services: Services,
  response: ServerResponse,
  run: () => Promise<unknown>,
): Promise<void> {
  const requestId = requestIdOf(response.req)
  try {
    const result = await run()
    if (result === RESPONDED) return
    if (result instanceof Download) await sendFile(response, result, requestId)
    else sendJson(response, 200, JSON.stringify(result), requestId)
  } catch (error) {
    if (error instanceof RequestAborted || response.headersSent) return void response.destroy()
    const { status, code, body, headers } = errorResponse(error, requestId, services)
    noteRequest(response.req, { code })
    sendJson(response, status, body, requestId, headers)
  }
}

interface ErrorResponse {
  status: number
  code: string
  body: string
  headers: Record<string, string>
}

function errorResponse(thrown: unknown, requestId: string, services: Services): ErrorResponse {
  const error =
    thrown instanceof NotEnoughCredits ? new SessionError('credits_insufficient', sentenceOf(thrown.message)) : thrown
  if (error instanceof SessionError)
    return { status: error.status, code: error.code, body: errorBody(error, requestId, null), headers: {} }
  // what an action refuses, in one line for a person
  const failure =
    error instanceof UserError
      ? new ApiError('invalid_request', { message: sentenceOf(error.message) })
      : toApiError(error, { requestId, services })
  const { status, body } = errorReply(failure, requestId, services.publicUrl)
  const { retry_after_seconds: wait } = failure.details
  return { status, code: failure.code, body, headers: wait === undefined ? {} : { 'Retry-After': String(wait) } }
}

const sentenceOf = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const commonHeaders = (requestId: string) => ({
  'Service-Request-Id': requestId,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
})

function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  requestId: string,
  headers: Record<string, string> = {},
): void {
  const length = { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, { ...commonHeaders(requestId), ...headers, ...length }).end(body)
}

async function sendFile(response: ServerResponse, file: Download, requestId: string): Promise<void> {
  const chunks = file.chunks[Symbol.asyncIterator]()
  // the first chunk before the head: what fails immediately can still be an error response
  const first = await chunks.next()
  response.writeHead(200, {
    ...commonHeaders(requestId),
    'Content-Type': file.contentType,
    'Content-Disposition': attachment(file.filename),
  })
  async function* all() {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  await pipeline(Readable.from(all()), response)
}
