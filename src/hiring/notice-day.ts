import type { InputFault } from '../kernel/http/faults.ts'
import { Type } from '../kernel/schema/types.ts'
import { clock } from '../kernel/time/clock.ts'

/** The day on which a candidate was notified of an adverse result of a check, before they are rejected. */
export const noticeDay = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

const DAY_MS = 86_400_000

/** Days begin up to 14 hours earlier in other places. */
const isFuture = (day: number): boolean => day > clock.now() + DAY_MS

/** What the pattern does not see: days that do not exist, and those to come. */
export function noticeDayFaults(given: unknown, param = 'notice_given_on'): InputFault[] {
  if (typeof given !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(given)) return []
  const day = Date.parse(given)
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== given)
    return [{ param, message: 'must be a day of the calendar' }]
  return isFuture(day) ? [{ param, message: 'must not be in the future' }] : []
}
