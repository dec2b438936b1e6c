import type { Recommendation } from '../../../packages/sdk/src/generated.ts'
import type { Tone } from '../../ui/tag.tsx'

export const RECOMMENDATIONS = [
  { value: 'strong_yes', title: 'Strong yes', tone: 'good' },
  { value: 'yes', title: 'Yes', tone: 'good' },
  { value: 'no_decision', title: 'No decision', tone: 'plain' },
  { value: 'no', title: 'No', tone: 'bad' },
  { value: 'strong_no', title: 'Strong no', tone: 'bad' },
] as const satisfies readonly { value: Recommendation; title: string; tone: Tone }[]

export const findRecommendation = (value: string) =>
  RECOMMENDATIONS.find(recommendation => recommendation.value === value) ?? RECOMMENDATIONS[2]
