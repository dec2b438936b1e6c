import './css/badge.css'
import { useEffect } from 'preact/hooks'
import { type Data, usePolling } from './api.ts'

const POLL_MS = 60_000
const CHANGED = 'counts-changed'

/** The reader did something that the navigation counts: its badges count again. */
export const countsChanged = (): void => void dispatchEvent(new Event(CHANGED))

/** A count that is read again every minute and after `countsChanged`; undefined until it is known. */
export function useCount<T>(read: Data<T>): T | undefined {
  const { data, reload } = read
  usePolling(read, true, POLL_MS)
  useEffect(() => {
    addEventListener(CHANGED, reload)
    return () => removeEventListener(CHANGED, reload)
  }, [reload])
  return data
}

interface BadgeProps {
  count: number
  /** from this count on, there are as many or more */
  limit?: number
  tone?: 'warn' | 'bad'
}

/** A number in the navigation: how much waits for the reader. */
export function CountBadge({ count, limit = Number.POSITIVE_INFINITY, tone }: BadgeProps) {
  if (count === 0) return null
  return (
    <span class={tone ? `badge ${tone}` : 'badge'}>
      {count >= limit ? `${limit - 1}+` : count}
      <span class="visually-hidden"> open</span>
    </span>
  )
}
