import type { ApplicationStatus } from '../../contract/application-status.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { keepsOutcomeOnly, type PackageKind } from '../packages/index.ts'
import { isOpenOrder, type OrderStatus, type SCORE_UNITS } from './shape.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** From which statuses each change is made. A call that leads to the same state again succeeds before this is looked at. */
const FROM = {
  accept: ['requested'],
  decline: ['requested'],
  progress: ['invited', 'in_progress'],
  complete: ['requested', 'invited', 'in_progress', 'completed', 'expired'],
  fail: ['invited', 'in_progress'],
  cancel: ['requested', 'invited', 'in_progress'],
  extend: ['invited', 'in_progress', 'expired'],
  repeat: ['completed', 'declined', 'failed', 'expired', 'canceled'],
  invite: ['requested', 'invited'],
  remind: ['invited'],
  report: ['requested', 'invited', 'in_progress', 'completed', 'expired'],
} as const satisfies Record<string, readonly OrderStatus[]>

export type OrderAct = keyof typeof FROM

/** Whether a change is made from the status of an order. */
export function isAllowed(act: OrderAct, { status }: { status: OrderStatus }): boolean {
  const allowed: readonly OrderStatus[] = FROM[act]
  return allowed.includes(status)
}

/** Refuses what the status does not allow. */
export function requireStatus(act: OrderAct, order: { status: OrderStatus }): void {
  if (!isAllowed(act, order)) fail('invalid_order_state', { message: `The order is ${order.status}.` })
}

/** For these applications something can be ordered: background checks often run after a hire. */
const ORDERABLE: readonly ApplicationStatus[] = ['new', 'in_review', 'advanced', 'hired']

export const isOrderableStatus = (status: ApplicationStatus): boolean => ORDERABLE.includes(status)

const FINDINGS = ['score', 'sections', 'summary', 'report_upload_ids'] as const

/** What a body has that the service does not store for this kind. */
export const findingFaults = (
  kind: PackageKind,
  given: Partial<Record<(typeof FINDINGS)[number], unknown>>,
): InputFault[] =>
  keepsOutcomeOnly(kind)
    ? FINDINGS.filter(name => given[name] !== undefined && given[name] !== null).map(param => ({
        param,
        message: `is not accepted for a ${kind}: findings stay with the vendor`,
      }))
    : []

export interface OrderScore {
  value: number
  min: number
  max: number
  passing: number | null
  unit: (typeof SCORE_UNITS)[number]
}

/** Ranks are not part of a scale. */
export const scorePercent = ({ value, min, max, unit }: OrderScore): number | null =>
  unit === 'percentile' || unit === 'band' ? null : Math.round((100 * (value - min)) / (max - min))

/** What is wrong with a score of any shape, beyond its types. */
export function scoreFaults(score: unknown, at: string): InputFault[] {
  const { value, min, max, passing } = (score ?? {}) as Record<string, unknown>
  if (typeof min !== 'number' || typeof max !== 'number') return []
  if (min >= max) return [{ param: `${at}.max`, message: 'must be more than min' }]
  // beyond this no percentage can be computed
  if (!Number.isFinite(100 * (max - min))) return [{ param: `${at}.max`, message: 'is too far above min' }]
  const isOutside = (number: unknown) => typeof number === 'number' && (number < min || number > max)
  return [
    ...(isOutside(value) ? [{ param: `${at}.value`, message: 'must be from min to max' }] : []),
    ...(isOutside(passing) ? [{ param: `${at}.passing`, message: 'must be from min to max' }] : []),
  ]
}

/** The faults of all scores of a result. */
export function resultFaults(body: unknown): InputFault[] {
  const { score, sections } = (body ?? {}) as { score?: unknown; sections?: unknown }
  const parts: unknown[] = Array.isArray(sections) ? sections : []
  return [
    ...scoreFaults(score, 'score'),
    ...parts.flatMap((part, i) => scoreFaults((part as { score?: unknown } | null)?.score, `sections[${i}].score`)),
  ]
}

/** A due date is an hour to 90 days ahead. */
export function dueFaults(dueAt: string | undefined, now: number): InputFault[] {
  if (dueAt === undefined) return []
  const ahead = Date.parse(dueAt) - now
  return ahead >= API_LIMITS.orderDueMinSeconds * SECOND_MS && ahead <= API_LIMITS.orderDueMaxDays * DAY_MS
    ? []
    : [{ param: 'due_at', message: `must be 1 hour to ${API_LIMITS.orderDueMaxDays} days ahead` }]
}

