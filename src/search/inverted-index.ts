import { getOrCreate } from '../kernel/async/get-or-create.ts'
import type { Condition } from './conditions.ts'
import { matchScore, type Ranked, type RankingPlan, tierOf } from './query-plan.ts'

/** The numbers of the profiles that have a term, ascending; of frequent terms also a bit for every profile. */
class Postings {
  #numbers = new Uint32Array(4)
  length = 0
  /** may be shorter than there are profiles: the rest has none */
  bits: Uint32Array | undefined

  add(number: number): void {
    if (this.length === this.#numbers.length) this.#numbers = grown(this.#numbers, this.length + 1)
    this.#numbers[this.length++] = number
    if (this.bits) {
      if (number >>> 5 >= this.bits.length) this.bits = grown(this.bits, (number >>> 5) + 1)
      set(this.bits, number)
    } else if (this.length >= FREQUENT && this.length * 32 > number) {
      // from here on the bits take no more room than the numbers
      this.bits = new Uint32Array((number >>> 5) + 1)
      for (let i = 0; i < this.length; i++) set(this.bits, this.#numbers[i]!)
    }
  }

  isOnly(number: number): boolean {
    return this.length === 1 && this.#numbers[0] === number
  }

  /** Those below `end`: what was there when a search began. */
  below(end: number): Uint32Array {
    let { length } = this
    while (length > 0 && this.#numbers[length - 1]! >= end) length--
    return this.#numbers.subarray(0, length)
  }
}

const FREQUENT = 1_000

function grown(numbers: Uint32Array, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, numbers.length * 2))
  larger.set(numbers)
  return larger
}

const set = (bits: Uint32Array, number: number) => {
  bits[number >>> 5]! |= 1 << (number & 31)
}
const isSet = (bits: Uint32Array, number: number) => (bits[number >>> 5]! >>> (number & 31)) & 1

const newPostings = () => new Postings()
const NOTHING = new Uint32Array(0)
const NO_POSTINGS = newPostings()

/** More than this many equals are not told apart any further: enough for every page, few enough for every search. */
const MOST_RANKED = 20_000

/** A search stops at each `yield`, where others may go on; what it answers is that of the profiles there at its beginning. */
export type Cooperative<T> = Generator<void, T, void>

/**
 * The terms of the pool in memory. Every profile has a number; a term has the numbers of its profiles. Measured: 300 to
 * 450 bytes for a profile with 25 terms, depending on how full the growing lists are, so that a million take up to 450
 * MB. A search needs besides some lists of numbers, four bytes for each profile that meets one of its conditions, and
 * gives them up when it ends.
 */
export class InvertedIndex {
  readonly #ids: string[] = []
  readonly #titleWords: number[] = []
  readonly #changed: number[] = []
  readonly #numbers = new Map<string, number>()
  readonly #terms = new Map<string, Postings>()
  #live = new Uint32Array(1_024)
  #replaced = 0

  get size(): number {
    return this.#numbers.size
  }

