import { shown } from '../../ui/language.ts'
import { addDays, type Day, weekdayOf } from '../../ui/parse-date.ts'
import { momentOf, wallAt } from '../interviews/zoned-time.ts'

/** Until when a task is snoozed, in the time zone of the reader. */
export const LATER_TIMES = ['afternoon', 'tomorrow', 'monday', 'weeks'] as const

export type LaterTime = (typeof LATER_TIMES)[number]

const MORNING = 9 * 60
const AFTERNOON = 14 * 60
const LAST_HOUR = 17 * 60
const HOUR = 60

const zone = () => shown.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** A day and a time of the reader's clocks. */
export const laterAt = (day: Day, minutes: number): string => new Date(momentOf({ day, minutes }, zone())).toISOString()

/** undefined: it is too late for it today. */
export function laterTime(time: LaterTime, now = Date.now()): string | undefined {
  const { day, minutes } = wallAt(now, zone())
  if (time === 'afternoon') {
    // in an hour at least
    const at = Math.max(AFTERNOON, Math.ceil((minutes + HOUR) / HOUR) * HOUR)
    return at > LAST_HOUR ? undefined : laterAt(day, at)
  }
  const days = time === 'tomorrow' ? 1 : time === 'weeks' ? 14 : 7 - weekdayOf(day)
  return laterAt(addDays(day, days), MORNING)
}
