import { Unreadable } from './unreadable.ts'

/**
 * Text of a Word 97-2003 file: a compound file (sectors chained like clusters of a disk) with a stream of text pieces
 * and a table that says where each piece lies. Every chain is walked at most once around.
 */
const END_OF_CHAIN = 0xfffffffe
const SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])

export function docText(file: Buffer): string {
  try {
    return readText(new CompoundFile(file))
  } catch (error) {
    // reading past the end of the file is how damage shows
    if (error instanceof RangeError) throw new Unreadable('the document is truncated')
    throw error
  }
}

/** Whether a file of Word needs a password. A damaged file needs none, and neither does one of another kind. */
export function isLockedDocument(file: Buffer): boolean {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return false
  try {
    return isEncrypted(new CompoundFile(file))
  } catch {
    return false
  }
}

class CompoundFile {
  readonly #file: Buffer
  readonly #sectorSize: number
  readonly #fat: number[] = []
  readonly #miniFat: number[]
  readonly #mini: Buffer
  readonly #entries = new Map<string, { start: number; size: number }>()

  constructor(file: Buffer) {
    if (file.length < 512 || !file.subarray(0, 8).equals(SIGNATURE)) throw new Unreadable('not a Word document')
    this.#file = file
    const shift = file.readUInt16LE(30)
    if (shift !== 9 && shift !== 12) throw new Unreadable('the document has an unknown layout')
    this.#sectorSize = 1 << shift
    this.#readFat()
    const directory = this.#chain(file.readUInt32LE(48))
    for (let at = 0; at + 128 <= directory.length; at += 128) {
      const length = directory.readUInt16LE(at + 64)
      if (length < 2 || length > 64) continue
      const name = directory.toString('utf16le', at, at + length - 2)
      this.#entries.set(name, { start: directory.readUInt32LE(at + 116), size: directory.readUInt32LE(at + 120) })
    }
    const miniFat = this.#chain(file.readUInt32LE(60))
    this.#miniFat = Array.from({ length: miniFat.length >> 2 }, (_, i) => miniFat.readUInt32LE(i * 4))
    const root = this.#entries.get('Root Entry')
    this.#mini = root && root.size > 0 ? this.#chain(root.start) : Buffer.alloc(0)
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  stream(name: string): Buffer | undefined {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    if (entry.size > this.#file.length) throw new Unreadable('the document is truncated')
    const data = entry.size >= this.#file.readUInt32LE(56) ? this.#chain(entry.start) : this.#miniChain(entry.start)
    if (data.length < entry.size) throw new Unreadable('the document is truncated')
    return data.subarray(0, entry.size)
  }

  #sector(index: number): Buffer {
    const start = (index + 1) * this.#sectorSize
    if (start >= this.#file.length) throw new Unreadable('the document is truncated')
    return this.#file.subarray(start, start + this.#sectorSize)
  }

  #readFat(): void {
    const sectors: number[] = []
    for (let i = 0; i < 109; i++) sectors.push(this.#file.readUInt32LE(76 + i * 4))
    const most = Math.ceil(this.#file.length / this.#sectorSize)
    let next = this.#file.readUInt32LE(68)
    for (let i = 0; next < END_OF_CHAIN && i <= most && sectors.length <= most + 109; i++) {
      const extra = this.#sector(next)
      for (let at = 0; at + 8 <= extra.length; at += 4) sectors.push(extra.readUInt32LE(at))
      next = extra.readUInt32LE(extra.length - 4)
    }
    for (const index of sectors) {
      if (index >= END_OF_CHAIN - 1) continue
      const sector = this.#sector(index)
      for (let at = 0; at + 4 <= sector.length; at += 4) this.#fat.push(sector.readUInt32LE(at))
    }
  }

  #chain(start: number): Buffer {
    const sectors: Buffer[] = []
    const most = Math.ceil(this.#file.length / this.#sectorSize)
    for (let at = start; at < END_OF_CHAIN - 1; at = this.#fat[at] ?? END_OF_CHAIN) {
      if (sectors.length > most) throw new Unreadable('the document has a circular reference')
      sectors.push(this.#sector(at))
    }
    return Buffer.concat(sectors)
  }

  #miniChain(start: number): Buffer {
    const sectors: Buffer[] = []
    for (let at = start; at < END_OF_CHAIN - 1; at = this.#miniFat[at] ?? END_OF_CHAIN) {
      if (sectors.length > this.#mini.length / 64) throw new Unreadable('the document has a circular reference')
      sectors.push(this.#mini.subarray(at * 64, at * 64 + 64))
    }
    return Buffer.concat(sectors)
  }
}

/** Offsets in the file information block. */
const FIB = { ident: 0, flags: 10, clxStart: 0x01a2, clxSize: 0x01a6, mainTextLength: 0x004c }

function wordDocument(file: CompoundFile): { document: Buffer; flags: number } {
  const document = file.stream('WordDocument')
  if (!document || document.length < 0x01aa || document.readUInt16LE(FIB.ident) !== 0xa5ec)
    throw new Unreadable('not a Word document', 'unsupported')
  return { document, flags: document.readUInt16LE(FIB.flags) }
}

/** A newer Word document with a password is a compound file with its encrypted bytes in a stream. */
const isEncrypted = (file: CompoundFile): boolean =>
  file.has('EncryptedPackage') || (wordDocument(file).flags & 0x0100) !== 0

function readText(file: CompoundFile): string {
  if (isEncrypted(file)) throw new Unreadable('the document is encrypted', 'encrypted')
  const { document, flags } = wordDocument(file)
  const table = file.stream(flags & 0x0200 ? '1Table' : '0Table')
  if (!table) throw new Unreadable('the document is damaged')
  const start = document.readUInt32LE(FIB.clxStart)
  const clx = table.subarray(start, start + document.readUInt32LE(FIB.clxSize))
  let at = 0
  while (clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1) // property groups before the piece table
  if (clx[at] !== 2) throw new Unreadable('the document is damaged')
  const size = clx.readUInt32LE(at + 1)
  const pieces = clx.subarray(at + 5, at + 5 + size)
  const count = Math.floor((pieces.length - 4) / 12)
  const limit = document.readUInt32LE(FIB.mainTextLength)
  let text = ''
  for (let i = 0; i < count && text.length < limit; i++) {
    const length = pieces.readUInt32LE((i + 1) * 4) - pieces.readUInt32LE(i * 4)
    const where = pieces.readUInt32LE((count + 1) * 4 + i * 8 + 2)
    const offset = where & 0x3fffffff
    if (length < 0 || length > document.length) throw new Unreadable('the document is damaged')
    text +=
      where & 0x40000000
        ? WESTERN.decode(document.subarray(offset >> 1, (offset >> 1) + length))
        : document.toString('utf16le', offset, offset + length * 2)
  }
  return plain(text.slice(0, limit))
}

const WESTERN = new TextDecoder('windows-1252')

/** Word's own marks to line ends and tabs; of a field its shown result stays, its instruction goes. */
const plain = (text: string): string => {
  let out = ''
  // each open field has a flag: whether its instruction is being read
  const fields: boolean[] = []
  for (const char of text) {
    const code = char.charCodeAt(0)
    if (code === 0x13) fields.push(true)
    else if (code === 0x14 && fields.length > 0) fields[fields.length - 1] = false
    else if (code === 0x15) fields.pop()
    else if (fields.includes(true)) continue
    else if (code === 0x0d || code === 0x0b || code === 0x0c) out += '\n'
    else if (code === 0x07) out += '\t'
    else if (code === 0x1e) out += '-'
    else if (code >= 0x20 || code === 0x09) out += char
  }
  return out
}
