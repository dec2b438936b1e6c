import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Link } from '../../ui/router.tsx'
import { useData } from '../api.ts'
import { useMay, useSession } from '../session.ts'
import { t } from '../texts/index.ts'

interface EmptyBoardProps {
  jobId: string
  /** none is open, but others were */
  hasCandidates: boolean
  /** undefined: the reader adds no one */
  onAdd: (() => void) | undefined
}

/** A board without an open candidate: how people come to this job. */
export function EmptyBoard({ jobId, hasCandidates, onAdd }: EmptyBoardProps) {
  const may = useMay()
  const { limited } = useSession()
  const { data: job } = useData('/v1/jobs/{job_handle}', { job_handle: jobId })
  return (
    <div class="board-none">
      <p>{hasCandidates ? 'No open candidates.' : 'No candidates yet.'} New applications appear here.</p>
      <div class="actions">
        {onAdd && (
          <Button small onClick={onAdd}>
            {t.adding.add}
          </Button>
        )}
        {job?.public_url && (
          <>
            <CopyButton value={job.public_url} label="Copy link to the job" text="Copy link to the job" />
            <a class="button secondary small" href={job.public_url} target="_blank" rel="noreferrer">
              Careers page
            </a>
          </>
        )}
        {job && job.status !== 'published' && may('jobs:manage') && (
          <Link to={`/jobs/${jobId}/edit`} class="button secondary small">
            {job.status === 'draft' ? 'Publish the job' : 'Reopen the job'}
          </Link>
        )}
        {may('pool:search') && !limited && (
          <Link to="/pool" class="button secondary small">
            Find in talent pool
          </Link>
        )}
      </div>
    </div>
  )
}
