import { API_LIMITS } from '../../contract/limits.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { changeOrder, type LockedOrder, type OrderChange, toStatusReason, whileOrderLocked } from './change.ts'
import { lockForOrders, refuseCandidate } from './place.ts'
import { candidateUrlFaults, daysAfter, deletionReason, dueAct, dueFaults, pastFaults, requireStatus } from './rules.ts'
import type { OrderReason, VENDOR_REASONS, WaitingOn } from './shape.ts'
import {
  deleteOrders,
  dueOrders,
  enabledSite,
  externalIdTaken,
  insertCheckMail,
  lockDueOrder,
  lockOpenOfApplicant,
  lockOpenOfApplication,
  lockOpenOfVendor,
  lockOrderedApplication,
  lockOrdersOfApplication,
  type OrderState,
  orderById,
  personState,
  type StoredOrder,
  selectDueOrders,
  toOrder,
} from './store.ts'

type Outcome = Promise<StoredOrder | undefined>

// What vendors do

export interface Acceptance {
  external_id: string
  candidate_url?: string | undefined
  external_url?: string | undefined
  due_at?: string | undefined
}

/** The vendor takes the order over under an id of its own. The same id again changes nothing. */
export const acceptOrder = (tx: Transaction, change: OrderChange, given: Acceptance): Outcome =>
  whileOrderLocked(tx, change, async order => {
    if (order.external_id !== null && order.external_id === given.external_id) return order
    requireStatus('accept', order)
    await requireFreeId(tx, order, given.external_id)
    const now = Date.parse(order.now)
    refuseIfAny([...candidateUrlFaults(given.candidate_url, order.candidate_host), ...dueFaults(given.due_at, now)])
    const wanted = given.due_at ?? order.due_at
    const due = wanted !== null && Date.parse(wanted) > now ? wanted : daysAfter(order.now, order.completion_days)
    const accepted: Partial<OrderState> = {
      status: 'invited',
      waiting_on: 'candidate',
      external_id: given.external_id,
      external_url: given.external_url ?? null,
      candidate_url: given.candidate_url ?? null,
      accepted_at: order.now,
      due_at: due,
    }
    const invited = order.invitation_by === 'service' ? await mailInvitation(tx, order) : {}
    return changeOrder(tx, order, { ...accepted, ...invited }, change)
  })

/** Two orders of a vendor never have one id. */
export async function requireFreeId(tx: Transaction, order: LockedOrder, externalId: string): Promise<void> {
  if (await tx.one(externalIdTaken(order.workspace_id, order.vendor.id, externalId, order.id)))
    fail('invalid_order_state', { message: 'Another order has this external_id.', param: 'external_id' })
}

interface VendorReason {
  code: (typeof VENDOR_REASONS)[number]
  message?: string | undefined
}

export const declineOrder = (tx: Transaction, change: OrderChange, reason: VendorReason): Outcome =>
  endOrder(tx, change, 'declined', reason)

export const failOrder = (tx: Transaction, change: OrderChange, reason: VendorReason): Outcome =>
  endOrder(tx, change, 'failed', reason)

const ENDS = { declined: 'decline', failed: 'fail' } as const

/** The same reason again changes nothing. */
const endOrder = (
  tx: Transaction,
  change: OrderChange,
  status: keyof typeof ENDS,
  { code, message }: VendorReason,
): Outcome =>
  whileOrderLocked(tx, change, async order => {
    const reason = toStatusReason(code, message ?? null)
    const isRepeated =
      order.status === status &&
      order.status_reason_code === code &&
      order.status_reason_message === reason.status_reason_message
    if (isRepeated) return order
    requireStatus(ENDS[status], order)
    return changeOrder(tx, order, { status, ...reason }, change)
  })

export interface Progress {
  started_at?: string | undefined
  waiting_on?: WaitingOn | undefined
  message?: string | undefined
}

/** The candidate has started, or something else happened. What is left out stays. */
export const progressOrder = (tx: Transaction, change: OrderChange, given: Progress): Outcome =>
  whileOrderLocked(tx, change, async order => {
    requireStatus('progress', order)
    refuseIfAny(pastFaults('started_at', given.started_at, Date.parse(order.now)))
    return changeOrder(
      tx,
      order,
      {
        status: 'in_progress',
        started_at: given.started_at ?? order.started_at ?? order.now,
        waiting_on: given.waiting_on ?? order.waiting_on,
        ...(given.message === undefined ? {} : toStatusReason('other', given.message)),
      },
      change,
    )
  })

