import type { insight as english } from '../en/insight.ts'

export const insight: typeof english = {
  title: 'Auswertung',
}
