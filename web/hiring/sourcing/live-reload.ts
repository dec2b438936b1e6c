import { useEffect, useRef } from 'preact/hooks'
import { type LiveEvent, useLive } from '../live.ts'

/** An import changes thousands of records in seconds: what is shown is read again once in this time. */
const EVERY_MS = 700

/** Reads again after a change that `concerns` the page: immediately, and after more changes once in a while. */
export function useLiveReload(concerns: (event: LiveEvent) => boolean, reload: () => void): void {
  const latest = useRef(reload)
  latest.current = reload
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const missed = useRef(false)
  useEffect(() => () => clearTimeout(waiting.current), [])
  const run = () => {
    missed.current = false
    latest.current()
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      if (missed.current) run()
    }, EVERY_MS)
  }
  const again = () => {
    if (waiting.current === undefined) run()
    else missed.current = true
  }
  useLive(event => {
    if (concerns(event)) again()
  }, again)
}
