import { DATE_FORMATS, DATE_LOCALE } from '../../contract/date-format.ts'
import { lazy } from '../async/lazy.ts'

// the first format of a process loads the data of its locale
const timeFormat = lazy(() => new Intl.DateTimeFormat(DATE_LOCALE, { ...DATE_FORMATS.time, timeZone: 'UTC' }))
const dateFormat = lazy(() => new Intl.DateTimeFormat(DATE_LOCALE, { ...DATE_FORMATS.date, timeZone: 'UTC' }))

/** `15 Nov 2026, 07:08 UTC` */
export const timeInWords = (iso: string): string => `${timeFormat().format(new Date(iso))} UTC`

/** `15 Nov 2026`, in UTC */
export const dateInWords = (iso: string): string => dateFormat().format(new Date(iso))

/** `15 Nov 2026`, in a time zone */
export const dateInZone = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(DATE_LOCALE, { ...DATE_FORMATS.date, timeZone })

/** Whether it is a name of the IANA database: an offset such as +01:00 has no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+){0,2}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat(DATE_LOCALE, { timeZone: name })
    return true
  } catch {
    return false
  }
}
