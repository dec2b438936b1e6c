import type { Cooperative } from '../kernel/async/cooperative.ts'
import { clear, grown, membersOf, set } from './bitset.ts'
import { Candidates, NO_NUMBERS, TermSnapshot } from './evaluate.ts'
import { IdTable } from './id-table.ts'
import { newPostings, type Postings } from './postings.ts'
import type { RankingPlan } from './query-plan.ts'
import { type Ranked, rankNumbers } from './rank.ts'

/** Candidates beyond this many are not ranked: enough for every page, few enough for every search. */
const MAX_RANKED = 20_000

/** Fewer replaced profiles than this are never a reason to rebuild. */
const MIN_REPLACED = 10_000

/**
 * The terms of the pool in memory. Every profile has a number; a term has the numbers of its profiles. A changed profile
 * gets a new number and the old one is no longer live. Measured: 230 to 260 bytes for a profile with 24 terms, depending
 * on how full the growing lists are, so less than 300 MB for a million. A search allocates some lists of numbers besides,
 * four bytes for each profile that meets one of its conditions.
 */
export class InvertedIndex {
  readonly #ids = new IdTable()
  #titleWords = new Uint16Array(64)
  #changed = new Float64Array(64)
  readonly #terms = new Map<string, Postings>()
  #live = new Uint32Array(1_024)
  #replaced = 0

  get size(): number {
    return this.#ids.size
  }

  /** Replaced profiles are skipped but still take memory; when they are the majority, a new index is worth loading. */
  get needsRebuild(): boolean {
    return this.#replaced > MIN_REPLACED && this.#replaced > this.size
  }

  /** Adds or replaces a profile. One without terms was erased. A change that is applied already is ignored. */
  put(id: string, titleWords: number, terms: string, changed: number): void {
    const before = this.#ids.find(id)
    if (terms === '') {
      if (before !== undefined) this.#erase(id, before)
      return
    }
    if (before !== undefined) {
      if (this.#changed[before] === changed) return
      clear(this.#live, before)
      this.#replaced++
    }
    const number = this.#ids.add(id)
    if (number >= this.#titleWords.length) this.#grow()
    this.#titleWords[number] = titleWords
    this.#changed[number] = changed
    if (number >>> 5 >= this.#live.length) this.#live = grown(this.#live, (number >>> 5) + 1)
    set(this.#live, number)
    for (const term of terms.split(' ')) {
      let postings = this.#terms.get(term)
      if (!postings) {
        postings = newPostings()
        // a copy: a part of a text keeps the whole text in memory
        this.#terms.set(Buffer.from(term).toString(), postings)
      }
      postings.add(number)
    }
  }

  #grow(): void {
    const length = Math.ceil(this.#titleWords.length * 1.5)
    const [titleWords, changed] = [new Uint16Array(length), new Float64Array(length)]
    titleWords.set(this.#titleWords)
    changed.set(this.#changed)
    this.#titleWords = titleWords
    this.#changed = changed
  }

  /** With the terms that only this profile had: a walk over all terms, which erasures are rare enough for. */
  #erase(id: string, number: number): void {
    clear(this.#live, number)
    this.#replaced++
    this.#ids.delete(id)
    for (const [term, postings] of this.#terms) if (postings.isOnly(number)) this.#terms.delete(term)
  }

  /** How many profiles have each term. */
  frequencies(terms: readonly string[]): Map<string, number> {
    return new Map(terms.map(term => [term, this.#terms.get(term)?.length ?? 0]))
  }

  /** The candidates of the first level that has `limit` of them, ranked by the features of the plan. */
  *search(plan: RankingPlan, limit: number): Cooperative<Ranked[]> {
    const terms = new TermSnapshot(this.#terms, this.#ids.numbers)
    let found: Uint32Array = NO_NUMBERS
    for (const level of plan.levels) {
      found = membersOf(this.#live, yield* terms.meeting(level))
      if (found.length >= limit) break
    }
    const candidates = new Candidates(found.subarray(0, MAX_RANKED), terms)
    const features: Uint32Array[] = []
    for (const feature of plan.features) features.push(yield* candidates.meeting(feature))
    yield
    return rankNumbers(plan, candidates.numbers, features, this.#ids, this.#titleWords, limit)
  }
}
