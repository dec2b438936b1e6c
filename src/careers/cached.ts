import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isKnown, takesGzip } from '../kernel/http/packed.ts'
import type { Arrived } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { clock } from '../kernel/time/clock.ts'
import { SECURITY_HEADERS } from '../pages/send.ts'

/** A public file of a site that is made for each request, or sent as it was made before. */
export interface Made {
  type: string
  /** everything that its content depends on: the validator is a hash of it, so an unchanged file is not even made */
  version: readonly unknown[]
  /** when what it shows last changed, in ISO 8601; a file of the program has no such time */
  modified?: string
  /** how long it is used without asking again */
  seconds: number
  /** whether it is in the language of the reader */
  translated?: boolean
  /** readable by scripts of every origin */
  shared?: boolean
}

/** Another one invalidates what caches hold, after a change of the program. */
const FORMAT = 2

/**
 * Sends a file with its validators, or 304 without making it. `content` is read as fast as the client takes it, so that a
 * large file is never in memory as a whole.
 */
export async function sendMade(
  { request, response, services }: Pick<Arrived, 'request' | 'response'> & { services: Pick<Services, 'log'> },
  made: Made,
  content: () => AsyncIterable<string> | Promise<Buffer>,
): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify([FORMAT, made.type, ...made.version]))
  // weak: one validator for the plain and the compressed form
  const etag = `W/"${hash.digest('base64url').slice(0, 27)}"`
  const modified = made.modified === undefined ? undefined : settledSecond(made.modified)
  const headers: OutgoingHttpHeaders = {
    ...SECURITY_HEADERS,
    'Cache-Control': `public, max-age=${made.seconds}`,
    Vary: made.translated ? 'Accept-Language, Accept-Encoding' : 'Accept-Encoding',
    ETag: etag,
    ...(modified === undefined ? {} : { 'Last-Modified': new Date(modified).toUTCString() }),
    ...(made.shared ? { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}),
  }
  if (isUnchanged(request.headers, etag, modified)) {
    response.writeHead(304, headers).end()
    return
  }
  const head = { ...headers, 'Content-Type': made.type }
  if (request.method === 'HEAD') {
    response.writeHead(200, head).end()
    return
  }
  const body = content()
  if (body instanceof Promise) {
    const bytes = await body
    response.writeHead(200, { ...head, 'Content-Length': bytes.length }).end(bytes)
    return
  }
  const chunks = body[Symbol.asyncIterator]()
  // its head and what it begins with: a failure before the first byte is a response of its own
  const begun = [await chunks.next(), await chunks.next()]
  const zipped = takesGzip(request.headers['accept-encoding'])
  response.writeHead(200, { ...head, ...(zipped ? { 'Content-Encoding': 'gzip' } : {}) })
  const all = Readable.from(startingWith(begun, chunks))
  try {
    await (zipped ? pipeline(all, createGzip(), response) : pipeline(all, response))
  } catch (error) {
    // the client has gone, or the rest could not be made: a body that is cut off is not taken for a whole one
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      services.log.warn({ err: error }, 'a file of a careers site was cut off')
    response.destroy()
  }
}

async function* startingWith(
  begun: readonly IteratorResult<string>[],
  rest: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (const chunk of begun) if (!chunk.done) yield chunk.value
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** HTTP counts seconds: the end of the one with the change, once it is over. Until then another change can have it too. */
function settledSecond(time: string): number | undefined {
  const end = Math.ceil(Date.parse(time) / 1000) * 1000
  return end <= clock.now() ? end : undefined
}

/** Whether the client has this version. A tag is exact, so with one the date does not count. */
function isUnchanged(
  headers: { 'if-none-match'?: string | undefined; 'if-modified-since'?: string | undefined },
  etag: string,
  modified: number | undefined,
): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return isKnown(tags, etag)
  return modified !== undefined && Date.parse(headers['if-modified-since'] ?? '') >= modified
}
