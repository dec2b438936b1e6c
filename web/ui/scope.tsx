import type { ComponentChildren } from 'preact'
import { isScope, SCOPES, type Scope } from '../../src/contract/scopes.ts'
import { Tag } from './tag.tsx'

export const ScopeTags = ({ scope }: { scope: Scope }) => {
  const { access, personal, metered } = SCOPES[scope]
  return (
    <>
      {access === 'write' && <Tag tone="info">write</Tag>} {personal && <Tag tone="warn">personal data</Tag>}{' '}
      {metered && <Tag>metered</Tag>}
    </>
  )
}

interface Choice<S extends string> {
  /** a scope, or what is chosen like one */
  name: S
  /** what it opens */
  description: ComponentChildren
  /** why it cannot be chosen, if so */
  off?: string | false
}

interface ScopePickerProps<S extends string> {
  groups: readonly { title: string; description?: string; choices: readonly Choice<S>[] }[]
  chosen: ReadonlySet<string>
  onChange: (name: S, on: boolean) => void
}

/** Scopes, in groups, of which any number can be chosen. */
export const ScopePicker = <S extends string>({ groups, chosen, onChange }: ScopePickerProps<S>) => (
  <>
    {groups.map(({ title, description, choices }) => (
      <fieldset class="panel scope-group" key={title}>
        <legend>{title}</legend>
        <p class="soft">{description}</p>
        {choices.map(choice => (
          <ScopeCheck
            key={choice.name}
            {...choice}
            checked={chosen.has(choice.name)}
            onChange={on => onChange(choice.name, on)}
          />
        ))}
      </fieldset>
    ))}
  </>
)

interface CheckProps extends Choice<string> {
  checked: boolean
  onChange: (on: boolean) => void
}

const ScopeCheck = ({ name, description, checked, onChange, off }: CheckProps) => (
  <label class={off ? 'scope off' : 'scope'}>
    <input
      type="checkbox"
      checked={checked}
      disabled={Boolean(off)}
      onChange={event => onChange(event.currentTarget.checked)}
    />
    <span class="scope-text">
      <span class="scope-name">
        <code>{name}</code> {isScope(name) && <ScopeTags scope={name} />}
      </span>
      <span class="soft">{description}</span>
      {off && <span class="warn-text">{off}</span>}
    </span>
  </label>
)
