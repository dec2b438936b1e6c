import { wordsFor } from './bitset.ts'
import type { RankingPlan } from './query-plan.ts'

export const MATCH_TIERS = ['strong', 'good', 'fair', 'weak'] as const
export type MatchTier = (typeof MATCH_TIERS)[number]

export interface Ranked {
  id: string
  /** 1 to 100 */
  score: number
  tier: MatchTier
}

export const toMatchTier = (score: number): MatchTier =>
  score >= 80 ? 'strong' : score >= 60 ? 'good' : score >= 40 ? 'fair' : 'weak'

const matchScore = (plan: RankingPlan, matched: readonly boolean[]): number =>
  Math.max(1, Math.round(100 * plan.score(matched)))

/** Words of a title beyond those searched for: of profiles with the same score those with fewer come first. */
const titleSurplus = (plan: RankingPlan, titleWords: number) =>
  plan.titleWords === 0 ? 0 : Math.abs(titleWords - plan.titleWords)

/** A candidate as the database returns it. */
export interface RankingCandidate {
  profile_id: string
  title_words: number
  /** for each feature of the plan whether the profile meets it */
  matched: readonly boolean[]
}

export function rankRows(plan: RankingPlan, candidates: readonly RankingCandidate[], limit: number): Ranked[] {
  return candidates
    .map(({ profile_id: id, title_words, matched }) => ({
      id,
      score: matchScore(plan, matched),
      surplus: titleSurplus(plan, title_words),
    }))
    .sort((a, b) => b.score - a.score || a.surplus - b.surplus || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id, score }) => ({ id, score, tier: toMatchTier(score) }))
}

/** What is ranked is the same: a candidate of the index is a number. */
export interface RankedNumbers {
  compare: (a: number, b: number) => number
  titleWordsOf: (number: number) => number
  idOf: (number: number) => string
}

const HIGHEST = 100

/** The candidates of the index with their scores, in the same order as `rankRows`. */
export class NumberRanking {
  readonly #plan: RankingPlan
  readonly #scores: PatternScores
  readonly #numbers: Uint32Array
  readonly #scoreOf: Uint8Array
  /** how many have each score */
  readonly #having = new Uint32Array(HIGHEST + 1)
  #count = 0

  /** `conditions`: for each feature of the plan which word below says who meets it; -1: no profile does. */
  constructor(plan: RankingPlan, conditions: readonly number[], most: number) {
    this.#plan = plan
    this.#scores = new PatternScores(plan, conditions)
    this.#numbers = new Uint32Array(most)
    this.#scoreOf = new Uint8Array(most)
  }

  /**
   * Adds the profiles of a word of the index, whose first has the number `first`: those whose bit is set in `candidates`. Each
   * word of `met` says which of them meet a condition.
   */
  add(first: number, candidates: number, met: Uint32Array): void {
    for (let rest = candidates; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      const score = this.#scores.of(met, bit)
      this.#numbers[this.#count] = first + bit
      this.#scoreOf[this.#count++] = score
      this.#having[score]!++
    }
  }

  best(limit: number, { compare, titleWordsOf, idOf }: RankedNumbers): Ranked[] {
    let lowest = HIGHEST + 1
    for (let better = 0; better < limit && lowest > 1; better += this.#having[lowest]!) lowest--
    /** from the highest score down to the lowest: worse ones have no list */
    const lists = Array.from({ length: HIGHEST + 1 - lowest }, (): number[] => [])
    for (let at = 0; at < this.#count; at++) lists[HIGHEST - this.#scoreOf[at]!]?.push(this.#numbers[at]!)
    const surplus = (number: number) => titleSurplus(this.#plan, titleWordsOf(number))
    const order = (a: number, b: number) => surplus(a) - surplus(b) || compare(a, b)
    const best: Ranked[] = []
    for (const [below, numbers] of lists.entries()) {
      const score = HIGHEST - below
      for (const number of first(numbers, limit - best.length, order)) {
        best.push({ id: idOf(number), score, tier: toMatchTier(score) })
      }
    }
    return best
  }
}

const bitOf = (words: Uint32Array, at: number, bit: number): number => (words[at]! >>> bit) & 1

/** Profiles that meet the same conditions have the same score, which is computed once for each such pattern. */
class PatternScores {
  readonly #plan: RankingPlan
  readonly #conditions: readonly number[]
  /** words of a pattern, 32 conditions each */
  readonly #length: number
  readonly #wanted: Uint32Array
  /** at the first free place from its hash on */
  #patterns: Uint32Array
  /** 0: a free place */
  #scores = new Uint8Array(256)
  #used = 0
  readonly #matched: boolean[]

  constructor(plan: RankingPlan, conditions: readonly number[]) {
    this.#plan = plan
    this.#conditions = conditions
    this.#length = wordsFor(Math.max(0, ...conditions) + 1)
    this.#wanted = new Uint32Array(this.#length)
    this.#patterns = new Uint32Array(this.#scores.length * this.#length)
    this.#matched = plan.features.map(() => false)
  }

  /** Ranks the profile that meets the conditions whose word has this bit. */
  of(met: Uint32Array, bit: number): number {
    const wanted = this.#wanted
    for (let word = 0, i = 0; word < wanted.length; word++) {
      const end = Math.min(met.length, i + 32)
      let pattern = 0
      for (let shift = 0; i < end; i++, shift++) pattern |= bitOf(met, i, bit) << shift
      wanted[word] = pattern
    }
    const slot = this.#slotOfWanted()
    const known = this.#scores[slot]
    if (known) return known
    for (const [i, condition] of this.#conditions.entries()) {
      this.#matched[i] = condition >= 0 && bitOf(met, condition, bit) === 1
    }
    const score = matchScore(this.#plan, this.#matched)
    this.#put(slot, score)
    if (++this.#used * 2 > this.#scores.length) this.#enlarge()
    return score
  }

  #slotOfWanted(): number {
    const mask = this.#scores.length - 1
    const wanted = this.#wanted
    let hash = 0
    for (let i = 0; i < wanted.length; i++) hash = Math.imul(hash ^ wanted[i]!, 0x9e37_79b1)
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      if (this.#scores[slot] === 0) return slot
      let same = 0
      while (same < wanted.length && this.#patterns[slot * this.#length + same] === wanted[same]) same++
      if (same === wanted.length) return slot
    }
  }

  #put(slot: number, score: number): void {
    this.#scores[slot] = score
    this.#patterns.set(this.#wanted, slot * this.#length)
  }

  #enlarge(): void {
    const [patterns, scores] = [this.#patterns, this.#scores]
    this.#scores = new Uint8Array(scores.length * 2)
    this.#patterns = new Uint32Array(patterns.length * 2)
    for (const [slot, score] of scores.entries()) {
      if (score === 0) continue
      this.#wanted.set(patterns.subarray(slot * this.#length, (slot + 1) * this.#length))
      this.#put(this.#slotOfWanted(), score)
    }
  }
}

/** The first `count` of all, in order. Most of many are compared once, with the last of those found so far. */
function first(all: number[], count: number, order: (a: number, b: number) => number): number[] {
  if (all.length <= count * 2) return all.sort(order).slice(0, count)
  const found = all.slice(0, count).sort(order)
  for (let i = count; i < all.length; i++) {
    const next = all[i]!
    if (order(next, found[count - 1]!) >= 0) continue
    found.pop()
    found.splice(found.findLastIndex(other => order(next, other) >= 0) + 1, 0, next)
  }
  return found
}
