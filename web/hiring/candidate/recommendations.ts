import type { Recommendation } from '../../../packages/sdk/src/generated.ts'
import type { Tone } from '../../ui/tag.tsx'

/** From the best on. */
export const RECOMMENDATIONS = [
  { value: 'strong_yes', tone: 'good' },
  { value: 'yes', tone: 'good' },
  { value: 'no_decision', tone: 'plain' },
  { value: 'no', tone: 'bad' },
  { value: 'strong_no', tone: 'bad' },
] as const satisfies readonly { value: Recommendation; tone: Tone }[]

export const findRecommendation = (value: string) =>
  RECOMMENDATIONS.find(recommendation => recommendation.value === value) ?? RECOMMENDATIONS[2]

/** The digit of each: 5 is the best. */
export const RECOMMENDATION_OF_DIGIT: readonly Recommendation[] = RECOMMENDATIONS.map(({ value }) => value).toReversed()
