import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Calendar } from './calendar.tsx'
import { Field } from './form.tsx'
import { Icon } from './icons.tsx'
import { type Day, parseDate, parseTime } from './parse-date.ts'
import { Popover, stop } from './popover.tsx'
import { Choice, isCoarse, Select } from './select.tsx'
import { ui } from './texts/index.ts'
import { formatDay, todayOfReader } from './time.tsx'

interface DateFieldProps {
  label: string
  /** `2026-11-20`, or empty */
  value: Day
  /** empty for what is no date */
  onInput: (day: Day) => void
  min?: Day | undefined
  max?: Day | undefined
  /** dates without a year lie behind today, as in a filter */
  isPast?: boolean
  hint?: ComponentChildren
  fault?: string | undefined
  required?: boolean
  autofocus?: boolean
}

const shownDay = (day: Day) => (day === '' ? '' : formatDay(day, { day: 'numeric', month: 'short', year: 'numeric' }))

/** A day, typed as people write it or chosen from a calendar. */
export function DateField(props: DateFieldProps) {
  const { label, value, onInput, min, max, isPast = false, hint, fault, required, autofocus } = props
  const field = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(shownDay(value))
  const [isWrong, setWrong] = useState(false)
  /** with the focus in it, or next to a field that is written in */
  const [open, setOpen] = useState<'shown' | 'entered'>()
  useEffect(() => {
    // what is being typed is not rewritten
    if (document.activeElement !== field.current) setText(shownDay(value))
    if (value !== '') setWrong(false)
  }, [value])

  if (isCoarse()) {
    return (
      <Field label={label} hint={hint} fault={fault}>
        {control => (
          <input
            {...control}
            type="date"
            required={required}
            min={min}
            max={max}
            value={value}
            onInput={event => onInput(event.currentTarget.value)}
          />
        )}
      </Field>
    )
  }

  const today = todayOfReader()
  const read = (typed: string): Day | undefined => {
    const day = parseDate(typed, today, { past: isPast })
    return day !== undefined && (min === undefined || day >= min) && (max === undefined || day <= max) ? day : undefined
  }
  const settle = () => {
    const day = read(text)
    const isUnchanged = text === shownDay(value)
    setWrong(day === undefined && text.trim() !== '' && !isUnchanged)
    if (day !== undefined && !isUnchanged) setText(shownDay(day))
  }
  // a form is not sent as if there were no date
  const isUnreadable = text.trim() !== '' && text !== shownDay(value) && read(text) === undefined
  useEffect(() => field.current?.setCustomValidity(isUnreadable ? ui.noDate : ''), [isUnreadable])
  const close = (refocus: boolean) => {
    setOpen(undefined)
    if (refocus) field.current?.focus({ preventScroll: true })
  }
  return (
    <Field label={label} hint={hint} fault={fault ?? (isWrong ? ui.noDate : undefined)}>
      {control => (
        <div class="with-button" ref={frame}>
          <input
            {...control}
            ref={field}
            type="text"
            autoComplete="off"
            spellcheck={false}
            required={required}
            placeholder={ui.datePlaceholder}
            value={text}
            {...(autofocus ? { 'data-autofocus': true } : {})}
            onInput={({ currentTarget: { value: typed } }) => {
              setText(typed)
              setWrong(false)
              const day = read(typed) ?? ''
              if (day !== value) onInput(day)
            }}
            onBlur={settle}
            onKeyDown={event => {
              if (event.key === 'ArrowDown') {
                stop(event)
                setOpen('entered')
              } else if (event.key === 'Escape' && open) {
                stop(event)
                close(false)
              } else if (event.key === 'Enter') settle()
            }}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={`${ui.openCalendar}: ${label}`}
            aria-haspopup="dialog"
            aria-expanded={open !== undefined}
            tabIndex={-1}
            onClick={() => setOpen(open ? undefined : 'entered')}
          >
            <Icon name="calendar" size={16} />
          </button>
          {open && frame.current && (
            <Popover anchor={frame.current} onClose={close} class="calendar-box">
              <Calendar
                value={value || undefined}
                today={today}
                min={min}
                max={max}
                hasFocus={open === 'entered'}
                onChoose={day => {
                  onInput(day)
                  setText(shownDay(day))
                  setWrong(false)
                  close(true)
                }}
              />
            </Popover>
          )}
        </div>
      )}
    </Field>
  )
}

