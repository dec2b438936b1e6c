import type { ComponentChildren, FormHTMLAttributes, Ref } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from './api.ts'
import type { ControlProps } from './control-props.ts'
import { Select } from './select.tsx'

interface FieldProps {
  label: string
  hint?: ComponentChildren
  fault?: string | undefined
  /** the control, given the attributes that tie it to its label, hint and fault */
  children: (control: ControlProps) => ComponentChildren
}

export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': fault ? true : undefined })}
      {hint && (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {fault && (
        <div class="fault" id={`${id}-fault`}>
          {fault}
        </div>
      )}
    </div>
  )
}

interface TextProps {
  label: string
  value: string
  onInput: (value: string) => void
  hint?: ComponentChildren
  fault?: string | undefined
  placeholder?: string
  required?: boolean
  maxLength?: number
  type?: 'text' | 'email' | 'number' | 'date' | 'datetime-local' | 'url' | 'password'
  rows?: number
  mono?: boolean
  autoComplete?: string
  /** has the cursor when its page or dialog opens */
  autofocus?: boolean
}

/** A character takes up to two of the UTF-16 units that browsers count. The server counts characters. */
const unitsOf = (characters: number | undefined) => (characters === undefined ? {} : { maxLength: 2 * characters })

/** One line of text, or with `rows` several. */
export function TextField({
  label,
  hint,
  fault,
  onInput,
  rows,
  mono,
  type = 'text',
  maxLength,
  autofocus,
  ...rest
}: TextProps) {
  const box = useRef<HTMLElement>(null)
  const mark = autofocus ? { 'data-autofocus': true } : {}
  useLayoutEffect(() => {
    // the code of a page may arrive after the frame has given the focus to the page
    if (autofocus) box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Field label={label} hint={hint} fault={fault}>
      {control =>
        rows ? (
          <textarea
            {...control}
            {...rest}
            {...mark}
            {...unitsOf(maxLength)}
            ref={box as { current: HTMLTextAreaElement | null }}
            rows={rows}
            class={mono ? 'mono' : undefined}
            spellcheck={false}
            onInput={event => onInput(event.currentTarget.value)}
          />
        ) : (
          <input
            {...control}
            {...rest}
            {...mark}
            {...unitsOf(maxLength)}
            ref={box as { current: HTMLInputElement | null }}
            type={type as 'text'}
            class={mono ? 'mono' : undefined}
            onInput={event => onInput(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}

interface SelectFieldProps<V extends string> {
  label: string
  value: V
  options: readonly (readonly [value: V, label: string])[]
  onInput: (value: V) => void
  hint?: ComponentChildren
  fault?: string | undefined
}

export const SelectField = <V extends string>({ label, value, options, onInput, hint, fault }: SelectFieldProps<V>) => (
  <Field label={label} hint={hint} fault={fault}>
    {control => <Select {...control} value={value} options={options} onInput={onInput} />}
  </Field>
)

interface SegmentsProps {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onInput: (value: string) => void
}

/** One of a few, all in sight. */
export const Segments = ({ label, value, options, onInput }: SegmentsProps) => (
  <fieldset class="segments" aria-label={label}>
    {options.map(([option, text]) => (
      <button key={option} type="button" aria-pressed={option === value} onClick={() => onInput(option)}>
        {text}
      </button>
    ))}
  </fieldset>
)

interface FormProps extends Omit<FormHTMLAttributes, 'onSubmit'> {
  element?: Ref<HTMLFormElement>
  onSubmit: () => void
}

/** A form that the page sends itself. */
export const Form = ({ element, onSubmit, ...form }: FormProps) => (
  <form
    {...form}
    ref={element ?? null}
    onSubmit={event => {
      event.preventDefault()
      onSubmit()
    }}
  />
)

/** A running change: whether it is in flight, and how it failed. */
export function useSubmit(): {
  busy: boolean
  error: ApiError | undefined
  fault: (param: string) => string | undefined
  submit: (work: () => Promise<void>) => Promise<void>
} {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const running = useRef(false)
  const submit = async (work: () => Promise<void>) => {
    // a second press while the first is on its way would do it twice
    if (running.current) return
    running.current = true
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  // faults of a list's items are shown at the list
  const fault = (param: string) => {
    const found = [...(error?.fields ?? [])].find(([name]) => name === param || name.startsWith(`${param}[`))
    return found && (found[0] === param ? found[1] : `Entry ${itemNumber(found[0])}: ${found[1]}`)
  }
  return { busy, error, fault, submit }
}

const itemNumber = (param: string) => Number(/\[(\d+)\]/.exec(param)?.[1] ?? 0) + 1

/** What a field for date and time holds, and what the address and the service are given. */
export const fromLocal = (text: string): string => (text === '' ? '' : new Date(text).toISOString())

export function toLocal(iso: string): string {
  const time = new Date(iso)
  if (iso === '' || Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
