import { browsesJob, jobsOfTeam, type LimitedPerson } from '../../kernel/access/reach.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { newestOrder } from '../shared/newest-order.ts'
import { isInView, type TaskView } from '../shared/task-states.ts'
import { OPEN_ORDERS, type OrderRow, type OrderStatus } from './shape.ts'
import type { OrderCandidate, OrderSubject, TeamOrder } from './team-rules.ts'

// What the team's own pages read of orders besides what the API has. Members are on the coordinator when the store is a
// cluster: no statement joins them, and what is read names them by their handles.

/** The application `a` with what decides whether something can be ordered for it. */
const SUBJECT = (workspace: string) => sql`
  a.status, coalesce(p.suppressed_at is not null, false) as stopped,
  coalesce(p.unsubscribed_at is not null or exists (select from unsubscribes u
    where u.workspace_id = ${workspace} and u.email_key = p.email_key), false) as unsubscribed`

export const orderSubject = (workspace: string, applicationId: string): Sql<OrderSubject> =>
  sql<OrderSubject>`
    select ${SUBJECT(workspace)} from applications a
    left join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id
    where a.workspace_id = ${workspace} and a.id = ${applicationId}`

/** Orders of an application, the newest first; there are at most `API_LIMITS.ordersPerApplication`. */
export const teamOrders = (workspace: string, applicationId: string): Sql<TeamOrder> =>
  sql<TeamOrder>`
    select o.id, o.package_id, o.package_name, o.kind, o.vendor_name, o.status, o.waiting_on, o.status_reason_code,
      o.status_reason_message, o.placed_by_object, o.placed_by_id, o.external_url, o.attempt, o.invitation_by,
      o.invitation_sent_at, o.reminders, o.last_reminded_at, o.requested_at, o.due_at, o.result_received,
      k.status = 'active' as offered
    from orders o join packages k on k.workspace_id = o.workspace_id and k.id = o.package_id
    where o.workspace_id = ${workspace} and o.application_id = ${applicationId}
    order by o.requested_at desc, o.id desc`

/** As many as the pages offer in a list. */
const MAX_OFFERED = 200

/** Packages that a stage can order, and those that one of its job names. */
export const packagesForStages = (workspace: string, named: readonly string[]) =>
  sql<{ id: string; name: string; kind: OrderRow['kind']; vendor_name: string; status: string }>`
    select id, name, kind, vendor_name, status from packages
    where workspace_id = ${workspace} and (status = 'active' or id = any(${named}::text[]))
    order by kind, name, id limit ${MAX_OFFERED}`

export const orderCandidates = (workspace: string, jobId: string, ids: readonly string[], packageId: string) =>
  sql<OrderCandidate>`
    select a.id, ${SUBJECT(workspace)},
      exists (select from orders o where o.workspace_id = ${workspace} and o.application_id = a.id
        and o.package_id = ${packageId} and o.status in ${OPEN_ORDERS}) as already_open,
      (select count(*)::integer from orders o where o.workspace_id = ${workspace} and o.application_id = a.id) as orders
    from applications a
    left join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id
    where a.workspace_id = ${workspace} and a.job_id = ${jobId} and a.id = any(${ids}::text[])`

/** The newest order of an application, as a card shows it. */
export interface OrderMark {
  application_id: string
  id: string
  package_name: string
  kind: OrderRow['kind']
  status: OrderStatus
  score_pct: number | null
  outcome: string | null
}

/** The marks of many applications; those whose processing was stopped have none. */
export const orderMarks = (workspace: string, applicationIds: readonly string[]): Sql<OrderMark> =>
  sql<OrderMark>`
    select a.id as application_id, o.id, o.package_name, o.kind, o.status, r.score_pct, r.outcome
    from applications a
    left join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id
    cross join lateral (select o.id, o.package_name, o.kind, o.status ${newestOrder(workspace, sql`a.id`)}) o
    left join order_results r on r.workspace_id = a.workspace_id and r.order_id = o.id
    where a.workspace_id = ${workspace} and a.id = any(${applicationIds}::text[]) and p.suppressed_at is null`

/** How long an adverse result asks for a notice before a rejection. */
const NOTICE_DAYS = 60

/** Those of the applications that have a result lately after which the law of many places asks for a notice. */
export const withAdverseResult = (workspace: string, applicationIds: readonly string[]) =>
  sql<{ application_id: string }>`
    select distinct o.application_id from orders o
    join order_results r on r.workspace_id = o.workspace_id and r.order_id = o.id
    where o.workspace_id = ${workspace} and o.application_id = any(${applicationIds}::text[])
      and r.outcome in ('consider', 'not_recommended')
      and r.received_at > app_now() - ${NOTICE_DAYS}::integer * interval '1 day'`

