import { navigate } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'
import { addCandidates, isStored } from './add.ts'
import { useTelling } from './tell.tsx'
import { type ChosenPlace, ToJobDialog, toSentences } from './to-job-dialog.tsx'

/** Someone of the pool, or a profile of the workspace. */
export interface FoundPerson {
  id: string
  name: string
  /** contact details are stored, so the person can be written to */
  hasAddress: boolean
}

interface Props {
  people: readonly FoundPerson[]
  onClose: () => void
  /** at least one was added */
  onAdded: () => void
}

/** Whether the reader may put people whom the team found into jobs; in which ones is decided for each. */
export const useMayAddToJob = (): boolean => useMay()('applications:write')

/** Puts people whom the team found into a job. Their profiles stay in the lists that they are on. */
export function ProfilesToJobDialog({ people, onClose, onAdded }: Props) {
  const telling = useTelling(people.filter(({ hasAddress }) => hasAddress).length)
  const [first] = people
  const who = people.length === 1 && first ? first.name : t.adding.people(people.length)
  const add = async ({ job, stageId }: ChosenPlace) => {
    const stage = stageId === undefined ? {} : { stage_id: stageId }
    const candidates = people.map(({ id }) => ({ profile_id: id, ...stage }))
    const { lines, error } = await addCandidates(job.id, candidates, telling.notice)
    const added = lines.filter(isStored).length
    const already = lines.filter(({ outcome }) => outcome === 'already_in_job').length
    const refused = lines.length - added - already
    const whom = people.length === 1 && first ? first.name : t.adding.people(added)
    const words = toSentences(added > 0 && t.adding.addedTo(whom, job.title), [
      already > 0 && (people.length === 1 ? t.adding.alreadyInJob : t.adding.countAlready(already)),
      refused > 0 && t.adding.countRefused(refused),
      error !== undefined && t.adding.countFailed(people.length - lines.length),
    ])
    onClose()
    if (added > 0) onAdded()
    toast(words, added === 0 ? 'bad' : 'good', {
      title: t.adding.openJob,
      run: () => navigate(`/jobs/${job.id}`),
    })
  }
  return (
    <ToJobDialog title={t.adding.toJobTitle(who)} right="decide" onClose={onClose} onChosen={add}>
      {telling.line}
    </ToJobDialog>
  )
}
