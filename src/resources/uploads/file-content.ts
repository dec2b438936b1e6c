import type { Blobs } from '../../kernel/blobs/blobs.ts'

/** The bytes of a file that say what it is. */
const HEAD_BYTES = 1024

const ZIP = Buffer.from('504b0304', 'hex')
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const RTF = Buffer.from('{\\rtf')
const UTF_16 = [Buffer.from('fffe', 'hex'), Buffer.from('feff', 'hex')]

const begins =
  (...beginnings: readonly Buffer[]) =>
  (head: Buffer): boolean =>
    beginnings.some(beginning => head.subarray(0, beginning.length).equals(beginning))

const isRtf = (head: Buffer): boolean => head.includes(RTF)

/** What the first bytes of a file of each type look like. Word saves `.doc` in its other formats, too. */
const CONTENT: Readonly<Record<string, (head: Buffer) => boolean>> = {
  'application/pdf': head => head.includes('%PDF-'),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': head => begins(ZIP, COMPOUND)(head),
  'application/msword': head => begins(COMPOUND, ZIP)(head) || isRtf(head),
  'application/rtf': isRtf,
  'text/rtf': isRtf,
  'text/plain': head => begins(...UTF_16)(head) || !head.includes(0),
  'image/png': begins(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': begins(Buffer.from('ffd8ff', 'hex')),
}

/** Whether the first bytes of a file are of its type. An empty file and an unknown type are not judged here. */
export const matchesContentType = (contentType: string, head: Buffer): boolean =>
  head.length === 0 || (CONTENT[contentType]?.(head.subarray(0, HEAD_BYTES)) ?? true)

/** Length and first bytes of a stored file; undefined: it was not sent. */
export async function readStoredHead(blobs: Blobs, key: string): Promise<{ bytes: number; head: Buffer } | undefined> {
  const found = await blobs.get(key)
  if (!found) return undefined
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of found.stream) {
    const part = Buffer.from(chunk)
    chunks.push(part)
    length += part.length
    if (length >= HEAD_BYTES) break
  }
  return { bytes: found.stat.bytes, head: Buffer.concat(chunks) }
}
