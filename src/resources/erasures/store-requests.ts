import { LOCKS } from '../../kernel/db/locks.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { countWaiting } from '../../kernel/work/queue.ts'
import type { Identifier, SuppressionScope } from '../suppressions/index.ts'
import type { Reason } from '../suppressions/shape.ts'

export const REQUEST_STATES = ['open', 'approved', 'declined', 'superseded'] as const
export type RequestState = (typeof REQUEST_STATES)[number]

/** A request of another workspace, to be decided by a workspace, or by the operator for the shared pool. */
export interface ErasureRequestRow {
  id: string
  /** null for the shared pool */
  workspace_id: string | null
  reason: Reason
  state: RequestState
  requested_at: string
  /** null once decided */
  identifiers: Identifier[] | null
  decided_at: string | null
  /** the handle of a user, or command_line */
  decided_by: string | null
  note: string | null
  suppression_id: string | null
}

const REQUEST = sql`
  r.id, r.workspace_id, r.reason, r.state, r.requested_at, r.identifiers, r.decided_at, r.decided_by, r.note,
  r.suppression_id`

export interface NewRequest {
  id: string
  workspace: string | null
  erasureId: string
  reason: Reason
  identifiers: readonly Identifier[]
  digests: readonly string[]
}

/** `notify_at`: the owners of the workspace get an email. The pool has no owners. */
export const insertRequest = (r: NewRequest) => sql`
  insert into erasure_requests (id, workspace_id, erasure_id, reason, identifiers, digests, notify_at)
  values (${r.id}, ${r.workspace}, ${r.erasureId}, ${r.reason}, ${JSON.stringify(r.identifiers)}::jsonb,
    ${r.digests}::text[], case when ${r.workspace}::text is not null then app_now() end)`

/**
 * Whether a workspace (null: the pool) already has the request: the same erasure created one before, or one about the
 * person is open that demands at least as much.
 */
export const alreadyRequested = (r: Pick<NewRequest, 'workspace' | 'erasureId' | 'reason' | 'digests'>) =>
  sql`
    select 1 from erasure_requests
    where workspace_id is not distinct from ${r.workspace}::text and (erasure_id = ${r.erasureId} or (state = 'open'
      and (reason <> 'stop_processing' or ${r.reason} = 'stop_processing') and digests && ${r.digests}::text[])) limit 1`

/** Requests within a reach: of one workspace, of the pool, or all. */
const within = (reach: SuppressionScope) =>
  reach === 'installation' ? none : sql`and coalesce(workspace_id, 'pool') = ${reach}`

/**
 * Closes the open requests about a person who was erased otherwise. `stop_processing` closes only requests with the
 * same reason.
 */
export const supersedeRequests = (
  reach: SuppressionScope,
  digests: readonly string[],
  reason: Reason,
  by: string,
) => sql`
  update erasure_requests
  set state = 'superseded', identifiers = null, notify_at = null, decided_at = app_now(), decided_by = ${by}
  where state = 'open' and digests && ${digests}::text[] ${within(reach)}
    and (${reason} <> 'stop_processing' or reason = 'stop_processing')`

/** Clears notes about a person who is being erased. */
export const clearNotes = (reach: SuppressionScope, digests: readonly string[]) => sql`
  update erasure_requests set note = null
  where note is not null and digests && ${digests}::text[] ${within(reach)}`

/** Whether one of the two statements above would change a row. `stop_processing` does not clear notes. */
export const requestsToSettle = (reach: SuppressionScope, digests: readonly string[], reason: Reason) => sql`
  select 1 from erasure_requests
  where digests && ${digests}::text[] ${within(reach)} and (
    (state = 'open' and (${reason} <> 'stop_processing' or reason = 'stop_processing'))
    or (note is not null and ${reason} <> 'stop_processing')) limit 1`

/** `workspace` undefined: any. The row stays locked until the decision is committed. */
export const lockRequest = (id: string, workspace: string | undefined): Sql<ErasureRequestRow> =>
  sql<ErasureRequestRow>`
    select ${REQUEST} from erasure_requests r
    where r.id = ${id} ${workspace === undefined ? none : sql`and r.workspace_id = ${workspace}`} for update`

export const decideRequest = (
  id: string,
  state: 'approved' | 'declined',
  by: string,
  note: string | null,
): Sql<ErasureRequestRow> =>
  sql<ErasureRequestRow>`
    update erasure_requests r
    set state = ${state}, identifiers = null, notify_at = null, decided_at = app_now(), decided_by = ${by},
      note = ${note}
    where r.id = ${id} returning ${REQUEST}`

/** Links an approved request to its suppression. */
export const setOutcome = (id: string, suppressionId: string) => sql`
  update erasure_requests set suppression_id = ${suppressionId} where id = ${id}`

