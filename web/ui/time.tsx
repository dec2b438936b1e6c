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
