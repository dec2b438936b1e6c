import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { ApiError } from '../kernel/errors/api-error.ts'
import { type Packed, pack } from '../kernel/http/packed.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import { sendPacked } from './packed.ts'

/**
 * Style sheets, scripts and pictures of the pages. A file's name holds a hash of its bytes, so that browsers may keep it
 * for ever: a changed file has another name.
 */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  // fonts and character maps of pdf.js
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.bcmap': 'application/octet-stream',
}
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' }

const PREFIX = '/assets/'
const known = new Map<string, Packed>()

/** The address under which a file of ours is served from now on. */
export const asset = (file: string): string => assetText(basename(file), readFileSync(file))

/** The same for a text that is made at start. */
export function assetText(fileName: string, content: string | Buffer): string {
  const bytes = Buffer.from(content)
  const extension = extname(fileName)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const name = `${basename(fileName, extension)}.${hash}${extension}`
  known.set(name, packAsset(name, bytes))
  return PREFIX + name
}

export const isAssetName = (name: string): boolean => extname(name) in TYPES

export function packAsset(name: string, bytes: Buffer): Packed {
  const type = TYPES[extname(name)]
  if (!type) throw new Error(`${name}: not a kind of file that pages use`)
  return pack(bytes, type)
}

/** Serves the files that `find` knows, by their names. */
export const assetRoute = (
  prefix: string,
  find: (name: string) => AsyncOr<Packed | undefined>,
  headers: Readonly<Record<string, string>> = {},
): RawRoute => ({
  methods: ['GET', 'HEAD'],
  path: `${prefix}*`,
  handler: async ({ request, response, rest }) => {
    const found = await find(rest)
    if (!found) throw new ApiError('not_found')
    sendPacked(request, response, found, { ...FOR_EVER, ...headers })
  },
})

type AsyncOr<T> = T | Promise<T>

export const assetRoutes = (): RawRoute[] => [assetRoute(PREFIX, name => known.get(name))]
