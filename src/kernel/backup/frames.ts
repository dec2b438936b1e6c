// How a file of a backup is encrypted: AES-256-GCM in frames of one size, so that files of any length are written and
// read with little memory.
//
//   "HBK1"  8 bytes that identify the key  32 bytes of salt  frame…
//
// Every file has a key of its own, derived from the operator's key, the salt and the file's name, so a file cannot take
// the place of another. The nonce of a frame is its number and whether it is the last, so frames cannot be left out,
// reordered or cut off.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { sameBytes } from '../crypto/signing.ts'
import { UserError } from '../errors/user-error.ts'

const MAGIC = Buffer.from('HBK1')
const KEY_ID_BYTES = 8
const SALT_BYTES = 32
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + SALT_BYTES
/** Size of the content; a frame is longer by its tag. */
const FRAME_BYTES = 256 * 1024
const TAG_BYTES = 16

/** A file of a backup is not what was stored. */
export class DamagedBackup extends UserError {}

const keyId = (key: Buffer): Buffer =>
  createHmac('sha256', key).update('hiring backup').digest().subarray(0, KEY_ID_BYTES)

const fileKey = (key: Buffer, salt: Buffer, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `hiring backup ${name}`, 32))

function nonce(number: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt8(last ? 1 : 0, 0)
  bytes.writeBigUInt64BE(BigInt(number), 4)
  return bytes
}

/** The content of a file, encrypted for its name. */
export async function* sealFrames(
  key: Buffer,
  name: string,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  const salt = randomBytes(SALT_BYTES)
  yield Buffer.concat([MAGIC, keyId(key), salt])
  const own = fileKey(key, salt, name)
  let number = 0
  for await (const { bytes, last } of cut(content, FRAME_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', own, nonce(number++, last))
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** The content of an encrypted file. Fails with DamagedBackup before it yields anything that was not stored so. */
export async function* openFrames(
  key: Buffer,
  name: string,
  sealed: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  let own: Buffer | undefined
  let number = 0
  for await (const { bytes, last } of cut(sealed, FRAME_BYTES + TAG_BYTES, HEADER_BYTES)) {
    if (own === undefined) {
      own = fileKey(key, readHeader(key, name, bytes), name)
      if (last) throw damaged(name)
      continue
    }
    if (bytes.length < TAG_BYTES) throw damaged(name)
    const decipher = createDecipheriv('aes-256-gcm', own, nonce(number++, last))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    let plain: Buffer
    try {
      plain = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
    } catch {
      throw damaged(name)
    }
    if (plain.length > 0) yield plain
  }
}

/** The salt. */
function readHeader(key: Buffer, name: string, header: Buffer): Buffer {
  if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw header[0] === '{'.charCodeAt(0)
      ? new UserError('this backup is not encrypted: leave out the backup key')
      : damaged(name)
  }
  if (!sameBytes(header.subarray(MAGIC.length, MAGIC.length + KEY_ID_BYTES), keyId(key)))
    throw new UserError('the backup key is not the one that this backup was encrypted with')
  return header.subarray(MAGIC.length + KEY_ID_BYTES)
}

/** Whether a file begins as an encrypted one does. */
export const isSealed = (beginning: Buffer): boolean => beginning.subarray(0, MAGIC.length).equals(MAGIC)

export const damaged = (name: string) =>
  new DamagedBackup(`the backup is damaged: ${name} is not what was stored. Use another backup`)

interface Part {
  bytes: Buffer
  last: boolean
}

/** At least one part; all have the same size, but for the first (if `first` is given) and the last. */
async function* cut(content: AsyncIterable<Buffer>, size: number, first = size): AsyncGenerator<Part, void> {
  let buffered: Buffer[] = []
  let length = 0
  let wanted = first
  for await (const chunk of content) {
    buffered.push(chunk)
    length += chunk.length
    if (length <= wanted) continue
    let joined = Buffer.concat(buffered)
    while (joined.length > wanted) {
      yield { bytes: joined.subarray(0, wanted), last: false }
      joined = joined.subarray(wanted)
      wanted = size
    }
    buffered = [joined]
    length = joined.length
  }
  yield { bytes: Buffer.concat(buffered), last: true }
}
