import { Icon } from '../ui/icons.tsx'
import { useSession } from './session.ts'

/** Below the navigation. */
export function HiringLinks() {
  const { console: hasConsole } = useSession()
  if (!hasConsole) return null
  return (
    <a href="/console">
      <Icon name="settings" />
      Console
    </a>
  )
}
