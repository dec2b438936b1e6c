import { GrowingArray, newMemory } from './growing-array.ts'

/** Numbers are looked at in blocks: what is known of one block stays in the processor's cache. */
export const BLOCK_WORDS = 512
export const BLOCK_SIZE = BLOCK_WORDS * 32

/** From this length on, and if no larger than the list, a term has bits instead of a list. */
const FREQUENT = 1_000

const GIGABYTE = 2 ** 30

// the fields of a term
const LENGTH = 0
const AT = 1
const CAPACITY = 2
const HAS_BITS = 3
const FIELDS = 4

export interface PostingsMemory {
  terms: SharedArrayBuffer
  numbers: SharedArrayBuffer
}

export const newPostingsMemory = (): PostingsMemory => ({
  terms: newMemory(GIGABYTE),
  numbers: newMemory(4 * GIGABYTE),
})

/**
 * The numbers of the profiles that have each term, which is a number too. A term has an ascending list; a frequent one has a bit
 * for each profile, in pages of a block, and where no profile of a block has it no page. All lists and pages are parts of one
 * array.
 */
export class Postings {
  readonly #terms: GrowingArray<Uint32Array>
  readonly #numbers: GrowingArray<Uint32Array>
  /** where the array is used up to; 0 means no page, so nothing begins there. Only the thread that writes knows it. */
  #end = 1
  /** parts of the array that were left for larger ones, by their length */
  readonly #free = new Map<number, number[]>()

  constructor(memory: PostingsMemory = newPostingsMemory()) {
    this.#terms = new GrowingArray(Uint32Array, memory.terms)
    this.#numbers = new GrowingArray(Uint32Array, memory.numbers)
  }

  refresh(): void {
    this.#terms.refresh()
    this.#numbers.refresh()
  }

  /** The numbers of all lists and pages. It must not be kept, and neither must a place in it, while anything is added. */
  get array(): Uint32Array {
    return this.#numbers.array
  }

  /** How often numbers were added to the term. */
  lengthOf(term: number): number {
    return this.#field(term, LENGTH)
  }

  hasBits(term: number): boolean {
    return this.#field(term, HAS_BITS) === 1
  }

  /** Where the list of a term begins, which has no bits. */
  listOf(term: number): number {
    return this.#field(term, AT)
  }

  /** Where the bits of a block begin; 0: no profile of the block has the term. */
  pageOf(term: number, block: number): number {
    return block < this.#field(term, CAPACITY) ? this.#numberAt(this.#field(term, AT) + block) : 0
  }

  add(term: number, number: number): void {
    this.#terms.reserve((term + 1) * FIELDS)
    const length = this.lengthOf(term)
    this.#setField(term, LENGTH, length + 1)
    if (this.hasBits(term)) {
      this.#setBit(term, number)
      return
    }
    if (length === this.#field(term, CAPACITY)) this.#enlarge(term, length, length + 1)
    this.#numbers.array[this.listOf(term) + length] = number
    if (length + 1 >= FREQUENT && (length + 1) * 32 > number) this.#toBits(term)
  }

  /** Whether one of a term's numbers is accepted; of frequent terms that is not asked. */
  some(term: number, isAccepted: (number: number) => boolean): boolean {
    if (this.hasBits(term)) return true
    const at = this.listOf(term)
    for (let i = at; i < at + this.lengthOf(term); i++) if (isAccepted(this.#numberAt(i))) return true
    return false
  }

  /** The term, which has no bits, has no numbers any more. */
  clear(term: number): void {
    this.#release(this.listOf(term), this.#field(term, CAPACITY))
    this.#terms.array.fill(0, term * FIELDS, (term + 1) * FIELDS)
  }

  #field(term: number, field: number): number {
    return this.#terms.array[term * FIELDS + field]!
  }

  #setField(term: number, field: number, value: number): void {
    this.#terms.array[term * FIELDS + field] = value
  }

  #numberAt(at: number): number {
    return this.#numbers.array[at]!
  }

  #toBits(term: number): void {
    const length = this.lengthOf(term)
    const list = this.#numbers.array.slice(this.listOf(term), this.listOf(term) + length)
    this.clear(term)
    this.#setField(term, LENGTH, length)
    this.#setField(term, HAS_BITS, 1)
    for (const number of list) this.#setBit(term, number)
  }

  #setBit(term: number, number: number): void {
    const block = Math.floor(number / BLOCK_SIZE)
    const capacity = this.#field(term, CAPACITY)
    if (block >= capacity) this.#enlarge(term, capacity, block + 1)
    const entry = this.#field(term, AT) + block
    if (this.#numberAt(entry) === 0) {
      const page = this.#take(BLOCK_WORDS)
      this.#numbers.array.fill(0, page, page + BLOCK_WORDS)
      this.#numbers.array[entry] = page
    }
    const word = this.#numberAt(entry) + ((number >>> 5) % BLOCK_WORDS)
    this.#numbers.array[word] = this.#numberAt(word) | (1 << (number & 31))
  }

  /** A larger part for the list or the pages of a term, with the `used` elements of the one before and then zeros. */
  #enlarge(term: number, used: number, least: number): void {
    const before = this.#field(term, AT)
    let capacity = 2
    while (capacity < least) capacity = larger(capacity)
    const place = this.#take(capacity)
    const numbers = this.#numbers.array
    numbers.copyWithin(place, before, before + used)
    numbers.fill(0, place + used, place + capacity)
    this.#release(before, this.#field(term, CAPACITY))
    this.#setField(term, AT, place)
    this.#setField(term, CAPACITY, capacity)
  }

  #take(length: number): number {
    const free = this.#free.get(length)?.pop()
    if (free !== undefined) return free
    const place = this.#end
    this.#end += length
    this.#numbers.reserve(this.#end)
    return place
  }

  #release(place: number, length: number): void {
    if (length === 0) return
    const free = this.#free.get(length)
    if (free) free.push(place)
    else this.#free.set(length, [place])
  }
}

/** 2, 3, 4, 6, 8, 12, 16, …: few lengths, so that what one list has left fits another. */
const larger = (capacity: number): number => ((capacity & (capacity - 1)) === 0 ? capacity * 1.5 : (capacity / 3) * 4)
