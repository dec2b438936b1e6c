import { useEffect, useState } from 'preact/hooks'
import type { PipelineStage } from '../../../packages/sdk/src/generated.ts'
import { isOpen } from '../../../src/contract/application-status.ts'
import { MAX_CHANGES } from '../../../src/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { TransferDialog } from '../adding/transfer-dialog.tsx'
import { type Body, type Row, read, type Sent, send } from '../api.ts'
import { toastWithUndo } from '../candidate/undo.ts'
import { RejectDialog, type Rejection } from '../decisions/reject-dialog.tsx'
import { KEYS } from '../key-table.ts'
import { isFinal } from '../outcome.ts'
import { t } from '../texts/index.ts'
import { candidateName } from './words.ts'
import '../css/stage-choice.css'

export type Candidate = Row<'/candidates'>
/** Where someone is who is changed together with others. */
export type Person = Pick<Candidate, 'application_id' | 'job_id' | 'job_title' | 'stage_id' | 'status' | 'name'>
type Change = Body<'/applications/changes'>['changes'][number]
type Result = Sent<'/applications/changes'>['results'][number]

export type Asked = 'move' | 'reject' | 'tag' | 'transfer'

/** Sends changes in the portions that one call takes. */
async function sendChanges(changes: readonly Change[]): Promise<Result[]> {
  const results: Result[] = []
  for (let i = 0; i < changes.length; i += MAX_CHANGES)
    results.push(...(await send('/applications/changes', { changes: changes.slice(i, i + MAX_CHANGES) })).results)
  return results
}

/** Changes of many, said in one toast with a way back; what was refused is said in another. */
async function changeAll(
  people: readonly Person[],
  changeOf: (person: Person) => Change,
  words: { done: (n: number) => string; undone: (n: number) => string },
  onChanged: () => void,
): Promise<void> {
  const results = await sendChanges(people.map(changeOf))
  const done = results.filter(result => result.ok)
  if (done.length < results.length) toast(t.candidates.refusedSome(results.length - done.length), 'bad')
  if (done.length > 0)
    toastWithUndo(words.done(done.length), async () => {
      const undone = await sendChanges(
        // what someone else has changed since stays
        done.map(({ id, stage_id, status }) => ({ id, action: 'undo', expected: { stage_id, status } })),
      )
      onChanged()
      return words.undone(undone.filter(({ ok }) => ok).length)
    })
  onChanged()
}

const expectedOf = ({ stage_id, status }: Person): NonNullable<Change['expected']> => ({ stage_id, status })

interface BulkProps {
  people: readonly Person[]
  onClose: () => void
  /** something was changed */
  onChanged: () => void
}

/** The stages of several jobs that have the same name: where all candidates can be moved at the same time. */
function useSharedStages(jobs: readonly string[]) {
  const [stages, setStages] = useState<ReadonlyMap<string, ReadonlyMap<string, string>>>()
  useEffect(() => {
    const abort = new AbortController()
    const path = '/v1/jobs/{job_handle}/pipeline-stages' as const
    Promise.all(jobs.map(job_handle => read(path, { job_handle }, abort.signal))).then(
      responses =>
        setStages(
          sharedStages(
            jobs,
            responses.map(({ data }) => data),
          ),
        ),
      () => {},
    )
    return () => abort.abort()
  }, [jobs.join(' ')])
  return stages
}

/** By the name of a stage: its id in each job. */
function sharedStages(
  jobs: readonly string[],
  ofJobs: readonly (readonly PipelineStage[])[],
): Map<string, Map<string, string>> {
  const byName = new Map<string, Map<string, string>>()
  for (const [i, stages] of ofJobs.entries())
    for (const { id, name } of stages.filter(stage => !isFinal(stage))) {
      const ids = byName.get(name) ?? new Map<string, string>()
      ids.set(jobs[i] ?? '', id)
      byName.set(name, ids)
    }
  return new Map([...byName].filter(([, ids]) => ids.size === jobs.length))
}

