import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'

export interface ImportLine {
  /** counted from 1 */
  number: number
  /** undefined: the line is not UTF-8 or too long */
  text: string | undefined
  /** the offset in the file after this line */
  endByte: number
}

const NEWLINE = 10
/** The byte order mark, which some programs write at the start of a file. It is not part of the first line. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const MAX_LINE_BYTES = 1_048_576
/** Small, so that batches in flight make progress between two chunks. */
const CHUNK_BYTES = 131_072

/** The lines of a file from a byte offset, one chunk at a time. Memory is bounded even for a file without line ends. */
export async function* readLines(
  file: string | Buffer,
  fromByte: number,
  linesBefore: number,
): AsyncGenerator<ImportLine[]> {
  let number = linesBefore
  let offset = fromByte
  let rest: Buffer = Buffer.alloc(0)
  let overlong = 0
  const take = (bytes: Buffer, end: number): ImportLine => {
    const tooLong = overlong > 0 || bytes.length > MAX_LINE_BYTES
    offset += overlong + bytes.length + end
    overlong = 0
    const marked = number === 0 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    const text = tooLong || !isUtf8(bytes) ? undefined : bytes.toString('utf8', marked ? BYTE_ORDER_MARK.length : 0)
    return { number: ++number, text, endByte: offset }
  }
  for await (const chunk of chunksOf(file, fromByte)) {
    const bytes = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    const lines: ImportLine[] = []
    let start = 0
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
      lines.push(take(bytes.subarray(start, at), 1))
      start = at + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > MAX_LINE_BYTES) {
      overlong += rest.length
      rest = Buffer.alloc(0)
    }
    yield lines
  }
  if (rest.length > 0 || overlong > 0) yield [take(rest, 0)]
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

const chunksOf = (file: string | Buffer, fromByte: number): AsyncIterable<Buffer> | Iterable<Buffer> =>
  typeof file === 'string'
    ? createReadStream(file, { start: fromByte, highWaterMark: CHUNK_BYTES })
    : slicesOf(file.subarray(fromByte))
