import { useId, useState } from 'preact/hooks'
import { ApiError } from '../../ui/api.ts'
import { onlyOf } from '../../ui/only-of.ts'
import { navigate } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Sent, send } from '../api.ts'
import { t } from '../texts/index.ts'
import { type ChosenPlace, ToJobDialog, toSentences } from './to-job-dialog.tsx'

/** A candidate who is considered for another job. */
export interface Transferred {
  applicationId: string
  jobId: string
  /** undefined: the page has it for none of them */
  jobTitle: string | undefined
  name: string
  /** the application is decided: it stays as it is */
  isDecided: boolean
}

interface Props {
  people: readonly Transferred[]
  onClose: () => void
  /** at least one application was made, or rejected */
  onMoved: () => void
}

type Outcome = Sent<'/applications/{application}/to-job'> | { outcome: 'refused'; application_id: null }

/** One after the other: what is refused does not keep the others out. */
async function moveToJob(people: readonly Transferred[], { job, stageId }: ChosenPlace, keep: boolean) {
  const outcomes: Outcome[] = []
  for (const { applicationId: application } of people) {
    const body = { job_id: job.id, keep, ...(stageId === undefined ? {} : { stage_id: stageId }) }
    try {
      outcomes.push(await send('/applications/{application}/to-job', { application }, body))
    } catch (error) {
      // the dialog says why one is refused; of several, the others go on
      if (people.length === 1 || !(error instanceof ApiError)) throw error
      outcomes.push({ outcome: 'refused', application_id: null })
    }
  }
  return outcomes
}

/** Considers candidates for another job: each gets a new application there. */
export function TransferDialog({ people, onClose, onMoved }: Props) {
  const id = useId()
  const [keep, setKeep] = useState(false)
  const only = onlyOf(people)
  const jobs = [...new Set(people.map(({ jobId }) => jobId))]
  // people of several jobs can be put into any of them: who is in it already stays there
  const exclude = jobs.length === 1 ? jobs : []
  const title = onlyOf([...new Set(people.map(({ jobTitle }) => jobTitle))])
  const who = only?.name ?? t.adding.candidates(people.length)
  const move = async (place: ChosenPlace) => {
    const { job } = place
    const outcomes = await moveToJob(
      people.filter(({ jobId }) => jobId !== job.id),
      place,
      keep,
    )
    const added = outcomes.flatMap(one => (one.outcome === 'added' ? [one.application_id] : []))
    const already = people.length - outcomes.length + outcomes.filter(one => one.outcome === 'already_in_job').length
    const refused = people.length - added.length - already
    const done = added.length > 0 && t.adding.addedTo(only?.name ?? t.adding.candidates(added.length), job.title)
    const words = toSentences(done, [
      already > 0 && (only ? t.adding.alreadyInJob : t.adding.countAlready(already)),
      refused > 0 && t.adding.countRefused(refused),
    ])
    const [first] = outcomes
    onClose()
    if (added.length > 0) onMoved()
    const path = only && first?.application_id ? `/applications/${first.application_id}` : `/jobs/${job.id}`
    toast(words, added.length === 0 ? 'bad' : 'good', {
      title: only ? t.adding.openCandidate : t.adding.openJob,
      run: () => navigate(path),
    })
  }
  return (
    <ToJobDialog title={t.adding.toOtherJobTitle(who)} right="hire" exclude={exclude} onClose={onClose} onChosen={move}>
      {people.some(({ isDecided }) => !isDecided) && (
        <div>
          <label class="check" for={id}>
            <input id={id} type="checkbox" checked={keep} onChange={event => setKeep(event.currentTarget.checked)} />
            {title === undefined ? t.adding.alsoKeepMany : t.adding.alsoKeep(title)}
          </label>
          <p class="hint">{t.adding.transferHint}</p>
        </div>
      )}
    </ToJobDialog>
  )
}
