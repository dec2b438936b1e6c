import type { adding as english } from '../en/adding.ts'

export const adding: typeof english = {}