/** A vendor's clock may be ahead of ours by as much as a signature's may. */
const CLOCK_TOLERANCE_MS = API_LIMITS.webhookSignatureToleranceSeconds * SECOND_MS

/** What a vendor reports has happened. */
export const pastFaults = (param: string, at: string | undefined, now: number): InputFault[] =>
  at !== undefined && Date.parse(at) > now + CLOCK_TOLERANCE_MS ? [{ param, message: 'must not be in the future' }] : []

/** The link leads to the host that the package named, and nowhere else. */
export function candidateUrlFaults(url: string | undefined, host: string | null): InputFault[] {
  const param = 'candidate_url'
  if (host === null)
    return url === undefined ? [] : [{ param, message: 'is not used: the vendor invites, as the package says' }]
  if (url === undefined) return [{ param, message: 'is required: the service invites, as the package says' }]
  return new URL(url).host === host
    ? []
    : [{ param, message: `must be on ${host}, without a port`, code: 'candidate_url_not_allowed' }]
}

const inMs = (time: string | null): number => (time === null ? Number.POSITIVE_INFINITY : Date.parse(time))

interface Deadlines {
  status: OrderStatus
  requested_at: string
  accepted_at: string | null
  due_at: string | null
  invitation_by: 'service' | 'vendor' | 'caller'
  invitation_sent_at: string | null
  reminders: number
  last_reminded_at: string | null
}

/** When the vendor is late with its response. */
const responseDue = ({ requested_at }: Deadlines): number =>
  Date.parse(requested_at) + API_LIMITS.vendorResponseDays * DAY_MS

/** Reminders come at half of the time and a day before the end, each where nothing was sent since. */
function nextReminder(order: Deadlines): number {
  const { status, invitation_by, invitation_sent_at, accepted_at, due_at, reminders } = order
  const isReminded = status === 'invited' && invitation_by === 'service' && invitation_sent_at !== null
  if (!isReminded || accepted_at === null || due_at === null) return Number.POSITIVE_INFINITY
  if (reminders >= API_LIMITS.remindersPerOrder) return Number.POSITIVE_INFINITY
  const [from, to] = [Date.parse(accepted_at), Date.parse(due_at)]
  const lastSent = inMs(order.last_reminded_at ?? invitation_sent_at)
  return Math.min(...[from + (to - from) / 2, to - DAY_MS].filter(at => at > lastSent && at < to))
}

/** When a worker has to look at an order; null: never. */
export function nextCheck(order: Deadlines): string | null {
  const at =
    order.status === 'requested'
      ? responseDue(order)
      : order.status === 'invited' || order.status === 'in_progress'
        ? Math.min(inMs(order.due_at), nextReminder(order))
        : Number.POSITIVE_INFINITY
  return Number.isFinite(at) ? new Date(at).toISOString() : null
}

/** What time brings to an order; undefined: nothing yet. */
export function dueAct(order: Deadlines, now: number): 'time_out' | 'expire' | 'remind' | undefined {
  if (order.status === 'requested') return responseDue(order) <= now ? 'time_out' : undefined
  if (order.status !== 'invited' && order.status !== 'in_progress') return undefined
  if (inMs(order.due_at) <= now) return 'expire'
  return nextReminder(order) <= now ? 'remind' : undefined
}

/** Whether the vendor still carries it out, by the time alone: a worker may not have looked at it yet. */
export function isCarriedOut(order: Deadlines, now: number): boolean {
  const act = dueAct(order, now)
  return isOpenOrder(order) && act !== 'time_out' && act !== 'expire'
}

/** Whether a result that comes now is late. */
export const isLate = (dueAt: string | null, now: number): boolean => inMs(dueAt) <= now

/** A result still counts this long after the due date. */
export const isTooLate = (dueAt: string | null, now: number): boolean =>
  inMs(dueAt) + API_LIMITS.lateCompletionDays * DAY_MS < now

export const daysAfter = (now: string, days: number): string => new Date(Date.parse(now) + days * DAY_MS).toISOString()

const OF_ERASURES: readonly string[] = ['erasure_request', 'stop_processing', 'legal_request']

/** Why an order was deleted, from why its application was. */
export const deletionReason = (why: string): 'retention' | 'erasure_request' | 'application_deleted' =>
  why === 'retention' ? why : OF_ERASURES.includes(why) ? 'erasure_request' : 'application_deleted'
