import type { Cooperative } from '../kernel/async/cooperative.ts'
import { bitCount, clear, isSet, lowestBits, set, wordsFor } from './bitset.ts'
import { type Evaluated, Evaluation } from './evaluate.ts'
import { GrowingArray, newMemory } from './growing-array.ts'
import { BLOCK_SIZE, BLOCK_WORDS, newPostingsMemory, Postings, type PostingsMemory } from './postings.ts'
import { loosest, type RankingPlan } from './query-plan.ts'
import { NumberRanking, type Ranked } from './rank.ts'
import { newTextTableMemory, TextTable, type TextTableMemory } from './text-table.ts'

/** Candidates beyond this many are not ranked: enough for every page, few enough for every search. */
const MAX_RANKED = 20_000

/** Fewer replaced profiles than this are never a reason to rebuild. */
const MIN_REPLACED = 10_000

const GIGABYTE = 2 ** 30

/** All that an index has. In another thread an index of the same memory finds the same, while nothing is written. */
export interface IndexMemory {
  ids: TextTableMemory
  terms: TextTableMemory
  postings: PostingsMemory
  titleWords: SharedArrayBuffer
  changed: SharedArrayBuffer
  live: SharedArrayBuffer
  replaced: SharedArrayBuffer
}

export const newIndexMemory = (): IndexMemory => ({
  ids: newTextTableMemory(),
  terms: newTextTableMemory(),
  postings: newPostingsMemory(),
  titleWords: newMemory(GIGABYTE),
  changed: newMemory(GIGABYTE),
  live: newMemory(GIGABYTE),
  replaced: new SharedArrayBuffer(4),
})

/**
 * The terms of the pool in memory. Every profile has a number; a term has the numbers of its profiles. A changed profile
 * gets a new number and the old one is no longer live.
 */
export class InvertedIndex {
  readonly #ids: TextTable
  readonly #terms: TextTable
  readonly #postings: Postings
  readonly #titleWords: GrowingArray<Uint16Array>
  readonly #changed: GrowingArray<Float64Array>
  /** whole blocks */
  readonly #live: GrowingArray<Uint32Array>
  readonly #replaced: Uint32Array

  constructor(memory: IndexMemory = newIndexMemory()) {
    this.#ids = new TextTable(memory.ids)
    this.#terms = new TextTable(memory.terms)
    this.#postings = new Postings(memory.postings)
    this.#titleWords = new GrowingArray(Uint16Array, memory.titleWords)
    this.#changed = new GrowingArray(Float64Array, memory.changed)
    this.#live = new GrowingArray(Uint32Array, memory.live)
    this.#replaced = new Uint32Array(memory.replaced)
  }

  get size(): number {
    return this.#ids.size
  }

  /** Replaced profiles are skipped but still take memory; when they are the majority, a new index is worth loading. */
  get needsRebuild(): boolean {
    return this.#replacements > Math.max(MIN_REPLACED, this.size)
  }

