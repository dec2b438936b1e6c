import type { ComponentChildren } from 'preact'
import { Icon } from '../../ui/icons.tsx'

interface RowProps {
  handle: ComponentChildren
  title: string
  /** what is known about it, in a line below the title */
  facts: ComponentChildren
  open: boolean
  onToggle: () => void
  onRemove?: (() => void) | undefined
  /** something in it must be fixed */
  wrong: boolean
  heading?: boolean
  children: ComponentChildren
}

/** An entry of a list that opens to be edited. */
export function EditableRow({ handle, title, facts, open, onToggle, onRemove, wrong, heading, children }: RowProps) {
  return (
    <div class={`row-card${open ? ' open' : ''}${wrong ? ' wrong' : ''}${heading ? ' heading' : ''}`}>
      <div class="row-head">
        {handle}
        <button type="button" class="row-title" aria-expanded={open} onClick={onToggle}>
          <span class="row-name">{title}</span>
          <span class="row-facts">{facts}</span>
        </button>
        {wrong && <span class="tag bad">Fix</span>}
        {onRemove && (
          <button type="button" class="icon-button" aria-label={`Remove ${title}`} title="Remove" onClick={onRemove}>
            <Icon name="trash" />
          </button>
        )}
      </div>
      {open && <div class="row-body">{children}</div>}
    </div>
  )
}
