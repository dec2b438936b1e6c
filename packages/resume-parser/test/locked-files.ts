import { createHash } from 'node:crypto'
import { buildPdf, toDoc } from './resume-files.ts'

const PAGE = Buffer.from('BT /F1 12 Tf 72 720 Td (Maria von Stein, robotics engineer in Berlin) Tj ET')
const OWNER = Buffer.alloc(32, 7)
const ID = Buffer.alloc(16, 1)
const PERMISSIONS = Buffer.from('fcffffff', 'hex') // -4

/** What a PDF adds to a password that is too short. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, i) => i)
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    ;[state[i], state[j]] = [state[j]!, state[i]!]
  }
  let i = 0
  let j = 0
  return data.map(byte => {
    i = (i + 1) & 255
    j = (j + state[i]!) & 255
    ;[state[i], state[j]] = [state[j]!, state[i]!]
    return byte ^ state[(state[i]! + state[j]!) & 255]!
  }) as Buffer
}

const encrypted = (user: Buffer): Buffer =>
  buildPdf(
    PAGE,
    '',
    `/ID [<${ID.toString('hex')}> <${ID.toString('hex')}>] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4
  /O <${OWNER.toString('hex')}> /U <${user.toString('hex')}> >>`,
  )

/** A PDF that opens only with a password. */
export const lockedPdf = (): Buffer => encrypted(Buffer.alloc(32))

/** A PDF that opens without a password, and forbids changes: it is encrypted with the empty one. */
export function protectedPdf(): Buffer {
  const hash = createHash('md5')
    .update(Buffer.concat([PADDING, OWNER, PERMISSIONS, ID]))
    .digest()
  return encrypted(rc4(hash.subarray(0, 5), PADDING))
}

/** A .docx with a password is a compound file whose directory names the stream of encrypted bytes. */
export const lockedDocx = (): Buffer => {
  const file = toDoc('x'.repeat(100))
  const name = (text: string) => Buffer.from(text, 'utf16le')
  const entry = file.indexOf(name('WordDocument'))
  name('EncryptedPackage\0').copy(file, entry)
  file.writeUInt16LE(('EncryptedPackage'.length + 1) * 2, entry + 64)
  return file
}
