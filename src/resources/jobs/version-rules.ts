import { createHash } from 'node:crypto'
import { fail } from '../../kernel/errors/api-error.ts'
import type { Author } from '../shared/author.ts'

/** Who changes a part of a job, and what they saw of it. */
export interface SectionWrite {
  /** null: the service itself */
  by?: Author
  /** the `version` that was read with the part; another one now is a 409 */
  expectedVersion?: string | undefined
}

/**
 * What a part of a job is now, as a short text: two reads with the same version have the same content. It differs from
 * `updated_at` of the job, which also changes with every other part.
 */
export const versionOfRows = (rows: unknown): string =>
  createHash('sha256').update(JSON.stringify(rows, sortedMembers)).digest('base64url').slice(0, 22)

/** The order of members depends on the statement that read them. */
const sortedMembers = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Nothing is overwritten that the writer did not see. The caller holds the lock. */
export function requireVersion({ expectedVersion }: SectionWrite, rows: unknown, what: string): void {
  if (expectedVersion !== undefined && expectedVersion !== versionOfRows(rows)) {
    fail('stale_resource', {
      message: `Someone changed ${what} after you read it; nothing was changed.`,
      param: 'expected_version',
    })
  }
}

/** What the version of a job's form is computed from: whether it is the template, and its own fields. */
export const formRows = (isTemplate: boolean, fields: readonly object[]): unknown => [isTemplate, fields]
