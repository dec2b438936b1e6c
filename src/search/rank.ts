import { isSet } from './bitset.ts'
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
  profile: { ids: readonly string[]; titleWords: readonly number[] },
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
  const { ids, titleWords } = profile
  const surplus = (number: number) => titleSurplus(plan, titleWords[number]!)
  const best: Ranked[] = []
  for (let score = 100; score > 0 && best.length < limit; score--) {
    const equals = byScore[score]!
    if (equals.length === 0) continue
    equals.sort((a, b) => surplus(a) - surplus(b) || (ids[a]! < ids[b]! ? -1 : 1))
    for (const number of equals.slice(0, limit - best.length)) {
      best.push({ id: ids[number]!, score, tier: tierOf(score) })
    }
  }
  return best
}
