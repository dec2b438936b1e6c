import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icons.tsx'
import { addDays, type Day, dayOf, weekdayOf } from './parse-date.ts'
import { stop } from './popover.tsx'
import { ui } from './texts/index.ts'
import { formatDay } from './time.tsx'

interface CalendarProps {
  value: Day | undefined
  today: Day
  min?: Day | undefined
  max?: Day | undefined
  /** the focus is moved into it */
  hasFocus: boolean
  onChoose: (day: Day) => void
}

const WEEK = [0, 1, 2, 3, 4, 5, 6] as const
/** A Monday, for the names of weekdays. */
const ANY_MONDAY = '2026-11-16'

const firstOf = (day: Day): Day => `${day.slice(0, 7)}-01`

function addMonths(day: Day, n: number): Day {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const months = year * 12 + month - 1 + n
  const [y, m] = [Math.floor(months / 12), (months % 12) + 1]
  // the last day where the month is shorter
  return dayOf(y, m, date) ?? dayOf(y, m, 30) ?? dayOf(y, m, 29) ?? dayOf(y, m, 28) ?? day
}

/** A month of days, from Monday. Arrows go by day and week, PageUp and PageDown by month. */
export function Calendar({ value, today, min, max, hasFocus, onChoose }: CalendarProps) {
  const [active, setActive] = useState<Day>(value ?? today)
  const grid = useRef<HTMLTableElement>(null)
  const wantsFocus = useRef(hasFocus)
  useLayoutEffect(() => setActive(value ?? today), [value])
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }, [active])

  const first = firstOf(active)
  const from = addDays(first, -weekdayOf(first))
  const go = (to: Day) => {
    wantsFocus.current = true
    setActive(to)
  }
  const isOutside = (day: Day) => (min !== undefined && day < min) || (max !== undefined && day > max)
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, Day>> = {
      ArrowLeft: addDays(active, -1),
      ArrowRight: addDays(active, 1),
      ArrowUp: addDays(active, -7),
      ArrowDown: addDays(active, 7),
      Home: addDays(active, -weekdayOf(active)),
      End: addDays(active, 6 - weekdayOf(active)),
      PageUp: addMonths(active, -1),
      PageDown: addMonths(active, 1),
    }
    const to = steps[event.key]
    if (to === undefined) return
    stop(event)
    go(to)
  }
  const turn = (months: number) => {
    wantsFocus.current = false
    setActive(addMonths(active, months))
  }
  return (
    <div class="calendar">
      <div class="calendar-head">
        <button type="button" class="icon-button" aria-label={ui.earlierMonth} onClick={() => turn(-1)}>
          <Icon name="back" size={14} />
        </button>
        <b aria-live="polite">{formatDay(first, { month: 'long', year: 'numeric' })}</b>
        <button type="button" class="icon-button turned" aria-label={ui.laterMonth} onClick={() => turn(1)}>
          <Icon name="back" size={14} />
        </button>
      </div>
      <table ref={grid} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {WEEK.map(n => {
              const day = addDays(ANY_MONDAY, n)
              return (
                <th key={n} scope="col" abbr={formatDay(day, { weekday: 'long' })}>
                  {formatDay(day, { weekday: 'short' }).slice(0, 2)}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {[0, 1, 2, 3, 4, 5].map(week => (
            <tr key={week}>
              {WEEK.map(n => {
                const day = addDays(from, week * 7 + n)
                const classes = [
                  day === value ? 'chosen' : '',
                  day === today ? 'today' : '',
                  day.slice(0, 7) === active.slice(0, 7) ? '' : 'other',
                ]
                return (
                  <td key={n}>
                    <button
                      type="button"
                      class={classes.filter(Boolean).join(' ')}
                      tabIndex={day === active ? 0 : -1}
                      aria-label={formatDay(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}
                      aria-current={day === today ? 'date' : undefined}
                      aria-pressed={day === value}
                      disabled={isOutside(day)}
                      onClick={() => onChoose(day)}
                    >
                      {Number(day.slice(8))}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
