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
  tone?: 'warn' | 'bad' | 'quiet'
  /** what a screen reader says instead of the number alone */
  said?: (n: number) => string
}

/** A number in the navigation: how much waits for the reader. */
export function CountBadge({ count, limit = Number.POSITIVE_INFINITY, tone, said }: BadgeProps) {
  if (count === 0) return null
  return (
    <span class={tone ? `badge ${tone}` : 'badge'}>
      <span aria-hidden={said ? true : undefined}>{count >= limit ? `${limit - 1}+` : count}</span>
      <span class="visually-hidden"> {said ? said(Math.min(count, limit - 1)) : 'open'}</span>
    </span>
  )
}
