import type { PageLanguage } from '../../contract/page-languages.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Reason } from './rules.ts'

export const selectReasons = (workspace: string): Sql<Reason> =>
  sql<Reason>`
    select id, side, names, position, template_id, archived from decision_reasons where workspace_id = ${workspace}`

/** Changes of the reasons of a workspace wait for each other. */
export const lockReasons = (workspace: string) =>
  sql`select 1 from workspaces where id = ${workspace} for no key update`

export const putReasons = (workspace: string, reasons: readonly Reason[]) => sql`
  insert into decision_reasons (workspace_id, id, side, names, position, template_id, archived)
  select ${workspace}, r.id, r.side, r.names, r.position, r.template_id, r.archived
  from jsonb_to_recordset(${JSON.stringify(reasons)}::jsonb)
    as r (id text, side text, names jsonb, position integer, template_id uuid, archived boolean)
  on conflict (workspace_id, id) do update set names = excluded.names, position = excluded.position,
    template_id = excluded.template_id, archived = excluded.archived`

export const selectReasonLanguage = (workspace: string) =>
  sql<{ reason_language: PageLanguage | null }>`
    select reason_language from hiring_settings where workspace_id = ${workspace}`

export const putReasonLanguage = (workspace: string, language: PageLanguage) => sql`
  insert into hiring_settings (workspace_id, reason_language) values (${workspace}, ${language})
  on conflict (workspace_id) do update set reason_language = excluded.reason_language`

/** How a person last rejected someone in a job; null: they never did. No row: there is no such job. */
export const selectHabit = (workspace: string, userId: string, jobId: string) =>
  sql<{ with_message: boolean | null }>`
    select h.with_message from jobs j left join rejection_habits h
      on h.workspace_id = ${workspace} and h.user_id = ${userId} and h.job_id = j.id
    where j.workspace_id = ${workspace} and j.id = ${jobId}`

/** A statement that finds the same value writes nothing. */
export const putHabit = (workspace: string, userId: string, jobId: string, withMessage: boolean) => sql`
  insert into rejection_habits as h (workspace_id, user_id, job_id, with_message)
  values (${workspace}, ${userId}, ${jobId}, ${withMessage})
  on conflict (workspace_id, user_id, job_id) do update set with_message = excluded.with_message
    where h.with_message <> excluded.with_message`
