import { getOrCreate } from '../kernel/async/get-or-create.ts'
import type { Condition } from './conditions.ts'
import { BLOCK_SIZE, BLOCK_WORDS, type Postings } from './postings.ts'

/*
 * Which profiles meet conditions, block by block. For a block every condition is a word of 32 bits for each 32 profiles, and
 * conditions are joined word by word. A condition that several others have as a part is evaluated once for a block.
 */

type Kind = 'term' | 'all' | 'any' | 'all but one'

const NO_WORDS = new Uint32Array(0)

/** A condition with its result for the words that were evaluated last. */
export class Evaluated {
  readonly kind: Kind
  readonly id: number
  readonly parts: readonly Evaluated[]
  /** no more profiles than this meet it */
  readonly most: number
  /** the number of a term */
  readonly term: number | undefined
  /** where its own words begin, if it needs any */
  readonly own: number
  /** `step` and `isEmpty` say what the result is. */
  step = 0
  isEmpty = true
  /** the result, unless it is empty: words of `words` from `at` on */
  words: Uint32Array = NO_WORDS
  at = 0

  constructor(kind: Kind, id: number, parts: readonly Evaluated[], most: number, term: number | undefined) {
    this.kind = kind
    this.id = id
    this.parts = parts
    this.most = most
    this.term = term
    this.own = id * BLOCK_WORDS
  }

  /** A word of the result. */
  wordAt(place: number): number {
    return this.isEmpty ? 0 : this.words[this.at + place]!
  }
}

/** Words of evaluations that have ended, for the next ones. */
const spareWords: Uint32Array[] = []
const MAX_SPARE = 4

/** With more of its words than this part, a block is evaluated whole. */
const WORTH_NARROWING = 0.5

/** The conditions of a search. Between two steps the index may change; profiles keep their number and their terms. */
export class Evaluation {
  readonly #postings: Postings
  readonly #termNumber: (term: string) => number | undefined
  readonly #byText = new Map<string, Evaluated | undefined>()
  readonly #byParts = new Map<string, Evaluated>()
  #made = 0
  #words = spareWords.pop() ?? NO_WORDS
  #step = 0
  #block = 0
  /** whether results are of some words of the block, the first `#count` of `#wanted` */
  #isNarrow = false
  readonly #wanted = new Uint16Array(BLOCK_WORDS)
  #count = BLOCK_WORDS
  /** for each word of the block its place among those wanted, from 1 on */
  readonly #places = new Uint16Array(BLOCK_WORDS)
  readonly #found = new Uint32Array(BLOCK_WORDS)

  constructor(postings: Postings, termNumber: (term: string) => number | undefined) {
    this.#postings = postings
    this.#termNumber = termNumber
  }

  /**
   * All conditions are prepared before the first step. Most words of a request, with all their synonyms and fields, occur nowhere in
   * the index. What remains of a condition without them is often the same as another: undefined if no profile can meet it.
   */
  prepare(condition: Condition): Evaluated | undefined {
    const { text, term, all, any, allButOneOf } = condition
    if (this.#byText.has(text)) return this.#byText.get(text)
    let made: Evaluated | undefined
    if (term !== undefined) made = this.#ofTerm(term)
    else if (allButOneOf) made = this.#ofAllButOne(allButOneOf.map(part => this.prepare(part)))
    else if (all) made = this.#ofAll(all.map(part => this.prepare(part)))
    else made = this.#ofAny(any!.map(part => this.prepare(part)))
    this.#byText.set(text, made)
    return made
  }

  #ofTerm(text: string): Evaluated | undefined {
    const term = this.#termNumber(text)
    const most = term === undefined ? 0 : this.#postings.lengthOf(term)
    return most === 0 ? undefined : new Evaluated('term', this.#made++, [], most, term)
  }

  #ofAll(parts: readonly (Evaluated | undefined)[]): Evaluated | undefined {
    if (!parts.every(part => part !== undefined)) return undefined
    const some = [...new Set(parts)].sort((a, b) => a.most - b.most || a.id - b.id)
    const [rarest] = some
    return rarest && some.length > 1 ? this.#joined('all', some, rarest.most) : rarest
  }

