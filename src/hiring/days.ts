import type { InputFault } from '../kernel/http/faults.ts'
import { Type } from '../kernel/schema/types.ts'
import { clock } from '../kernel/time/clock.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The day on which a candidate was notified of an adverse result of a check, before they are rejected. */
export const noticeDay = Type.String({ pattern: DAY.source })

const DAY_MS = 86_400_000

/** Days begin up to 14 hours earlier in other places. */
const isFuture = (day: number): boolean => day > clock.now() + DAY_MS

const isDay = (text: string): boolean => {
  const day = Date.parse(text)
  return DAY.test(text) && !Number.isNaN(day) && new Date(day).toISOString().slice(0, 10) === text
}

/** A day of the calendar, such as 2026-12-01. */
export const dayFaults = (given: unknown, param: string): InputFault[] =>
  typeof given === 'string' && !isDay(given)
    ? [{ param, message: 'must be a day of the calendar, such as 2026-12-01' }]
    : []

/** What the pattern does not see: days that do not exist, and those to come. */
export function noticeDayFaults(given: unknown, param = 'notice_given_on'): InputFault[] {
  if (typeof given !== 'string' || !DAY.test(given)) return []
  if (!isDay(given)) return [{ param, message: 'must be a day of the calendar' }]
  return isFuture(Date.parse(given)) ? [{ param, message: 'must not be in the future' }] : []
}
