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
