import { useCallback, useRef, useState } from 'preact/hooks'
import type { Job } from '../../../packages/sdk/src/generated.ts'
import { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { PageHead, Pending } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { ENTERED, navigate, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import '../css/jobs.css'
import { read, send, useData } from '../api.ts'
import { JobHead } from '../job-head.tsx'
import { ConflictNote, latestChange, type Overtaken, undecided } from '../jobs/conflict.tsx'
import {
  changedFields,
  inputOf,
  JOB_FIELD_NAMES,
  type JobField,
  type JobValues,
  lacksCurrency,
  rebase,
  valuesOf,
} from '../jobs/fields.ts'
import { JobDetails } from '../jobs/job-details.tsx'
import { JobForm } from '../jobs/job-form.tsx'
import { DeleteDialog, DuplicateDialog, HideDialog, type Move, moveJob } from '../jobs/lifecycle.tsx'
import { type JobDialog, PublishingPanel } from '../jobs/publishing-panel.tsx'
import { typedReadiness } from '../jobs/readiness.ts'
import { useLive } from '../live.ts'
import { NotAllowed } from '../not-allowed.tsx'
import { useSaveKey } from '../save-key.ts'
import { useMay, useSession } from '../session.ts'

const readJob = (id: string) => read('/v1/jobs/{job_handle}', { job_handle: id })

const BACK = { to: '/', title: 'Jobs' }

export function NewJobPage() {
  const may = useMay()
  const { limited } = useSession()
  const [values, setValues] = useState(() => valuesOf())
  const { data: words } = useData('/job-words')
  const { busy, error, fault, submit } = useSubmit()
  const changed = changedFields(valuesOf(), values)
  const [done, setDone] = useState(false)
  useLeaveGuard(!done && changed.length > 0 && ENTERED)
  const save = () =>
    submit(async () => {
      requireCurrency(values)
      const { id } = await send('/jobs', { job: { title: '', ...inputOf(values, changed) } })
      setDone(true)
      toast('Draft created')
      navigate(`/jobs/${id}/edit`, { replace: true })
    })
  useSaveKey(save)
  if (!may('jobs:write') || limited) {
    return (
      <>
        <PageHead title="New job" back={BACK} />
        <NotAllowed title="Your role does not allow this" />
      </>
    )
  }
  return (
    <>
      <PageHead
        title="New job"
        description="It begins as a draft with the default stages and the workspace's application form."
        back={BACK}
      />
      <form
        class="split"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <div>
          <JobForm
            values={values}
            set={(field, value) => setValues(now => ({ ...now, [field]: value }))}
            fault={fault}
            words={words}
            isNew
          />
        </div>
        <aside class="panel summary job-side" aria-label="Draft">
          <h2>Draft</h2>
          <p class="soft">Only a title is needed now. Publish it when the texts are ready.</p>
          <FormError error={error} marked />
          <div class="stack">
            <Button kind="primary" type="submit" busy={busy} disabled={values.title.trim() === ''}>
              Create draft
            </Button>
            <Button onClick={() => navigate('/')}>Cancel</Button>
          </div>
        </aside>
      </form>
    </>
  )
}

function requireCurrency(values: JobValues): void {
  if (!lacksCurrency(values)) return
  const message = 'Enter the currency of the pay: three letters, such as EUR.'
  throw new ApiError(422, { code: 'invalid_request', message, errors: [{ param: 'compensation.currency', message }] })
}

export function JobEditPage({ params }: PageProps) {
  const id = params['id']!
  const may = useMay()
  const { data: job, error, reload } = useData('/v1/jobs/{job_handle}', { job_handle: id })
  if (!job || job.id !== id) return <Pending title="Job" back={BACK} error={error} reload={reload} />
  if (!may('jobs:write')) {
    return (
      <>
        <JobHead job={job} tab="edit" />
        <JobDetails job={job} />
      </>
    )
  }
  return <Editor key={id} first={job} />
}

function Editor({ first }: { first: Job }) {
  const { id } = first
  const [job, setJob] = useState(first)
  const [values, setValues] = useState(() => valuesOf(first))
  const [overtaken, setOvertaken] = useState<Overtaken>()
  const { data: words } = useData('/job-words')
  const readiness = useData('/v1/jobs/{job_handle}/publish-readiness', { job_handle: id })
  const { busy, error, fault, submit } = useSubmit()
  const state = useRef({ job, values, overtaken })
  state.current = { job, values, overtaken }
  const saving = useRef(false)
  const [dialog, setDialog] = useState<JobDialog>()

  const base = valuesOf(job)
  const changed = changedFields(base, values)
  const conflicts = undecided(overtaken, values)
  const typed = {
    ...readiness,
    data: readiness.data && changed.length > 0 ? typedReadiness(values, readiness.data) : readiness.data,
  }
  useLeaveGuard(changed.length > 0 && ENTERED)

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
      const theirs = valuesOf(fresh)
      const next = rebase(valuesOf(known), mine, theirs)
      const isEdited = changedFields(valuesOf(known), mine).length > 0
      setJob(fresh)
      setValues(next.values)
      readiness.reload()
      const isNews = refused || (isEdited && next.taken.length + next.conflicts.length > 0)
      if (!isNews && !before) return
      // what was not decided before this change is not decided by it
      const open = new Set([...undecided(before && { ...before, theirs }, mine), ...next.conflicts])
      const taken = [...new Set([...(before?.taken ?? []), ...next.taken])].filter(field => !open.has(field))
      setOvertaken({ by: by ?? before?.by, theirs, taken, conflicts: [...open] })
    },
    [id, readiness.reload],
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
      await send('/jobs/{id}', { id }, { changes: inputOf(sent, changed), expected_updated_at: job.updated_at })
      const [fresh, by] = await Promise.all([readJob(id), latestChange(id, job.updated_at)])
      // what was typed during the call stays on top of what was sent
      const theirs = valuesOf(fresh)
      const next = rebase(sent, state.current.values, theirs)
      setJob(fresh)
      setValues(next.values)
      // without someone else's change, a difference is only how the service wrote down what was sent
      setOvertaken(by && next.conflicts.length > 0 ? { by, theirs, ...next } : undefined)
      readiness.reload()
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'stale_resource') {
        await refresh(true)
        refuse()
      }
      throw failure
    } finally {
      saving.current = false
    }
  }
  /** The note is above the form, perhaps out of sight. Its buttons do not get the focus: the next key may be meant for a field. */
  const refuse = () => {
    toast('Not saved: the job was changed. See the note above the form.', 'bad')
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.job-conflict')?.focus())
  }
  const save = () =>
    submit(async () => {
      if (changed.length === 0) return
      if (conflicts.length > 0) return refuse()
      await store()
      toast('Job saved')
    })
  const move = (to: Move) =>
    submit(async () => {
      if (conflicts.length > 0) return refuse()
      await store()
      await moveJob(id, to, () => void refresh())
    })
  useSaveKey(save)

  const decide = (field: JobField, which: 'mine' | 'theirs') => {
    if (!overtaken) return
    if (which === 'theirs') setValues(now => ({ ...now, [field]: overtaken.theirs[field] }))
    const rest = overtaken.conflicts.filter(other => other !== field)
    setOvertaken(rest.length > 0 || overtaken.taken.length > 0 ? { ...overtaken, conflicts: rest } : undefined)
  }
  const set = <F extends JobField>(field: F, value: JobValues[F]) => setValues(now => ({ ...now, [field]: value }))
  const isStale = error?.code === 'stale_resource'
  // the readiness says it in detail
  const shown = isStale || error?.code === 'job_not_publishable' ? undefined : error
  const marked = [...(error?.fields.keys() ?? [])].every(name =>
    JOB_FIELD_NAMES.some(field => name === field || name.startsWith(`${field}[`)),
  )

  return (
    <>
      <JobHead
        job={job}
        tab="edit"
        actions={
          job.public_url && (
            <a class="button secondary" href={job.public_url} target="_blank" rel="noreferrer">
              <Icon name="external" size={15} />
              Careers page
            </a>
          )
        }
      />
      {job.source.external_id !== null && (
        <Notice tone="info">
          <p>
            This job comes from <code>{job.source.system}</code>, where its id is <code>{job.source.external_id}</code>.
            The next push from there replaces the fields that it sends.
          </p>
        </Notice>
      )}
      {overtaken && (
        <ConflictNote overtaken={overtaken} mine={values} decide={decide} onClose={() => setOvertaken(undefined)} />
      )}
      <form
        class="split"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <div>
          <JobForm values={values} set={set} fault={fault} words={words} />
          {changed.length > 0 && (
            <section class="save-bar" aria-label="Unsaved changes">
              <span>{amount(changed.length, 'unsaved change')}</span>
              <Button small onClick={() => setValues(base)}>
                Discard
              </Button>
              <Button small kind="primary" type="submit" busy={busy}>
                Save
              </Button>
            </section>
          )}
        </div>
        <PublishingPanel
          job={job}
          readiness={typed}
          dirty={changed.length > 0}
          busy={busy}
          move={move}
          open={setDialog}
          note={<FormError error={shown} marked={marked} />}
        />
      </form>
      {dialog === 'duplicate' && <DuplicateDialog job={job} onClose={() => setDialog(undefined)} />}
      {(dialog === 'close' || dialog === 'unpublish') && (
        <HideDialog
          job={job}
          move={dialog}
          dirty={changed.length > 0}
          onClose={() => setDialog(undefined)}
          onConfirm={() => {
            setDialog(undefined)
            move(dialog)
          }}
        />
      )}
      {dialog === 'delete' && <DeleteDialog job={job} onClose={() => setDialog(undefined)} />}
    </>
  )
}