// What the workspace does

/** Cancels an open order; one that is canceled stays as it is. `tellCandidate`: a person wants the candidate to get an email. */
export const cancelOrder = (
  tx: Transaction,
  change: OrderChange,
  { reason, tellCandidate = false }: { reason?: string | undefined; tellCandidate?: boolean } = {},
): Outcome =>
  whileOrderLocked(tx, change, async order => {
    if (order.status === 'canceled') return order
    requireStatus('cancel', order)
    const isKnown = order.invitation_sent_at !== null || order.invitation_by === 'vendor'
    if (tellCandidate && isKnown && (await canMail(tx, order))) await tx.query(insertCheckMail(order, 'check_canceled'))
    return changeOrder(
      tx,
      order,
      { status: 'canceled', ...toStatusReason('canceled_by_workspace', reason ?? null) },
      change,
    )
  })

/** Another due date; an order that has expired is open again, unless the application has ended in the meantime. */
export async function extendOrder(tx: Transaction, change: OrderChange, dueAt: string): Outcome {
  const found = await tx.one(orderById(change.workspace, change.id))
  const application = found && (await lockForOrders(tx, change.workspace, found.application_id))
  if (!application) return undefined
  return whileOrderLocked(tx, change, async order => {
    requireStatus('extend', order)
    if (order.status === 'expired') await refuseCandidate(tx, change.workspace, application)
    refuseIfAny(dueFaults(dueAt, Date.parse(order.now)))
    const reopened: Partial<OrderState> =
      order.status === 'expired'
        ? { status: order.started_at === null ? 'invited' : 'in_progress', waiting_on: 'candidate' }
        : {}
    return changeOrder(tx, order, { due_at: dueAt, ...reopened }, change)
  })
}

/** A person lets the service invite the candidate: immediately, or once the vendor has accepted. */
export const sendInvitation = (tx: Transaction, change: OrderChange): Outcome =>
  whileOrderLocked(tx, change, async order => {
    requireStatus('invite', order)
    if (order.invitation_by === 'vendor')
      fail('invalid_order_state', { message: 'The vendor of this package invites.' })
    if (order.invitation_sent_at !== null) return order
    const sent = order.status === 'invited' ? await requireSent(tx, order, mailInvitation) : {}
    return changeOrder(tx, order, { invitation_by: 'service', ...sent }, change)
  })

/** A person reminds the candidate; it counts as one of the reminders. */
export const remindCandidate = (tx: Transaction, change: OrderChange): Outcome =>
  whileOrderLocked(tx, change, async order => {
    requireStatus('remind', order)
    if (order.invitation_by !== 'service' || order.invitation_sent_at === null)
      fail('invalid_order_state', { message: 'The service has not invited the candidate.' })
    if (order.reminders >= API_LIMITS.remindersPerOrder)
      fail('invalid_order_state', {
        message: `The candidate was reminded ${API_LIMITS.remindersPerOrder} times.`,
      })
    return changeOrder(tx, order, await requireSent(tx, order, mailReminder), change)
  })

// Emails

type SendMail = (tx: Transaction, order: LockedOrder) => Promise<Partial<OrderState>>

/** A person who sends an email learns why none can be sent. */
async function requireSent(tx: Transaction, order: LockedOrder, send: SendMail): Promise<Partial<OrderState>> {
  const obstacle = await findMailObstacle(tx, order)
  if (obstacle !== undefined) fail('invalid_order_state', { message: obstacle })
  return send(tx, order)
}

/**
 * Why the candidate gets no email about an order: their own page still shows it to someone who unsubscribed. The link of an email
 * opens a page of the careers site.
 */
async function findMailObstacle(tx: Transaction, order: LockedOrder): Promise<string | undefined> {
  const [person, site] = await Promise.all([
    order.applicant_id === null ? undefined : tx.one(personState(order.workspace_id, order.applicant_id)),
    tx.one(enabledSite(order.workspace_id)),
  ])
  if (!person?.has_email || person.suppressed) return 'The candidate has no email address.'
  if (person.unsubscribed) return 'The candidate unsubscribed from emails.'
  return site ? undefined : 'The careers site, which emails to candidates lead to, is turned off.'
}

const canMail = async (tx: Transaction, order: LockedOrder): Promise<boolean> =>
  (await findMailObstacle(tx, order)) === undefined

async function mailInvitation(tx: Transaction, order: LockedOrder): Promise<Partial<OrderState>> {
  if (!(await canMail(tx, order))) return {}
  await tx.query(insertCheckMail(order, 'check_invitation'))
  return { invitation_sent_at: order.now }
}

