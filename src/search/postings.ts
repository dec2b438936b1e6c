import { grown, set } from './bitset.ts'

/** From this length on, and if no larger than the list, a term also has a bit set. */
const FREQUENT = 1_000

/** The numbers of the profiles that have a term, ascending; of frequent terms also as a bit set. */
export class Postings {
  #numbers = new Uint32Array(4)
  length = 0
  /** may end before the last profile: the rest does not have the term */
  bits: Uint32Array | undefined

  add(number: number): void {
    if (this.length === this.#numbers.length) this.#numbers = grown(this.#numbers, this.length + 1)
    this.#numbers[this.length++] = number
    if (this.bits) {
      if (number >>> 5 >= this.bits.length) this.bits = grown(this.bits, (number >>> 5) + 1)
      set(this.bits, number)
    } else if (this.length >= FREQUENT && this.length * 32 > number) {
      this.bits = new Uint32Array((number >>> 5) + 1)
      for (let i = 0; i < this.length; i++) set(this.bits, this.#numbers[i]!)
    }
  }

  isOnly(number: number): boolean {
    return this.length === 1 && this.#numbers[0] === number
  }

  /** Those below `end`: the profiles that were there when a search began. */
  below(end: number): Uint32Array {
    let { length } = this
    while (length > 0 && this.#numbers[length - 1]! >= end) length--
    return this.#numbers.subarray(0, length)
  }
}

export const newPostings = (): Postings => new Postings()

/** The position of the first number that is not below `wanted`, from `low` on. */
export function lowerBound(numbers: Uint32Array, wanted: number, low: number): number {
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
