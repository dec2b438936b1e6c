import type { ApplicationStatus } from '../../contract/application-status.ts'
import { browsesJob, type LimitedPerson } from '../../kernel/access/reach.ts'
import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { workspaceNow } from '../../kernel/db/workspace-time.ts'
import type { Order, Page } from '../../kernel/http/list.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf, groupColumns } from '../../kernel/record/record.ts'
import type { PackageKind } from '../packages/shape.ts'
import { OPEN_ORDERS, type OrderRow, type OrderStatus, orderRecord, orderRowShape } from './shape.ts'

const stored = { ...orderRowShape.fields, ...orderRecord.stored }
const COLUMNS = columnsOf(stored, 'o')

type Columns = ColumnsOf<typeof stored>
/** A row of the table, with the objects of responses. */
export type StoredOrder = Columns & OrderRow

const grouped = groupColumns(orderRowShape.fields)
export const toOrder = (columns: Columns): StoredOrder => grouped(columns)

export const BY_REQUESTED: Order = { by: 'requested_at', tiebreaker: 'id', direction: 'desc', table: 'o' }
export const BY_UPDATED_ORDER: Order = { by: 'updated_at', tiebreaker: 'id', direction: 'desc', table: 'o' }

const NO_SCORE = -1

/** Best result first. */
export const BY_BEST_RESULT = {
  by: 'score',
  byType: 'integer',
  withoutValue: NO_SCORE,
  changedAt: 'updated_at',
  tiebreaker: 'id',
  direction: 'desc',
  table: 'o',
  isFixed: true,
} as const satisfies Order

export interface OrderFilter {
  /** only orders of this vendor */
  vendor?: string | undefined
  status?: readonly OrderStatus[] | undefined
  kind?: readonly PackageKind[] | undefined
  packageId?: string | undefined
  applicationId?: string | undefined
  jobId?: string | undefined
  externalId?: string | undefined
  sourceSystem?: string | undefined
}

/** The id of the system that placed it, where one is named; else that of the vendor. */
const externalIdIs = ({ externalId, sourceSystem }: OrderFilter): Sql => {
  if (externalId === undefined) return none
  return sourceSystem === undefined
    ? sql`and o.external_id = ${externalId}`
    : sql`and o.source_external_id = ${externalId}`
}

const conditionsOf = (workspace: string, f: OrderFilter): Sql => sql`
  o.workspace_id = ${workspace}
  ${f.vendor === undefined ? none : sql`and o.vendor_id = ${f.vendor}`}
  ${f.status ? sql`and o.status = any(${f.status}::text[])` : none}
  ${f.kind ? sql`and o.kind = any(${f.kind}::text[])` : none}
  ${f.packageId === undefined ? none : sql`and o.package_id = ${f.packageId}`}
  ${f.applicationId === undefined ? none : sql`and o.application_id = ${f.applicationId}`}
  ${f.jobId === undefined ? none : sql`and o.job_id = ${f.jobId}`}
  ${externalIdIs(f)}
  ${f.sourceSystem === undefined ? none : sql`and o.source_system = ${f.sourceSystem}`}`

/** That of a person whose processing was stopped is hidden: its place in the order would show it. */
const scoreOf = (workspace: string): Sql => sql`
  coalesce((select r.score_pct from order_results r where r.workspace_id = ${workspace} and r.order_id = o.id
    and not exists (select from applicants p where p.workspace_id = ${workspace} and p.id = o.applicant_id
      and p.suppressed_at is not null)), ${NO_SCORE}::integer)`

/** Results of one package are compared: each page costs a look at every order of it that matches. */
export const ordersPage = (workspace: string, f: OrderFilter, page: Page): Sql<Columns> =>
  page.by === BY_BEST_RESULT.by
    ? sql<Columns>`
        select o.* from (
          select ${COLUMNS}, ${scoreOf(workspace)} as score from orders o where ${conditionsOf(workspace, f)} offset 0
        ) o where true ${page.clause}`
    : sql<Columns>`select ${COLUMNS} from orders o where ${conditionsOf(workspace, f)} ${page.clause}`

/** How many orders an application is shown with. */
const MAX_NEWEST = 10