interface TimeFieldProps {
  label: string
  /** `09:30`, or empty */
  value: string
  /** empty for what is no time */
  onInput: (time: string) => void
  hint?: ComponentChildren
  fault?: string | undefined
  required?: boolean
}

const QUARTERS: readonly string[] = Array.from({ length: 96 }, (_, n) =>
  [Math.floor(n / 4), (n % 4) * 15].map(part => String(part).padStart(2, '0')).join(':'),
)
const WORKDAY_BEGINS = 36

/** A time of the day, typed or chosen from a list of quarters of an hour. */
export function TimeField({ label, value, onInput, hint, fault, required }: TimeFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [isWrong, setWrong] = useState(false)
  const [active, setActive] = useState<number>()
  useEffect(() => {
    if (document.activeElement !== field.current || parseTime(text) !== value) setText(value)
  }, [value])

  const show = () => {
    const after = QUARTERS.findIndex(time => time >= value)
    setActive(value === '' ? WORKDAY_BEGINS : Math.max(0, after))
  }
  const choose = (time: string | undefined) => {
    setActive(undefined)
    if (time === undefined) return
    setText(time)
    setWrong(false)
    onInput(time)
  }
  const settle = () => {
    const time = parseTime(text)
    setWrong(time === undefined && text.trim() !== '')
    if (time !== undefined) setText(time)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (active === undefined) {
      if (event.key === 'Enter') settle()
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      show()
    } else if (event.key === 'ArrowDown') setActive(Math.min(QUARTERS.length - 1, active + 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(0, active - 1))
    else if (event.key === 'Enter') choose(QUARTERS[active])
    else if (event.key === 'Escape') setActive(undefined)
    else return
    stop(event)
  }
  return (
    <Field label={label} hint={hint} fault={fault ?? (isWrong ? ui.noTime : undefined)}>
      {control => (
        <>
          <input
            {...control}
            ref={field}
            class="time-input"
            type="text"
            role="combobox"
            aria-expanded={active !== undefined}
            aria-controls={active === undefined ? undefined : `${control.id}-list`}
            aria-activedescendant={active === undefined ? undefined : `${control.id}-list-${active}`}
            autoComplete="off"
            required={required}
            placeholder="9:30"
            value={text}
            onClick={show}
            onInput={({ currentTarget: { value: typed } }) => {
              setText(typed)
              setWrong(false)
              setActive(undefined)
              const time = parseTime(typed) ?? ''
              if (time !== value) onInput(time)
            }}
            onBlur={() => {
              setActive(undefined)
              settle()
            }}
            onKeyDown={onKeyDown}
          />
          {active !== undefined && field.current && (
            <Popover anchor={field.current} isAsWide class="select-list" onClose={() => setActive(undefined)}>
              <div id={`${control.id}-list`} role="listbox" aria-label={label}>
                {QUARTERS.map((time, n) => (
                  <Choice
                    key={time}
                    id={`${control.id}-list-${n}`}
                    option={[time, time]}
                    isActive={n === active}
                    isChosen={time === value}
                    onPoint={() => undefined}
                    onChoose={() => choose(time)}
                  />
                ))}
              </div>
            </Popover>
          )}
        </>
      )}
    </Field>
  )
}

interface ZoneFieldProps {
  label: string
  /** an IANA name; empty where `none` is an option */
  value: string
  onInput: (zone: string) => void
  /** what it says for no zone */
  none?: string
  hint?: ComponentChildren
  fault?: string | undefined
}

/** A time zone, found by a part of its name. */
export function ZoneField({ label, value, onInput, none, hint, fault }: ZoneFieldProps) {
  const known = Intl.supportedValuesOf('timeZone')
  const zones = value === '' || known.includes(value) ? known : [value, ...known]
  const options = zones.map(zone => [zone, zone.replaceAll('_', ' ')] as const)
  return (
    <Field label={label} hint={hint} fault={fault}>
      {control => (
        <Select
          {...control}
          value={value}
          options={none === undefined ? options : [['', none] as const, ...options]}
          onInput={onInput}
        />
      )}
    </Field>
  )
}
