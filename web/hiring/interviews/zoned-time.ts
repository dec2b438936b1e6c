import { addDays, type Day } from '../../ui/parse-date.ts'

/** Minutes from midnight, as the clocks of a zone show them. */
export interface WallTime {
  day: Day
  minutes: number
}

const MINUTE_MS = 60_000
export const DAY_MINUTES = 1_440

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  // the form of Sweden is that of ISO 8601
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: zone })
  formats.set(zone, format)
  return format
}

/** What the clocks of a zone show at a moment. */
export function wallAt(ms: number, zone: string): WallTime {
  const [day = '', time = ''] = formatIn(zone).format(ms).split(' ')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return { day, minutes: hours * 60 + minutes }
}

const asUtc = ({ day, minutes }: WallTime): number => Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS

/** How far the clocks of a zone are ahead of UTC. */
const offsetAt = (ms: number, zone: string): number => asUtc(wallAt(ms, zone)) - Math.floor(ms / MINUTE_MS) * MINUTE_MS

/**
 * The moment at which the clocks of a zone show a time. One that they skip is an hour later, as the clocks then are; of one
 * that they show twice it is the first.
 */
export function momentOf(wall: WallTime, zone: string): number {
  const shown = asUtc(wall)
  const day = DAY_MINUTES * MINUTE_MS
  const before = offsetAt(shown - day, zone)
  const after = offsetAt(shown + day, zone)
  const first = shown - before
  if (offsetAt(first, zone) === before) return first
  const second = shown - after
  return offsetAt(second, zone) === after ? second : first
}

/** `09:30` */
export const clockText = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map(part => String(part).padStart(2, '0')).join(':')

/** Minutes of `09:30`. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** From the beginning of a day to that of the next one, in a zone: 23 to 25 hours. */
export const spanOfDay = (day: Day, zone: string) => ({
  from: momentOf({ day, minutes: 0 }, zone),
  to: momentOf({ day: addDays(day, 1), minutes: 0 }, zone),
})
