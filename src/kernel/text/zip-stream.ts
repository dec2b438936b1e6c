import { finished, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive, read when its turn comes. */
export interface ZipEntry {
  /** with slashes, relative to the root of the archive, and unique in it */
  path: string
  read(): Promise<AsyncIterable<Buffer>> | AsyncIterable<Buffer>
}

/** Names are UTF-8; sizes and checksum follow the content, because they are not known before it. */
const FLAGS = 0x808
const DEFLATED = 8
const VERSION = 20
/** 1 January 1980, the earliest date that a zip file can have. */
const DATE = 0x21

const LOCAL_HEADER = 0x04034b50
const DESCRIPTOR = 0x08074b50
const DIRECTORY_HEADER = 0x02014b50
const DIRECTORY_END = 0x06054b50

/** Numbers with their sizes in bytes. */
function littleEndian(...numbers: readonly (readonly [value: number, size: number])[]): Buffer {
  const bytes = Buffer.alloc(numbers.reduce((sum, [, size]) => sum + size, 0))
  let at = 0
  for (const [value, size] of numbers) at = bytes.writeUIntLE(value, at, size)
  return bytes
}

interface Written {
  name: Buffer
  offset: number
  crc: number
  packed: number
  unpacked: number
}

const directoryEntry = ({ name, offset, crc, packed, unpacked }: Written): Buffer =>
  Buffer.concat([
    littleEndian([DIRECTORY_HEADER, 4], [VERSION, 2], [VERSION, 2], [FLAGS, 2], [DEFLATED, 2], [0, 2], [DATE, 2]),
    littleEndian([crc, 4], [packed, 4], [unpacked, 4], [name.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4]),
    littleEndian([offset, 4]),
    name,
  ])

/**
 * A zip file, written as its entries are read: one after the other, so that its memory does not depend on their number or
 * size. For less than 4 GB and 65,535 entries.
 */
export async function* zipStream(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const entry of entries) {
    const name = Buffer.from(entry.path)
    const head = Buffer.concat([
      littleEndian([LOCAL_HEADER, 4], [VERSION, 2], [FLAGS, 2], [DEFLATED, 2], [0, 2], [DATE, 2]),
      littleEndian([0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]),
      name,
    ])
    const file: Written = { name, offset, crc: 0, packed: 0, unpacked: 0 }
    yield head
    for await (const chunk of deflated(await entry.read(), file)) {
      file.packed += chunk.length
      yield chunk
    }
    yield littleEndian([DESCRIPTOR, 4], [file.crc, 4], [file.packed, 4], [file.unpacked, 4])
    offset += head.length + file.packed + 16
    written.push(file)
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield directory
  yield littleEndian(
    [DIRECTORY_END, 4],
    [0, 2],
    [0, 2],
    [written.length, 2],
    [written.length, 2],
    [directory.length, 4],
    [offset, 4],
    [0, 2],
  )
}

/** The content packed, measured on the way. When the reader of the archive stops, the content is released. */
async function* deflated(content: AsyncIterable<Buffer>, file: Written): AsyncGenerator<Buffer> {
  async function* measured() {
    for await (const chunk of content) {
      file.crc = crc32(chunk, file.crc)
      file.unpacked += chunk.length
      yield chunk
    }
  }
  const source = Readable.from(measured(), { objectMode: false })
  const packer = createDeflateRaw()
  finished(source, error => error && packer.destroy(error))
  try {
    yield* source.pipe(packer)
  } finally {
    source.destroy()
    packer.destroy()
  }
}
