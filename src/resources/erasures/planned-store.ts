import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { SuppressionScope } from '../suppressions/index.ts'
import type { Reason } from '../suppressions/shape.ts'

export interface PlannedErasure {
  workspace_id: string
  applicant_id: string
  reason: Reason
  reach: SuppressionScope
  requested_by: string
  due_at: string
}

const COLUMNS = sql`p.workspace_id, p.applicant_id, p.reason, p.reach, p.requested_by, p.due_at`

export interface NewPlan {
  workspace: string
  applicantId: string
  reason: Reason
  reach: SuppressionScope
  by: string
}

export const selectNames = (workspace: string, applicantId: string) =>
  sql<{ last_name: string | null; full_name: string | null }>`
    select last_name, full_name from applicants where workspace_id = ${workspace} and id = ${applicantId}`

export const applicantIsStored = (workspace: string, id: string) => sql`
  select 1 from applicants where workspace_id = ${workspace} and id = ${id} for key share`

/** One for each person. An erasure replaces a stop that has not begun; anything else that is planned stays as it is. */
export const insertPlan = ({ workspace, applicantId, reason, reach, by }: NewPlan, delaySeconds: number) => sql`
  insert into planned_erasures as p (workspace_id, applicant_id, reason, reach, requested_by, due_at)
  values (${workspace}, ${applicantId}, ${reason}, ${reach}, ${by},
    app_now() + ${delaySeconds}::integer * interval '1 second')
  on conflict (workspace_id, applicant_id) do update
    set reason = excluded.reason, reach = excluded.reach, requested_by = excluded.requested_by, due_at = excluded.due_at
    where p.reason = 'stop_processing' and excluded.reason <> 'stop_processing'`

export const planOf = (workspace: string, applicantId: string): Sql<PlannedErasure> =>
  sql<PlannedErasure>`
    select ${COLUMNS} from planned_erasures p where p.workspace_id = ${workspace} and p.applicant_id = ${applicantId}`

/** No row: there is none, or it has begun. */
export const deletePlanAhead = (workspace: string, applicantId: string): Sql<{ reason: Reason }> =>
  sql<{ reason: Reason }>`
    delete from planned_erasures
    where workspace_id = ${workspace} and applicant_id = ${applicantId} and due_at > app_now() returning reason`

const MAX_DUE = 20

export const plansDue = (): Sql<PlannedErasure> =>
  sql<PlannedErasure>`
    select ${COLUMNS} from planned_erasures p where p.due_at <= app_now() order by p.due_at, p.applicant_id limit ${MAX_DUE}`

/** The plan that was carried out: one that replaced it since stays. */
export const deletePlan = ({ workspace_id, applicant_id, reason }: PlannedErasure) => sql`
  delete from planned_erasures
  where workspace_id = ${workspace_id} and applicant_id = ${applicant_id} and reason = ${reason}`

/** What was asked for about an applicant whose processing is stopped, or who is being erased; the latest first. */
export interface ErasureAbout {
  suppression_id: string
  reason: Reason
  delete_by: string
  completed: boolean
}

export const erasureAbout = (workspace: string, applicantId: string): Sql<ErasureAbout> =>
  sql<ErasureAbout>`
    select s.id as suppression_id, s.reason, s.delete_by, e.completed_at is not null as completed
    from erasure_targets t
    join erasures e on e.id = t.erasure_id
    join suppressions s on s.id = e.suppression_id
    where t.workspace_id = ${workspace} and t.object = 'applicant' and t.id = ${applicantId}
    order by (s.reason <> 'stop_processing') desc, e.requested_at desc limit 1`