/** The newest orders of each application. `onTeam`: only those for jobs of a limited reader. */
export const selectNewestOrders = (
  workspace: string,
  applications: readonly string[],
  onTeam: LimitedPerson | undefined,
): Sql<Columns> =>
  sql<Columns>`
    select o.* from unnest(${applications}::text[]) application(id) cross join lateral (
      select ${COLUMNS} from orders o
      where o.workspace_id = ${workspace} and o.application_id = application.id
        ${onTeam ? sql`and ${browsesJob(onTeam, sql`o.job_id`)}` : none}
      order by o.requested_at desc, o.id desc limit ${MAX_NEWEST}
    ) o order by o.requested_at desc, o.id desc`

const ofVendor = (vendor: string | undefined): Sql => (vendor === undefined ? none : sql`and o.vendor_id = ${vendor}`)

/** `vendor`: only if it is an order of this one. */
export const orderById = (workspace: string, id: string, vendor?: string): Sql<Columns> =>
  sql<Columns>`
    select ${COLUMNS} from orders o where o.workspace_id = ${workspace} and o.id = ${id} ${ofVendor(vendor)}`

/** The row with the time of the workspace, locked until the transaction ends. */
export const lockOrder = (workspace: string, id: string, vendor?: string): Sql<Columns & { now: string }> =>
  sql<Columns & { now: string }>`
    select ${COLUMNS}, ${workspaceNow(workspace)} as now from orders o
    where o.workspace_id = ${workspace} and o.id = ${id} ${ofVendor(vendor)} for update`

export const orderBySource = (workspace: string, system: string, externalId: string): Sql<Columns> =>
  sql<Columns>`
    select ${COLUMNS} from orders o
    where o.workspace_id = ${workspace} and o.source_system = ${system} and o.source_external_id = ${externalId}`

export const ordersOfApplication = (workspace: string, application: string): Sql<Columns> =>
  sql<Columns>`
    select ${COLUMNS} from orders o where o.workspace_id = ${workspace} and o.application_id = ${application}
    order by o.requested_at desc, o.id desc`

/** Open orders, locked in the order of their handles: callers take turns. */
const lockOpen = (workspace: string, condition: Sql): Sql<Columns & { now: string }> =>
  sql<Columns & { now: string }>`
    select ${COLUMNS}, ${workspaceNow(workspace)} as now from orders o
    where o.workspace_id = ${workspace} and o.status in ${OPEN_ORDERS} ${condition}
    order by o.id for update`

export const lockOpenOfApplication = (workspace: string, application: string) =>
  lockOpen(workspace, sql`and o.application_id = ${application}`)

export const lockOpenOfApplicant = (workspace: string, applicant: string) =>
  lockOpen(workspace, sql`and o.applicant_id = ${applicant}`)

export const lockOpenOfVendor = (workspace: string, vendor: string, limit: number) =>
  sql<Columns & { now: string }>`
    select ${COLUMNS}, ${workspaceNow(workspace)} as now from orders o
    where o.workspace_id = ${workspace} and o.status in ${OPEN_ORDERS} and o.vendor_id = ${vendor}
    order by o.id limit ${limit} for update`

export interface OrderedApplication {
  id: string
  job_id: string
  stage_id: string
  applicant_id: string | null
  status: ApplicationStatus
  now: string
}

/** Locked until the transaction ends: orders for one application take turns, and it does not change in between. */
export const lockOrderedApplication = (workspace: string, id: string): Sql<OrderedApplication> =>
  sql<OrderedApplication>`
    select id, job_id, stage_id, applicant_id, status, ${workspaceNow(workspace)} as now from applications
    where workspace_id = ${workspace} and id = ${id} for update`

export interface PersonState {
  suppressed: boolean
  unsubscribed: boolean
  has_email: boolean
}

/** Whether a person may be asked for something, and by email. */
export const personState = (workspace: string, applicant: string): Sql<PersonState> =>
  sql<PersonState>`
    select p.suppressed_at is not null as suppressed, p.email is not null as has_email,
      p.unsubscribed_at is not null or exists (select from unsubscribes u
        where u.workspace_id = ${workspace} and u.email_key = p.email_key) as unsubscribed
    from applicants p where p.workspace_id = ${workspace} and p.id = ${applicant}`

