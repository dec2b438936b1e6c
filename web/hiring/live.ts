import { useEffect, useRef, useState } from 'preact/hooks'
import type { JobRole } from '../../src/contract/job-rights.ts'
import { BASE } from '../ui/router.tsx'

/** What someone changed, in the words of the change feed: thin, without personal values. */
export interface LiveEvent {
  type: string
  data: {
    object: {
      object: string
      id: string
      job_id?: string
      application_id?: string
      changed?: string[]
      /** the records of a person whose data is erased, or no longer processed */
      subjects?: { object: string; id: string }[]
    }
  }
}

/** The jobs that the reader may see; null: all of them. */
interface Access {
  jobs: string[] | null
  /** what the reader is on the teams of jobs; undefined: not known yet */
  job_roles?: Readonly<Record<string, JobRole>>
}

/** `missed`: more changed than can be sent, for example while the computer was asleep. Read everything again. */
export type LiveMessage = LiveEvent | 'missed' | { access: Access }

const listeners = new Set<(message: LiveMessage) => void>()
/** as the stream said it last, or the session before */
let access: Access = { jobs: null }
/** everything that `access` allowed since the page was loaded */
const had = { all: false, jobs: new Set<string>() }

function setAccess(now: Access): void {
  access = now
  if (now.jobs === null) had.all = true
  else for (const job of now.jobs) had.jobs.add(job)
}

function publish(message: LiveMessage): void {
  const before = access
  if (message !== 'missed' && 'access' in message) setAccess(message.access)
  for (const listener of listeners) listener(message)
  // jobs came or went, or the role in one changed, which has no event
  if (JSON.stringify(before) !== JSON.stringify(access)) for (const listener of listeners) listener('missed')
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
      else if (!('access' in message)) latest.current.onEvent(message)
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
}

/** Draws the component again when the access of the reader changed. */
function useAccess(): Access {
  const [, draw] = useState(0)
  useEffect(() => {
    const listener = (message: LiveMessage) => {
      if (message !== 'missed' && 'access' in message) draw(n => n + 1)
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
  return access
}

/** What the reader is on the teams of jobs, as it is now; undefined until that is known. */
export const useJobRoles = (): Access['job_roles'] => useAccess().job_roles

/**
 * Whether the reader was taken off the team of this job, or limited to other jobs, while its page was open. A job that was
 * not theirs before is one that does not exist.
 */
export function useLeftJob(jobId: string | undefined): boolean {
  useAccess()
  const isTheirs = jobId === undefined || access.jobs === null || access.jobs.includes(jobId)
  return !isTheirs && (had.all || had.jobs.has(jobId))
}

/**
 * One stream for all tabs of a browser: the tab that holds the lock reads it and passes the events on. When that tab is
 * closed, another gets the lock.
 */
export function startLive(holder: string, { jobs, job_roles = {} }: Access): void {
  setAccess({ jobs, job_roles })
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
  stream.addEventListener('access', ({ data }) => pass({ access: JSON.parse(data) }))
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
