import { LOCKS } from '../../kernel/db/locks.ts'
import { raw, type Sql, sql } from '../../kernel/db/sql.ts'
import type { EarlierDeletion } from '../deletions/index.ts'
import type { Identifier, SuppressionScope } from '../suppressions/index.ts'
import type { Reason } from '../suppressions/shape.ts'

export interface NamedFile {
  key: string
  /** the row does not promise that the file is there: an upload may never be sent */
  optional: boolean
}

/** The files that rows of a table name, of all workspaces. */
interface FileNames {
  table: string
  /** the table, or a part of it under another name */
  from: (relation: string) => Sql<NamedFile>
}

export const FILE_NAMES: readonly FileNames[] = [
  { table: 'resumes', from: rows => sql`select blob_key as key, false as optional from ${raw(rows)}` },
  { table: 'attachments', from: rows => sql`select blob_key as key, false as optional from ${raw(rows)}` },
  { table: 'application_files', from: rows => sql`select blob_key as key, false as optional from ${raw(rows)}` },
  { table: 'order_reports', from: rows => sql`select blob_key as key, false as optional from ${raw(rows)}` },
  {
    table: 'pending_submissions',
    from: rows => sql`
      select f ->> 'blob_key' as key, false as optional from ${raw(rows)}, jsonb_array_elements(files) f`,
  },
  {
    table: 'career_sites',
    from: rows => sql`select logo_blob_key as key, false as optional from ${raw(rows)} where logo_blob_key is not null`,
  },
  {
    table: 'exports',
    from: rows => sql`
      select f ->> 'key' as key, false as optional from ${raw(rows)}, jsonb_array_elements(files) f where status = 'ready'`,
  },
  { table: 'uploads', from: rows => sql`select blob_key as key, true as optional from ${raw(rows)}` },
]

/** Finds those of these files that a row of the table promises now. */
export const promisedIn = ({ table, from }: FileNames, keys: readonly string[]): Sql<{ key: string }> =>
  sql<{ key: string }>`
    select distinct key from (${from(table)}) n where key = any(${keys}::text[]) and not optional`

export const tryLockBackups = () => sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCKS.backup}) as held`

export const schemaMigrations = () =>
  sql<{ version: number; name: string; hash: string }>`
    select version, name, hash from schema_migrations order by version`

export const exportSnapshot = () =>
  sql<{ now: string; snapshot: string }>`select app_now() as now, pg_export_snapshot() as snapshot`

/** Tables of a later backup that say who was suppressed and which workspaces were deleted, filled by COPY under these names. */
export const LATER_TABLES = {
  suppressions: 'later_suppressions',
  suppressed_identifiers: 'later_identifiers',
  suppressed_external_ids: 'later_external_ids',
  workspace_deletions: 'later_deletions',
} as const

export const createLaterTables = Object.entries(LATER_TABLES)
  .map(([table, later]) => `create temp table ${later} (like ${table} including defaults);`)
  .join('\n')

export interface LaterSuppression {
  id: string
  reach: SuppressionScope
  reason: Reason
  applied_at: string
  delete_by: string
  /** hexadecimal */
  identifiers: { kind: Identifier['kind']; sha256: string }[]
  external_ids: { workspace: string; object: string; sha256: string }[]
}

/** Suppressions of the later backup that this store does not have, oldest first. */
export const missingSuppressions = (): Sql<LaterSuppression> =>
  sql<LaterSuppression>`
    select l.id, l.reach, l.reason, l.applied_at, l.delete_by,
      (select coalesce(json_agg(json_build_object('kind', i.kind, 'sha256', encode(i.sha256, 'hex'))), '[]')
        from later_identifiers i where i.suppression_id = l.id) as identifiers,
      (select coalesce(json_agg(json_build_object('workspace', e.workspace_id, 'object', e.object,
          'sha256', encode(e.sha256, 'hex'))), '[]')
        from later_external_ids e where e.suppression_id = l.id) as external_ids
    from later_suppressions l
    where not exists (select from suppressions s where s.id = l.id)
    order by l.applied_at, l.id`

/** Finds those of the suppressions' identifiers, which are known as hashes, that records of this store have. */
export const knownIdentifiers = (): Sql<{ suppression_id: string } & Identifier> =>
  sql<{ suppression_id: string } & Identifier>`
    select i.suppression_id, i.kind, k.key from later_identifiers i
    join (
      select 'email' as kind, email_key as key from applicants where email_key is not null
      union select 'email', email_key from contact_values where email_key is not null
      union select 'email', email_key from unsubscribes
      union select 'linkedin_url', linkedin_key from applicants where linkedin_key is not null
      union select 'linkedin_url', linkedin_key from sourced_profiles where linkedin_key is not null
      union select 'linkedin_url', linkedin_key from pool_profiles where linkedin_key is not null
      union select kind, value from identities
    ) k on k.kind = i.kind and sha256(convert_to(k.key, 'UTF8')) = i.sha256
    where not exists (select from suppressions s where s.id = i.suppression_id)`

/** Deletions that the later backup knows of workspaces that this store has open, or would delete later. */
export const missingDeletions = (): Sql<EarlierDeletion> =>
  sql<EarlierDeletion>`
    select l.workspace_id, l.requested_at, l.requested_by, l.delete_at from later_deletions l
    join workspaces w on w.id = l.workspace_id
    left join workspace_deletions d on d.workspace_id = l.workspace_id
    where d.workspace_id is null or (d.started_at is null and d.delete_at > l.delete_at)
    order by l.delete_at, l.workspace_id`

/** Workspaces that this store would delete, and whose deletion was canceled by the time of the later backup. */
export const canceledDeletions = (): Sql<{ workspace_id: string }> =>
  sql<{ workspace_id: string }>`
    select d.workspace_id from workspace_deletions d join workspaces w on w.id = d.workspace_id
    where d.started_at is null
      and not exists (select from later_deletions l where l.workspace_id = d.workspace_id)
    order by d.workspace_id`

/**
 * What must not come back with a backup: sessions and sign-in links that may have ended since, and emails that the
 * original may have sent since. What is in doubt is not sent again.
 */
export const endWhatMayBeOver: readonly (() => Sql)[] = [
  () => sql`delete from sessions`,
  () => sql`delete from partner_sessions`,
  () => sql`delete from candidate_sessions`,
  () => sql`delete from sign_in_tickets`,
  () => sql`update candidate_mails set due_at = null, leased_until = null where due_at is not null`,
  () => sql`update messages set status = 'sending', scheduled_for = null where scheduled_for is not null`,
  () => sql`update team_mails set due_at = null where due_at is not null`,
  () => sql`update alert_notifications set due_at = null where due_at is not null`,
]