export interface NewOrder {
  workspace: string
  id: string
  application: Pick<OrderedApplication, 'id' | 'job_id' | 'stage_id' | 'applicant_id'>
  package: {
    id: string
    name: string
    kind: string
    vendor: { id: string; name: string }
    shares: readonly string[]
    candidate_host: string | null
    privacy_url: string
    completion_days: number
  }
  placedBy: { object: string; id: string }
  source: { system: string; external_id: string } | undefined
  invitationBy: string
  attempt: number
  previousOrderId: string | null
  /** by the clock of the workspace */
  requestedAt: string
  dueAt: string | null
  nextCheckAt: string | null
}

/** No row where another call has placed it in the meantime. */
export const insertOrder = (n: NewOrder): Sql<Columns> =>
  sql<Columns>`
    insert into orders as o (workspace_id, id, application_id, applicant_id, job_id, stage_id, package_id, package_name, kind,
      vendor_id, vendor_name, shares, candidate_host, privacy_url, completion_days, waiting_on, placed_by_object, placed_by_id,
      source_system, source_external_id, attempt, previous_order_id, invitation_by, requested_at, due_at,
      next_check_at)
    values (${n.workspace}, ${n.id}, ${n.application.id}, ${n.application.applicant_id}, ${n.application.job_id},
      ${n.application.stage_id}, ${n.package.id}, ${n.package.name}, ${n.package.kind}, ${n.package.vendor.id},
      ${n.package.vendor.name}, ${JSON.stringify(n.package.shares)}::jsonb, ${n.package.candidate_host},
      ${n.package.privacy_url}, ${n.package.completion_days}, 'vendor', ${n.placedBy.object}, ${n.placedBy.id}, ${n.source?.system ?? null},
      ${n.source?.external_id ?? null}, ${n.attempt}, ${n.previousOrderId}, ${n.invitationBy},
      ${n.requestedAt}::timestamptz, ${n.dueAt}::timestamptz, ${n.nextCheckAt}::timestamptz)
    on conflict do nothing
    returning ${COLUMNS}`

/** What changes of an order after it was placed. */
export type OrderState = Pick<
  Columns,
  | 'status'
  | 'waiting_on'
  | 'status_reason_code'
  | 'status_reason_message'
  | 'external_id'
  | 'external_url'
  | 'candidate_url'
  | 'invitation_by'
  | 'invitation_sent_at'
  | 'reminders'
  | 'last_reminded_at'
  | 'accepted_at'
  | 'started_at'
  | 'completed_at'
  | 'due_at'
  | 'final_at'
  | 'next_check_at'
  | 'result_received'
>

/** `isNew`: there is a result that no one of the team has seen. */
export const updateOrder = (workspace: string, id: string, s: OrderState, isNew: boolean): Sql<Columns> =>
  sql<Columns>`
    update orders o set status = ${s.status}, waiting_on = ${s.waiting_on}, status_reason_code = ${s.status_reason_code},
      status_reason_message = ${s.status_reason_message}, external_id = ${s.external_id},
      external_url = ${s.external_url}, candidate_url = ${s.candidate_url}, invitation_by = ${s.invitation_by},
      invitation_sent_at = ${s.invitation_sent_at}::timestamptz, reminders = ${s.reminders}::integer,
      last_reminded_at = ${s.last_reminded_at}::timestamptz, accepted_at = ${s.accepted_at}::timestamptz,
      started_at = ${s.started_at}::timestamptz, completed_at = ${s.completed_at}::timestamptz,
      due_at = ${s.due_at}::timestamptz, final_at = ${s.final_at}::timestamptz,
      next_check_at = ${s.next_check_at}::timestamptz, result_received = ${s.result_received}::boolean,
      ${isNew ? sql`reviewed_at = null,` : none} updated_at = ${touched('o.updated_at')}
    where o.workspace_id = ${workspace} and o.id = ${id} returning ${COLUMNS}`

export const externalIdTaken = (workspace: string, vendor: string, externalId: string, except: string) =>
  sql`
    select 1 from orders where workspace_id = ${workspace} and vendor_id = ${vendor} and external_id = ${externalId}
      and id <> ${except}`

/** An email about an order, which is sent after the transaction. */
export const insertCheckMail = (
  { workspace_id: workspace, id }: Pick<Columns, 'workspace_id' | 'id'>,
  kind: 'check_invitation' | 'check_reminder' | 'check_canceled',
): Sql => sql`
  insert into candidate_mails (workspace_id, kind, address, applicant_id, application_id, order_id, language)
  select o.workspace_id, ${kind}, '', o.applicant_id, o.application_id, o.id,
    coalesce((select m.language from candidate_mails m where m.workspace_id = ${workspace}
      and m.applicant_id = o.applicant_id order by m.created_at desc limit 1), 'en')
  from orders o where o.workspace_id = ${workspace} and o.id = ${id}`

