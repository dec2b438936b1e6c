import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { t } from '../texts/index.ts'
import { faultWords, type Line, refusalWords } from './add.ts'
import { LineState } from './line-state.tsx'
import type { Field, FileLine } from './read-files.ts'
import { isLeftOut, stateWords } from './resume-file.ts'

/** What a person is called while they are added: the name, else the file. */
export const fileRowName = ({ person, file }: FileLine): string =>
  [person.first_name, person.last_name].filter(Boolean).join(' ') || file.name

interface FileRowProps {
  line: FileLine
  /** what would become of the person */
  checked: Line | undefined
  onEdit: (field: Field, text: string) => void
  onRetry: () => void
  onRemove: () => void
}

const SHOWN = ['first_name', 'last_name', 'email', 'phone'] as const

const titleOf = (field: Field): string =>
  ({
    first_name: t.adding.firstName,
    last_name: t.adding.lastName,
    email: t.adding.email,
    phone: t.adding.phone,
    linkedin_url: t.adding.linkedin,
  })[field]

/** A file with the person of it. */
export function FileRow({ line, checked, onEdit, onRetry, onRemove }: FileRowProps) {
  const { state, person, file, refused } = line
  const leftOut = isLeftOut(state)
  const faults = refused?.faults ?? []
  const faultOf = (field: string) => faults.find(({ param }) => param === field)
  // what has no field in sight gets one when something is wrong with it
  const shown: readonly Field[] = faultOf('linkedin_url') ? [...SHOWN, 'linkedin_url'] : SHOWN
  const others = faults.filter(({ param }) => !shown.some(field => field === param))
  const isBad = leftOut || state === 'failed'
  const name = fileRowName(line)
  return (
    <li class={refused || (checked && refusalWords(checked)) ? 'file-row refused' : 'file-row'}>
      <div class="file-row-head">
        <span class="file-name" title={file.name}>
          {file.name}
        </span>
        <span role="status" class={isBad ? 'fault' : state === 'unreadable' ? 'warn-text' : 'soft'}>
          {stateWords(state)}
        </span>
        <LineState line={refused ?? checked} />
        {state === 'failed' && (
          <Button small onClick={onRetry}>
            {t.common.retry}
          </Button>
        )}
        <button
          type="button"
          class="icon-button"
          aria-label={t.adding.removeLine(name)}
          title={t.adding.removeLine(name)}
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </button>
      </div>
      {!isBad && (
        <div class="file-row-fields">
          {shown.map(field => {
            const fault = faultOf(field)
            return (
              <label key={field} class="file-row-field">
                <span>{titleOf(field)}</span>
                <input
                  value={person[field]}
                  aria-invalid={fault ? true : undefined}
                  autoComplete="off"
                  spellcheck={false}
                  onInput={event => onEdit(field, event.currentTarget.value)}
                />
                {fault && <span class="fault">{faultWords(fault)}</span>}
              </label>
            )
          })}
        </div>
      )}
      {others.map(fault => (
        <p key={fault.param} class="fault">
          {faultWords(fault)}
        </p>
      ))}
    </li>
  )
}
