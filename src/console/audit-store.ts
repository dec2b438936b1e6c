import { none, raw, type Sql, sql } from '../kernel/db/sql.ts'
import type { Page } from '../kernel/http/list.ts'

export interface AuditFilter {
  key: string | undefined
  subject: string | undefined
  field: string | undefined
  actingUser: string | undefined
  after: string | undefined
  before: string | undefined
}

export interface AuditRow {
  id: number
  at: string
  key_id: string
  subject_object: string
  subject_id: string
  field: string
  units: number
  request_id: string
  acting_user_id: string | null
}

const reads = (workspace: string, f: AuditFilter): Sql<AuditRow> => sql<AuditRow>`
  select r.id, r.at, r.key_id, r.subject_object, r.subject_id, r.field, r.units, r.request_id, r.acting_user_id
  from personal_data_reads r
  where r.workspace_id = ${workspace}
    ${f.key === undefined ? none : sql`and r.key_id = ${f.key}`}
    ${f.subject === undefined ? none : sql`and r.subject_id = ${f.subject}`}
    ${f.field === undefined ? none : sql`and r.field = ${f.field}`}
    ${f.actingUser === undefined ? none : sql`and r.acting_user_id = ${f.actingUser}`}
    ${f.after === undefined ? none : sql`and r.at > ${f.after}::timestamptz`}
    ${f.before === undefined ? none : sql`and r.at < ${f.before}::timestamptz`}`

export const auditRows = (workspace: string, filter: AuditFilter, page: Page): Sql<AuditRow> =>
  sql<AuditRow>`${reads(workspace, filter)} ${page.clause}`

export const AUDIT_BATCH = 1_000

/** The next batch of rows, newest first. */
export const auditBatch = (
  workspace: string,
  filter: AuditFilter,
  last: Pick<AuditRow, 'at' | 'id'> | undefined,
): Sql<AuditRow> =>
  sql<AuditRow>`
    ${reads(workspace, filter)}
    ${last === undefined ? none : sql`and (r.at, r.id) < (${last.at}::timestamptz, ${last.id}::bigint)`}
    order by r.at desc, r.id desc limit ${raw(String(AUDIT_BATCH))}`

/** What can have read something here: the workspace's keys, and apps through the consents that people gave. */
export const selectReaders = (workspace: string) =>
  sql<{ id: string; name: string }>`
    select id, name from api_keys where workspace_id = ${workspace}
    union all
    select c.id, concat_ws(' for ', a.name, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email))
    from app_consents c
    join connected_apps a on a.workspace_id = c.workspace_id and a.id = c.app_id
    join users u on u.workspace_id = c.workspace_id and u.id = c.user_id
    where c.workspace_id = ${workspace}
    order by name, id`
