import { Icon } from '../ui/icons.tsx'
import { toggleSide, useNarrowSide } from '../ui/side.ts'
import { ui } from '../ui/texts/index.ts'

/** On wide screens: the navigation as icons alone. */
export function SideButton() {
  const isNarrow = useNarrowSide()
  const label = isNarrow ? ui.expand : ui.collapse
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={toggleSide}>
      <Icon name="side" />
    </button>
  )
}
