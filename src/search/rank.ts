import { isSet } from './bitset.ts'
import type { IdTable } from './id-table.ts'
import type { RankingPlan } from './query-plan.ts'

export const MATCH_TIERS = ['strong', 'good', 'fair', 'weak'] as const
export type MatchTier = (typeof MATCH_TIERS)[number]

export interface Ranked {
  id: string
  /** 1 to 100 */
  score: number
  tier: MatchTier
}

export const tierOf = (score: number): MatchTier =>
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
    .map(({ id, score }) => ({ id, score, tier: tierOf(score) }))
}

/** More features than bits of an exact integer make the pattern a text, which is many times slower. */
const MAX_PATTERN_BITS = 52

/**
 * The same order for profiles of the index. Bit `at` of `features[i]` says whether profile `numbers[at]` meets feature i.
 * Profiles that meet the same features have the same score, which is computed once for each such pattern.
 */
export function rankNumbers(
  plan: RankingPlan,
  numbers: Uint32Array,
  features: readonly Uint32Array[],
  ids: IdTable,
  titleWords: ArrayLike<number>,
  limit: number,
): Ranked[] {
  const scores = new Map<number | string, number>()
  const byScore: number[][] = Array.from({ length: 101 }, () => [])
  const fitsNumber = features.length <= MAX_PATTERN_BITS
  for (let at = 0; at < numbers.length; at++) {
    let pattern: number | string = 0
    if (fitsNumber) for (let i = 0; i < features.length; i++) pattern = pattern * 2 + isSet(features[i]!, at)
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
  const order = (a: number, b: number) =>
    titleSurplus(plan, titleWords[a]!) - titleSurplus(plan, titleWords[b]!) || ids.compare(a, b)
  const best: Ranked[] = []
  for (let score = 100; score > 0 && best.length < limit; score--) {
    for (const number of first(byScore[score]!, limit - best.length, order)) {
      best.push({ id: ids.at(number), score, tier: tierOf(score) })
    }
  }
  return best
}

/** The first `count` of all, in order. Most of many are compared once, with the last of those found so far. */
function first(all: number[], count: number, order: (a: number, b: number) => number): number[] {
  if (all.length <= count * 2) return all.sort(order).slice(0, count)
  const found = all.slice(0, count).sort(order)
  for (let i = count; i < all.length; i++) {
    const next = all[i]!
    if (order(next, found[count - 1]!) >= 0) continue
    let at = count - 1
    for (; at > 0 && order(next, found[at - 1]!) < 0; at--) found[at] = found[at - 1]!
    found[at] = next
  }
  return found
}
