import type { views as english } from '../en/views.ts'

export const views: typeof english = {}
