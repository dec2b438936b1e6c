import { useEffect, useState } from 'preact/hooks'
import { DATE_FORMATS } from '../../src/contract/date-format.ts'
import { relativeTime } from './age.ts'
import { shown, whenLanguageChanges } from './language.ts'

type Precision = keyof typeof DATE_FORMATS

const formats = new Map<string, Intl.DateTimeFormat>()
whenLanguageChanges(() => formats.clear())

/** In the language and time zone of the reader, unless another zone is given. Call it while drawing: both may change. */
export function dateFormat(precision: Precision, timeZone = shown.timeZone): Intl.DateTimeFormat {
  const key = `${precision} ${timeZone}`
  const format = formats.get(key) ?? formatIn(shown.locale, precision, timeZone)
  formats.set(key, format)
  return format
}

const formatIn = (locale: string, precision: Precision, timeZone: string | undefined) =>
  new Intl.DateTimeFormat(locale, { ...DATE_FORMATS[precision], ...(timeZone && { timeZone }) })

/** `3 hr ago` below one week, then the date: after that, a number of days says less than the day. */
export const ago = (iso: string, now = Date.now()): string =>
  relativeTime(Date.parse(iso) - now) ?? dateFormat('date').format(new Date(iso))

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
export const exactTime = (iso: string): string => dateFormat('exact').format(new Date(iso))

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

/** A day such as `2026-11-20`, which has no time zone, in the language of the reader. */
export function formatDay(day: string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.DateTimeFormat(shown.locale, { ...options, timeZone: 'UTC' })
  formats.set(key, format)
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** The day of a moment in the time zone of the reader, as `2026-11-20`. */
export const dayOfReader = (at: Date): string =>
  // the form of Sweden is that of ISO 8601
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...(shown.timeZone && { timeZone: shown.timeZone }) }).format(
    at,
  )

export const todayOfReader = (): string => dayOfReader(new Date())
