const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const units = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', { ...units, second: 'numeric', hourCycle: 'h23', timeZone })
  formats.set(timeZone, format)
  return format
}

/** Returns what clocks in a time zone show, as if it were UTC. */
function localTime(timeZone: string, instant: number): number {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(
    unit => parts.get(unit as Intl.DateTimeFormatPartTypes) ?? 0,
  ) as [number, number, number, number, number, number]
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** When clocks in a time zone show a time; where they skip it, the time as far after the change. */
function instantOf(timeZone: string, local: number): number {
  const first = local - (localTime(timeZone, local) - local)
  return first - (localTime(timeZone, first) - local)
}

const startOfDay = (timeZone: string, instant: number): number =>
  Math.floor(localTime(timeZone, instant) / DAY_MS) * DAY_MS

/** When the day of an instant ends in a time zone. */
export const endOfDay = (timeZone: string, instant: number): number =>
  instantOf(timeZone, startOfDay(timeZone, instant) + DAY_MS)
