import { useEffect, useState } from 'preact/hooks'
import { DATE_FORMATS, DATE_LOCALE } from '../../src/contract/date-format.ts'
import { relativeTime } from './age.ts'

const exactFormat = dateFormat('exact')
const dateOnly = dateFormat('date')

/** In the time zone of the reader, unless another is given. */
export function dateFormat(precision: keyof typeof DATE_FORMATS, timeZone?: 'UTC'): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(DATE_LOCALE, { ...DATE_FORMATS[precision], ...(timeZone && { timeZone }) })
}

/** `3 hr ago` below one week, then the date: after that, a number of days says less than the day. */
export const ago = (iso: string, now = Date.now()): string =>
  relativeTime(Date.parse(iso) - now) ?? dateOnly.format(new Date(iso))

const TICK_MS = 20_000
const ticking = new Set<() => void>()
setInterval(() => {
  for (const tick of ticking) tick()
}, TICK_MS)

/** Renders again from time to time, so that "just now" does not stay on a page that is left open. */
export function useTick(): void {
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
