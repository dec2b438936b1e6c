import type { interviews as english } from '../en/interviews.ts'

export const interviews: typeof english = {}
