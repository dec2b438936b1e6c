import { type Sql, sql } from '../kernel/db/sql.ts'

/** Finds the members of the workspace among these. */
export const membersAmong = (workspace: string, userIds: readonly string[]): Sql<{ id: string }> =>
  sql<{ id: string }>`select id from users where workspace_id = ${workspace} and id = any(${userIds}::text[])`

/** Finds those of these messages and emails of the careers site that went to people whose processing was stopped since. */
export const messagesToStoppedPeople = (workspace: string, ids: readonly string[]): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select m.id from messages m
    join applicants p on p.workspace_id = m.workspace_id and p.id = m.applicant_id and p.suppressed_at is not null
    where m.workspace_id = ${workspace} and m.id = any(${ids}::text[])
    union all
    select 'candidate-' || m.id::text from candidate_mails m
    join applicants p on p.workspace_id = m.workspace_id and p.id = m.applicant_id and p.suppressed_at is not null
    where m.workspace_id = ${workspace} and 'candidate-' || m.id::text = any(${ids}::text[])`