  /** What was replaced is skipped but still held; when it is most of all, it is time to begin anew. */
  get needsRebuild(): boolean {
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
    if (number >>> 5 >= this.#live.length) this.#live = grown(this.#live, (number >>> 5) + 1)
    set(this.#live, number)
    for (const term of terms.split(' ')) {
      getOrCreate(this.#terms, term, newPostings).add(number)
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

  /** Candidates by the first level that has enough of them; then every feature of these, and their scores. */
  *search(plan: RankingPlan, limit: number): Cooperative<Ranked[]> {
    const terms = new Terms(this.#terms, this.#ids.length)
    let found: Uint32Array = NOTHING
    for (const level of plan.levels) {
      found = having(this.#live, yield* terms.meeting(level))
      if (found.length >= limit) break
    }
    const candidates = new Candidates(found.subarray(0, MOST_RANKED), terms)
    const features: Uint32Array[] = []
    for (const feature of plan.features) features.push(yield* candidates.meeting(feature))
    yield
    return this.#rank(plan, candidates.numbers, features, limit)
  }

  /** Profiles that meet the same features have the same score, which is computed once for all of them. */
  #rank(plan: RankingPlan, numbers: Uint32Array, features: readonly Uint32Array[], limit: number): Ranked[] {
    const scores = new Map<number | string, number>()
    const byScore: number[][] = Array.from({ length: 101 }, () => [])
    // a number is made and found many times faster than a text; 52 bits fit into one
    const few = features.length <= 52
    for (let at = 0; at < numbers.length; at++) {
      let pattern: number | string = 0
      if (few) for (let i = 0; i < features.length; i++) pattern = pattern * 2 + isSet(features[i]!, at)
      else pattern = features.map(feature => isSet(feature, at)).join('')
      let score = scores.get(pattern)
      if (score === undefined) {
        score = matchScore(
          plan,
          features.map(feature => isSet(feature, at) === 1),
        )
        scores.set(pattern, score)
      }
      byScore[score]!.push(numbers[at]!)
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

/** Those of the numbers whose bit is set. */
function having(bits: Uint32Array, numbers: Uint32Array): Uint32Array {
  const some = new Uint32Array(numbers.length)
  let count = 0
  for (let at = 0; at < numbers.length; at++) {
    some[count] = numbers[at]!
    count += isSet(bits, numbers[at]!)
  }
  return some.subarray(0, count)
}

/** Those of the numbers in whose places a bit is set. */
function chosen(numbers: Uint32Array, places: Uint32Array): Uint32Array {
  const some = new Uint32Array(numbers.length)
  let count = 0
  for (let at = 0; at < numbers.length; at++) {
    some[count] = numbers[at]!
    count += isSet(places, at)
  }
  return some.subarray(0, count)
}

/** The terms as they are when a search begins. */
class Terms {
  readonly #terms: ReadonlyMap<string, Postings>
  readonly #end: number
  /** a bit for every profile, none of them set between two steps */
  readonly row: Uint32Array

  constructor(terms: ReadonlyMap<string, Postings>, end: number) {
    this.#terms = terms
    this.#end = end
    this.row = new Uint32Array((end + 31) >>> 5)
  }

  of(term: string): Postings {
    return this.#terms.get(term) ?? NO_POSTINGS
  }

  numbers(term: string): Uint32Array {
    return this.of(term).below(this.#end)
  }

  /** No more than this many meet a condition. */
  #most(condition: Condition): number {
    if (condition.term !== undefined) return this.of(condition.term).length
    const parts = (condition.any ?? condition.all)!.map(part => this.#most(part))
    return condition.any ? parts.reduce((sum, n) => sum + n, 0) : Math.min(...parts)
  }

  /** The numbers that meet a condition, ascending. Of several that must hold the rarest is looked up, and the rest asked of what it has. */
  *meeting(condition: Condition): Cooperative<Uint32Array> {
    if (condition.term !== undefined) return this.numbers(condition.term)
    if (condition.any) {
      const lists: Uint32Array[] = []
      for (const part of condition.any) lists.push(yield* this.meeting(part))
      yield
      return this.#union(lists)
    }
    const [rarest, ...others] = condition
      .all!.map(part => ({ part, most: this.#most(part) }))
      .sort((a, b) => a.most - b.most)
    let found = yield* this.meeting(rarest!.part)
    for (const { part } of others) {
      if (found.length === 0) break
      found = chosen(found, yield* new Candidates(found, this).meeting(part))
    }
    return found
  }

  #union(lists: readonly Uint32Array[]): Uint32Array {
    const filled = lists.filter(list => list.length > 0)
    if (filled.length < 2) return filled[0] ?? NOTHING
    const { row } = this
    let total = 0
    for (const list of filled) {
      total += list.length
      for (let i = 0; i < list.length; i++) set(row, list[i]!)
    }
    const numbers = new Uint32Array(Math.min(total, this.#end))
    let count = 0
    for (let word = 0; word < row.length; word++) {
      for (let rest = row[word]!; rest !== 0; rest &= rest - 1) {
        numbers[count++] = word * 32 + 31 - Math.clz32(rest & -rest)
      }
      row[word] = 0
    }
    return numbers.subarray(0, count)
  }
}

/** Some profiles, and which of them meet conditions: a bit for each, in their order. */
class Candidates {
  readonly numbers: Uint32Array
  readonly #terms: Terms
  readonly #known = new Map<string, Uint32Array>()

  constructor(numbers: Uint32Array, terms: Terms) {
    this.numbers = numbers
    this.#terms = terms
  }

  *meeting(condition: Condition): Cooperative<Uint32Array> {
    const before = this.#known.get(condition.text)
    if (before) return before
    const bits = new Uint32Array((this.numbers.length + 31) >>> 5)
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
    this.#known.set(condition.text, bits)
    return bits
  }

  /** A frequent term has its bits; those of another are set for a moment, unless it has far fewer numbers than we do. */
  #mark(bits: Uint32Array, term: string): void {
    const { numbers } = this
    const ready = this.#terms.of(term).bits
    if (ready) {
      copyBits(ready, numbers, bits)
      return
    }
    const postings = this.#terms.numbers(term)
    if (postings.length * 32 < numbers.length) {
      for (let i = 0, low = 0; i < postings.length && low < numbers.length; i++) {
        low = firstFrom(numbers, postings[i]!, low)
        if (numbers[low] === postings[i]) set(bits, low)
      }
      return
    }
    const { row } = this.#terms
    for (let i = 0; i < postings.length; i++) set(row, postings[i]!)
    copyBits(row, numbers, bits)
    for (let i = 0; i < postings.length; i++) row[postings[i]! >>> 5] = 0
  }
}

/** Branches on what is random are what costs most here, hence none. */
function copyBits(from: Uint32Array, numbers: Uint32Array, to: Uint32Array): void {
  for (let at = 0; at < numbers.length; at++) to[at >>> 5]! |= isSet(from, numbers[at]!) << (at & 31)
}

/** The place of the first number that is not below `wanted`, from `low` on. */
function firstFrom(numbers: Uint32Array, wanted: number, low: number): number {
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
