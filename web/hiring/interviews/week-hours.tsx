import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { ZoneField } from '../../ui/date-field.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { Select } from '../../ui/select.tsx'
import { formatDay } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send } from '../api.ts'
import { t } from '../texts/index.ts'
import { readerZone } from './plan.ts'
import { clockText, DAY_MINUTES, minutesOf } from './zoned-time.ts'
import '../css/interviews.css'

type Saved = Read<'/member-hours'>
type Week = Saved['hours']
type Span = Week[number][number]

/** Any Monday: the week is drawn with the names of its days. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000
const dayName = (n: number): string =>
  formatDay(new Date(MONDAY + n * DAY_MS).toISOString().slice(0, 10), { weekday: 'long' })

const MORNING: Span = [9 * 60, 17 * 60]
const AFTERNOON_MINUTES = 4 * 60
const MAX_SPANS = 6
const STEP = 15

/** The span that a press on + adds: a working day, or some hours after the last span. */
function spanAfter(spans: readonly Span[]): Span | undefined {
  const last = spans.at(-1)?.[1]
  if (last === undefined) return MORNING
  const from = last + 60
  return from < DAY_MINUTES && spans.length < MAX_SPANS
    ? [from, Math.min(DAY_MINUTES, from + AFTERNOON_MINUTES)]
    : undefined
}

/** Each span ends after it begins, and begins after the one before. */
const isInOrder = (week: Week): boolean =>
  week.every(spans => spans.every(([from, to], i) => from < to && from > (spans[i - 1]?.[1] ?? -1)))

/** When colleagues can plan interviews with a member, for each day of the week. */
export function WeekHours({ saved }: { saved: Saved }) {
  const zoneOf = ({ time_zone }: Saved) => time_zone ?? readerZone()
  const [zone, setZone] = useState(() => zoneOf(saved))
  const [week, setWeek] = useState(saved.hours)
  const [stored, setStored] = useState({ zone, week })
  const { busy, error, fault, submit } = useSubmit()
  useEffect(() => {
    setZone(zoneOf(saved))
    setWeek(saved.hours)
    setStored({ zone: zoneOf(saved), week: saved.hours })
  }, [saved])
  const isChanged = zone !== stored.zone || JSON.stringify(week) !== JSON.stringify(stored.week)
  const isWrong = !isInOrder(week)
  useLeaveGuard(isChanged && ENTERED)
  const setDay = (day: number, spans: Week[number]) => setWeek(week.map((one, i) => (i === day ? spans : one)))
  const save = () =>
    submit(async () => {
      await send('/member-hours', { time_zone: zone, hours: week.map(day => day.map(([from, to]) => [from, to])) })
      setStored({ zone, week })
      toast(t.interviews.hoursSaved)
    })
  return (
    <Form class="panel narrow" onSubmit={save} aria-labelledby="week-hours">
      <h2 id="week-hours">{t.interviews.hours}</h2>
      <p class="soft">{t.interviews.hoursMeaning}</p>
      <ul class="week-hours">
        {week.map((spans, day) => (
          <DayHours key={dayName(day)} name={dayName(day)} spans={spans} onChange={to => setDay(day, to)} />
        ))}
      </ul>
      {isWrong && (
        <p class="fault" role="alert">
          {t.interviews.hoursFault}
        </p>
      )}
      <ZoneField label={t.interviews.hoursZone} value={zone} onInput={setZone} fault={fault('time_zone')} />
      <FormError error={error} marked />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!isChanged || isWrong}>
          {t.interviews.saveHours}
        </Button>
      </div>
    </Form>
  )
}

interface DayProps {
  name: string
  spans: readonly Span[]
  onChange: (spans: Span[]) => void
}

function DayHours({ name, spans, onChange }: DayProps) {
  const added = spanAfter(spans)
  const replace = (at: number, span: Span) => onChange(spans.map((one, i) => (i === at ? span : one)))
  return (
    <li>
      <span>{name}</span>
      <div class="spans">
        {spans.length === 0 && <span class="faint">{t.interviews.notOn}</span>}
        {spans.map(([from, to], i) => (
          <div key={i} class="span">
            <ClockSelect label={t.interviews.from(name)} value={from} onInput={value => replace(i, [value, to])} />
            {t.interviews.to}
            <ClockSelect label={t.interviews.until(name)} value={to} onInput={value => replace(i, [from, value])} />
            <button
              type="button"
              class="icon-button"
              aria-label={t.interviews.removeHours(name)}
              title={t.interviews.removeHours(name)}
              onClick={() => onChange(spans.filter((_, other) => other !== i))}
            >
              <Icon name="close" size={16} />
            </button>
          </div>
        ))}
      </div>
      {added && (
        <button
          type="button"
          class="icon-button"
          aria-label={t.interviews.addHours(name)}
          title={t.interviews.addHours(name)}
          onClick={() => onChange([...spans, added])}
        >
          <Icon name="plus" size={16} />
        </button>
      )}
    </li>
  )
}

interface ClockProps {
  label: string
  /** minutes from midnight, up to 24:00 */
  value: number
  onInput: (minutes: number) => void
}

function ClockSelect({ label, value, onInput }: ClockProps) {
  const quarters = Array.from({ length: DAY_MINUTES / STEP + 1 }, (_, n) => n * STEP)
  const shown = quarters.includes(value) ? quarters : [...quarters, value].sort((a, b) => a - b)
  return (
    <Select
      small
      label={label}
      value={clockText(value)}
      options={shown.map(minutes => [clockText(minutes), clockText(minutes)] as const)}
      onInput={time => onInput(minutesOf(time))}
    />
  )
}
