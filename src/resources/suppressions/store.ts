import { type Sql, sql } from '../../kernel/db/sql.ts'
import { sha256 } from '../../kernel/signing.ts'

export interface Identifier {
  kind: 'email' | 'linkedin_url'
  /** normalized: emailKey or linkedinKey */
  key: string
}

/** Which of these identifiers belong to people who were erased or asked that processing stop, in any workspace. */
export const suppressedAmong = (identifiers: readonly Identifier[]): Sql<{ place: number }> =>
  sql<{ place: number }>`
    select i.place::integer - 1 as place
    from unnest(${identifiers.map(i => i.kind)}::text[], ${identifiers.map(i => sha256(i.key))}::bytea[])
      with ordinality as i (kind, sha256, place)
    join suppressed_identifiers s on s.kind = i.kind and s.sha256 = i.sha256`
