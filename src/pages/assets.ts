import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Failure } from '../kernel/failure.ts'
import type { RawRoute } from '../kernel/http/server.ts'
import { SECURITY_HEADERS } from './send.ts'

/**
 * Style sheets, scripts and pictures of the pages. A file's name holds a hash of its bytes, so that browsers may keep it
 * for ever: a changed file has another name.
 */
interface Asset {
  type: string
  bytes: Buffer
  gzip: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const PREFIX = '/assets/'
const known = new Map<string, Asset>()

/** The address under which a file of ours is served from now on. */
export const asset = (file: string): string => assetText(basename(file), readFileSync(file))

/** The same for a text that is made at start. */
export function assetText(fileName: string, content: string | Buffer): string {
  const bytes = Buffer.from(content)
  const extension = extname(fileName)
  const type = TYPES[extension]
  if (!type) throw new Error(`${fileName}: not a kind of file that pages use`)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const name = `${basename(fileName, extension)}.${hash}${extension}`
  known.set(name, { type, bytes, gzip: gzipSync(bytes) })
  return PREFIX + name
}

export const assetRoutes = (): RawRoute[] => [
  {
    methods: ['GET', 'HEAD'],
    path: `${PREFIX}*`,
    handler: (request, response, rest) => {
      const found = known.get(rest.slice(1).split('?')[0]!)
      if (!found) throw new Failure('not_found')
      const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
      const body = zipped ? found.gzip : found.bytes
      response
        .writeHead(200, {
          ...SECURITY_HEADERS,
          'Content-Type': found.type,
          'Content-Length': body.length,
          'Cache-Control': 'public, max-age=31536000, immutable',
          Vary: 'Accept-Encoding',
          ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
        })
        .end(request.method === 'HEAD' ? undefined : body)
    },
  },
]
