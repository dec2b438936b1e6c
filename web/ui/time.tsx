import { useEffect, useState } from 'preact/hooks'
import { DATE_FORMATS, DATE_LOCALE } from '../../src/contract/date-format.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const exactFormat = dateFormat('exact')
const dateOnly = dateFormat('date')

/** In the time zone of the reader, unless another is given. */
export function dateFormat(precision: keyof typeof DATE_FORMATS, timeZone?: 'UTC'): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(DATE_LOCALE, { ...DATE_FORMATS[precision], ...(timeZone && { timeZone }) })
}

/** `3 hr ago` below one week, then the date: after that, a number of days says less than the day. */
export function ago(iso: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now
  const size = Math.abs(ms)
  // without the points of abbreviations, which would end a sentence
  const words = (step: number, unit: 'minute' | 'hour' | 'day') =>
    relative.format(Math.round(ms / step), unit).replace('.', '')
  if (size < MINUTE) return ms <= 0 ? 'just now' : 'in a moment'
  if (size < HOUR) return words(MINUTE, 'minute')
  if (size < DAY) return words(HOUR, 'hour')
  if (size < 7 * DAY) return words(DAY, 'day')
  return dateOnly.format(new Date(iso))
}

const TICK_MS = 20_000
const ticking = new Set<() => void>()
setInterval(() => {
  for (const tick of ticking) tick()
}, TICK_MS)

/** Renders again from time to time, so that "just now" does not stay on a page that is left open. */
function useTick(): void {
  const [, draw] = useState(0)
  useEffect(() => {
    const tick = () => draw(n => n + 1)
    ticking.add(tick)
    return () => void ticking.delete(tick)
  }, [])
}

/** `15 Nov 2026, 07:08:12 UTC` */
export const exactTime = (iso: string): string => exactFormat.format(new Date(iso))

/** As `ago` says it; the exact time on hover. */
export function Time({ at, never = '–' }: { at: string | null; never?: string }) {
  useTick()
  if (at === null) return <span class="faint">{never}</span>
  return (
    <time dateTime={at} title={`${exactTime(at)} (${at})`}>
      {ago(at)}
    </time>
  )
}

export const ExactTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {exactTime(at)}
  </time>
)
