import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { CONTACT_KINDS, CONTACT_STATUSES } from './shape.ts'

export interface ContactValue {
  field: 'email' | 'phone'
  value: string
  kind: (typeof CONTACT_KINDS)[number]
  status: (typeof CONTACT_STATUSES)[number]
  verified_at: string | null
}

export const contactValuesOf = (
  workspace: string,
  object: 'applicant' | 'sourced_profile',
  id: string,
): Sql<ContactValue> =>
  sql<ContactValue>`
    select field, value, kind, status, verified_at from contact_values
    where workspace_id = ${workspace} and subject_object = ${object} and subject_id = ${id}
    order by created_at, value`
