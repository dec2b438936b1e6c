import { grown } from './bitset.ts'

const EMPTY = 0
const DELETED = 0xffff_ffff
/** A longer id is none of ours. */
const LONGEST = 256

const encoder = new TextEncoder()

/**
 * The ids of profiles by number, and for each id its last number: bytes and a hash table in typed arrays, some 40 bytes
 * for a profile instead of the 120 of strings in a Map.
 */
export class IdTable {
  #bytes = new Uint8Array(1_024)
  /** where the id of each number begins; after the last number, where it ends */
  #starts = new Uint32Array(64)
  /** number + 1 of an id, at the first free place from its hash on */
  #slots = new Uint32Array(64)
  #used = 0
  #numbers = 0
  readonly #wanted = new Uint8Array(LONGEST)
  #wantedLength = 0

  /** how many ids have a number */
  size = 0

  /** how many numbers were given */
  get numbers(): number {
    return this.#numbers
  }

  find(id: string): number | undefined {
    const slot = this.#slotOf(id)
    const entry = this.#slots[slot]!
    return entry === EMPTY ? undefined : entry - 1
  }

  /** Gives the id the next number, instead of the one it has. */
  add(id: string): number {
    if ((this.#used + 1) * 2 > this.#slots.length) this.#rehash()
    const slot = this.#slotOf(id)
    const number = this.#numbers++
    if (this.#slots[slot] === EMPTY) {
      this.#used++
      this.size++
    }
    this.#slots[slot] = number + 1
    const start = this.#starts[number]!
    const end = start + this.#wantedLength
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, Math.ceil(this.#bytes.length * 1.5)))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes.set(this.#wanted.subarray(0, this.#wantedLength), start)
    if (number + 1 >= this.#starts.length) this.#starts = grown(this.#starts, number + 2)
    this.#starts[number + 1] = end
    return number
  }

  /** The id has no number any more. Searches that have met the number can still read its id. */
  delete(id: string): void {
    const slot = this.#slotOf(id)
    if (this.#slots[slot] === EMPTY) return
    this.#slots[slot] = DELETED
    this.size--
  }

  at(number: number): string {
    return Buffer.from(this.#bytes.buffer, this.#starts[number]!, this.#lengthOf(number)).toString()
  }

  /** Negative if the id of `a` comes before that of `b`. */
  compare(a: number, b: number): number {
    const [startA, startB] = [this.#starts[a]!, this.#starts[b]!]
    const [lengthA, lengthB] = [this.#lengthOf(a), this.#lengthOf(b)]
    const shorter = Math.min(lengthA, lengthB)
    for (let i = 0; i < shorter; i++) {
      const difference = this.#bytes[startA + i]! - this.#bytes[startB + i]!
      if (difference !== 0) return difference
    }
    return lengthA - lengthB
  }

  #lengthOf(number: number): number {
    return this.#starts[number + 1]! - this.#starts[number]!
  }

  /** Where the id is, or would be. */
  #slotOf(id: string): number {
    const { read, written } = encoder.encodeInto(id, this.#wanted)
    if (read < id.length) throw new RangeError('an id of a profile is too long')
    this.#wantedLength = written
    const mask = this.#slots.length - 1
    for (let slot = hash(this.#wanted, 0, written) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]!
      if (entry === EMPTY || (entry !== DELETED && this.#isWanted(entry - 1))) return slot
    }
  }

  #isWanted(number: number): boolean {
    const start = this.#starts[number]!
    if (this.#lengthOf(number) !== this.#wantedLength) return false
    for (let i = 0; i < this.#wantedLength; i++) if (this.#bytes[start + i] !== this.#wanted[i]) return false
    return true
  }

  #rehash(): void {
    const before = this.#slots
    let length = 64
    while (length < (this.size + 1) * 4) length *= 2
    this.#slots = new Uint32Array(length)
    this.#used = this.size
    for (const entry of before) {
      if (entry === EMPTY || entry === DELETED) continue
      let slot = hash(this.#bytes, this.#starts[entry - 1]!, this.#starts[entry]!) & (length - 1)
      while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & (length - 1)
      this.#slots[slot] = entry
    }
  }
}

/** FNV-1a */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c_9dc5
  for (let i = start; i < end; i++) value = Math.imul(value ^ bytes[i]!, 0x0100_0193)
  return (value ^ (value >>> 15)) >>> 0
}
