import { GrowingArray, newMemory } from './growing-array.ts'

const EMPTY = 0
const DELETED = 0xffff_ffff
/** A longer text is none of ours: PostgreSQL takes no longer terms. */
const LONGEST = 2_048
const GIGABYTE = 2 ** 30

const encoder = new TextEncoder()

// in `counts`
const NUMBERS = 0
const SIZE = 1
const USED = 2
const SLOTS = 3
const ASCENDING = 4

/** What a table consists of: it can be sent to other threads. */
export interface TextTableMemory {
  bytes: SharedArrayBuffer
  starts: SharedArrayBuffer
  slots: SharedArrayBuffer
  counts: SharedArrayBuffer
}

export const newTextTableMemory = (): TextTableMemory => ({
  bytes: newMemory(2 * GIGABYTE),
  starts: newMemory(GIGABYTE),
  slots: newMemory(GIGABYTE),
  counts: new SharedArrayBuffer(64),
})

/**
 * Texts by number, and for each text its last number: bytes and a hash table in typed arrays, some 40 bytes for the id of a
 * profile instead of the 120 of strings in a Map.
 */
export class TextTable {
  readonly #bytes: GrowingArray<Uint8Array>
  /** where the text of each number begins; after the last number, where it ends */
  readonly #starts: GrowingArray<Uint32Array>
  /** number + 1 of a text, at the first free place from its hash on */
  readonly #slots: GrowingArray<Uint32Array>
  readonly #counts: Uint32Array
  readonly #wanted = new Uint8Array(LONGEST)
  #wantedLength = 0

  constructor(memory: TextTableMemory = newTextTableMemory()) {
    this.#bytes = new GrowingArray(Uint8Array, memory.bytes)
    this.#starts = new GrowingArray(Uint32Array, memory.starts)
    this.#slots = new GrowingArray(Uint32Array, memory.slots)
    this.#counts = new Uint32Array(memory.counts)
    if (this.#counts[SLOTS] === 0) this.#counts[SLOTS] = 64
  }

  refresh(): void {
    this.#bytes.refresh()
    this.#starts.refresh()
    this.#slots.refresh()
  }

  /** how many texts have a number */
  get size(): number {
    return this.#count(SIZE)
  }

  /** how many numbers were given */
  get numbers(): number {
    return this.#count(NUMBERS)
  }

  find(text: string): number | undefined {
    if (!this.#encode(text)) return undefined
    const entry = this.#entryAt(this.#slotOfWanted())
    return entry === EMPTY ? undefined : entry - 1
  }

  /** Gives the text the next number, instead of the one it has. */
  add(text: string): number {
    if (!this.#encode(text)) throw new RangeError('a text is too long for the search index')
    if ((this.#count(USED) + 1) * 2 > this.#count(SLOTS)) this.#rehash()
    const slot = this.#slotOfWanted()
    const number = this.numbers
    this.#counts[NUMBERS] = number + 1
    if (this.#entryAt(slot) === EMPTY) {
      this.#counts[USED] = this.#count(USED) + 1
      this.#counts[SIZE] = this.size + 1
    }
    this.#slots.array[slot] = number + 1
    this.#starts.reserve(number + 2)
    const start = this.#startOf(number)
    const end = start + this.#wantedLength
    this.#bytes.reserve(end)
    this.#bytes.array.set(this.#wanted.subarray(0, this.#wantedLength), start)
    this.#starts.array[number + 1] = end
    if (this.#counts[ASCENDING] === number && (number === 0 || this.#compareBytes(number - 1, number) < 0)) {
      this.#counts[ASCENDING] = number + 1
    }
    return number
  }

  /** The text has no number any more. Searches that have met the number can still read it. */
  delete(text: string): void {
    if (!this.#encode(text)) return
    const slot = this.#slotOfWanted()
    if (this.#entryAt(slot) === EMPTY) return
    this.#slots.array[slot] = DELETED
    this.#counts[SIZE] = this.size - 1
  }

  /** Deletes the text of a number, which can then no longer be read. */
  wipe(number: number): void {
    this.delete(this.at(number))
    this.#bytes.array.fill(0, this.#startOf(number), this.#startOf(number + 1))
  }

  at(number: number): string {
    return Buffer.from(this.#bytes.array.buffer, this.#startOf(number), this.#lengthOf(number)).toString()
  }

  /** Negative if the text of `a` comes before that of `b`. A loaded index has its ids in this order, up to the first change. */
  compare(a: number, b: number): number {
    const ascending = this.#count(ASCENDING)
    return a < ascending && b < ascending ? a - b : this.#compareBytes(a, b)
  }

  #compareBytes(a: number, b: number): number {
    const bytes = this.#bytes.array
    const [startA, startB] = [this.#startOf(a), this.#startOf(b)]
    const [lengthA, lengthB] = [this.#lengthOf(a), this.#lengthOf(b)]
    const shorter = Math.min(lengthA, lengthB)
    for (let i = 0; i < shorter; i++) {
      const difference = bytes[startA + i]! - bytes[startB + i]!
      if (difference !== 0) return difference
    }
    return lengthA - lengthB
  }

  #count(which: number): number {
    return this.#counts[which]!
  }

  #startOf(number: number): number {
    return this.#starts.array[number]!
  }

  #lengthOf(number: number): number {
    return this.#startOf(number + 1) - this.#startOf(number)
  }

  #entryAt(slot: number): number {
    return this.#slots.array[slot]!
  }

  #encode(text: string): boolean {
    const { read, written } = encoder.encodeInto(text, this.#wanted)
    this.#wantedLength = written
    return read === text.length
  }

  /** Where the encoded text is, or would be. */
  #slotOfWanted(): number {
    const mask = this.#count(SLOTS) - 1
    for (let slot = hash(this.#wanted, 0, this.#wantedLength) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#entryAt(slot)
      if (entry === EMPTY || (entry !== DELETED && this.#isWanted(entry - 1))) return slot
    }
  }

  #isWanted(number: number): boolean {
    const start = this.#startOf(number)
    const bytes = this.#bytes.array
    if (this.#lengthOf(number) !== this.#wantedLength) return false
    for (let i = 0; i < this.#wantedLength; i++) if (bytes[start + i] !== this.#wanted[i]) return false
    return true
  }

  #rehash(): void {
    const before = this.#slots.array.slice(0, this.#counts[SLOTS])
    let length = 64
    while (length < (this.size + 1) * 4) length *= 2
    this.#slots.reserve(length)
    const slots = this.#slots.array.fill(EMPTY)
    this.#counts[SLOTS] = length
    this.#counts[USED] = this.size
    for (const entry of before) {
      if (entry === EMPTY || entry === DELETED) continue
      let slot = hash(this.#bytes.array, this.#startOf(entry - 1), this.#startOf(entry)) & (length - 1)
      while (slots[slot] !== EMPTY) slot = (slot + 1) & (length - 1)
      slots[slot] = entry
    }
  }
}

/** FNV-1a */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c_9dc5
  for (let i = start; i < end; i++) value = Math.imul(value ^ bytes[i]!, 0x0100_0193)
  return (value ^ (value >>> 15)) >>> 0
}
