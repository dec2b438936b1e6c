import type { erasure as english } from '../en/erasure.ts'

export const erasure: typeof english = {}
