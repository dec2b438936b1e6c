import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { addDays, type Day } from '../../ui/parse-date.ts'
import { stop } from '../../ui/popover.tsx'
import { formatDay } from '../../ui/time.tsx'
import { t } from '../texts/index.ts'
import { busySpans, type Colleague, overlaps, type Span, workingSpans } from './availability.ts'
import { formatClock } from './words.ts'
import { clockText, DAY_MINUTES, momentOf, spanOfDay, wallAt } from './zoned-time.ts'

const STEP_MINUTES = 30
const MINUTE_MS = 60_000
/** Shown where no one works longer. */
const FIRST_HOUR = 8
const LAST_HOUR = 18

interface DayGridProps {
  day: Day
  zone: string
  minutes: number
  people: readonly Colleague[]
  /** the interview that is being moved: its own time is free */
  leftOut: string | undefined
  /** moments that are planned */
  chosen: readonly number[]
  many: boolean
  isAllowed: (at: number) => boolean
  onPick: (at: number) => void
  onDay: (day: Day) => void
}

/** One day of the people: their hours, their other interviews, and the times that can be planned. */
export function DayGrid(props: DayGridProps) {
  const { day, zone, minutes, people, leftOut, chosen, onDay } = props
  const range = buildRange(props)
  const here = chosen.map(from => ({ from, to: from + minutes * MINUTE_MS })).filter(span => overlaps(span, range.span))
  return (
    <section class="day-grid" aria-label={t.interviews.grid}>
      <div class="day-grid-head">
        <button
          type="button"
          class="icon-button"
          aria-label={t.interviews.earlierDay}
          onClick={() => onDay(addDays(day, -1))}
        >
          <Icon name="back" size={14} />
        </button>
        <b aria-live="polite">{formatDay(day, { weekday: 'long', day: 'numeric', month: 'short' })}</b>
        <button
          type="button"
          class="icon-button turned"
          aria-label={t.interviews.laterDay}
          onClick={() => onDay(addDays(day, 1))}
        >
          <Icon name="back" size={14} />
        </button>
        <span class="faint">{zone.replaceAll('_', ' ')}</span>
      </div>
      <div class="day-grid-scroll">
        <Hours range={range} />
        <Slots {...props} range={range} />
        {people.map(person => (
          <PersonRow
            key={person.id}
            name={person.name}
            range={range}
            working={workingSpans(person, day, zone)}
            busy={busySpans(person, leftOut).filter(span => overlaps(span, range.span))}
            chosen={here}
            zone={zone}
          />
        ))}
      </div>
      {people.length === 0 && <p class="hint">{t.interviews.noPeople}</p>}
    </section>
  )
}

interface Range {
  /** minutes of the day */
  first: number
  last: number
  span: Span
  /** where a moment is, as a part of the width */
  at: (ms: number) => number
}

/** From the first to the last hour in which anyone works or anything is planned. */
function buildRange({ day, zone, people, leftOut, chosen, minutes }: DayGridProps): Range {
  const whole = spanOfDay(day, zone)
  const spans = [
    ...people.flatMap(person => [...workingSpans(person, day, zone), ...busySpans(person, leftOut)]),
    ...chosen.map(from => ({ from, to: from + minutes * MINUTE_MS })),
  ].filter(span => overlaps(span, whole))
  const minuteOf = (ms: number) => {
    const wall = wallAt(ms, zone)
    return wall.day < day ? 0 : wall.day > day ? DAY_MINUTES : wall.minutes
  }
  const first = Math.min(FIRST_HOUR * 60, ...spans.map(({ from }) => minuteOf(from)))
  const last = Math.max(LAST_HOUR * 60, ...spans.map(({ to }) => minuteOf(to)))
  const [from, to] = [Math.floor(first / 60) * 60, Math.ceil(last / 60) * 60]
  const at = (ms: number) => Math.max(0, Math.min(1, (minuteOf(ms) - from) / (to - from)))
  return {
    first: from,
    last: to,
    span: { from: momentOf({ day, minutes: from }, zone), to: momentOf({ day, minutes: to }, zone) },
    at,
  }
}

const steps = ({ first, last }: Range, by: number): number[] =>
  Array.from({ length: Math.ceil((last - first) / by) }, (_, n) => first + n * by)

