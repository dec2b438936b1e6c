import type { TaskKind } from '../../contract/task-kinds.ts'
import { type LimitedPerson, reachesCandidate } from '../../kernel/access/reach.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { GivenState } from './rules.ts'

/** The application that a subject of each kind belongs to; a mention is one of the member, and so is what they planned. */
const applicationOf = (who: LimitedPerson, kind: TaskKind): Sql => {
  const { workspace, userId } = who
  switch (kind) {
    case 'mention':
      return sql`select n.application_id from note_mentions m
        join notes n on n.workspace_id = ${workspace} and n.id = m.note_id
        where m.workspace_id = ${workspace} and m.user_id = ${userId} and m.note_id::text = g.subject`
    case 'interview':
    case 'answer':
      return sql`select i.application_id from interviews i where i.workspace_id = ${workspace} and i.id = g.subject::uuid
        and (i.organizer_id = ${userId} or exists (select from interview_people p where p.workspace_id = ${workspace}
          and p.interview_id = i.id and p.user_id = ${userId}))`
    case 'unsent':
      return sql`select m.application_id from messages m
        where m.workspace_id = ${workspace} and m.id = g.subject and m.key_id = ${userId}`
    case 'check':
      return sql`select o.application_id from orders o where o.workspace_id = ${workspace} and o.id = g.subject`
    default:
      return sql`select a.id as application_id from applications a
        where a.workspace_id = ${workspace} and a.id = g.subject
          and ${reachesCandidate(who, { job: sql`a.job_id`, application: sql`a.id` })}`
  }
}

/**
 * States of one kind. What is not a task of the member is left out. A cluster copies the rows to the shard of their workspace,
 * which it finds by a table that is read.
 */
export const putStates = (who: LimitedPerson, kind: TaskKind, states: readonly GivenState[]) =>
  sql<{ subject: string; snoozed_until: string | null; done: boolean }>`
    insert into task_states as t
      (workspace_id, user_id, kind, subject, application_id, snoozed_at, snoozed_until, done_at)
    select w.workspace_id, ${who.userId}, ${kind}, g.subject, f.application_id,
      case when g.snoozed_until is not null then app_now() end, g.snoozed_until, case when g.done then app_now() end
    from event_logs w
    cross join jsonb_to_recordset(${JSON.stringify(states)}::jsonb)
      as g (subject text, snoozed_until timestamptz, done boolean)
    cross join lateral (${applicationOf(who, kind)} limit 1) f
    where w.workspace_id = ${who.workspace} and f.application_id is not null
    on conflict (workspace_id, user_id, kind, subject) do update set snoozed_at = excluded.snoozed_at,
      snoozed_until = excluded.snoozed_until, done_at = excluded.done_at
    returning subject, snoozed_until, done_at is not null as done`

/** A row if the member has snoozed a task whose time has not come. */
export const anySnoozed = ({ workspace, userId }: LimitedPerson) => sql<{ kind: TaskKind }>`
  select kind from task_states where workspace_id = ${workspace} and user_id = ${userId} and snoozed_at is not null
    and snoozed_until > app_now() limit 1`

/** Two statements: a cluster sets no time in a condition. */
export const setMentionsDone = (who: LimitedPerson, states: readonly GivenState[]): readonly Sql[] => [
  sql`update note_mentions set done_at = app_now() where ${areMentioned(who, states, true)} and done_at is null`,
  sql`update note_mentions set done_at = null where ${areMentioned(who, states, false)}`,
]

const areMentioned = ({ workspace, userId }: LimitedPerson, states: readonly GivenState[], done: boolean): Sql => {
  const notes = states.filter(state => state.done === done).map(({ subject }) => subject)
  return sql`workspace_id = ${workspace} and user_id = ${userId} and note_id::text = any(${notes}::text[])`
}
