import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { fromLocal, TextField, toLocal } from './form.tsx'
import { ui } from './texts/index.ts'

interface FiltersProps<N extends string> {
  values: Readonly<Record<N, string>>
  set: (changes: Partial<Record<N, string>>) => void
  children: ComponentChildren
}

/** What a list is narrowed by. On narrow screens it is folded up, so that the list begins on the first screen. */
export function Filters<N extends string>({ values, set, children }: FiltersProps<N>) {
  const names = Object.keys(values) as N[]
  const used = names.filter(name => values[name] !== '').length
  const [open, setOpen] = useState(used > 0)
  return (
    <div class={open ? 'toolbar filters open' : 'toolbar filters'}>
      <div class="filters-toggle">
        <button type="button" class="button secondary" aria-expanded={open} onClick={() => setOpen(!open)}>
          {ui.filters(used)}
        </button>
      </div>
      {children}
      {used > 0 && (
        <Button onClick={() => set(Object.fromEntries(names.map(name => [name, ''])) as Record<N, string>)}>
          {ui.clear}
        </Button>
      )}
    </div>
  )
}

const PAUSE_MS = 350

interface FilterTextProps {
  label: string
  value: string
  onInput: (value: string) => void
  placeholder: string
  /** words, not an identifier */
  words?: boolean
}

/** An identifier or words to look for: taken over when the typing pauses, since half of one finds nothing. */
export function FilterText({ label, value, onInput, placeholder, words }: FilterTextProps) {
  const [text, setText] = useState(value)
  const given = useRef(value)
  useEffect(() => {
    // changed elsewhere, as by Clear or the back button; what was typed here is there already
    if (value !== given.current) setText(value)
    given.current = value
  }, [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => {
      given.current = text.trim()
      onInput(given.current)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value, onInput])
  return (
    <TextField
      label={label}
      value={text}
      onInput={setText}
      placeholder={placeholder}
      autoComplete="off"
      mono={!words}
    />
  )
}

interface SpanProps {
  after: string
  before: string
  onInput: (changes: { after?: string; before?: string }) => void
}

/** From when to when, in the reader's own time; in the address in that of the service. */
export const FilterSpan = ({ after, before, onInput }: SpanProps) => (
  <div class="span-fields">
    <TextField
      label="After"
      type="datetime-local"
      value={toLocal(after)}
      onInput={time => onInput({ after: fromLocal(time) })}
    />
    <TextField
      label="Before"
      type="datetime-local"
      value={toLocal(before)}
      onInput={time => onInput({ before: fromLocal(time) })}
    />
  </div>
)

/** For lists that are asked for by the time when something was created. */
export const createdWithin =
  (set: (changed: { created_after?: string; created_before?: string }) => void): SpanProps['onInput'] =>
  ({ after, before }) =>
    set({
      ...(after === undefined ? {} : { created_after: after }),
      ...(before === undefined ? {} : { created_before: before }),
    })