const Hours = ({ range }: { range: Range }) => (
  <div class="grid-row grid-hours" aria-hidden="true">
    <span />
    <div class="grid-track">
      {steps(range, 120).map(minute => (
        <span key={minute} style={{ left: percent((minute - range.first) / (range.last - range.first)) }}>
          {clockText(minute)}
        </span>
      ))}
    </div>
  </div>
)

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`

const barStyle = (range: Range, { from, to }: Span) => ({
  left: percent(range.at(from)),
  width: percent(range.at(to) - range.at(from)),
})

/** Half hours to begin at; arrows go through them, Enter and Space choose. */
function Slots({ day, zone, minutes, people, leftOut, chosen, many, isAllowed, onPick, range }: SlotsProps) {
  const id = useId()
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const slots = steps(range, STEP_MINUTES).map(minute => momentOf({ day, minutes: minute }, zone))
  const at = Math.min(active, slots.length - 1)
  useLayoutEffect(() => {
    const first = slots.findIndex(slot => chosen.includes(slot))
    setActive(first === -1 ? Math.max(0, slots.findIndex(isAllowed)) : first)
  }, [day, range.first])
  const pick = (slot: number | undefined) => {
    if (slot !== undefined && isAllowed(slot)) onPick(slot)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: slots.length - 1 }[event.key]
    if (to !== undefined) setActive(Math.max(0, Math.min(slots.length - 1, to)))
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === ' ') pick(slots[at])
    else return
    stop(event)
  }
  return (
    <div class="grid-row">
      <span class="faint">{t.interviews.time}</span>
      <div
        ref={list}
        class="grid-track grid-slots"
        role="listbox"
        tabIndex={0}
        aria-label={t.interviews.slots}
        aria-multiselectable={many}
        aria-activedescendant={`${id}-${at}`}
        onKeyDown={onKeyDown}
      >
        {slots.map((slot, n) => {
          const span = { from: slot, to: slot + minutes * MINUTE_MS }
          const taken = people.filter(person => busySpans(person, leftOut).some(busy => overlaps(busy, span)))
          const words = [
            formatClock(slot, zone),
            ...(isAllowed(slot) ? [] : [t.interviews.past]),
            ...(taken.length > 0 ? [t.interviews.taken(taken.map(({ name }) => name).join(', '))] : []),
          ].join(', ')
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the active option
            <div
              key={slot}
              id={`${id}-${n}`}
              role="option"
              class={[n === at ? 'active' : '', taken.length > 0 ? 'taken' : ''].filter(Boolean).join(' ')}
              aria-selected={chosen.includes(slot)}
              aria-disabled={!isAllowed(slot)}
              aria-label={words}
              title={words}
              data-time={formatClock(slot, zone)}
              onClick={() => {
                setActive(n)
                pick(slot)
              }}
            />
          )
        })}
      </div>
    </div>
  )
}

interface SlotsProps extends DayGridProps {
  range: Range
}

interface PersonRowProps {
  name: string
  range: Range
  working: readonly Span[]
  busy: readonly Span[]
  chosen: readonly Span[]
  zone: string
}

function PersonRow({ name, range, working, busy, chosen, zone }: PersonRowProps) {
  const timesOf = (spans: readonly Span[]) =>
    spans.map(({ from, to }) => `${formatClock(from, zone)}–${formatClock(to, zone)}`).join(', ')
  const words = [
    working.length > 0 ? t.interviews.working(timesOf(working)) : t.interviews.notWorking,
    ...(busy.length > 0 ? [t.interviews.busyAt(timesOf(busy))] : []),
  ].join('; ')
  return (
    <div class="grid-row">
      <span class="grid-name" title={name}>
        {name}
      </span>
      <div class="grid-track" role="img" aria-label={`${name}: ${words}`} title={words}>
        {working.map(span => (
          <span key={`w${span.from}`} class="grid-working" style={barStyle(range, span)} />
        ))}
        {busy.map(span => (
          <span key={`b${span.from}`} class="grid-busy" style={barStyle(range, span)} />
        ))}
        {chosen.map(span => (
          <span key={`c${span.from}`} class="grid-chosen" style={barStyle(range, span)} />
        ))}
      </div>
    </div>
  )
}
