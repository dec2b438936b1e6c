import { useEffect, useRef } from 'preact/hooks'
import { usePolling } from '../ui/api.ts'
import { type Read, useData } from './api.ts'
import { useLive } from './live.ts'

const POLL_MS = 60_000
const CHANGED = 'tasks-changed'
/** Several changes within this time are counted once: in a busy workspace there is always one. */
const CALM_MS = 15_000

/** The reader did a task on this page: the badge counts again. */
export const tasksChanged = (): void => void dispatchEvent(new Event(CHANGED))

/** How many tasks wait for the reader; undefined until it is known. */
export function useTaskCount(): Read<'/tasks/count'> | undefined {
  const read = useData('/tasks/count')
  usePolling(read, true, POLL_MS)
  const { reload } = read
  useEffect(() => {
    addEventListener(CHANGED, reload)
    return () => removeEventListener(CHANGED, reload)
  }, [reload])
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLive(({ type }) => {
    if (!type.startsWith('application.') || waiting.current !== undefined) return
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      reload()
    }, CALM_MS)
  })
  return read.data
}
