import { useRef } from 'preact/hooks'
import { CountBadge, useCount } from '../ui/count-badge.tsx'
import { useData } from './api.ts'
import { useLive } from './live.ts'

/** Several changes within this time are counted once: in a busy workspace there is always one. */
const CALM_MS = 15_000

/** How many tasks wait for the reader. */
export function TaskBadge() {
  const read = useData('/tasks/count')
  const count = useCount(read)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLive(({ type }) => {
    if (!(type.startsWith('application.') || type.startsWith('order.')) || waiting.current !== undefined) return
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      read.reload()
    }, CALM_MS)
  })
  return (
    count && (
      <CountBadge count={count.waiting + count.scorecards + count.mentions + count.checks} limit={count.counted} />
    )
  )
}