function MoveManyDialog({ people, onClose, onChanged }: BulkProps) {
  const stages = useSharedStages([...new Set(people.map(({ job_id }) => job_id))])
  const names = [...(stages?.keys() ?? [])]
  const move = (name: string) => {
    onClose()
    const ids = stages?.get(name)
    const moving = people.filter(({ job_id, stage_id }) => ids?.get(job_id) !== stage_id)
    void changeAll(
      moving,
      person => ({
        id: person.application_id,
        action: 'move',
        stage_id: ids?.get(person.job_id) ?? person.stage_id,
        expected: expectedOf(person),
      }),
      { done: n => t.candidates.moved(n, name), undone: t.candidates.movedBack },
      onChanged,
    )
  }
  return (
    <Dialog title={t.candidates.moveTitle(people.length)} onClose={onClose}>
      {!stages ? (
        <Skeleton lines={4} />
      ) : names.length === 0 ? (
        <p>{t.candidates.noSharedStage}</p>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: digits press the buttons inside
        <div
          class="stage-choice dialog-actions"
          onKeyDown={event => {
            const name = names[Number(event.key) - 1]
            if (name) move(name)
          }}
        >
          {names.map((name, i) => (
            <button
              key={name}
              type="button"
              ref={i === 0 ? button => button?.focus() : null}
              onClick={() => move(name)}
            >
              <kbd>{i < 9 ? i + 1 : ''}</kbd>
              <span>{name}</span>
            </button>
          ))}
        </div>
      )}
    </Dialog>
  )
}

function RejectManyDialog({ people, onClose, onChanged }: BulkProps) {
  const [first] = people
  const reject = async (rejection: Rejection) => {
    await changeAll(
      people,
      person => ({ id: person.application_id, action: 'reject', ...rejection, expected: expectedOf(person) }),
      { done: t.candidates.rejectedToast, undone: t.candidates.reopenedToast },
      onChanged,
    )
    onClose()
  }
  if (!first) return null
  return (
    <RejectDialog
      jobId={first.job_id}
      people={people.map(person => ({ applicationId: person.application_id, name: candidateName(person) }))}
      onClose={onClose}
      onReject={reject}
    />
  )
}

function TagManyDialog({ people, onClose, onChanged }: BulkProps) {
  const [tag, setTag] = useState('')
  const { busy, error, submit, fault } = useSubmit()
  const save = () =>
    void submit(async () => {
      for (const { application_id } of people)
        await send('/applications/{application}/tags', { application: application_id }, { add: tag })
      toast(t.candidates.tagged(people.length, tag))
      onChanged()
      onClose()
    })
  return (
    <FormDialog
      title={t.candidates.tagTitle(people.length)}
      action={t.common.save}
      busy={busy}
      error={error}
      disabled={tag.trim() === ''}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField label={t.candidates.tag} value={tag} onInput={setTag} fault={fault('add')} autofocus />
    </FormDialog>
  )
}

const TransferManyDialog = ({ people, onClose, onChanged }: BulkProps) => (
  <TransferDialog
    people={people.map(person => ({
      applicationId: person.application_id,
      jobId: person.job_id,
      jobTitle: person.job_title,
      name: candidateName(person),
      isDecided: !isOpen(person.status),
    }))}
    onClose={onClose}
    onMoved={onChanged}
  />
)

const DIALOGS = {
  move: MoveManyDialog,
  reject: RejectManyDialog,
  tag: TagManyDialog,
  transfer: TransferManyDialog,
} as const

/** The dialog for what the reader wants to do with several candidates. */
export function BulkDialog({ asked, ...props }: BulkProps & { asked: Asked }) {
  const Asking = DIALOGS[asked]
  return <Asking {...props} />
}

interface BarProps {
  count: number
  /** whether the reader puts all of them into other jobs */
  mayTransfer: boolean
  ask: (what: Asked) => void
  onClear: () => void
}

export const SelectedBar = ({ count, mayTransfer, ask, onClear }: BarProps) => (
  <section class="selection-bar" aria-label={t.candidates.selected(count)}>
    <b>{t.candidates.selected(count)}</b>
    <Button small onClick={() => ask('move')}>
      {t.candidates.move}
    </Button>
    <Button small kind="danger" onClick={() => ask('reject')}>
      {t.candidates.reject}
    </Button>
    <Button small onClick={() => ask('tag')}>
      {t.candidates.addTag}
    </Button>
    {mayTransfer && (
      <Button small onClick={() => ask('transfer')} title={`Key: ${KEYS.toJob}`}>
        {t.adding.toOtherJob}
      </Button>
    )}
    <Button small onClick={onClear}>
      {t.candidates.clearSelection}
    </Button>
  </section>
)
