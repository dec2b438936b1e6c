import { useEffect, useRef, useState } from 'preact/hooks'
import type { Data } from '../../ui/api.ts'
import { ReadCache } from '../../ui/read-cache.ts'
import { read, useData } from '../api.ts'
import { useLive } from '../live.ts'
import { type Candidate, type Neighbors, readOrigin } from './data.ts'

/**
 * The candidates next to the one who is shown, read while the browser has nothing else to do, so that the next one is there
 * in the moment the key is pressed. What is read ahead is the page without a click: it costs no unit, leaves no audit row
 * and has neither contact details nor the text or file of a résumé. Those are read when the candidate is shown, as ever.
 * In memory alone, dropped with the first change, and read again when it is shown.
 */
interface Ahead {
  candidate: Candidate
  /** in the list that the reader goes through, `in` of the address */
  around?: { in: string; neighbors: Neighbors } | undefined
}

/** the one who is shown, one on either side, and those of the step before */
const MAX_AHEAD = 5
/** As long as someone reads a résumé. What is older is not shown, although it would be read again anyway. */
const FRESH_MS = 600_000
const ahead = new ReadCache<Ahead>(MAX_AHEAD, FRESH_MS)

/** The candidate of the address: from memory until the response is there. What was refused is not shown from memory. */
export function useCandidate(id: string): Data<Candidate> {
  const { data, ...rest } = useData('/candidates/{id}', { id })
  const isRead = data?.application.id === id
  const applicant = useRef<string | null>(null)
  applicant.current = isRead ? data.application.applicant_id : null
  useEffect(() => {
    // on the way back the one who was shown is there as well, as they were read last
    if (data) ahead.set(data.application.id, { candidate: data, around: ahead.get(data.application.id)?.around })
  }, [data])
  useLive(
    ({ data: { object } }) => {
      ahead.delete(object.application_id ?? object.id)
      // what belongs to a job is on the page of each of its candidates
      if (object.object === 'job' || object.object === 'applicant' || object.subjects) ahead.clear()
      const isSubject = object.subjects?.some(subject => subject.id === id || subject.id === applicant.current)
      if (object.id === id || object.application_id === id || isSubject) rest.reload()
    },
    () => {
      ahead.clear()
      rest.reload()
    },
  )
  const cached = isRead || rest.error ? undefined : ahead.get(id)?.candidate
  return { ...rest, data: cached ?? data }
}

/** The neighbors of the candidate in their list, known as well if they were read ahead. */
export function useNeighbors(id: string, text: string): Neighbors | undefined {
  const [found, setFound] = useState<{ of: string; neighbors: Neighbors | undefined }>()
  useEffect(() => {
    const origin = readOrigin(text)
    if (!origin) return
    const abort = new AbortController()
    origin.neighbors(id, abort.signal).then(
      neighbors => abort.signal.aborted || setFound({ of: id, neighbors }),
      // the job is gone, or the query is not one of a list: there is nowhere to go
      () => abort.signal.aborted || setFound({ of: id, neighbors: undefined }),
    )
    return () => abort.abort()
  }, [id, text])
  if (found?.of === id) return found.neighbors
  const around = ahead.get(id)?.around
  return around?.in === text ? around.neighbors : undefined
}

/** Reads the neighbors of the candidate who is shown, one after the other; `ready`: the page of this one was read. */
export function useReadAhead(neighbors: Neighbors | undefined, text: string, ready: boolean): void {
  const { next, previous } = neighbors ?? { next: null, previous: null }
  useEffect(() => {
    if (!ready || (next === null && previous === null)) return
    const abort = new AbortController()
    const idle = whenIdle(async () => {
      for (const id of [next, previous]) {
        if (id === null || ahead.get(id) || abort.signal.aborted) continue
        try {
          const [candidate, around] = await Promise.all([
            read('/candidates/{id}', { id }, abort.signal),
            readOrigin(text)?.neighbors(id, abort.signal),
          ])
          ahead.set(id, { candidate, around: around && { in: text, neighbors: around } })
        } catch {
          // the page reads it when it is asked for, and says then what is wrong
        }
      }
    })
    return () => {
      idle()
      abort.abort()
    }
  }, [next, previous, text, ready])
}

/** Returns what takes it back. Some browsers cannot say when they are idle. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(work, { timeout: 500 })
    return () => cancelIdleCallback(handle)
  }
  const handle = setTimeout(work, 50)
  return () => clearTimeout(handle)
}
