import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../kernel/errors/api-error.ts'
import { isKnown, pack } from '../kernel/http/packed.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import { sendPacked } from '../pages/packed.ts'
import { SECURITY_HEADERS } from '../pages/send.ts'
import {
  DOWNLOADS_PATH,
  type Downloads,
  findContentType,
  type ListedDownload,
  type ReadDownloads,
} from './downloads.ts'
import { readRange } from './range.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
/** The lists change with the version of the service. */
const REVALIDATED = 'public, no-cache'

/** The files that partners install, with their lists. They need no key and set no cookie. */
export const downloadRoutes = (readDownloads: ReadDownloads | undefined): RawRoute[] =>
  readDownloads
    ? [
        listRoute(readDownloads, 'index.json', 'application/json; charset=utf-8', indexText),
        listRoute(readDownloads, 'SHA256SUMS', 'text/plain; charset=utf-8', checksums),
        {
          methods: ['GET', 'HEAD'],
          path: `${DOWNLOADS_PATH}/*`,
          handler: async arrived => sendDownload(arrived, await readDownloads()),
        },
      ]
    : []

const listRoute = (
  readDownloads: ReadDownloads,
  name: string,
  type: string,
  write: (files: readonly ListedDownload[]) => string,
): RawRoute => ({
  methods: ['GET', 'HEAD'],
  path: `${DOWNLOADS_PATH}/${name}`,
  handler: async ({ request, response }) => {
    const { files } = await readDownloads()
    sendPacked(request, response, pack(Buffer.from(write(files)), type), { 'Cache-Control': REVALIDATED })
  },
})

const indexText = (files: readonly ListedDownload[]): string =>
  JSON.stringify({ object: 'list', data: files, has_more: false, next_cursor: null })

/** As `sha256sum --check` reads it. */
const checksums = (files: readonly ListedDownload[]): string =>
  files.map(({ sha256, filename }) => `${sha256}  ${filename}\n`).join('')

async function sendDownload({ request, response, rest }: Arrived, downloads: Downloads): Promise<void> {
  const filename = decoded(rest)
  const file = downloads.files.find(one => one.filename === filename)
  const content = await downloads.read(filename)
  if (!file || !content) throw new ApiError('not_found', { message: missingText(filename, downloads) })
  sendBytes(request, response, file, content)
}

/** `+` is often sent as `%2B`. */
function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch {
    return rest
  }
}

/** Another version of a file is not here any more, or not yet. */
function missingText(filename: string, { files }: Downloads): string {
  const [name = ''] = /^[a-z_-]+(?=-\d)/.exec(filename) ?? []
  const same = files.filter(file => file.filename.startsWith(`${name}-`))
  const current = same.find(file => endingOf(file.filename) === endingOf(filename)) ?? same[0]
  return name === '' || !current
    ? `There is no such download. ${DOWNLOADS_PATH}/index.json lists what this service offers.`
    : `This service does not offer this version. It offers ${current.version}: ${current.url}`
}

const endingOf = (filename: string): string => filename.slice(filename.lastIndexOf('.'))

/** The exact bytes, or a part of them: a coding would change them, and their hash is in lock files. */
function sendBytes(request: IncomingMessage, response: ServerResponse, file: ListedDownload, content: Buffer): void {
  const etag = `"${file.sha256}"`
  const headers = { ...SECURITY_HEADERS, ETag: etag, 'Cache-Control': FOR_EVER, 'Accept-Ranges': 'bytes' }
  if (isKnown(request.headers['if-none-match'] ?? '', etag)) return void response.writeHead(304, headers).end()
  const range = request.method === 'GET' ? readRange(request.headers, etag, content.length) : undefined
  if (range === 'unsatisfiable') {
    const size = { 'Content-Range': `bytes */${content.length}`, 'Content-Length': 0 }
    return void response.writeHead(416, { ...headers, ...size }).end()
  }
  const { start, end } = range ?? { start: 0, end: content.length - 1 }
  const body = content.subarray(start, end + 1)
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'Content-Type': findContentType(file.filename),
    'Content-Length': body.length,
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${content.length}` }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
