import { useState } from 'preact/hooks'
import type { Job, PublishReadiness } from '../../../packages/sdk/src/generated.ts'
import { isManager } from '../../../src/contract/roles.ts'
import type { Data } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog, DialogActions, FormDialog } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { Link, navigate } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { useSession } from '../session.ts'
import { findFieldLabel } from './fields.ts'
import { showField } from './job-form.tsx'

export type Move = 'publish' | 'unpublish' | 'close' | 'reopen'

const DONE: Readonly<Record<Move, string>> = {
  publish: 'Job published',
  unpublish: 'Job unpublished',
  close: 'Job closed',
  reopen: 'Job reopened',
}

/** What takes a move back. */
const UNDO: Readonly<Partial<Record<Move, Move>>> = { unpublish: 'publish', close: 'reopen' }

/** Moves a job, says so, and offers the way back where candidates notice the move. */
export async function sendJobMove(id: string, move: Move, reload: () => void): Promise<void> {
  await send(`/v1/jobs/{job_handle}/${move}`, { job_handle: id }, {})
  const back = UNDO[move]
  toast(
    DONE[move],
    'good',
    back && {
      title: 'Undo',
      run: () =>
        void sendJobMove(id, back, reload).catch(error => {
          toast(error.message, 'bad')
          reload()
        }),
    },
  )
  reload()
}

/** Rows of the API that name other fields by their names there. */
const IN_WORDS: Readonly<Record<string, string>> = {
  locations: 'are missing',
  years_max: 'are fewer than the minimum years',
  accept_applications: 'is off and there is no external application page: candidates cannot apply',
  'content.skills_required': 'are missing, so applications cannot be matched',
}

interface ReadinessProps {
  readiness: Data<PublishReadiness>
  job: Job
}

/** What is missing before candidates can see the job, and what would make it better. Each leads to its field. */
export function Readiness({ readiness: { data, error, reload }, job }: ReadinessProps) {
  if (error && !data) return <ErrorNote error={error} retry={reload} />
  if (!data) return <Skeleton lines={2} />
  const rows = [
    ...data.errors.map(row => ({ ...row, tone: 'bad' })),
    ...data.hints.map(row => ({ ...row, tone: 'warn' })),
  ]
  return (
    <>
      <p class={data.ready ? 'soft' : 'fault'}>
        {data.ready
          ? job.status === 'published'
            ? 'Candidates can see this job.'
            : 'Ready to be published.'
          : job.status === 'published'
            ? `Candidates can see this job, with ${amount(data.errors.length, 'thing')} missing:`
            : `${amount(data.errors.length, 'thing')} to do before it can be published:`}
      </p>
      {rows.length > 0 && (
        <ul class="findings readiness" aria-label="Readiness">
          {rows.map(({ param, message, tone }) => (
            <li key={param} class={tone}>
              <span>
                {param === 'pipeline_stages' ? (
                  <Link to={`/jobs/${job.id}/stages`}>{findFieldLabel(param)}</Link>
                ) : (
                  <button type="button" class="row-button" onClick={() => showField(param)}>
                    {findFieldLabel(param)}
                  </button>
                )}{' '}
                {IN_WORDS[param] ?? message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function DuplicateDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const [title, setTitle] = useState(`${job.title} (copy)`)
  const { busy, error, fault, submit } = useSubmit()
  return (
    <FormDialog
      title="Duplicate this job"
      onClose={onClose}
      action="Duplicate"
      busy={busy}
      error={error}
      disabled={title.trim() === ''}
      onSubmit={() =>
        submit(async () => {
          const { id } = await send('/jobs/{id}/duplicate', { id: job.id }, { title })
          toast('Job duplicated')
          navigate(`/jobs/${id}/edit`)
        })
      }
    >
      <p>The copy is a draft with the same texts, stages, form and questions. Candidates are not copied.</p>
      <TextField label="Title of the copy" value={title} onInput={setTitle} maxLength={300} fault={fault('title')} />
    </FormDialog>
  )
}

interface HideProps {
  job: Job
  move: 'close' | 'unpublish'
  /** what is entered is saved with it */
  dirty: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Candidates notice it: asked for, because the buttons are where Publish was. */
export const HideDialog = ({ job, move, dirty, onClose, onConfirm }: HideProps) => (
  <Confirm
    title={move === 'close' ? `Close ${job.title}?` : `Unpublish ${job.title}?`}
    action={move === 'close' ? 'Close job' : 'Unpublish'}
    onClose={onClose}
    onConfirm={async () => onConfirm()}
  >
    <p>
      {move === 'close'
        ? 'No one can apply any more. Its candidates stay where they are, and you can reopen it.'
        : 'It becomes a draft, and candidates no longer see it. You can publish it again.'}
      {dirty && ' Your changes are saved with it.'}
    </p>
  </Confirm>
)

export function DeleteDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const [reason, setReason] = useState('')
  if (job.application_count > 0) {
    return (
      <Dialog title="This job cannot be deleted" onClose={onClose}>
        <p>
          It has {amount(job.application_count, 'application')}, which are records of their own. Close it instead: then
          no one can apply, and everything stays readable.
        </p>
        <DialogActions>
          <Button onClick={onClose}>OK</Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Confirm
      title={`Delete ${job.title}?`}
      action="Delete job"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await send('/jobs/{id}/delete', { id: job.id }, { reason: reason.trim() || 'Deleted in the hiring pages' })
        toast('Job deleted')
        navigate('/', { replace: true })
      }}
    >
      <p>
        The job, its stages, its form and its history are deleted permanently. Partners get an event with the reason.
      </p>
      <TextField label="Reason" value={reason} onInput={setReason} maxLength={200} placeholder="Created twice" />
    </Confirm>
  )
}

/** Owners and admins delete; the service refuses others. */
export const useMayDelete = (): boolean => isManager(useSession().user)
