import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { ContactValueRow } from './shape.ts'

export interface StoredValue {
  field: 'email' | 'phone'
  value: string
  kind: ContactValueRow['kind']
  status: ContactValueRow['status']
  verified_at: string | null
  subject_object: 'applicant' | 'sourced_profile'
  subject_id: string
}

export interface SourcedSubject {
  suppressed: boolean
  unsubscribed: boolean
}

/** A profile, and whether it or one of its addresses may not be written to. */
export const sourcedSubject = (workspace: string, id: string): Sql<SourcedSubject> =>
  sql<SourcedSubject>`
    select p.suppressed_at is not null as suppressed,
      p.unsubscribed_at is not null or exists (
        select 1 from contact_values c join unsubscribes u
          on u.workspace_id = c.workspace_id and u.email_key = lower(c.value)
        where c.workspace_id = p.workspace_id and c.subject_object = 'sourced_profile' and c.subject_id = p.id
          and c.field = 'email') as unsubscribed
    from sourced_profiles p where p.workspace_id = ${workspace} and p.id = ${id}`

const VALUE = sql`field, value, kind, status, verified_at, subject_object, subject_id`

/** Oldest first, so that the order of an answer does not change. */
export const revealedValues = (workspace: string, profiles: readonly string[]): Sql<StoredValue> =>
  sql<StoredValue>`
    select ${VALUE} from contact_values
    where workspace_id = ${workspace} and subject_object = 'sourced_profile' and subject_id = any(${profiles}::text[])
    order by subject_id, created_at, value`

/** What applicants submitted: values on record, and those of the applicant itself where they are not among them. */
export const applicantValues = (workspace: string, applicants: readonly string[]): Sql<StoredValue> =>
  sql<StoredValue>`
    select ${VALUE} from (
      select ${VALUE}, created_at, 1 as place from contact_values
      where workspace_id = ${workspace} and subject_object = 'applicant' and subject_id = any(${applicants}::text[])
      union all
      select v.field, v.value, 'submitted', 'unverified', null, 'applicant', a.id, a.created_at, 2
      from applicants a, lateral (values ('email', a.email), ('phone', a.phone)) as v (field, value)
      where a.workspace_id = ${workspace} and a.id = any(${applicants}::text[]) and v.value is not null
    ) as held
    order by place, subject_id, created_at, value`

/** Whether one of the records, or one of the addresses, may not be written to. */
export const anyUnsubscribed = (
  workspace: string,
  applicants: readonly string[],
  profiles: readonly string[],
  emailKeys: readonly string[],
): Sql<{ unsubscribed: boolean }> =>
  sql<{ unsubscribed: boolean }>`
    select exists (
        select 1 from applicants
        where workspace_id = ${workspace} and id = any(${applicants}::text[]) and unsubscribed_at is not null)
      or exists (
        select 1 from sourced_profiles
        where workspace_id = ${workspace} and id = any(${profiles}::text[]) and unsubscribed_at is not null)
      or exists (
        select 1 from unsubscribes where workspace_id = ${workspace} and email_key = any(${emailKeys}::text[]))
      as unsubscribed`
