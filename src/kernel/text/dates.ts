import { DATE_FORMATS, DATE_LOCALE } from '../../contract/date-format.ts'
import { lazy } from '../async/lazy.ts'

// the first format of a process loads the data of its locale
const timeFormat = lazy(() => new Intl.DateTimeFormat(DATE_LOCALE, { ...DATE_FORMATS.time, timeZone: 'UTC' }))
const dateFormat = lazy(() => new Intl.DateTimeFormat(DATE_LOCALE, { ...DATE_FORMATS.date, timeZone: 'UTC' }))

/** `15 Nov 2026, 07:08 UTC` */
export const timeInWords = (iso: string): string => `${timeFormat().format(new Date(iso))} UTC`

/** `15 Nov 2026`, in UTC */
export const dateInWords = (iso: string): string => dateFormat().format(new Date(iso))
