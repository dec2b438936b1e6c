import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { Field } from './form.tsx'
import { Icon } from './icons.tsx'

interface TokensProps {
  label: string
  value: readonly string[]
  onInput: (value: string[]) => void
  hint?: ComponentChildren
  fault?: string | undefined
  placeholder?: string
  suggestions?: readonly string[]
  /** what ends an entry besides Enter; without it, entries can have commas */
  separator?: RegExp
}

/** Short texts, each of which is added with Enter and removed by a button. */
export function TokensField({ label, value, onInput, hint, fault, placeholder, suggestions, separator }: TokensProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const add = (typed: string) => {
    const parts = separator ? typed.split(separator) : typed.split('\n')
    const next = [...value]
    for (const part of parts.map(one => one.trim())) if (part !== '' && !next.includes(part)) next.push(part)
    setText('')
    if (next.length > value.length) onInput(next)
  }
  const remove = (entry: string) => {
    onInput(value.filter(other => other !== entry))
    input.current?.focus()
  }
  return (
    <Field label={label} hint={hint} fault={fault}>
      {control => (
        <div class="tokens">
          {value.length > 0 && (
            <ul aria-label={label}>
              {value.map(entry => (
                <li key={entry}>
                  {entry}
                  <button type="button" aria-label={`Remove ${entry}`} onClick={() => remove(entry)}>
                    <Icon name="close" size={12} />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <input
            {...control}
            ref={input}
            value={text}
            list={suggestions && list}
            placeholder={placeholder}
            autoComplete="off"
            onInput={event => {
              const typed = event.currentTarget.value
              // one that was typed letter by letter may go on
              const isChosen = !(event instanceof InputEvent) || event.inputType === 'insertReplacementText'
              if (separator?.test(typed) || (isChosen && suggestions?.includes(typed))) add(typed)
              else setText(typed)
            }}
            onKeyDown={event => {
              if (event.key === 'Enter' && !event.isComposing) {
                // the form is not sent by the end of an entry
                event.preventDefault()
                add(text)
              } else if (event.key === 'Backspace' && text === '' && value.length > 0) onInput(value.slice(0, -1))
            }}
            onPaste={event => {
              const pasted = event.clipboardData?.getData('text') ?? ''
              if (!pasted.includes('\n')) return
              event.preventDefault()
              add(pasted.replaceAll('\n', separator ? ',' : '\n'))
            }}
            onBlur={() => add(text)}
          />
          {suggestions && (
            <datalist id={list}>
              {suggestions
                .filter(one => !value.includes(one))
                .map(one => (
                  <option key={one} value={one} />
                ))}
            </datalist>
          )}
        </div>
      )}
    </Field>
  )
}
