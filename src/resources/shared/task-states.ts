import type { TaskKind } from '../../contract/task-kinds.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'

/** Tasks that are open, or those that their member has snoozed. */
export type TaskView = 'open' | 'snoozed'

interface Member {
  workspace: string
  userId: string
}

/** A row that is a task, as expressions of the statement that reads it. */
export interface TaskColumns {
  kind: TaskKind
  /** what the task is about, as text */
  subject: Sql
  application: Sql
  /** since when it is a task; null: marking it as done has no effect */
  since: Sql | null
}

/** What the member did not do: others moved the candidate or decided, or the candidate wrote or withdrew. */
export const othersActs = ({ workspace, userId }: Member, application: Sql): Sql => sql`
  select m.at from stage_transitions m
  where m.workspace_id = ${workspace} and m.application_id = ${application} and m.user_id is distinct from ${userId}
  union all
  select s.at from status_transitions s
  where s.workspace_id = ${workspace} and s.application_id = ${application} and s.user_id is distinct from ${userId}
  union all
  select r.created_at from messages r
  where r.workspace_id = ${workspace} and r.application_id = ${application} and r.direction = 'in'
    and r.key_id is distinct from ${userId}`

/** Whether a task is in the view. A snooze ends with its time, or with what someone else does to the candidate. */
export function isInView(member: Member, view: TaskView, { kind, subject, application, since }: TaskColumns): Sql {
  const { workspace, userId } = member
  const isDone = since === null ? sql`false` : sql`t.done_at is not null and t.done_at >= ${since}`
  const isSnoozed = sql`t.snoozed_until > app_now() and not exists (
    select from (${othersActs(member, application)}) acts where acts.at > t.snoozed_at)`
  const state = sql`
    from task_states t where t.workspace_id = ${workspace} and t.user_id = ${userId} and t.kind = ${kind}
      and t.subject = ${subject}`
  return view === 'open'
    ? sql`not exists (select ${state} and (coalesce(${isDone}, false) or ${isSnoozed}))`
    : sql`exists (select ${state} and not (${isDone}) and ${isSnoozed})`
}