/** A reminder that cannot be sent is counted, too: it is not tried again. */
async function mailReminder(tx: Transaction, order: LockedOrder): Promise<Partial<OrderState>> {
  if (await canMail(tx, order)) await tx.query(insertCheckMail(order, 'check_reminder'))
  return { reminders: order.reminders + 1, last_reminded_at: order.now }
}

// What happens to the application, the vendor and with time

type OpenOrders = readonly (Parameters<typeof toOrder>[0] & { now: string })[]

async function cancelAll(
  tx: Transaction,
  open: OpenOrders,
  code: OrderReason,
  originKeyId: string | null,
): Promise<number> {
  for (const row of open)
    await changeOrder(
      tx,
      { ...toOrder(row), now: row.now },
      { status: 'canceled', ...toStatusReason(code) },
      { originKeyId },
    )
  return open.length
}

/** The application has ended. Call it while the application is locked. */
export const cancelOrdersOfApplication = async (
  tx: Transaction,
  { workspace, applicationId, originKeyId }: { workspace: string; applicationId: string; originKeyId: string | null },
  code: 'application_withdrawn' | 'application_rejected',
): Promise<number> => cancelAll(tx, await tx.query(lockOpenOfApplication(workspace, applicationId)), code, originKeyId)

/** The person is no longer processed. */
export const cancelOrdersOfApplicant = async (tx: Transaction, workspace: string, applicant: string): Promise<number> =>
  cancelAll(tx, await tx.query(lockOpenOfApplicant(workspace, applicant)), 'processing_stopped', null)

/** Orders in one transaction; a vendor can have very many. */
const CHUNK = 200

/** The vendor is no longer connected with the workspace. Returns how many orders of a batch were canceled: call it until none was. */
export const cancelOrdersOfVendor = async (tx: Transaction, workspace: string, vendor: string): Promise<number> =>
  cancelAll(tx, await tx.query(lockOpenOfVendor(workspace, vendor, CHUNK)), 'app_uninstalled', null)

/** The orders of an application go with it. Call it before the application is deleted. */
export async function deleteOrdersOfApplication(
  tx: Transaction,
  { workspace, applicationId, originKeyId }: { workspace: string; applicationId: string; originKeyId: string | null },
  why: string,
): Promise<void> {
  const reason = deletionReason(why)
  // sent together, run in this order: each statement sees what was committed before the locks were taken
  const [, , gone] = await Promise.all([
    tx.one(lockOrderedApplication(workspace, applicationId)),
    tx.query(lockOrdersOfApplication(workspace, applicationId)),
    tx.query(deleteOrders(workspace, applicationId)),
  ])
  await appendEvents(
    tx,
    gone.map(({ id, package_id, vendor_id, deleted_at }) => ({
      type: 'order.deleted' as const,
      workspaceId: workspace,
      id,
      updatedAt: deleted_at,
      values: { reason, package_id },
      originKeyId,
      audience: vendor_id,
    })),
  )
}

/** Does what time brings to one order, unless another process has it. */
async function attendOrder(tx: Transaction, workspace: string, id: string): Promise<void> {
  const row = await tx.one(lockDueOrder(workspace, id))
  if (!row) return
  const order = { ...toOrder(row), now: row.now }
  const act = dueAct(order, Date.parse(order.now))
  const patch: Partial<OrderState> =
    act === 'time_out'
      ? { status: 'failed', ...toStatusReason('vendor_timeout') }
      : act === 'expire'
        ? { status: 'expired' }
        : act === 'remind'
          ? await mailReminder(tx, order)
          : {}
  await changeOrder(tx, order, patch, { originKeyId: null })
}

/**
 * Attends to vendors that do not respond, to due dates and to reminders, each order in a transaction of its own. Returns how many
 * were due.
 */
export async function attendDueOrders(db: Database, batchSize: number): Promise<number> {
  const due = await db.query(dueOrders(batchSize))
  for (const { workspace_id, id } of due) await db.transaction(tx => attendOrder(tx, workspace_id, id))
  return due.length
}

/** The same in one workspace, by its clock. */
export async function attendDueOrdersOfWorkspace(db: Database, workspace: string, batchSize: number): Promise<number> {
  const due = await db.query(selectDueOrders(workspace, batchSize))
  for (const { id } of due) await db.transaction(tx => attendOrder(tx, workspace, id))
  return due.length
}
