import type { activity as english } from '../en/activity.ts'

export const activity: typeof english = {}
