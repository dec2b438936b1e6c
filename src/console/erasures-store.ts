import { type Sql, sql } from '../kernel/db/sql.ts'

/**
 * Keys of a workspace that may have copies of its records: they made a call, or an endpoint of theirs is sent events. A key
 * that was never used has nothing to delete.
 */
export const keysWithCopies = (workspace: string): Sql<{ id: string }> => sql<{ id: string }>`
  select k.id from api_keys k where k.workspace_id = ${workspace} and (
    exists (select from api_key_secrets s
      where s.workspace_id = ${workspace} and s.key_id = k.id and s.last_used_at is not null)
    or exists (select from request_stats r where r.workspace_id = ${workspace} and r.key_id = k.id)
    or exists (select from webhook_endpoints w where w.workspace_id = ${workspace} and w.key_id = k.id))`

/** Of these suppressions: whether the workspace had records of the person, and which keys have confirmed. */
export interface Confirmations {
  id: string
  has_subjects: boolean
  confirmed_by: string[]
}

export const confirmationsOf = (workspace: string, ids: readonly string[]): Sql<Confirmations> =>
  sql<Confirmations>`
    select s.id,
      exists (select from workspace_suppressions w where w.suppression_id = s.id and w.subjects <> '[]'
        and (w.workspace_id = ${workspace} or w.workspace_id is null)) as has_subjects,
      array(select a.key_id::text from suppression_acknowledgements a
        where a.workspace_id = ${workspace} and a.suppression_id = s.id) as confirmed_by
    from suppressions s where s.id = any(${ids}::uuid[])`