  get #replacements(): number {
    return this.#replaced[0]!
  }

  /** After another thread may have written. */
  refresh(): void {
    for (const part of [this.#ids, this.#terms, this.#postings, this.#titleWords, this.#changed, this.#live]) {
      part.refresh()
    }
  }

  /** Adds or replaces a profile. One without terms was erased. A change that is applied already is ignored. */
  put(id: string, titleWords: number, terms: string, changed: number): void {
    const before = this.#ids.find(id)
    if (terms === '') {
      if (before !== undefined) this.#erase(id, before)
      return
    }
    if (before !== undefined) {
      if (this.#changed.array[before] === changed) return
      this.#retire(before)
    }
    const number = this.#ids.add(id)
    this.#titleWords.reserve(number + 1)
    this.#titleWords.array[number] = titleWords
    this.#changed.reserve(number + 1)
    this.#changed.array[number] = changed
    for (const term of terms.split(' ')) this.#postings.add(this.#terms.find(term) ?? this.#terms.add(term), number)
    this.#live.reserve(Math.ceil((number + 1) / 32 / BLOCK_WORDS) * BLOCK_WORDS)
    set(this.#live.array, number)
  }

  /** The profile of this number is not found any more. */
  #retire(number: number): void {
    clear(this.#live.array, number)
    this.#replaced[0] = this.#replacements + 1
  }

  /** With the terms that no other profile has: a walk over all terms, which erasures are rare enough for. */
  #erase(id: string, number: number): void {
    const live = this.#live.array
    this.#retire(number)
    this.#ids.delete(id)
    for (let term = 0; term < this.#terms.numbers; term++) {
      if (this.#postings.lengthOf(term) === 0 || this.#postings.some(term, other => isSet(live, other))) continue
      this.#postings.clear(term)
      this.#terms.wipe(term)
    }
  }

  /** How many profiles have each term. */
  frequencies(terms: readonly string[]): Map<string, number> {
    return new Map(terms.map(term => [term, this.frequency(term)]))
  }

  frequency(term: string): number {
    const number = this.#terms.find(term)
    return number === undefined ? 0 : this.#postings.lengthOf(number)
  }

  /**
   * The candidates of the first level that has `limit` of them, ranked by the features of the plan. Profiles that are added in
   * the meantime have higher numbers and are not seen.
   */
  *search(plan: RankingPlan, limit: number): Cooperative<Ranked[]> {
    const evaluation = new Evaluation(this.#postings, term => this.#terms.find(term))
    try {
      const levels = plan.levels.map(level => new Candidates(evaluation.prepare(level)))
      const features = plan.features.map(feature => evaluation.prepare(feature))
      const distinct = [...new Set(features)].filter(feature => feature !== undefined)
      const found = yield* this.#select(evaluation, levels, limit)
      const ranking = new NumberRanking(
        plan,
        features.map(feature => (feature ? distinct.indexOf(feature) : -1)),
        found.count,
      )
      const met = new Uint32Array(distinct.length)
      for (let from = 0, to = 0; from < found.words; from = to) {
        yield
        const block = Math.floor(found.placeAt(from) / BLOCK_WORDS)
        while (to < found.words && found.placeAt(to) < (block + 1) * BLOCK_WORDS) to++
        evaluation.beginWith(block, found.places, from, to)
        for (const feature of distinct) evaluation.evaluate(feature)
        for (let at = from; at < to; at++) {
          let i = 0
          for (const feature of distinct) met[i++] = feature.wordAt(at - from)
          ranking.add(found.placeAt(at) * 32, found.bitsAt(at), met)
        }
      }
      yield
      return ranking.best(limit, {
        compare: (a, b) => this.#ids.compare(a, b),
        titleWordsOf: number => this.#titleWords.array[number]!,
        idOf: number => this.#ids.at(number),
      })
    } finally {
      evaluation.end()
    }
  }

  /**
   * The first levels have a part in common, such as the place, and most searches find enough there: one pass over what meets
   * that part. The others need all profiles, in a second pass. Levels of a pass share the results of their parts.
   */
  *#select(evaluation: Evaluation, levels: Candidates[], limit: number): Cooperative<Candidates> {
    const { size, shared } = strictest(levels)
    const first = levels.slice(0, size)
    yield* this.#findAll(evaluation, first, limit, shared)
    const strict = loosest(first)
    if (size === levels.length || strict.count >= limit) return strict
    const others = levels.slice(size)
    yield* this.#findAll(evaluation, others, limit, undefined)
    return loosest(others)
  }

  /** Fills the levels; those after one that has enough are not needed and removed. */
  *#findAll(
    evaluation: Evaluation,
    levels: Candidates[],
    limit: number,
    shared: Evaluated | undefined,
  ): Cooperative<void> {
    const end = this.#ids.numbers
    for (let block = 0; block * BLOCK_SIZE < end; block++) {
      if (shared) evaluation.beginWhere(block, shared)
      else evaluation.begin(block)
      for (const [i, level] of levels.entries()) {
        if (!level.isFull) level.find(evaluation, block, this.#live.array, end)
        if (level.count >= limit) levels.length = i + 1
      }
      if (levels.length === 1 && levels[0]?.isFull) return
      yield
    }
  }
}

/** How many of the first levels can be met only by who meets `shared`: the rarest part that all of these have. */
function strictest(levels: readonly Candidates[]): { size: number; shared: Evaluated | undefined } {
  let shared: readonly Evaluated[] | undefined
  for (const [i, { condition }] of levels.entries()) {
    if (!condition) continue
    const parts = condition.kind === 'all' ? condition.parts : [condition]
    const common = shared ? shared.filter(part => parts.includes(part)) : parts
    if (shared && common.length === 0) return { size: i, shared: rarest(shared) }
    shared = common
  }
  return { size: levels.length, shared: shared && rarest(shared) }
}

const rarest = (parts: readonly Evaluated[]): Evaluated => parts.reduce((a, b) => (b.most < a.most ? b : a))

/** The first profiles that meet a level, as words of the index with the bits that are set. */
class Candidates {
  readonly condition: Evaluated | undefined
  #places = new Uint32Array(64)
  #bits = new Uint32Array(64)
  words = 0
  count = 0

  constructor(condition: Evaluated | undefined) {
    this.condition = condition
  }

  get isFull(): boolean {
    return this.count === MAX_RANKED
  }

  get places(): Uint32Array {
    return this.#places
  }

  placeAt(at: number): number {
    return this.#places[at]!
  }

  bitsAt(at: number): number {
    return this.#bits[at]!
  }

  /** Adds those of the block that is evaluated, if they are live and have a number below `end`. */
  find(evaluation: Evaluation, block: number, live: Uint32Array, end: number): void {
    if (!this.condition) return
    evaluation.evaluate(this.condition)
    const { isEmpty, words, at } = this.condition
    if (isEmpty) return
    const first = block * BLOCK_WORDS
    const used = wordsFor(end)
    for (let i = 0; i < evaluation.count && !this.isFull; i++) {
      const place = first + evaluation.wordAt(i)
      if (place >= used) break
      let bits = words[at + i]! & live[place]!
      if (bits === 0) continue
      if (end - place * 32 < 32) bits &= (1 << (end & 31)) - 1
      bits = lowestBits(bits, MAX_RANKED - this.count)
      if (this.words === this.#places.length) {
        this.#places = longer(this.#places)
        this.#bits = longer(this.#bits)
      }
      this.#places[this.words] = place
      this.#bits[this.words++] = bits
      this.count += bitCount(bits)
    }
  }
}

function longer(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const twice = new Uint32Array(array.length * 2)
  twice.set(array)
  return twice
}
