import type { JobChangeResponse } from '../../../src/hiring/api-types.ts'

/** Who made a change, in words. */
export function authorOf({ kind, name }: JobChangeResponse['by']): string {
  if (kind === 'service') return 'The service'
  if (kind === 'person') return name ?? 'A former member'
  const what = kind === 'app' ? 'app' : 'API key'
  return name === null ? `A deleted ${what}` : `${name} (${what})`
}
