import { type Sql, sql } from '../../kernel/db/sql.ts'
import { notToBeMailed } from '../sourced-profiles/index.ts'
import type { StoredValue } from './rules.ts'

/** A profile, and whether it or one of its addresses may not be written to. */
export const sourcedSubject = (workspace: string, id: string) =>
  sql<{ unsubscribed: boolean }>`
    select ${notToBeMailed(workspace)} as unsubscribed
    from sourced_profiles p where p.workspace_id = ${workspace} and p.id = ${id}`

/** What applicants gave, or what was revealed of sourced profiles. Oldest first, for a stable order. */
export const contactValues = (
  workspace: string,
  object: StoredValue['subject_object'],
  ids: readonly string[],
): Sql<StoredValue> =>
  sql<StoredValue>`
    select field, value, kind, status, verified_at, subject_object, subject_id from contact_values
    where workspace_id = ${workspace} and subject_object = ${object} and subject_id = any(${ids}::text[])
    order by subject_id, created_at, value`

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
