import { Icon } from '../ui/icons.tsx'
import { useSession } from './session.ts'
import { t } from './texts/index.ts'

/** Below the navigation. */
export function HiringLinks() {
  const { console: hasConsole } = useSession()
  if (!hasConsole) return null
  return (
    <a href="/console" title={t.common.nav.console}>
      <Icon name="settings" />
      <span>{t.common.nav.console}</span>
    </a>
  )
}
