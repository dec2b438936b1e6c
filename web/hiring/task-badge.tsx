import { useRef } from 'preact/hooks'
import { CountBadge, useCount } from '../ui/count-badge.tsx'
import { useData } from './api.ts'
import { useLive } from './live.ts'
import { t } from './texts/index.ts'

/** Several changes within this time are counted once: in a busy workspace there is always one. */
const CALM_MS = 15_000

/** How many tasks wait for the reader; gray: candidates who are new or wait. */
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
  if (!count) return null
  const { open, counted } = count
  return (
    <>
      <CountBadge count={open} limit={counted} said={t.tasks.openCount} />
      <CountBadge count={count.fresh + count.waiting} limit={counted} tone="quiet" said={t.tasks.waitingCount} />
    </>
  )
}
