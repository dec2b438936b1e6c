import { inflateRawSync } from 'node:zlib'
import { Unreadable } from './unreadable.ts'

/**
 * Reads one entry of a ZIP archive. Small on purpose: a DOCX is asked for a single part, and the limits that matter
 * (inflated size, number of entries) are easier to hold here than to hope for in a library.
 */
const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const MAX_ENTRIES = 2_000

export function readZipEntry(zip: Buffer, name: string, maxBytes: number): Buffer | undefined {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > zip.length || zip.readUInt32LE(end) !== END)
    throw new Unreadable('the archive is truncated')
  const entries = zip.readUInt16LE(end + 10)
  if (entries > MAX_ENTRIES) throw new Unreadable('the archive has too many entries', 'too_large')
  let at = zip.readUInt32LE(end + 16)
  for (let i = 0; i < entries; i++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== CENTRAL) throw new Unreadable('the archive is damaged')
    const nameLength = zip.readUInt16LE(at + 28)
    const entryName = zip.toString('utf8', at + 46, at + 46 + nameLength)
    if (entryName === name) return readEntry(zip, at, maxBytes)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return undefined
}

function readEntry(zip: Buffer, central: number, maxBytes: number): Buffer {
  const flags = zip.readUInt16LE(central + 8)
  const method = zip.readUInt16LE(central + 10)
  const packed = zip.readUInt32LE(central + 20)
  const local = zip.readUInt32LE(central + 42)
  if (flags & 1) throw new Unreadable('the archive is encrypted', 'encrypted')
  if (local + 30 > zip.length || zip.readUInt32LE(local) !== LOCAL) throw new Unreadable('the archive is damaged')
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  if (start + packed > zip.length) throw new Unreadable('the archive is truncated')
  const data = zip.subarray(start, start + packed)
  if (method === 0) return data
  if (method !== 8) throw new Unreadable('the archive uses an unknown compression method')
  try {
    // what the archive says about the inflated size is not believed: inflating stops at the limit
    return inflateRawSync(data, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Unreadable('the uncompressed document is too large', 'too_large')
    throw new Unreadable('the archive is damaged')
  }
}
