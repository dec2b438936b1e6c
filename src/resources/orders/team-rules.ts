import type { ApplicationStatus } from '../../contract/application-status.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { isAllowed, isOrderableStatus, type OrderAct } from './rules.ts'
import type { OrderRow, OrderStatus } from './shape.ts'

/** What decides whether something can be ordered for an application. */
export interface OrderSubject {
  status: ApplicationStatus
  /** the person asked that processing stop */
  stopped: boolean
  unsubscribed: boolean
}

/** An order as the pages of the team read it. */
export interface TeamOrder {
  id: string
  package_id: string
  package_name: string
  kind: OrderRow['kind']
  vendor_name: string
  status: OrderStatus
  waiting_on: OrderRow['waiting_on']
  status_reason_code: string | null
  status_reason_message: string | null
  placed_by_object: OrderRow['placed_by']['object']
  placed_by_id: string
  external_url: string | null
  attempt: number
  invitation_by: OrderRow['invitation']['by']
  invitation_sent_at: string | null
  reminders: number
  last_reminded_at: string | null
  requested_at: string
  due_at: string | null
  result_received: boolean
  /** the package can still be ordered */
  offered: boolean
}

/** A candidate for whom something is about to be ordered. */
export interface OrderCandidate extends OrderSubject {
  id: string
  /** the application has an order of this package that is not finished */
  already_open: boolean
  orders: number
}

/** Whether anything can be ordered for the application. */
export const isOrderable = ({ status, stopped }: OrderSubject): boolean => !stopped && isOrderableStatus(status)

/** What a person can do with an order on our pages: the actions check the same. */
export interface TeamActions {
  invite: boolean
  remind: boolean
  extend: boolean
  cancel: boolean
  repeat: boolean
  /** the candidate was invited, so a cancellation can be mailed to them */
  notify: boolean
}

export function teamActions(order: TeamOrder, subject: OrderSubject, mayOrder: boolean): TeamActions {
  const can = (act: OrderAct) => mayOrder && !subject.stopped && isAllowed(act, order)
  const { invitation_by: by, invitation_sent_at: sentAt } = order
  const isInvited = by === 'service' && sentAt !== null
  // one that the service could not send when the vendor accepted is sent by hand
  const isDue = by === 'caller' || (by === 'service' && order.status === 'invited')
  return {
    invite: can('invite') && isDue && sentAt === null && !subject.unsubscribed,
    remind: can('remind') && isInvited && order.reminders < API_LIMITS.remindersPerOrder && !subject.unsubscribed,
    extend: can('extend') && (order.status !== 'expired' || isOrderable(subject)),
    cancel: can('cancel'),
    repeat: can('repeat') && order.offered && isOrderable(subject),
    notify: can('cancel') && (sentAt !== null || by === 'vendor') && !subject.unsubscribed,
  }
}

/** Why nothing is ordered for one of several candidates. */
export type LeftOutReason =
  | 'not_found'
  | 'closed'
  | 'stopped'
  | 'unsubscribed'
  | 'already_open'
  | 'limit'
  | 'not_offered'

/** The same as the action checks for each; undefined: it can be ordered. */
export function findLeftOutReason(
  candidate: OrderCandidate | undefined,
  invitation: 'service' | 'vendor',
): LeftOutReason | undefined {
  if (!candidate) return 'not_found'
  if (candidate.stopped) return 'stopped'
  if (!isOrderable(candidate)) return 'closed'
  if (candidate.already_open) return 'already_open'
  if (candidate.unsubscribed && invitation === 'vendor') return 'unsubscribed'
  return candidate.orders >= API_LIMITS.ordersPerApplication ? 'limit' : undefined
}
