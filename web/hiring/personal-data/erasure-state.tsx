import { useEffect } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Empty, Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { dateFormat } from '../../ui/time.tsx'
import { type Candidate, candidateName } from '../candidate/data.ts'
import { useSession } from '../session.ts'
import { t } from '../texts/index.ts'
import { undoErasure } from './undo.ts'

/** A page that hears of no event reads again so often while an erasure is planned or runs. */
const POLL_MS = 2_000

interface ErasureStateProps {
  candidate: Candidate
  reload: () => void
}

/** What happens to the person's data. A stop that is in effect has a notice of its own. */
export function ErasureState({ candidate, reload }: ErasureStateProps) {
  const { user } = useSession()
  const { erasure, application } = candidate
  const isStop = erasure?.reason === 'stop_processing'
  const changes = erasure !== null && (erasure.state === 'planned' || !isStop)
  useEffect(() => {
    if (!changes) return
    const polling = setInterval(reload, POLL_MS)
    return () => clearInterval(polling)
  }, [changes, application.id])
  if (!changes) return null
  const isPlanned = erasure.state === 'planned'
  const mayUndo = isPlanned && user.role === 'owner' && application.applicant_id !== null
  return (
    <div role="status" class="erasure-state">
      <Notice tone="warn">
        <p>
          {isPlanned
            ? isStop
              ? t.erasure.stopsSoon
              : t.erasure.erasesSoon
            : t.erasure.running(dateFormat('date').format(new Date(erasure.delete_by ?? Date.now())))}
        </p>
        {mayUndo && (
          <Button
            small
            onClick={() => void undoErasure(application.applicant_id ?? '', candidateName(candidate)).then(reload)}
          >
            {t.common.undo}
          </Button>
        )}
      </Notice>
    </div>
  )
}

/** In the place of a page whose person was erased while it was open. */
export const Erased = ({ back }: { back: { to: string; title: string } }) => (
  <div role="alert">
    <PageHead title={t.erasure.erased} back={back} />
    <Empty title={t.erasure.erased}>{t.erasure.erasedMeans}</Empty>
  </div>
)
