import { crc32 } from 'node:zlib'

/** A file of an archive. */
export interface ArchiveFile {
  /** with slashes, relative to the root of the archive */
  path: string
  bytes: Buffer
  executable?: boolean
}

/** The time that npm gives the files of its packages: every build has the same. */
const MODIFIED_SECONDS = 499_162_500
const BLOCK = 512
/** The field of a tar header that has the name. */
const LONGEST_PATH = 100

const inOrder = (files: readonly ArchiveFile[]): ArchiveFile[] =>
  files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))

const modeOf = ({ executable = false }: ArchiveFile): number => (executable ? 0o755 : 0o644)

/**
 * A gzipped tar whose bytes depend on nothing but the files: fixed order, times and owners. It is stored, not compressed,
 * because versions of zlib compress the same bytes differently, and a lock file has the hash of the archive.
 */
export const tarball = (files: readonly ArchiveFile[]): Buffer =>
  storedGzip(
    Buffer.concat([
      ...inOrder(files).flatMap(file => [tarHeader(file), file.bytes, padding(file.bytes.length)]),
      Buffer.alloc(2 * BLOCK),
    ]),
  )

const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** POSIX.1-1988, ustar. */
function tarHeader(file: ArchiveFile): Buffer {
  if (Buffer.byteLength(file.path) > LONGEST_PATH) throw new Error(`the path is too long for an archive: ${file.path}`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  header.write(file.path, 0, 'utf8')
  octal(modeOf(file), 100, 8)
  octal(0, 108, 8) // owner
  octal(0, 116, 8) // group
  octal(file.bytes.length, 124, 12)
  octal(MODIFIED_SECONDS, 136, 12)
  header.write('        0', 148, 'latin1') // the checksum counts as spaces; a regular file
  header.write('ustar\u000000', 257, 'latin1')
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

const LARGEST_STORED_BLOCK = 65_535
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]) // no time, no name, system unknown

/** RFC 1951, 3.2.4, within RFC 1952. */
function storedGzip(bytes: Buffer): Buffer {
  const parts: Buffer[] = [GZIP_HEADER]
  for (let at = 0; at < bytes.length; at += LARGEST_STORED_BLOCK) {
    const block = bytes.subarray(at, at + LARGEST_STORED_BLOCK)
    const isLast = at + LARGEST_STORED_BLOCK >= bytes.length
    parts.push(littleEndian([isLast ? 1 : 0, 1], [block.length, 2], [0xffff - block.length, 2]), block)
  }
  parts.push(littleEndian([crc32(bytes), 4], [bytes.length, 4]))
  return Buffer.concat(parts)
}

/** Numbers with their sizes in bytes. */
function littleEndian(...numbers: readonly (readonly [value: number, size: number])[]): Buffer {
  const bytes = Buffer.alloc(numbers.reduce((sum, [, size]) => sum + size, 0))
  let at = 0
  for (const [value, size] of numbers) at = bytes.writeUIntLE(value, at, size)
  return bytes
}

const MADE_BY_UNIX = 3
const ZIP_VERSION = 20
/** Names are UTF-8. */
const ZIP_FLAGS = 0x800
/** 1 January 1980, the earliest time that a zip file can have. */
const ZIP_DATE = 0x21

/** A zip file whose bytes depend on nothing but the files. */
export function zip(files: readonly ArchiveFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of inOrder(files)) {
    const name = Buffer.from(file.path)
    const { length } = file.bytes
    // flags, method, time, date, checksum, sizes, lengths of the name and of further fields
    const common = littleEndian(
      [ZIP_FLAGS, 2],
      [0, 2],
      [0, 2],
      [ZIP_DATE, 2],
      [crc32(file.bytes), 4],
      [length, 4],
      [length, 4],
      [name.length, 2],
      [0, 2],
    )
    const local = Buffer.concat([littleEndian([0x04034b50, 4], [ZIP_VERSION, 2]), common, name, file.bytes])
    const attributes = modeOf(file) | 0o100000
    directory.push(
      littleEndian([0x02014b50, 4], [ZIP_VERSION, 1], [MADE_BY_UNIX, 1], [ZIP_VERSION, 2]),
      common,
      littleEndian([0, 2], [0, 2], [0, 2], [0, 2], [attributes, 2], [offset, 4]),
      name,
    )
    parts.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const end = littleEndian(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [entries.length, 4],
    [offset, 4],
    [0, 2],
  )
  return Buffer.concat([...parts, entries, end])
}
