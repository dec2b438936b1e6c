import { useState } from 'preact/hooks'
import type { Job } from '../../../packages/sdk/src/generated.ts'
import { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { PageHead, Pending } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { ENTERED, navigate, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import '../css/jobs.css'
import { send, useData } from '../api.ts'
import { JobSetup } from '../job-head.tsx'
import { ConflictNote } from '../jobs/conflict.tsx'
import { requireCurrency, useJobEditing } from '../jobs/editing.ts'
import { buildInput, changedFields, JOB_FIELD_NAMES, type JobField, type JobValues, jobValues } from '../jobs/fields.ts'
import { JobDetails } from '../jobs/job-details.tsx'
import { JobForm } from '../jobs/job-form.tsx'
import { DeleteDialog, DuplicateDialog, HideDialog, type Move, sendJobMove } from '../jobs/lifecycle.tsx'
import { type JobDialog, PublishingPanel } from '../jobs/publishing-panel.tsx'
import { typedReadiness } from '../jobs/readiness.ts'
import { NotAllowed } from '../not-allowed.tsx'
import { useSaveKey } from '../save-key.ts'
import { useMay, useSession } from '../session.ts'
import { t } from '../texts/index.ts'

const BACK = { to: '/', title: 'Jobs' }

export function NewJobPage() {
  const may = useMay()
  const { limited } = useSession()
  const [values, setValues] = useState(() => jobValues())
  const { data: words } = useData('/job-words')
  const { busy, error, fault, submit } = useSubmit()
  const changed = changedFields(jobValues(), values)
  const [done, setDone] = useState(false)
  useLeaveGuard(!done && changed.length > 0 && ENTERED)
  const save = () =>
    submit(async () => {
      requireCurrency(values)
      const { id } = await send('/jobs', { job: { title: '', ...buildInput(values, changed) } })
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
      <Form class="split" noValidate onSubmit={save}>
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
      </Form>
    </>
  )
}

export function JobEditPage({ params: { id } }: PageProps<'id'>) {
  const may = useMay()
  const { data: job, error, reload } = useData('/v1/jobs/{job_handle}', { job_handle: id })
  if (!job || job.id !== id) return <Pending title="Job" back={BACK} error={error} reload={reload} />
  if (!may('jobs:write')) {
    return (
      <JobSetup job={job} part="edit">
        <JobDetails job={job} />
      </JobSetup>
    )
  }
  return <Editor key={id} first={job} />
}

function Editor({ first }: { first: Job }) {
  const { id } = first
  const { data: words } = useData('/job-words')
  const readiness = useData('/v1/jobs/{job_handle}/publish-readiness', { job_handle: id })
  const editing = useJobEditing(first, readiness.reload)
  const { job, values, setValues, changed, overtaken, conflicts } = editing
  const { busy, error, fault, submit } = useSubmit()
  const [dialog, setDialog] = useState<JobDialog>()
  const typed = {
    ...readiness,
    data: readiness.data && changed.length > 0 ? typedReadiness(values, readiness.data) : readiness.data,
  }
  useLeaveGuard(changed.length > 0 && ENTERED)

  const store = async () => {
    try {
      await editing.store()
    } catch (failure) {
      if (isStale(failure)) pointAtConflict()
      throw failure
    }
  }
  const save = () =>
    submit(async () => {
      if (changed.length === 0) return
      if (conflicts.length > 0) return pointAtConflict()
      await store()
      toast('Job saved')
    })
  const move = (to: Move) =>
    submit(async () => {
      if (conflicts.length > 0) return pointAtConflict()
      await store()
      await sendJobMove(id, to, () => void editing.refresh())
    })
  useSaveKey(save)
  const set = <F extends JobField>(field: F, value: JobValues[F]) => setValues(now => ({ ...now, [field]: value }))

  return (
    <JobSetup job={job} part="edit" actions={<PublicPageLink job={job} />}>
      <SourceNotice job={job} />
      {overtaken && (
        <ConflictNote overtaken={overtaken} mine={values} decide={editing.decide} onClose={editing.closeOvertaken} />
      )}
      <Form class="split" noValidate onSubmit={save}>
        <div>
          <JobForm values={values} set={set} fault={fault} words={words} />
          {changed.length > 0 && (
            <section class="save-bar" aria-label="Unsaved changes">
              <span>{amount(changed.length, 'unsaved change')}</span>
              <Button small onClick={() => setValues(() => jobValues(job))}>
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
          note={<SaveError error={error} />}
        />
      </Form>
      {dialog && (
        <LifecycleDialog
          open={dialog}
          job={job}
          dirty={changed.length > 0}
          move={move}
          onClose={() => setDialog(undefined)}
        />
      )}
    </JobSetup>
  )
}

const isStale = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'stale_resource'

/** The note is above the form, perhaps out of sight. Its buttons do not get the focus: the next key may be meant for a field. */
function pointAtConflict(): void {
  toast('Not saved: the job was changed. See the note above the form.', 'bad')
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.job-conflict')?.focus())
}

const PublicPageLink = ({ job }: { job: Job }) =>
  job.public_url && (
    <a class="button secondary small" href={job.public_url} target="_blank" rel="noreferrer">
      <Icon name="external" size={15} />
      {t.jobs.careersPage}
    </a>
  )

/** Says of a pushed job that its source overwrites what is changed here. */
const SourceNotice = ({ job }: { job: Job }) =>
  job.source.external_id === null ? null : (
    <Notice tone="info">
      <p>
        This job comes from <code>{job.source.system}</code>, where its id is <code>{job.source.external_id}</code>. The
        next push from there replaces the fields that it sends.
      </p>
    </Notice>
  )

/** What is neither at a field nor in the note above the form; the readiness says in detail what is missing. */
function SaveError({ error }: { error: ApiError | undefined }) {
  if (isStale(error) || error?.code === 'job_not_publishable') return null
  const marked = [...(error?.fields.keys() ?? [])].every(name =>
    JOB_FIELD_NAMES.some(field => name === field || name.startsWith(`${field}[`)),
  )
  return <FormError error={error} marked={marked} />
}

interface LifecycleDialogProps {
  open: JobDialog
  job: Job
  dirty: boolean
  move: (to: Move) => void
  onClose: () => void
}

function LifecycleDialog({ open, job, dirty, move, onClose }: LifecycleDialogProps) {
  if (open === 'duplicate') return <DuplicateDialog job={job} onClose={onClose} />
  if (open === 'delete') return <DeleteDialog job={job} onClose={onClose} />
  return (
    <HideDialog
      job={job}
      move={open}
      dirty={dirty}
      onClose={onClose}
      onConfirm={() => {
        onClose()
        move(open)
      }}
    />
  )
}