  #ofAny(parts: readonly (Evaluated | undefined)[]): Evaluated | undefined {
    const some = [...new Set(parts.filter(part => part !== undefined))].sort((a, b) => a.id - b.id)
    return some.length < 2 ? some[0] : this.#joined('any', some, sumOfMost(some))
  }

  #ofAllButOne(parts: readonly (Evaluated | undefined)[]): Evaluated | undefined {
    const some = parts.filter(part => part !== undefined)
    if (some.length < parts.length - 1) return undefined
    if (some.length < parts.length) return this.#ofAll(some)
    return this.#joined(
      'all but one',
      some.sort((a, b) => a.id - b.id),
      sumOfMost(some),
    )
  }

  #joined(kind: Kind, parts: readonly Evaluated[], most: number): Evaluated {
    let key: string = kind
    for (const { id } of parts) key += ` ${id}`
    return getOrCreate(this.#byParts, key, () => new Evaluated(kind, this.#made++, parts, most, undefined))
  }

  /** From now on results are of this block. */
  begin(block: number): void {
    if (this.#words.length < this.#made * BLOCK_WORDS) this.#words = new Uint32Array(this.#made * BLOCK_WORDS)
    this.#step++
    this.#block = block
    this.#isNarrow = false
    this.#count = BLOCK_WORDS
  }

  /** How many words a result has. */
  get count(): number {
    return this.#count
  }

  /** Which word of the block is at this place of a result. */
  wordAt(place: number): number {
    return this.#isNarrow ? this.#wanted[place]! : place
  }

  /** From now on results are of the words of this block in which a profile meets the condition, if they are few enough to be worth it. */
  beginWhere(block: number, condition: Evaluated): void {
    this.begin(block)
    this.evaluate(condition)
    const { isEmpty, words, at } = condition
    let count = 0
    if (!isEmpty) {
      for (let i = 0; i < BLOCK_WORDS; i++) if (words[at + i] !== 0) this.#found[count++] = i
    }
    if (count < BLOCK_WORDS * WORTH_NARROWING) this.beginWith(block, this.#found, 0, count)
  }

  /** From now on results are of some words of this block: those of the index at `places[from]` to before `places[to]`. */
  beginWith(block: number, places: Uint32Array, from: number, to: number): void {
    this.begin(block)
    this.#isNarrow = true
    this.#count = to - from
    this.#places.fill(0)
    for (let i = 0; i < this.#count; i++) {
      const word = places[from + i]! % BLOCK_WORDS
      this.#wanted[i] = word
      this.#places[word] = i + 1
    }
  }

  /** Returns its words to those that evaluate next. */
  end(): void {
    if (spareWords.length < MAX_SPARE) spareWords.push(this.#words)
  }

  evaluate(one: Evaluated): void {
    if (one.step === this.#step) return
    one.step = this.#step
    one.isEmpty = true
    if (one.term !== undefined) this.#evaluateTerm(one, one.term)
    else if (one.kind === 'all') this.#evaluateAll(one)
    else if (one.kind === 'any') this.#evaluateAny(one)
    else this.#evaluateAllButOne(one)
  }

  #evaluateTerm(one: Evaluated, term: number): void {
    if (!this.#postings.hasBits(term)) {
      this.#markList(one, term)
      return
    }
    const page = this.#postings.pageOf(term, this.#block)
    if (page === 0) return
    one.isEmpty = false
    const { array } = this.#postings
    const wanted = this.#wanted
    if (!this.#isNarrow) {
      setResult(one, array, page)
      return
    }
    setResult(one, this.#words, one.own)
    for (let i = 0; i < this.#count; i++) this.#words[one.own + i] = array[page + wanted[i]!]!
  }

  #markList(one: Evaluated, term: number): void {
    const { array } = this.#postings
    const list = this.#postings.listOf(term)
    const end = list + this.#postings.lengthOf(term)
    const first = this.#block * BLOCK_SIZE
    const after = first + BLOCK_SIZE
    let at = lowerBound(array, first, list, end)
    if (at === end || array[at]! >= after) return
    const { own } = one
    const words = this.#words
    one.isEmpty = false
    setResult(one, words, own)
    for (let i = own; i < own + this.#count; i++) words[i] = 0
    if (!this.#isNarrow) {
      for (; at < end; at++) {
        const number = array[at]!
        if (number >= after) break
        words[own + ((number - first) >>> 5)]! |= 1 << (number & 31)
      }
      return
    }
    for (; at < end; at++) {
      const number = array[at]!
      if (number >= after) break
      const place = this.#places[(number - first) >>> 5]!
      if (place > 0) words[own + place - 1]! |= 1 << (number & 31)
    }
  }

  /** The rarest part first: where none meets it the others are not looked at. Three are joined in little more time than two. */
  #evaluateAll(one: Evaluated): void {
    const { parts, own } = one
    const count = this.#count
    /** met, and not yet joined with the result */
    let waiting: Evaluated | undefined
    for (const part of parts) {
      this.evaluate(part)
      if (part.isEmpty) return
      if (part === parts[0]) setResult(one, part.words, part.at)
      else if (waiting) {
        if (!andAll(one.words, one.at, waiting.words, waiting.at, part.words, part.at, this.#words, own, count)) return
        setResult(one, this.#words, own)
        waiting = undefined
      } else waiting = part
    }
    if (waiting) {
      if (!and(one.words, one.at, waiting.words, waiting.at, this.#words, own, count)) return
      setResult(one, this.#words, own)
    }
    one.isEmpty = false
  }

  #evaluateAny(one: Evaluated): void {
    const { parts, own } = one
    const count = this.#count
    /** found, and not yet joined with the result */
    let waiting: Evaluated | undefined
    for (const part of parts) {
      this.evaluate(part)
      if (part.isEmpty) continue
      if (one.isEmpty) {
        one.isEmpty = false
        setResult(one, part.words, part.at)
      } else if (waiting) {
        orAll(one.words, one.at, waiting.words, waiting.at, part.words, part.at, this.#words, own, count)
        setResult(one, this.#words, own)
        waiting = undefined
      } else waiting = part
    }
    if (!waiting) return
    or(one.words, one.at, waiting.words, waiting.at, this.#words, own, count)
    setResult(one, this.#words, own)
  }

  #evaluateAllButOne(one: Evaluated): void {
    const some: Evaluated[] = []
    for (const part of one.parts) {
      this.evaluate(part)
      if (!part.isEmpty) some.push(part)
    }
    const empty = one.parts.length - some.length
    if (empty > 1) return
    const { own } = one
    const words = this.#words
    let all = 0
    for (let i = 0; i < this.#count; i++) {
      // for each profile whether a part is missing, and whether a second one is
      let first = empty === 0 ? 0 : -1
      let second = 0
      for (const part of some) {
        const missing = ~part.wordAt(i)
        second |= first & missing
        first |= missing
      }
      words[own + i] = ~second
      all |= ~second
    }
    if (all === 0) return
    one.isEmpty = false
    setResult(one, words, own)
  }
}

const sumOfMost = (parts: readonly Evaluated[]): number => parts.reduce((sum, { most }) => sum + most, 0)

function setResult(one: Evaluated, words: Uint32Array, at: number): void {
  one.words = words
  one.at = at
}

/** Writes which profiles are in both; whether there are any. */
function and(
  a: Uint32Array,
  atA: number,
  b: Uint32Array,
  atB: number,
  to: Uint32Array,
  at: number,
  count: number,
): boolean {
  let all = 0
  for (let i = 0; i < count; i++) {
    const both = a[atA + i]! & b[atB + i]!
    to[at + i] = both
    all |= both
  }
  return all !== 0
}

function andAll(
  a: Uint32Array,
  atA: number,
  b: Uint32Array,
  atB: number,
  c: Uint32Array,
  atC: number,
  to: Uint32Array,
  at: number,
  count: number,
): boolean {
  let all = 0
  for (let i = 0; i < count; i++) {
    const each = a[atA + i]! & b[atB + i]! & c[atC + i]!
    to[at + i] = each
    all |= each
  }
  return all !== 0
}

/** Writes which profiles are in one of them. */
function or(
  a: Uint32Array,
  atA: number,
  b: Uint32Array,
  atB: number,
  to: Uint32Array,
  at: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) to[at + i] = a[atA + i]! | b[atB + i]!
}

function orAll(
  a: Uint32Array,
  atA: number,
  b: Uint32Array,
  atB: number,
  c: Uint32Array,
  atC: number,
  to: Uint32Array,
  at: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) to[at + i] = a[atA + i]! | b[atB + i]! | c[atC + i]!
}

/** The position of the first number that is not below `wanted`, from `low` on and before `high`. */
function lowerBound(numbers: Uint32Array, wanted: number, low: number, high: number): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (numbers[middle]! < wanted) from = middle + 1
    else to = middle
  }
  return from
}
