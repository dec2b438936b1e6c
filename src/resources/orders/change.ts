import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../kernel/db/database.ts'
import { limitLockWait } from '../../kernel/db/locks.ts'
import { hasSqlState } from '../../kernel/db/sqlstate.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { requireUnchanged } from '../shared/unchanged.ts'
import { nextCheck } from './rules.ts'
import { isOpenOrder, type OrderReason } from './shape.ts'
import { lockOrder, type OrderState, type StoredOrder, toOrder, updateOrder } from './store.ts'

/** Who changes an order. `undefined` as the outcome means that there is no such order. */
export interface OrderChange {
  workspace: string
  id: string
  /** only if it is an order of this vendor */
  vendor?: string | undefined
  expectedUpdatedAt?: string | undefined
  /** null for changes made in the product */
  originKeyId: string | null
}

/** An order while it is locked, with the time of the workspace. */
export type LockedOrder = StoredOrder & { now: string }

/** A hundred changes at the same time take their turns in less; a change that hangs must not hold up the others. */
const LOCK_WAIT_MS = 3_000

/** The row is locked first, so that the events of an order are in the order of its changes. */
export async function whileOrderLocked<T>(
  tx: Transaction,
  change: OrderChange,
  work: (order: LockedOrder) => Promise<T>,
): Promise<T | undefined> {
  const [, row] = await Promise.all([
    tx.query(limitLockWait(LOCK_WAIT_MS)),
    tx.one(lockOrder(change.workspace, change.id, change.vendor)),
  ]).catch(unlessLocked)
  if (!row) return undefined
  requireUnchanged(change.expectedUpdatedAt, row.updated_at)
  return work({ ...toOrder(row), now: row.now })
}

export function unlessLocked(error: unknown): never {
  if (hasSqlState(error, 'lockNotAvailable')) fail('application_modified_concurrently')
  throw error
}

/** The public name of each column that changes. `result_received` follows `result`, which its writer names. */
const PUBLIC_NAMES: Readonly<Partial<Record<keyof OrderState, string>>> = {
  status: 'status',
  waiting_on: 'waiting_on',
  status_reason_code: 'status_reason',
  status_reason_message: 'status_reason',
  external_id: 'external_id',
  external_url: 'external_url',
  candidate_url: 'candidate_url',
  invitation_by: 'invitation',
  invitation_sent_at: 'invitation',
  reminders: 'invitation',
  last_reminded_at: 'invitation',
  accepted_at: 'accepted_at',
  started_at: 'started_at',
  completed_at: 'completed_at',
  due_at: 'due_at',
}

const stateOf = (o: StoredOrder): OrderState => ({
  status: o.status,
  waiting_on: o.waiting_on,
  status_reason_code: o.status_reason_code,
  status_reason_message: o.status_reason_message,
  external_id: o.external_id,
  external_url: o.external_url,
  candidate_url: o.candidate_url,
  invitation_by: o.invitation_by,
  invitation_sent_at: o.invitation_sent_at,
  reminders: o.reminders,
  last_reminded_at: o.last_reminded_at,
  accepted_at: o.accepted_at,
  started_at: o.started_at,
  completed_at: o.completed_at,
  due_at: o.due_at,
  final_at: o.final_at,
  next_check_at: o.next_check_at,
  result_received: o.result_received,
})

const changedNames = (before: OrderState, after: OrderState): string[] => {
  const names = Object.entries(PUBLIC_NAMES).flatMap(([column, name]) =>
    before[column as keyof OrderState] === after[column as keyof OrderState] ? [] : [name],
  )
  return [...new Set(names)]
}

const REASON_NONE = { status_reason_code: null, status_reason_message: null }

/** A reason for a status, as it is stored. */
export const toStatusReason = (code: OrderReason, message: string | null = null): Partial<OrderState> => ({
  status_reason_code: code,
  status_reason_message: message,
})

/**
 * Stores what changed and emits order.updated; nothing where nothing changed. A new status drops the reason of the one before.
 * `result`: the result changed, too, so the team has to look at it again.
 */
export async function changeOrder(
  tx: Transaction,
  order: LockedOrder,
  patch: Partial<OrderState>,
  { originKeyId, result = false }: { originKeyId: string | null; result?: boolean },
): Promise<StoredOrder> {
  const before = stateOf(order)
  const isMoved = patch.status !== undefined && patch.status !== order.status
  const next = { ...before, ...(isMoved ? REASON_NONE : {}), ...patch }
  const isFinal = !isOpenOrder(next)
  const after: OrderState = {
    ...next,
    waiting_on: isFinal ? null : next.waiting_on,
    final_at: isFinal ? (isMoved ? order.now : order.final_at) : null,
    next_check_at: nextCheck({ ...next, requested_at: order.requested_at }),
  }
  if (isDeepStrictEqual(before, after) && !result) return order
  const stored = toOrder(await tx.only(updateOrder(order.workspace_id, order.id, after, result)).catch(unlessTaken))
  const changed = [...changedNames(before, after), ...(result ? ['result'] : [])]
  if (changed.length > 0) await appendEvents(tx, [updatedEvent(order, stored, changed, originKeyId)])
  return stored
}

/** Another order got the external id, or is open for the same package, since it was looked for. */
function unlessTaken(error: unknown): never {
  if (hasSqlState(error, 'uniqueViolation'))
    fail('invalid_order_state', { message: 'Another order has this external_id, or is open for the same package.' })
  throw error
}

const updatedEvent = (
  before: StoredOrder,
  after: StoredOrder,
  changed: readonly string[],
  originKeyId: string | null,
): NewEvent => ({
  type: 'order.updated',
  workspaceId: after.workspace_id,
  id: after.id,
  updatedAt: after.updated_at,
  values: { status: after.status, waiting_on: after.waiting_on, package_id: after.package_id },
  changed,
  ...(before.status === after.status ? {} : { previous: { status: before.status } }),
  originKeyId,
  audience: after.vendor_id,
})

export const createdEvent = (order: StoredOrder, originKeyId: string | null): NewEvent => ({
  type: 'order.created',
  workspaceId: order.workspace_id,
  id: order.id,
  updatedAt: order.updated_at,
  values: {
    status: order.status,
    application_id: order.application_id,
    job_id: order.job_id,
    package_id: order.package_id,
    attempt: order.attempt,
  },
  originKeyId,
  audience: order.vendor_id,
})
