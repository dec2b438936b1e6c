import type { scorecards as english } from '../en/scorecards.ts'

export const scorecards: typeof english = {}
