import type { candidates as english } from '../en/candidates.ts'

export const candidates: typeof english = {
  title: 'Bewerbungen',
}
