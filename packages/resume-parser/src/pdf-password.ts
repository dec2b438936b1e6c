import { createCipheriv, createHash } from 'node:crypto'

/** What the standard way to encrypt a PDF stores: ISO 32000-2, 7.6.4. */
interface Encryption {
  revision: number
  keyBytes: number
  owner: Buffer
  user: Buffer
  permissions: number
  hasPlainMetadata: boolean
  fileId: Buffer
}

/** What is used in place of a password where there is none. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
/** More than the dictionary of an encryption takes. */
const DICTIONARY_CHARACTERS = 8_192

/**
 * Whether a PDF opens only with a password. One that only forbids changes is encrypted, too, and opens without. What is
 * encrypted in a way that is not known here does not count as locked.
 */
export function isLockedPdf(file: Buffer): boolean {
  if (!file.subarray(0, 1024).includes('%PDF-') || !file.includes('/Encrypt')) return false
  const encryption = readEncryption(file.toString('latin1'))
  return encryption !== undefined && !opensWithoutPassword(encryption)
}

function readEncryption(text: string): Encryption | undefined {
  const dictionary = findDictionary(text)
  if (!dictionary || !/\/Filter\s*\/Standard\b/.test(dictionary)) return undefined
  const number = (name: RegExp) => Number(name.exec(dictionary)?.[1])
  const revision = number(/\/R\s+(\d)/)
  const owner = readString(dictionary, '/O')
  const user = readString(dictionary, '/U')
  if (!owner || !user || owner.length < 32 || user.length < 32) return undefined
  return {
    revision,
    keyBytes: revision < 3 ? 5 : revision > 3 ? 16 : (number(/\/Length\s+(\d{2,3})\b/) || 40) / 8,
    owner: owner.subarray(0, 32),
    user,
    permissions: number(/\/P\s+(-?\d+)/) | 0,
    hasPlainMetadata: /\/EncryptMetadata\s+false/.test(dictionary),
    fileId: readString(text.slice(Math.max(0, text.lastIndexOf('/ID'))), '/ID') ?? Buffer.alloc(0),
  }
}

/** The text that begins with the dictionary to which the last trailer refers, or which is in it. */
function findDictionary(text: string): string | undefined {
  let at = text.lastIndexOf('/Encrypt')
  while (at >= 0 && text.startsWith('/EncryptMetadata', at)) at = text.lastIndexOf('/Encrypt', at - 1)
  if (at < 0) return undefined
  const here = text.slice(at + '/Encrypt'.length, at + DICTIONARY_CHARACTERS)
  const reference = /^\s+(\d{1,10})\s+(\d{1,5})\s+R/.exec(here)
  if (!reference) return here
  const start = text.lastIndexOf(`\n${reference[1]} ${reference[2]} obj`)
  const other = start < 0 ? text.lastIndexOf(`\r${reference[1]} ${reference[2]} obj`) : start
  return other < 0 ? undefined : text.slice(other, other + DICTIONARY_CHARACTERS)
}

/** The string after a name, in a list or by itself: in hexadecimal digits or in parentheses. */
function readString(text: string, name: string): Buffer | undefined {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const rest = text.slice(at + name.length, at + DICTIONARY_CHARACTERS).replace(/^[\s[]+/, '')
    if (rest.startsWith('(')) return readLiteral(rest)
    const digits = /^<([\da-f\s]*)>/i.exec(rest)?.[1]
    if (digits !== undefined) return Buffer.from(digits.replace(/\s/g, ''), 'hex')
  }
  return undefined
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function readLiteral(text: string): Buffer {
  let found = ''
  let depth = 1
  for (let at = 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0]
      found += octal
        ? String.fromCharCode(Number.parseInt(octal, 8) & 255)
        : (ESCAPED[text.charAt(at + 1)] ?? text.charAt(at + 1))
      at += octal?.length ?? 1
      continue
    }
    if (character === '(') depth++
    if (character === ')' && --depth === 0) break
    found += character
  }
  return Buffer.from(found, 'latin1')
}

function opensWithoutPassword(encryption: Encryption): boolean {
  const { revision, user, fileId } = encryption
  if (revision >= 5) {
    const salt = user.subarray(32, 40)
    const hash = revision === 5 ? digest('sha256', salt) : strongHash(salt)
    return hash.equals(user.subarray(0, 32))
  }
  const key = keyWithoutPassword(encryption)
  if (revision < 3) return rc4(key, PADDING).equals(user.subarray(0, 32))
  let expected = rc4(key, digest('md5', PADDING, fileId))
  for (let i = 1; i < 20; i++)
    expected = rc4(
      key.map(byte => byte ^ i),
      expected,
    )
  return expected.equals(user.subarray(0, 16))
}

function keyWithoutPassword({
  revision,
  keyBytes,
  owner,
  permissions,
  hasPlainMetadata,
  fileId,
}: Encryption): Uint8Array {
  const rights = Buffer.alloc(4)
  rights.writeInt32LE(permissions)
  const mark = revision > 3 && hasPlainMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0)
  let hash = digest('md5', PADDING, owner, rights, fileId, mark)
  if (revision > 2) for (let i = 0; i < 50; i++) hash = digest('md5', hash.subarray(0, keyBytes))
  return hash.subarray(0, keyBytes)
}

/** Algorithm 2.B of ISO 32000-2, for a password of no characters. */
function strongHash(salt: Buffer): Buffer {
  let key = digest('sha256', salt)
  let encrypted = Buffer.alloc(1)
  for (let i = 0; i < 64 || (encrypted.at(-1) ?? 0) > i - 32; i++) {
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false)
    encrypted = cipher.update(Buffer.concat(Array<Buffer>(64).fill(key)))
    const rest = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = digest(['sha256', 'sha384', 'sha512'][rest] ?? '', encrypted)
  }
  return key.subarray(0, 32)
}

const digest = (algorithm: string, ...parts: readonly Buffer[]): Buffer =>
  createHash(algorithm).update(Buffer.concat(parts)).digest()

/** Node has it no more. */
function rc4(key: Uint8Array, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const at = (i: number) => state[i & 255] ?? 0
  const swap = (i: number, j: number) => ([state[i], state[j]] = [at(j), at(i)])
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let i = 0
  let j = 0
  return Buffer.from(
    data.map(byte => {
      i = (i + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}
