import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { deleteOldest } from '../kernel/async/delete-oldest.ts'
import { isKnown, takesGzip } from '../kernel/http/packed.ts'
import type { Arrived } from '../kernel/http/route-table.ts'
import type { Html } from '../pages/html.ts'
import { contentPolicy, type PageOptions, SECURITY_HEADERS, sendPage } from '../pages/send.ts'

/** How long a browser or proxy shows a public page without asking again: a change is seen soon, a rush is not felt. */
const PUBLIC_SECONDS = 10

/**
 * Sends a page of a site. `public`: the same for everyone who reads its language; it has a validator over its content,
 * which includes the language, and is compressed. By default it is not stored.
 */
export function sendSitePage(
  { request, response }: Pick<Arrived, 'request' | 'response'>,
  page: Html,
  opts: PageOptions = {},
): void {
  if (opts.cache !== 'public') {
    const zipped = opts.zipped === true && takesGzip(request.headers['accept-encoding'])
    const vary = opts.zipped ? 'Accept-Language, Accept-Encoding' : 'Accept-Language'
    sendPage(response, page, { ...opts, zipped, headers: { Vary: vary, ...opts.headers } })
    return
  }
  const { text } = page
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 27)
  // weak: one validator for the plain and the compressed form
  const etag = `W/"${hash}"`
  const headers: OutgoingHttpHeaders = {
    ...SECURITY_HEADERS,
    'Content-Security-Policy': contentPolicy(opts.formTargets),
    'Cache-Control': `public, max-age=${PUBLIC_SECONDS}`,
    Vary: 'Accept-Language, Accept-Encoding',
    ETag: etag,
    ...(opts.headers as OutgoingHttpHeaders),
  }
  const status = opts.status ?? 200
  if (status === 200 && isKnown(request.headers['if-none-match'] ?? '', etag)) {
    response.writeHead(304, headers).end()
    return
  }
  const zipped = takesGzip(request.headers['accept-encoding'])
  const body = zipped ? compressed(hash, text) : Buffer.from(text)
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Pages that were sent lately, compressed: most requests are for the same few. */
const CACHED_PAGES = 300
const cached = new Map<string, Buffer>()

function compressed(hash: string, text: string): Buffer {
  const known = cached.get(hash)
  if (known) return known
  const made = gzipSync(text)
  if (cached.size >= CACHED_PAGES) deleteOldest(cached)
  cached.set(hash, made)
  return made
}