/** When the candidate was given notice before the rejection, as a day. */
export const selectNotice = (workspace: string, applicationId: string) =>
  sql<{ notice_given_on: string | null }>`
    select notice_given_on::text from applications where workspace_id = ${workspace} and id = ${applicationId}`

// Tasks

/** Why someone of the team should look at an order. */
export type OrderTaskReason = 'not_invited' | 'declined' | 'failed' | 'waiting_on_workspace' | 'result'

export interface OrderTask {
  order_id: string
  application_id: string
  job_title: string
  applicant_name: string | null
  package_name: string
  vendor_name: string
  reason: OrderTaskReason
  message: string | null
  since: string
}

/** Whose tasks are read. */
export interface OrderTaskOwner extends LimitedPerson {
  /** access only to the jobs whose team they are on */
  limited: boolean
  /** people who placed orders and are no members any more */
  gone: readonly string[]
  view: TaskView
}

/** As long as an order can be open: the index of those that can be a task bounds what is read. */
const TASK_DAYS = 90

const REASON = sql`
  case when o.status in ('declined', 'failed') then o.status
    when o.status = 'completed' then 'result'
    when o.waiting_on = 'workspace' then 'waiting_on_workspace'
    when o.status = 'invited' and o.invitation_by <> 'vendor' and o.invitation_sent_at is null then 'not_invited' end`

/** What an index has: orders that are in none of these never have a reason. */
const UNREVIEWED = sql`
  o.reviewed_at is null
    and (o.status in ('invited', 'declined', 'failed', 'completed') or o.waiting_on = 'workspace')`

/**
 * Orders about which something has to be done: for the person who placed them; those of a rule, a key or someone who left for
 * the team of the job, and for who is responsible for the candidate. What ended is one until someone has seen it
 * (`reviewed_at`). The orders are read first, by their index: a workspace has far more applications.
 */
const TASKS = ({ gone, view, ...person }: OrderTaskOwner) => {
  const { workspace, userId } = person
  const shared = sql`(a.owner_user_id = ${userId} or o.job_id in (${jobsOfTeam(person)}))`
  const task = { kind: 'check', subject: sql`o.id::text`, application: sql`o.application_id`, since: null } as const
  return sql`
  select o.id as order_id, o.application_id, j.title as job_title, p.full_name as applicant_name, o.package_name,
    o.vendor_name, ${REASON} as reason, o.status_reason_message as message, o.updated_at as since
  from (
    select * from orders o where o.workspace_id = ${workspace} and ${UNREVIEWED}
      and o.updated_at > app_now() - ${TASK_DAYS}::integer * interval '1 day' offset 0
  ) o
  join applications a on a.workspace_id = ${workspace} and a.id = o.application_id
  join jobs j on j.workspace_id = ${workspace} and j.id = o.job_id
  left join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id
  where ${REASON} is not null and a.status not in ('rejected', 'withdrawn') and p.suppressed_at is null
    and not exists (select from orders n where n.workspace_id = ${workspace} and n.previous_order_id = o.id)
    and (o.placed_by_object = 'user' and o.placed_by_id = ${userId} 
      or (o.placed_by_object <> 'user' or o.placed_by_id = any(${gone}::text[])) and ${shared})
    and ${browsesJob(person, sql`o.job_id`)} and ${isInView(person, view, task)}`
}

/** People who placed orders that can be tasks. */
export const placersOfTasks = (workspace: string) =>
  sql<{ user_id: string }>`
    select distinct o.placed_by_id as user_id from orders o
    where o.workspace_id = ${workspace} and o.reviewed_at is null and o.placed_by_object = 'user'
      and o.updated_at > app_now() - ${TASK_DAYS}::integer * interval '1 day'`

const MAX_TASKS = 200

export const orderTasks = (who: OrderTaskOwner): Sql<OrderTask> =>
  sql<OrderTask>`${TASKS(who)} order by o.updated_at, o.id limit ${MAX_TASKS}`

export const countOrderTasks = (who: OrderTaskOwner, limit: number) =>
  sql<{ checks: number }>`select count(*)::integer as checks from (${TASKS(who)} limit ${limit}) t`

/** Seen, or not after all. No row: there is no such order. */
export const setReviewed = (workspace: string, id: string, reviewed: boolean) =>
  sql<{ id: string }>`
    update orders set reviewed_at = ${reviewed ? sql`app_now()` : sql`null`}
    where workspace_id = ${workspace} and id = ${id} returning id`
