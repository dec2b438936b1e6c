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

interface CheckProps {
  scope: string
  description: string
  checked: boolean
  onChange: (on: boolean) => void
  /** why it cannot be chosen, if so */
  off?: string | undefined
}

/** A scope that can be chosen, with what it opens. */
export const ScopeCheck = ({ scope, description, checked, onChange, off }: CheckProps) => (
  <label class={off ? 'scope off' : 'scope'}>
    <input
      type="checkbox"
      checked={checked}
      disabled={off !== undefined}
      onChange={event => onChange(event.currentTarget.checked)}
    />
    <span class="scope-text">
      <span class="scope-name">
        <code>{scope}</code> {isScope(scope) && <ScopeTags scope={scope} />}
      </span>
      <span class="soft">{description}</span>
      {off && <span class="warn-text">{off}</span>}
    </span>
  </label>
)
