import { useEffect, useRef } from 'preact/hooks'

const listeners = new Set<(applicationId: string) => void>()

/** The reader has changed interviews of an application: what shows them does not wait for the live stream. */
export const interviewsChanged = (applicationId: string): void => {
  for (const listener of listeners) listener(applicationId)
}

export function useInterviewChanges(applicationId: string, onChange: () => void): void {
  const latest = useRef({ applicationId, onChange })
  latest.current = { applicationId, onChange }
  useEffect(() => {
    const listener = (changed: string) => {
      if (changed === latest.current.applicationId) latest.current.onChange()
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
}
