import type { scorecards as english } from '../en/scorecards.ts'

export const scorecards: typeof english = {
  yoursFirst: n => `${n === 1 ? '1 Bewertung' : `${n} Bewertungen`}. Zuerst Ihre.`,
}
