import type { ApplicationStatus } from '../../contract/application-status.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf } from '../../kernel/record/record.ts'
import { type Author, originKeyOf, userOf } from '../shared/author.ts'
import { stageTransitionRecord } from './shape.ts'
import type { EnteredStage, StoredApplication } from './store.ts'

/** A change of one application, at its time, which never runs backwards; the transaction's start might. */
interface Step {
  workspace: string
  id: string
  at: string
  author: Author
}

export const insertTransition = ({ workspace, id, at, author }: Step, from: string | null, to: EnteredStage) => sql`
  insert into stage_transitions (workspace_id, application_id, from_stage_id, to_stage_id, to_stage_type, at, key_id,
    user_id)
  values (${workspace}, ${id}, ${from}, ${to.id}, ${to.type}, ${at}::timestamptz, ${originKeyOf(author)},
    ${userOf(author)})`

/** One step of each application, at the time of its change. */
export const insertTransitions = (
  { workspace, author }: Pick<Step, 'workspace' | 'author'>,
  from: string,
  to: EnteredStage,
  moved: readonly Pick<StoredApplication, 'id' | 'updated_at'>[],
) => sql`
  insert into stage_transitions (workspace_id, application_id, from_stage_id, to_stage_id, to_stage_type, at, key_id,
    user_id)
  select ${workspace}, id, ${from}, ${to.id}, ${to.type}, at, ${originKeyOf(author)}, ${userOf(author)}
  from unnest(${moved.map(row => row.id)}::text[], ${moved.map(row => row.updated_at)}::timestamptz[]) as m (id, at)`

export const insertStatusTransition = (
  { workspace, id, at, author }: Step,
  from: ApplicationStatus,
  to: ApplicationStatus,
) => sql`
  insert into status_transitions (workspace_id, application_id, from_status, to_status, at, key_id, user_id)
  values (${workspace}, ${id}, ${from}, ${to}, ${at}::timestamptz, ${originKeyOf(author)}, ${userOf(author)})`

type TransitionColumns = ColumnsOf<typeof stageTransitionRecord.fields>
const TRANSITION = columnsOf(stageTransitionRecord.fields)

export const selectTransitions = (workspace: string, id: string, page: Page) =>
  sql<TransitionColumns & { id: number }>`
    select id, ${TRANSITION} from stage_transitions
    where workspace_id = ${workspace} and application_id = ${id} ${page.clause}`

/** The steps of every application, each application's together and oldest first. */
export const allTransitions = (workspace: string) =>
  sql<TransitionColumns & { application_id: string }>`
    select application_id, ${TRANSITION} from stage_transitions
    where workspace_id = ${workspace} order by application_id, id`

/** A move, a change of the status, or both in one change; what did not change is null. */
export interface HistoryStep {
  at: string
  from_stage_id: string | null
  to_stage_id: string | null
  from_status: ApplicationStatus | null
  to_status: ApplicationStatus | null
  key_id: string | null
  user_id: string | null
}

/** The latest steps of an application, the latest first. No two changes of an application have the same time. */
export const latestSteps = (workspace: string, id: string, limit: number): Sql<HistoryStep> =>
  sql<HistoryStep>`
    select coalesce(t.at, s.at) as at, t.from_stage_id, t.to_stage_id, s.from_status, s.to_status,
      coalesce(t.key_id, s.key_id) as key_id, coalesce(t.user_id, s.user_id) as user_id
    from (select id, at, from_stage_id, to_stage_id, key_id, user_id from stage_transitions
      where workspace_id = ${workspace} and application_id = ${id} order by id desc limit ${limit}) t
    full join (select id, at, from_status, to_status, key_id, user_id from status_transitions
      where workspace_id = ${workspace} and application_id = ${id} order by id desc limit ${limit}) s on s.at = t.at
    order by 1 desc, t.id desc limit ${limit}`
