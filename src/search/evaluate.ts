import type { Cooperative } from '../kernel/async/cooperative.ts'
import { drain, gather, selected, set, wordsFor } from './bitset.ts'
import type { Condition } from './conditions.ts'
import { lowerBound, newPostings, type Postings } from './postings.ts'

/*
 * Which profiles meet a condition. The functions are generators that stop at each `yield`, where other requests continue;
 * profiles that are added in the meantime have higher numbers than `end` and are not seen.
 */

export const NO_NUMBERS = new Uint32Array(0)
const NO_POSTINGS = newPostings()

/** The terms of the index as they were when a search began. */
export class TermSnapshot {
  readonly #terms: ReadonlyMap<string, Postings>
  readonly #end: number
  /** a bit for every profile, for use within one step: all clear between two steps */
  readonly scratch: Uint32Array

  constructor(terms: ReadonlyMap<string, Postings>, end: number) {
    this.#terms = terms
    this.#end = end
    this.scratch = new Uint32Array(wordsFor(end))
  }

  postings(term: string): Postings {
    return this.#terms.get(term) ?? NO_POSTINGS
  }

  numbers(term: string): Uint32Array {
    return this.postings(term).below(this.#end)
  }

  /** An upper bound of the number of profiles that meet a condition. */
  #atMost(condition: Condition): number {
    if (condition.term !== undefined) return this.postings(condition.term).length
    const parts = (condition.any ?? condition.all)!.map(part => this.#atMost(part))
    return condition.any ? parts.reduce((sum, n) => sum + n, 0) : Math.min(...parts)
  }

  /** The profiles that meet a condition, ascending. Of `all` the rarest part is looked up and the others filter it. */
  *meeting(condition: Condition): Cooperative<Uint32Array> {
    if (condition.term !== undefined) return this.numbers(condition.term)
    if (condition.any) {
      const lists: Uint32Array[] = []
      for (const part of condition.any) lists.push(yield* this.meeting(part))
      yield
      return this.#union(lists)
    }
    const [rarest, ...others] = condition
      .all!.map(part => ({ part, most: this.#atMost(part) }))
      .sort((a, b) => a.most - b.most)
    let found = yield* this.meeting(rarest!.part)
    for (const { part } of others) {
      if (found.length === 0) break
      found = selected(found, yield* new Candidates(found, this).meeting(part))
    }
    return found
  }

  #union(lists: readonly Uint32Array[]): Uint32Array {
    const filled = lists.filter(list => list.length > 0)
    if (filled.length < 2) return filled[0] ?? NO_NUMBERS
    let total = 0
    for (const list of filled) {
      total += list.length
      for (let i = 0; i < list.length; i++) set(this.scratch, list[i]!)
    }
    return drain(this.scratch, Math.min(total, this.#end))
  }
}

/** Some profiles, and which of them meet conditions: bit i is the result for `numbers[i]`. */
export class Candidates {
  readonly numbers: Uint32Array
  readonly #terms: TermSnapshot
  readonly #evaluated = new Map<string, Uint32Array>()

  constructor(numbers: Uint32Array, terms: TermSnapshot) {
    this.numbers = numbers
    this.#terms = terms
  }

  *meeting(condition: Condition): Cooperative<Uint32Array> {
    const before = this.#evaluated.get(condition.text)
    if (before) return before
    const bits = new Uint32Array(wordsFor(this.numbers.length))
    if (condition.term !== undefined) {
      this.#mark(bits, condition.term)
      yield
    } else {
      const [first, ...others] = (condition.any ?? condition.all)!
      bits.set(yield* this.meeting(first!))
      for (const part of others) {
        const other = yield* this.meeting(part)
        if (condition.any) for (let i = 0; i < bits.length; i++) bits[i]! |= other[i]!
        else for (let i = 0; i < bits.length; i++) bits[i]! &= other[i]!
      }
    }
    this.#evaluated.set(condition.text, bits)
    return bits
  }

  /** By the bit set of a frequent term, by binary search for a very rare one, or else by a bit set made for the moment. */
  #mark(bits: Uint32Array, term: string): void {
    const { numbers } = this
    const ready = this.#terms.postings(term).bits
    if (ready) {
      gather(ready, numbers, bits)
      return
    }
    const postings = this.#terms.numbers(term)
    if (postings.length * 32 < numbers.length) {
      for (let i = 0, low = 0; i < postings.length && low < numbers.length; i++) {
        low = lowerBound(numbers, postings[i]!, low)
        if (numbers[low] === postings[i]) set(bits, low)
      }
      return
    }
    const { scratch } = this.#terms
    for (let i = 0; i < postings.length; i++) set(scratch, postings[i]!)
    gather(scratch, numbers, bits)
    for (let i = 0; i < postings.length; i++) scratch[postings[i]! >>> 5] = 0
  }
}
