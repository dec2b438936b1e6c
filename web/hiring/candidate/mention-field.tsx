import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../../ui/form.tsx'
import type { Read } from '../api.ts'
import { t } from '../texts/index.ts'

export type Member = Read<'/members'>['members'][number]

interface Props {
  label: string
  value: string
  /** those who cannot be mentioned are shown grey, with the reason */
  members: readonly Member[]
  placeholder: string
  fault: string | undefined
  autofocus?: boolean
  onInput: (value: string) => void
  /** a member was chosen; the text has their name after an @ */
  onChoose: (member: Member) => void
  onSubmit: () => void
}

const MAX_SHOWN = 8
const LONGEST_NAME = 60

/** What is typed after the last @ before the caret, if that is the beginning of a name. */
function nameBegun(text: string, caret: number): { at: number; query: string } | undefined {
  const at = text.lastIndexOf('@', caret - 1)
  if (at < 0 || caret - at > LONGEST_NAME || (at > 0 && !/\s/.test(text.charAt(at - 1)))) return undefined
  const query = text.slice(at + 1, caret)
  return query.includes('\n') ? undefined : { at, query: query.toLowerCase() }
}

const fits = (name: string, query: string): boolean => {
  const given = name.toLowerCase()
  return given.startsWith(query) || given.split(' ').some(word => word.startsWith(query))
}

const whyNot = ({ role }: Member): string => (role === 'viewer' ? t.notes.seesNoNames : t.notes.notAsked)

/** A text in which @ names a member of the workspace. */
export function MentionField(props: Props) {
  const { label, value, members, placeholder, fault, autofocus, onInput, onChoose, onSubmit } = props
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  const [closed, setClosed] = useState(true)
  const begun = closed ? undefined : nameBegun(value, caret)
  const fitting = begun ? members.filter(({ name }) => fits(name, begun.query)) : []
  const readers = fitting.filter(member => member.reads_notes).slice(0, MAX_SHOWN)
  const found = [...readers, ...fitting.filter(member => !member.reads_notes)].slice(0, MAX_SHOWN)
  const at = Math.min(active, readers.length - 1)
  useLayoutEffect(() => {
    if (!autofocus) return
    area.current?.focus()
    area.current?.setSelectionRange(value.length, value.length)
  }, [])

  const choose = (member: Member) => {
    if (!begun) return
    const before = `${value.slice(0, begun.at)}@${member.name} `
    onInput(before + value.slice(caret))
    onChoose(member)
    setClosed(true)
    // after the new text is drawn
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(before.length, before.length)
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return onSubmit()
    }
    const pointed = readers[at]
    if (!pointed) return
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step) setActive((at + step + readers.length) % readers.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(pointed)
    else if (event.key === 'Escape') setClosed(true)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Field label={label} fault={fault}>
      {control => (
        <div class="mention-field">
          <textarea
            {...control}
            ref={area}
            rows={3}
            value={value}
            placeholder={placeholder}
            aria-autocomplete="list"
            aria-controls={found.length > 0 ? `${id}-list` : undefined}
            aria-activedescendant={readers.length > 0 ? `${id}-${at}` : undefined}
            onInput={event => {
              setCaret(event.currentTarget.selectionStart)
              setActive(0)
              setClosed(false)
              onInput(event.currentTarget.value)
            }}
            onKeyDown={onKeyDown}
            onBlur={() => setClosed(true)}
          />
          {found.length > 0 && (
            <div class="mention-list" role="listbox" id={`${id}-list`} aria-label={t.notes.members}>
              {found.map((member, i) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
                <div
                  key={member.id}
                  id={`${id}-${i}`}
                  role="option"
                  aria-selected={i === at}
                  aria-disabled={!member.reads_notes || undefined}
                  // the text field keeps the focus
                  onMouseDown={event => event.preventDefault()}
                  onClick={() => member.reads_notes && choose(member)}
                >
                  <span>{member.name}</span>
                  <span class="faint small">{member.reads_notes ? member.role : whyNot(member)}</span>
                </div>
              ))}
            </div>
          )}
        </div>
      )}
    </Field>
  )
}
