import { inflateSync } from 'node:zlib'
import { Unreadable } from './unreadable.ts'

/**
 * A PDF of some kilobytes can hold gigabytes of compressed page content, and the PDF reader inflates page by page, in
 * JavaScript, until the time is up. So the compressed streams are measured first, natively and with a limit: a résumé
 * has some hundred kilobytes of page content. Pictures and fonts may be larger; the reader does not interpret them.
 */
export const MAX_CONTENT_BYTES = 8 * 1024 * 1024
export const MAX_INFLATED_BYTES = 64 * 1024 * 1024
/** Streams that are compressed more than once are opened this deep. */
const MAX_FILTERS = 3
const DICTIONARY_BYTES = 1024
const CHUNK = 64 * 1024

export function requireModestSize(file: Buffer): void {
  if (!file.subarray(0, 1024).includes('%PDF-')) return
  let content = 0
  let total = 0
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    if (file.toString('latin1', Math.max(0, at - 3), at) === 'end') continue
    let start = at + 6
    if (file[start] === 0x0d) start++
    if (file[start] === 0x0a) start++
    const size = inflatedSize(file.subarray(start), MAX_INFLATED_BYTES - total)
    total += size
    if (!isPictureOrFont(file, at)) content += size
    if (content > MAX_CONTENT_BYTES || total >= MAX_INFLATED_BYTES) {
      throw new Unreadable('the uncompressed document is too large', 'too_large')
    }
  }
}

/** The dictionary is directly before its stream. */
const isPictureOrFont = (file: Buffer, at: number): boolean => {
  const before = file.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at)
  return /\/Subtype\s*\/(Image|Type1C|CIDFontType0C|OpenType)\b|\/Length1\b/.test(
    before.slice(before.lastIndexOf(' obj')),
  )
}

/** Bytes after inflating, at most `limit`; 0 for data that is not compressed this way. */
function inflatedSize(data: Buffer, limit: number, depth = 1): number {
  if (!isZlib(data) || limit <= 0) return 0
  let inflated: Buffer
  try {
    // what follows the end of the compressed data is ignored
    inflated = inflateSync(data, { maxOutputLength: limit, chunkSize: CHUNK })
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? limit : 0
  }
  const inner = depth < MAX_FILTERS ? inflatedSize(inflated, limit - inflated.length, depth + 1) : 0
  return inflated.length + inner
}

const isZlib = (data: Buffer): boolean =>
  data.length > 2 && (data.readUInt8(0) & 0x0f) === 8 && data.readUInt16BE(0) % 31 === 0
