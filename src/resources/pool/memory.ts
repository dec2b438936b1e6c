import { remember } from '../../kernel/remember.ts'
import type { Condition } from './conditions.ts'
import { type Plan, type Ranked, scoreOf, tierOf } from './plan.ts'

/** Numbers in ascending order, as they are added. */
class Postings {
  #numbers = new Uint32Array(4)
  length = 0

  add(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = number
  }

  isOnly(number: number): boolean {
    return this.length === 1 && this.#numbers[0] === number
  }

  mark(bits: Uint32Array): void {
    const numbers = this.#numbers
    for (let i = 0; i < this.length; i++) {
      const number = numbers[i]!
      bits[number >>> 5]! |= 1 << (number & 31)
    }
  }
}

const newPostings = () => new Postings()

/** More than this many equals are not told apart any further: enough for every page, few enough for every search. */
const MOST_RANKED = 20_000

/**
 * The terms of the pool in memory. Every profile has a number; a term has the numbers of its profiles; a condition is
 * a row of bits. Measured: 435 bytes for a profile with 25 terms, so that a million take 435 MB.
 */
export class PoolIndex {
  readonly #ids: string[] = []
  readonly #titleWords: number[] = []
  readonly #changed: number[] = []
  readonly #numbers = new Map<string, number>()
  readonly #terms = new Map<string, Postings>()
  #live = new Uint32Array(1_024)
  #replaced = 0
  readonly #spare: Uint32Array[] = []

  get size(): number {
    return this.#numbers.size
  }

  /** What was replaced is skipped but still held; when it is most of all, it is time to begin anew. */
  get worn(): boolean {
    return this.#replaced > 10_000 && this.#replaced > this.size
  }

  /** Adds a profile or replaces it by its newer self. One without terms was erased. */
  put(id: string, titleWords: number, terms: string, changed: number): void {
    const before = this.#numbers.get(id)
    if (terms === '') {
      if (before !== undefined) this.#forget(id, before)
      return
    }
    if (before !== undefined) {
      if (this.#changed[before] === changed) return
      this.#live[before >>> 5]! &= ~(1 << (before & 31))
      this.#replaced++
    }
    const number = this.#ids.length
    this.#ids.push(id)
    this.#titleWords.push(titleWords)
    this.#changed.push(changed)
    this.#numbers.set(id, number)
    if (number >>> 5 >= this.#live.length) {
      const larger = new Uint32Array(this.#live.length * 2)
      larger.set(this.#live)
      this.#live = larger
    }
    this.#live[number >>> 5]! |= 1 << (number & 31)
    for (const term of terms.split(' ')) {
      remember(this.#terms, term, newPostings).add(number)
    }
  }

  /** With the terms that were its alone: a walk over all of them, which is rare enough. */
  #forget(id: string, number: number): void {
    this.#live[number >>> 5]! &= ~(1 << (number & 31))
    this.#replaced++
    this.#numbers.delete(id)
    for (const [term, postings] of this.#terms) if (postings.isOnly(number)) this.#terms.delete(term)
  }

  /** How many profiles have each term. */
  frequencies(terms: readonly string[]): Map<string, number> {
    return new Map(terms.map(term => [term, this.#terms.get(term)?.length ?? 0]))
  }

  search(plan: Plan, limit: number): Ranked[] {
    const known = new Map<string, Uint32Array>()
    try {
      let found: Uint32Array = this.#live
      for (const level of plan.levels) {
        found = this.#meeting(level, known)
        if (countOf(found, this.#live) >= limit) break
      }
      const features = plan.features.map(feature => this.#meeting(feature, known))
      return this.#rank(plan, found, features, limit)
    } finally {
      this.#spare.push(...known.values())
    }
  }

  /** Rows of bits are used again: a search needs a hundred, and making them anew kept the collector busy most of the time. */
  #row(): Uint32Array {
    const row = this.#spare.pop()
    if (row?.length === this.#live.length) return row
    this.#spare.length = 0 // the pool has outgrown them
    return new Uint32Array(this.#live.length)
  }

  #meeting(condition: Condition, known: Map<string, Uint32Array>): Uint32Array {
    const before = known.get(condition.text)
    if (before) return before
    const parts = (condition.any ?? condition.all ?? []).map(part => this.#meeting(part, known))
    const bits = this.#row()
    const words = (this.#ids.length + 31) >>> 5
    if (condition.term !== undefined) {
      bits.fill(0)
      this.#terms.get(condition.term)?.mark(bits)
    } else {
      bits.set(parts[0]!)
      for (const other of parts.slice(1)) {
        if (condition.any) for (let i = 0; i < words; i++) bits[i]! |= other[i]!
        else for (let i = 0; i < words; i++) bits[i]! &= other[i]!
      }
    }
    known.set(condition.text, bits)
    return bits
  }

  /** Profiles that meet the same features have the same score, which is computed once for all of them. */
  #rank(plan: Plan, found: Uint32Array, features: readonly Uint32Array[], limit: number): Ranked[] {
    const scores = new Map<number | string, number>()
    const byScore: number[][] = Array.from({ length: 101 }, () => [])
    // a number is made and found many times faster than a text; 52 bits fit into one
    const few = features.length <= 52
    const patternAt = (word: number, bit: number): number | string => {
      if (!few) return features.map(feature => (feature[word]! >>> bit) & 1).join('')
      let pattern = 0
      for (let i = 0; i < features.length; i++) pattern = pattern * 2 + ((features[i]![word]! >>> bit) & 1)
      return pattern
    }
    let ranked = 0
    for (let word = 0; word < found.length && ranked < MOST_RANKED; word++) {
      for (let bits = found[word]! & this.#live[word]!; bits !== 0; bits &= bits - 1) {
        const bit = 31 - Math.clz32(bits & -bits)
        const pattern = patternAt(word, bit)
        let score = scores.get(pattern)
        if (score === undefined) {
          score = scoreOf(
            plan,
            features.map(feature => ((feature[word]! >>> bit) & 1) === 1),
          )
          scores.set(pattern, score)
        }
        byScore[score]!.push(word * 32 + bit)
        ranked++
      }
    }
    const surplus = (number: number) =>
      plan.titleWords === 0 ? 0 : Math.abs(this.#titleWords[number]! - plan.titleWords)
    const best: Ranked[] = []
    for (let score = 100; score > 0 && best.length < limit; score--) {
      const equals = byScore[score]!
      if (equals.length === 0) continue
      equals.sort((a, b) => surplus(a) - surplus(b) || (this.#ids[a]! < this.#ids[b]! ? -1 : 1))
      for (const number of equals.slice(0, limit - best.length)) {
        best.push({ id: this.#ids[number]!, score, tier: tierOf(score) })
      }
    }
    return best
  }
}

function countOf(bits: Uint32Array, live: Uint32Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    let rest = bits[i]! & live[i]!
    rest -= (rest >>> 1) & 0x55555555
    rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
    count += (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
  }
  return count
}
