import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { ContactValueRow } from './shape.ts'

export type ContactValue = Pick<ContactValueRow, 'value' | 'kind' | 'status' | 'verified_at'> & {
  field: 'email' | 'phone'
}

/** What an applicant gave, in the order it was given. */
export const contactValuesOf = (workspace: string, applicantId: string): Sql<ContactValue> =>
  sql<ContactValue>`
    select field, value, kind, status, verified_at from contact_values
    where workspace_id = ${workspace} and subject_object = 'applicant' and subject_id = ${applicantId}
    order by created_at, value`
