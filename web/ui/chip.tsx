import type { ComponentChildren } from 'preact'
import { Icon } from './icons.tsx'
import { ui } from './texts/index.ts'

interface ChipProps {
  children: ComponentChildren
  /** what it filters by, for the name of its button */
  name: string
  onRemove: () => void
}

/** A filter that is set, with a button that removes it. */
export const Chip = ({ children, name, onRemove }: ChipProps) => (
  <span class="chip">
    <span>{children}</span>
    <button type="button" aria-label={ui.removeFilter(name)} title={ui.removeFilter(name)} onClick={onRemove}>
      <Icon name="close" size={12} />
    </button>
  </span>
)
