import { useEffect, useRef } from 'preact/hooks'
import { BASE } from '../ui/router.tsx'

/** What someone changed, in the words of the change feed: thin, without personal values. */
export interface LiveEvent {
  type: string
  data: { object: { object: string; id: string; job_id?: string; application_id?: string; changed?: string[] } }
}

/** `missed`: more changed than can be sent, for example while the computer was asleep. Read everything again. */
export type LiveMessage = LiveEvent | 'missed'

const listeners = new Set<(message: LiveMessage) => void>()

const publish = (message: LiveMessage): void => {
  for (const listener of listeners) listener(message)
}

/**
 * Calls `onEvent` for each change in the workspace while the component is drawn, also for the reader's own, and `onMissed`
 * where events were lost.
 */
export function useLive(onEvent: (event: LiveEvent) => void, onMissed?: () => void): void {
  const latest = useRef({ onEvent, onMissed })
  latest.current = { onEvent, onMissed }
  useEffect(() => {
    const listener = (message: LiveMessage) => {
      if (message === 'missed') latest.current.onMissed?.()
      else latest.current.onEvent(message)
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
}

/**
 * One stream for all tabs of a browser: the tab that holds the lock reads it and passes the events on. When that tab is
 * closed, another gets the lock.
 */
export function startLive(holder: string): void {
  const name = `hiring-live ${holder}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => publish(data as LiveMessage)
  const pass = (message: LiveMessage) => {
    publish(message)
    channel.postMessage(message)
  }
  // only pages of https or of this machine have locks; elsewhere each tab has its own stream
  if (navigator.locks) void navigator.locks.request(name, () => readStream(pass))
  else void readStream(publish)
}

/** A stream that the browser gave up, for example because a proxy did not reach the service, is opened again after this time. */
const REOPEN_MS = 5_000

/** Never ends: the lock is held as long as the tab is open. */
function readStream(pass: (message: LiveMessage) => void): Promise<never> {
  const stream = new EventSource(`${BASE}/api/live`)
  stream.onmessage = ({ data }) => pass(JSON.parse(data))
  stream.addEventListener('reload', () => pass('missed'))
  // the next call of the page leads to the sign-in
  stream.addEventListener('signed_out', () => stream.close())
  stream.onerror = () => {
    if (stream.readyState !== EventSource.CLOSED) return
    setTimeout(() => {
      void readStream(pass)
      pass('missed')
    }, REOPEN_MS)
  }
  return new Promise(() => {})
}