/** Orders of any workspace that a worker has to look at. */
export const dueOrders = (limit: number) =>
  sql<{ workspace_id: string; id: string }>`
    select workspace_id, id from orders where next_check_at <= app_now() order by next_check_at limit ${limit}`

/** Deadlines of the orders of a workspace up to a time. */
export const orderDeadlines = (workspace: string, until: Sql): Sql<{ id: string; at: string }> =>
  sql<{ id: string; at: string }>`
    select id, next_check_at as at from orders where workspace_id = ${workspace} and next_check_at <= ${until}`

/** Orders of a workspace that a worker has to look at by the clock of the workspace. */
export const selectDueOrders = (workspace: string, limit: number): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id from (${orderDeadlines(workspace, workspaceNow(workspace))}) d order by at, id limit ${limit}`

/** No row if another process has it, or has done it. */
export const lockDueOrder = (workspace: string, id: string): Sql<Columns & { now: string }> =>
  sql<Columns & { now: string }>`
    select ${COLUMNS}, ${workspaceNow(workspace)} as now from orders o
    where o.workspace_id = ${workspace} and o.id = ${id} and o.next_check_at <= ${workspaceNow(workspace)}
    for update skip locked`

export interface DeletedOrder {
  id: string
  package_id: string
  vendor_id: string
  deleted_at: string
}

/** Locked until the transaction ends, in the order of their handles. */
export const lockOrdersOfApplication = (workspace: string, application: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id from orders where workspace_id = ${workspace} and application_id = ${application} order by id for update`

/**
 * The orders of an application, which go with it. Call it after `lockOrdersOfApplication`: a statement that waits for an order does not see
 * the reports that were stored while it waited. The files of reports and of uploads that were reserved for them are to be
 * deleted. A file can still be sent as long as the link of an upload is good: its row stays, without the name of the file, until
 * the upload expires, and then the file is deleted again.
 */
export const deleteOrders = (workspace: string, application: string): Sql<DeletedOrder> =>
  sql<DeletedOrder>`
    with theirs as materialized (
      select id from orders where workspace_id = ${workspace} and application_id = ${application}
    ), files as (
      insert into file_deletions (workspace_id, blob_key)
      select ${workspace}, r.blob_key from order_reports r
      where r.workspace_id = ${workspace} and r.order_id in (select id from theirs)
      union
      select ${workspace}, u.blob_key from uploads u
      where u.workspace_id = ${workspace} and u.order_id in (select id from theirs)
      on conflict do nothing
    ), over as (
      delete from uploads
      where workspace_id = ${workspace} and order_id in (select id from theirs) and put_expires_at <= app_now()
    ), reserved as (
      update uploads set filename = 'report.pdf', application_id = null
      where workspace_id = ${workspace} and order_id in (select id from theirs) and put_expires_at > app_now()
    ), gone as (
      delete from orders where workspace_id = ${workspace} and application_id = ${application}
      returning id, package_id, vendor_id, updated_at
    )
    select id, package_id, vendor_id, ${touched()} as deleted_at from gone order by id`

export const stoppedPeople = (workspace: string, applicants: readonly string[]) =>
  sql<{ id: string }>`
    select id from applicants
    where workspace_id = ${workspace} and id = any(${applicants}::text[]) and suppressed_at is not null`

export interface StoredCandidate {
  first_name: string | null
  last_name: string | null
  language: string | null
  email: string | null
  phone: string | null
  /** the time of the workspace */
  now: string
}

/** The person who applied, unless their processing was stopped. */
export const selectCandidate = (workspace: string, applicant: string): Sql<StoredCandidate> =>
  sql<StoredCandidate>`
    select p.first_name, p.last_name, p.email, p.phone, (select m.language from candidate_mails m
      where m.workspace_id = ${workspace} and m.applicant_id = p.id order by m.created_at desc limit 1) as language,
      ${workspaceNow(workspace)} as now
    from applicants p where p.workspace_id = ${workspace} and p.id = ${applicant} and p.suppressed_at is null`

/** The careers site that emails to candidates lead to. By itself: in a cluster sites are not where orders are. */
export const enabledSite = (workspace: string) =>
  sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace} and enabled`
