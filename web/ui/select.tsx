import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ControlProps } from './control-props.ts'
import { Icon } from './icons.tsx'
import { Popover, stop } from './popover.tsx'
import { ui } from './texts/index.ts'

type Option<V extends string> = readonly [value: V, label: string]

export interface SelectProps<V extends string> extends Partial<ControlProps> {
  value: V
  options: readonly Option<V>[]
  onInput: (value: V) => void
  /** for one without a label that is drawn */
  label?: string
  disabled?: boolean
  small?: boolean
  class?: string
}

/** From so many options on they can be filtered. */
const FILTERED_FROM = 9
const TYPE_AHEAD_MS = 700

/** A finger scrolls the list of the system better than ours. */
export const isCoarse = (): boolean => matchMedia('(pointer: coarse)').matches

const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}_/]/gu, ' ')

/** One of several: a button with its list. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { value, options, onInput, label, small, class: name, disabled, ...control } = props
  const classes = ['select', small ? 'small' : '', name ?? ''].filter(Boolean).join(' ')
  if (isCoarse()) {
    return (
      <select
        {...control}
        class={classes}
        aria-label={label}
        disabled={disabled}
        value={value}
        onInput={event => onInput(event.currentTarget.value as V)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    )
  }
  return <ListSelect {...props} class={classes} />
}

function ListSelect<V extends string>({ value, options, onInput, label, class: name, ...rest }: SelectProps<V>) {
  const { small: _, disabled, ...control } = rest
  const button = useRef<HTMLButtonElement>(null)
  const list = useId()
  const [open, setOpen] = useState(false)
  const [filter, setFilter] = useState('')
  const [active, setActive] = useState(0)
  const typed = useRef({ text: '', at: 0 })
  const hasFilter = options.length >= FILTERED_FROM
  const found = useMemo(() => {
    const words = fold(filter).split(' ').filter(Boolean)
    return options.filter(([, text]) => words.every(word => fold(text).includes(word)))
  }, [options, filter])
  const chosen = options.find(([option]) => option === value)

  const show = () => {
    setFilter('')
    setActive(
      Math.max(
        0,
        options.findIndex(([option]) => option === value),
      ),
    )
    setOpen(true)
  }
  const close = (refocus: boolean) => {
    setOpen(false)
    if (refocus) button.current?.focus({ preventScroll: true })
  }
  const choose = (option: Option<V> | undefined) => {
    if (!option) return
    close(true)
    if (option[0] !== value) onInput(option[0])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!open) {
      if (!['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(event.key) && !isText) return
      stop(event)
      show()
      if (isText && event.key !== ' ') typeAhead(event.key)
      return
    }
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 8, PageUp: active - 8 }[event.key]
    if (to !== undefined) setActive(Math.max(0, Math.min(found.length - 1, to)))
    else if (event.key === 'Home' && !hasFilter) setActive(0)
    else if (event.key === 'End' && !hasFilter) setActive(found.length - 1)
    else if (event.key === 'Enter' || (event.key === ' ' && !hasFilter)) choose(found[active])
    else if (event.key === 'Escape') close(true)
    else if (event.key === 'Tab') return close(false)
    else if (isText && !hasFilter) typeAhead(event.key)
    // keys of the page do not act on what is below the list; text goes to the filter field
    else return event.stopPropagation()
    stop(event)
  }
  /** The next option that begins with what was typed within a moment. */
  const typeAhead = (key: string) => {
    const now = performance.now()
    const before = now - typed.current.at < TYPE_AHEAD_MS ? typed.current.text : ''
    typed.current = { text: before + fold(key), at: now }
    if (hasFilter) return setFilter(typed.current.text)
    const at = options.findIndex(([, text]) => fold(text).startsWith(typed.current.text))
    if (at !== -1) setActive(at)
  }

  return (
    <>
      <button
        {...control}
        ref={button}
        type="button"
        class={name}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-activedescendant={open && !hasFilter ? `${list}-${active}` : undefined}
        aria-label={label}
        disabled={disabled}
        data-value={value}
        onClick={() => (open ? close(false) : show())}
        onKeyDown={onKeyDown}
      >
        <span>{chosen?.[1] ?? ui.choose}</span>
        <Icon name="down" size={14} />
      </button>
      {open && button.current && (
        <Popover anchor={button.current} isAsWide class="select-list" onClose={close}>
          {hasFilter && (
            <FilterField
              list={list}
              active={active}
              value={filter}
              onInput={text => {
                setFilter(text)
                setActive(0)
              }}
              onKeyDown={onKeyDown}
            />
          )}
          <div id={list} role="listbox" aria-label={label ?? ui.choose}>
            {found.map((option, n) => (
              <Choice
                key={option[0]}
                id={`${list}-${n}`}
                option={option}
                isActive={n === active}
                isChosen={option[0] === value}
                onPoint={() => setActive(n)}
                onChoose={() => choose(option)}
              />
            ))}
          </div>
          {found.length === 0 && <p class="select-none">{ui.noOption}</p>}
        </Popover>
      )}
    </>
  )
}

interface FilterFieldProps {
  list: string
  active: number
  value: string
  onInput: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function FilterField({ list, active, value, onInput, onKeyDown }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), [])
  return (
    <input
      ref={field}
      type="text"
      role="combobox"
      aria-expanded="true"
      aria-controls={list}
      aria-activedescendant={`${list}-${active}`}
      aria-label={ui.filterOptions}
      placeholder={ui.filterOptions}
      autoComplete="off"
      spellcheck={false}
      value={value}
      onInput={event => {
        // it filters, and is no field of a form around it
        event.stopPropagation()
        onInput(event.currentTarget.value)
      }}
      onKeyDown={onKeyDown}
    />
  )
}

interface ChoiceProps {
  id: string
  option: Option<string>
  isActive: boolean
  isChosen: boolean
  onPoint: () => void
  onChoose: () => void
}

export function Choice({ id, option: [value, text], isActive, isChosen, onPoint, onChoose }: ChoiceProps) {
  const item = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isActive) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field that has the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the field, which names the active option
    <div
      ref={item}
      id={id}
      role="option"
      class={isActive ? 'active' : undefined}
      aria-selected={isChosen}
      data-value={value}
      onPointerMove={onPoint}
      // the field keeps the focus
      onPointerDown={event => event.preventDefault()}
      onClick={onChoose}
    >
      <span>{text}</span>
      {isChosen && <Icon name="check" size={14} />}
    </div>
  )
}
