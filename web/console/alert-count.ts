import { useEffect } from 'preact/hooks'
import { usePolling } from '../ui/api.ts'
import { type Read, useData } from './api.ts'

type AlertCountResponse = Read<'/alerts/count'>

const POLL_MS = 60_000
const CHANGED = 'alerts-changed'

/** Someone acknowledged an alert on this page: the badge counts again. */
export const alertsChanged = (): void => void dispatchEvent(new Event(CHANGED))

/** How many open alerts no one has acknowledged; undefined until it is known. */
export function useAlertCount(): AlertCountResponse | undefined {
  const read = useData('/alerts/count')
  usePolling(read, true, POLL_MS)
  const { reload } = read
  useEffect(() => {
    addEventListener(CHANGED, reload)
    return () => removeEventListener(CHANGED, reload)
  }, [reload])
  return read.data
}
