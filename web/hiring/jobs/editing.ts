import { useCallback, useRef, useState } from 'preact/hooks'
import type { Job } from '../../../packages/sdk/src/generated.ts'
import { ApiError } from '../../ui/api.ts'
import { read, send } from '../api.ts'
import { useLive } from '../live.ts'
import { latestChange, type Overtaken, undecided } from './conflict.tsx'
import { buildInput, changedFields, type JobField, type JobValues, jobValues, lacksCurrency, rebase } from './fields.ts'

const readJob = (id: string) => read('/v1/jobs/{job_handle}', { job_handle: id })

export function requireCurrency(values: JobValues): void {
  if (!lacksCurrency(values)) return
  const message = 'Enter the currency of the pay: three letters, such as EUR.'
  throw new ApiError(422, { code: 'invalid_request', message, errors: [{ param: 'compensation.currency', message }] })
}

interface JobEditing {
  /** as it is stored */
  job: Job
  /** as the reader has typed it */
  values: JobValues
  setValues: (change: (now: JobValues) => JobValues) => void
  changed: readonly JobField[]
  overtaken: Overtaken | undefined
  closeOvertaken: () => void
  /** what both the reader and someone else changed, and is not decided */
  conflicts: readonly JobField[]
  decide: (field: JobField, which: 'mine' | 'theirs') => void
  refresh: () => Promise<void>
  /** Stores what the reader changed. Where someone else was faster, nothing, and `overtaken` says so. */
  store: () => Promise<void>
}

/** A job that is edited while others may change it; `onStored`: what is stored is another. */
export function useJobEditing(first: Job, onStored: () => void): JobEditing {
  const { id } = first
  const [job, setJob] = useState(first)
  const [values, setValues] = useState(() => jobValues(first))
  const [overtaken, setOvertaken] = useState<Overtaken>()
  const state = useRef({ job, values, overtaken })
  state.current = { job, values, overtaken }
  const saving = useRef(false)
  const changed = changedFields(jobValues(job), values)

  /**
   * Reads what is stored now, under what the reader typed. The version, the values and what is to be decided change in one
   * step: until then a save names the version that the values were based on, and the service refuses it. `refused`: it did.
   */
  const refresh = useCallback(
    async (refused = false): Promise<void> => {
      const since = state.current.job.updated_at
      const [fresh, by] = await Promise.all([readJob(id), latestChange(id, since)])
      // a save that began since reads what is stored itself: its own values must not come back as someone's
      if (saving.current && !refused) return
      const { job: known, values: mine, overtaken: before } = state.current
      // a response that was overtaken by a later one says nothing new
      if (fresh.updated_at < known.updated_at || (fresh.updated_at === known.updated_at && !refused)) return
      const theirs = jobValues(fresh)
      const next = rebase(jobValues(known), mine, theirs)
      const isEdited = changedFields(jobValues(known), mine).length > 0
      setJob(fresh)
      setValues(next.values)
      onStored()
      const isNews = refused || (isEdited && next.taken.length + next.conflicts.length > 0)
      if (!isNews && !before) return
      // what was not decided before this change is not decided by it
      const open = new Set([...undecided(before && { ...before, theirs }, mine), ...next.conflicts])
      const taken = [...new Set([...(before?.taken ?? []), ...next.taken])].filter(field => !open.has(field))
      setOvertaken({ by: by ?? before?.by, theirs, taken, conflicts: [...open] })
    },
    [id, onStored],
  )
  useLive(event => {
    const { object, id: changedId } = event.data.object
    if (object !== 'job' || changedId !== id || saving.current) return
    // a failed read is repeated by the next event, or by the conflict when the reader saves
    refresh().catch(() => {})
  })

  const store = async (): Promise<void> => {
    if (changed.length === 0) return
    if (changed.some(field => field.startsWith('compensation.'))) requireCurrency(values)
    saving.current = true
    try {
      const sent = values
      await send('/jobs/{id}', { id }, { changes: buildInput(sent, changed), expected_updated_at: job.updated_at })
      const [fresh, by] = await Promise.all([readJob(id), latestChange(id, job.updated_at)])
      // what was typed during the call stays on top of what was sent
      const theirs = jobValues(fresh)
      const next = rebase(sent, state.current.values, theirs)
      setJob(fresh)
      setValues(next.values)
      // without someone else's change, a difference is only how the service wrote down what was sent
      setOvertaken(by && next.conflicts.length > 0 ? { by, theirs, ...next } : undefined)
      onStored()
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'stale_resource') {
        await refresh(true)
      }
      throw failure
    } finally {
      saving.current = false
    }
  }
  const decide = (field: JobField, which: 'mine' | 'theirs') => {
    if (!overtaken) return
    if (which === 'theirs') setValues(now => ({ ...now, [field]: overtaken.theirs[field] }))
    const rest = overtaken.conflicts.filter(other => other !== field)
    setOvertaken(rest.length > 0 || overtaken.taken.length > 0 ? { ...overtaken, conflicts: rest } : undefined)
  }
  return {
    job,
    values,
    setValues,
    changed,
    overtaken,
    closeOvertaken: () => setOvertaken(undefined),
    conflicts: undecided(overtaken, values),
    decide,
    refresh,
    store,
  }
}
