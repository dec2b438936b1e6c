import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { JobRight } from '../../../src/contract/job-rights.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { t } from '../texts/index.ts'
import { chooseJobNext, JobChoice, type OpenJob } from './job-choice.tsx'
import { openStages } from './stage-and-source.tsx'

export interface ChosenPlace {
  job: OpenJob
  stageId: string | undefined
}

/** What was done, and what was not. */
export function toSentences(done: string | false, others: readonly (string | false)[]): string {
  const rest = others.filter(Boolean).join(', ')
  return [done, rest && `${rest}.`].filter(Boolean).join(' ')
}

interface ToJobDialogProps {
  title: string
  /** what the reader must be allowed in the job */
  right: JobRight
  /** jobs that are no choice */
  exclude?: readonly string[]
  /** below the stages */
  children?: ComponentChildren
  onClose: () => void
  /** what is done; the dialog stays open and says why where it fails */
  onChosen: (place: ChosenPlace) => Promise<void>
}

/** In two steps, each with Enter: the job, then the stage. */
export function ToJobDialog({ title, right, exclude = [], children, onClose, onChosen }: ToJobDialogProps) {
  const [job, setJob] = useState<OpenJob>()
  return (
    <Dialog title={title} onClose={onClose}>
      {job ? (
        <StageChoice job={job} onBack={() => setJob(undefined)} onChosen={onChosen}>
          {children}
        </StageChoice>
      ) : (
        <JobChoice right={right} exclude={exclude} onChoose={setJob} />
      )}
    </Dialog>
  )
}

interface StageChoiceProps {
  job: OpenJob
  children: ComponentChildren
  onBack: () => void
  onChosen: ToJobDialogProps['onChosen']
}

function StageChoice({ job, children, onBack, onChosen }: StageChoiceProps) {
  const { busy, error, submit } = useSubmit()
  const list = useRef<HTMLDivElement>(null)
  const stages = openStages(job.stages)
  // the stage of most people is the first
  useLayoutEffect(() => list.current?.querySelector('button')?.focus(), [])
  const choose = (stageId: string | undefined) =>
    submit(async () => {
      chooseJobNext(job)
      await onChosen({ job, stageId })
    })
  return (
    <div class="job-choice">
      <p class="chosen-job">
        <span>{job.title}</span>
        <Button small onClick={onBack}>
          {t.adding.otherJob}
        </Button>
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: digits press the buttons inside */}
      <div
        ref={list}
        class="stage-choice"
        aria-busy={busy}
        onKeyDown={event => {
          const stage = stages[Number(event.key) - 1]
          if (stage) return void choose(stage.id)
          const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (by === 0) return
          event.preventDefault()
          const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
          buttons[buttons.indexOf(document.activeElement as HTMLElement) + by]?.focus()
        }}
      >
        {stages.map((stage, i) => (
          <button key={stage.id} type="button" aria-disabled={busy || undefined} onClick={() => choose(stage.id)}>
            <kbd>{i < 9 ? i + 1 : ''}</kbd>
            <span>{stage.name}</span>
          </button>
        ))}
      </div>
      {children}
      <FormError error={error} />
      {stages.length === 0 && (
        <DialogActions>
          <Button kind="primary" busy={busy} onClick={() => choose(undefined)}>
            {t.adding.add}
          </Button>
        </DialogActions>
      )}
    </div>
  )
}
