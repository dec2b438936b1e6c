import { CountBadge, useCount } from '../ui/count-badge.tsx'
import { useData } from './api.ts'

/** How many open alerts no one has acknowledged; undefined until it is known. */
export const useAlertCount = () => useCount(useData('/alerts/count'))

export function AlertBadge() {
  const { waiting = 0, critical = 0 } = useAlertCount() ?? {}
  return <CountBadge count={waiting} tone={critical > 0 ? 'bad' : 'warn'} />
}
