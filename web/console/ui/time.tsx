import { useEffect, useState } from 'preact/hooks'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const exact = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})
const dayOnly = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

export function ago(iso: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now
  const size = Math.abs(ms)
  // without the points of abbreviations, which would end a sentence
  const words = (step: number, unit: 'minute' | 'hour' | 'day') =>
    relative.format(Math.round(ms / step), unit).replace('.', '')
  if (size < MINUTE) return ms <= 0 ? 'just now' : 'in a moment'
  if (size < HOUR) return words(MINUTE, 'minute')
  if (size < DAY) return words(HOUR, 'hour')
  if (size < 30 * DAY) return words(DAY, 'day')
  return dayOnly.format(new Date(iso))
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

/** A relative time; the exact one on hover. */
export function Time({ at, never = '–' }: { at: string | null; never?: string }) {
  useTick()
  if (at === null) return <span class="faint">{never}</span>
  return (
    <time dateTime={at} title={`${exact.format(new Date(at))} (${at})`}>
      {ago(at)}
    </time>
  )
}

export const ExactTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {exact.format(new Date(at))}
  </time>
)
