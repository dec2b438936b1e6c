import { addDays, type Day, weekdayOf } from '../../ui/parse-date.ts'
import { momentOf, spanOfDay, wallAt } from './zoned-time.ts'

/** A colleague who can interview: their weekly hours, and their other interviews. */
export interface Colleague {
  id: string
  name: string
  /** null: they have not chosen one */
  time_zone: string | null
  /** Monday first: the times of each day in minutes from midnight */
  hours: readonly (readonly (readonly [from: number, to: number])[])[]
  busy: readonly { interview_id: string; starts_at: string; ends_at: string }[]
}

/** Two moments in milliseconds. */
export interface Span {
  from: number
  to: number
}

export const overlaps = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to

/**
 * When a colleague works on a day of a zone. Their hours are those of their own zone, in which this day can be parts of two;
 * someone who has not chosen a zone works in that of the reader.
 */
export function workingSpans(person: Pick<Colleague, 'time_zone' | 'hours'>, day: Day, zone: string): Span[] {
  const own = person.time_zone ?? zone
  const shown = spanOfDay(day, zone)
  const spans = [-1, 0, 1]
    .flatMap(by => {
      const theirs = addDays(day, by)
      return (person.hours[weekdayOf(theirs)] ?? []).map(([begin, end]) => ({
        from: momentOf({ day: theirs, minutes: begin }, own),
        to: momentOf({ day: theirs, minutes: end }, own),
      }))
    })
    .filter(span => overlaps(span, shown))
    .map(span => ({ from: Math.max(span.from, shown.from), to: Math.min(span.to, shown.to) }))
    .toSorted((a, b) => a.from - b.from)
  return spans.reduce<Span[]>((joined, span) => {
    const last = joined.at(-1)
    if (last && last.to >= span.from) last.to = Math.max(last.to, span.to)
    else joined.push(span)
    return joined
  }, [])
}

/** Their interviews, without the one that is being moved. */
export const busySpans = (person: Pick<Colleague, 'busy'>, leftOut: string | undefined): Span[] =>
  person.busy
    .filter(({ interview_id }) => interview_id !== leftOut)
    .map(({ starts_at, ends_at }) => ({ from: Date.parse(starts_at), to: Date.parse(ends_at) }))

/** What speaks against a time; it is said, and does not forbid it. */
export interface Clash {
  name: string
  kind: 'overlap' | 'outside'
  at: number
}

export function clashesAt(
  people: readonly Colleague[],
  span: Span,
  { zone, leftOut }: { zone: string; leftOut: string | undefined },
): Clash[] {
  return people.flatMap((person): Clash[] => {
    const { name } = person
    const other = busySpans(person, leftOut).find(busy => overlaps(busy, span))
    if (other) return [{ name, kind: 'overlap', at: other.from }]
    const { day } = wallAt(span.from, zone)
    const works = workingSpans(person, day, zone).some(({ from, to }) => from <= span.from && span.to <= to)
    return works ? [] : [{ name, kind: 'outside', at: span.from }]
  })
}
