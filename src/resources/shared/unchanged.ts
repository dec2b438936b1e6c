import { fail, invalid } from '../../kernel/errors/api-error.ts'
import { parseInstant } from '../../kernel/http/params.ts'

/** Instants, not texts: `…+01:00` and more digits than milliseconds name the same time. */
export function requireUnchanged(expected: string | undefined, updatedAt: string): void {
  if (expected === undefined) return
  const instant = parseInstant(expected)
  if (instant === undefined) invalid('expected_updated_at', 'must be an RFC 3339 timestamp')
  if (instant !== updatedAt) fail('stale_resource', { param: 'expected_updated_at' })
}
