import { useRef } from 'preact/hooks'

interface DigitScaleProps {
  label: string
  /** 1 to 5; null: not chosen */
  value: number | null
  /** what each of 1 to 5 means, where it is more than the number */
  titles?: readonly string[]
  onInput: (value: number | null) => void
}

const DIGITS = [1, 2, 3, 4, 5]

/** The scale after this one in the same form. */
function focusNext(group: HTMLElement): void {
  const all = [...(group.closest('form')?.querySelectorAll<HTMLElement>('.digit-scale') ?? [])]
  all[all.indexOf(group) + 1]?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
}

/** A rating from 1 to 5: a digit chooses and goes on to the next one, arrows choose, Backspace takes back. */
export function DigitScale({ label, value, titles, onInput }: DigitScaleProps) {
  const group = useRef<HTMLDivElement>(null)
  const choose = (digit: number) => {
    onInput(digit)
    group.current?.querySelectorAll<HTMLElement>('[role=radio]')[digit - 1]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    if (DIGITS.includes(Number(key)) && key.length === 1) {
      choose(Number(key))
      if (group.current) focusNext(group.current)
    } else if (key === 'ArrowRight' || key === 'ArrowUp') choose(Math.min(5, (value ?? 0) + 1))
    else if (key === 'ArrowLeft' || key === 'ArrowDown') choose(Math.max(1, (value ?? 6) - 1))
    else if (key === 'Backspace' || key === 'Delete') onInput(null)
    else return
    // a digit opens a part of the page elsewhere
    event.preventDefault()
  }
  return (
    <div ref={group} class="digit-scale" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {DIGITS.map(digit => (
        // biome-ignore lint/a11y/useSemanticElements: a button takes the focus on every platform and shows its text
        <button
          key={digit}
          type="button"
          role="radio"
          aria-checked={digit === value}
          aria-label={titles ? `${digit}, ${titles[digit - 1]}` : undefined}
          tabIndex={digit === (value ?? 1) ? 0 : -1}
          // the same one again takes it back
          onClick={() => onInput(digit === value ? null : digit)}
        >
          <span class="digit">{digit}</span>
          {titles && <span>{titles[digit - 1]}</span>}
        </button>
      ))}
    </div>
  )
}