export const erasureOfSuppression = (suppressionId: string) =>
  sql<{ id: string }>`select id from erasures where suppression_id = ${suppressionId}`

export const workspaceRequest = (workspace: string, id: string): Sql<ErasureRequestRow> =>
  sql<ErasureRequestRow>`select ${REQUEST} from erasure_requests r where r.workspace_id = ${workspace} and r.id = ${id}`

export const erasureRequestById = (id: string): Sql<ErasureRequestRow> =>
  sql<ErasureRequestRow>`select ${REQUEST} from erasure_requests r where r.id = ${id}`

/** Newest first, for a page of the console. */
export const workspaceRequests = (
  workspace: string,
  only: 'open' | 'decided' | undefined,
  page: Page,
): Sql<ErasureRequestRow> =>
  sql<ErasureRequestRow>`
    select ${REQUEST} from erasure_requests r where r.workspace_id = ${workspace}
    ${only === undefined ? none : only === 'open' ? sql`and r.state = 'open'` : sql`and r.state <> 'open'`} ${page.clause}`

/** As the operator sees it: with the workspace that decides and the one that requested it. */
export interface OperatorRequestRow extends ErasureRequestRow {
  workspace_name: string | null
  asked_in: string
}

export const allRequests = (openOnly: boolean): Sql<OperatorRequestRow> =>
  sql<OperatorRequestRow>`
    select ${REQUEST}, w.name as workspace_name, e.asked_in
    from erasure_requests r join erasures e on e.id = r.erasure_id left join workspaces w on w.id = r.workspace_id
    where ${openOnly ? sql`r.state = 'open'` : sql`true`} order by r.requested_at, r.id`

// Inquiries: requests that a worker must still create

export interface Inquiry {
  id: string
  /** the requesting workspace */
  workspace: string
  erasureId: string
  reason: Reason
  /** the identifiers that the requesting workspace has */
  identifiers: readonly Identifier[]
}

export const insertInquiry = (i: Inquiry) => sql`
  insert into erasure_inquiries (workspace_id, id, erasure_id, reason, identifiers)
  values (${i.workspace}, ${i.id}, ${i.erasureId}, ${i.reason}, ${JSON.stringify(i.identifiers)}::jsonb)`

/** How long one process may work on an inquiry. After that another process may take it. */
const INQUIRY_LEASE_SECONDS = 60

/** Leases the next inquiry. */
export const claimInquiry = () =>
  sql<{ workspace: string; id: string }>`
    with due as (
      select workspace_id, id from erasure_inquiries where due_at <= app_now()
      order by due_at, id limit 1 for update skip locked
    )
    update erasure_inquiries i set due_at = app_now() + ${INQUIRY_LEASE_SECONDS}::integer * interval '1 second'
    from due where i.workspace_id = due.workspace_id and i.id = due.id
    returning i.workspace_id as workspace, i.id`

/** Deletes the inquiry with the transaction. No row: another process has processed it. */
export const takeInquiry = (workspace: string, id: string): Sql<Inquiry> =>
  sql<Inquiry>`
    delete from erasure_inquiries where workspace_id = ${workspace} and id = ${id}
    returning id, workspace_id as workspace, erasure_id as "erasureId", reason, identifiers`

/** One transaction at a time processes an inquiry, so each sees the requests that earlier ones created. */
export const lockInquiries = () => sql`select pg_advisory_xact_lock(${LOCKS.erasureInquiries})`

// Mail to owners

/** How long one process may take to send the emails of a request. After that another process sends them again. */
const NOTIFY_LEASE_SECONDS = 300

export interface DueNotification {
  id: string
  workspace_id: string
  workspace_name: string
  owners: { id: string; email: string }[]
}

/** Leases the next request whose owners have not been notified. */
export const claimNotification = (): Sql<DueNotification> =>
  sql<DueNotification>`
    with due as (
      select id from erasure_requests where notify_at <= app_now() order by notify_at, id limit 1 for update skip locked
    )
    update erasure_requests r set notify_at = app_now() + ${NOTIFY_LEASE_SECONDS}::integer * interval '1 second'
    from due, workspaces w where r.id = due.id and w.id = r.workspace_id
    returning r.id, r.workspace_id, w.name as workspace_name,
      (select coalesce(json_agg(json_build_object('id', u.id, 'email', u.email) order by u.id), '[]') from users u
        where u.workspace_id = r.workspace_id and u.role = 'owner' and u.email is not null) as owners`

export const notified = (id: string) => sql`update erasure_requests set notify_at = null where id = ${id}`

/** Requests whose owners have not been notified, also while a process has the lease: one that fails has it most of the time. */
export const requestMailsWaiting = countWaiting(
  sql`requested_at`,
  sql`erasure_requests where notify_at is not null order by notify_at`,
)
