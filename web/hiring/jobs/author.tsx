import type { Row } from '../api.ts'

/** Who made a change, in words. */
export function describeAuthor({ kind, name }: Row<'/jobs/{id}/history'>['by']): string {
  if (kind === 'service') return 'The service'
  if (kind === 'person') return name ?? 'A former member'
  const what = kind === 'app' ? 'app' : 'API key'
  return name === null ? `A deleted ${what}` : `${name} (${what})`
}
