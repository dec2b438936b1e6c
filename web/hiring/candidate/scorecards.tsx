import '../css/decisions.css'
import '../css/scorecards.css'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { Link } from '../../ui/router.tsx'
import { useData } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useMay, useSession } from '../session.ts'
import { t } from '../texts/index.ts'
import { isBegunHere } from './card-draft.ts'
import { holderOf } from './drafts.ts'
import type { PanelProps } from './panel-props.ts'
import { Card, PanelSummary } from './scorecard-card.tsx'
import { ScorecardForm } from './scorecard-form.tsx'
import { AskDialog, Requests } from './scorecard-requests.tsx'

/** The form is open by itself for who was asked, and for what was begun. */
type Writing = 'opened' | 'closed' | undefined

/** Scorecards of a candidate: one's own first, then what the panel thinks. */
export function ScorecardsPanel({ application, candidate, reload: reloadPage }: PanelProps) {
  const asks = candidate.may.includes('decide')
  const {
    data: panel,
    error,
    reload,
  } = useData('/applications/{application}/scorecards', {
    application: application.id,
  })
  const holder = holderOf(useSession())
  const [writing, setWriting] = useState<Writing>()
  const [asking, setAsking] = useState(false)
  const may = useMay()
  useShortcuts([{ keys: KEYS.create, title: t.scorecards.write, run: () => setWriting('opened') }])
  useLive(({ data: { object } }) => {
    if (object.id === application.id && object.changed?.includes('scorecards')) reload()
  })
  useWhenSeenAgain(reload)
  if (error && !panel) return <ErrorNote error={error} retry={reload} />
  if (!panel) return <Skeleton lines={4} />
  const begun = panel.draft !== null || isBegunHere(holder, application.id)
  const isOpen = writing === undefined ? begun || panel.asked !== null : writing === 'opened'
  const own = panel.cards.some(card => card.mine)
  return (
    <div class="stack-panel">
      {panel.hidden > 0 && <Notice>{t.scorecards.yoursFirst(panel.hidden)}</Notice>}
      {panel.asked && <p class="small soft">{t.scorecards.asked(panel.asked.stage_name)}</p>}
      {isOpen && (
        <ScorecardForm
          // opened by a key while it is open already, it takes the focus
          key={writing ?? 'begun'}
          applicationId={application.id}
          panel={panel}
          isOpened={writing === 'opened'}
          onClose={() => setWriting('closed')}
          onWritten={() => {
            setWriting('closed')
            reload()
            // the tab has their number
            reloadPage()
          }}
          reload={reload}
        />
      )}
      <div class="entry-actions">
        {!isOpen && (
          <Button kind={own ? 'secondary' : 'primary'} onClick={() => setWriting('opened')}>
            {begun ? t.scorecards.continue : own ? t.scorecards.writeAnother : t.scorecards.write}
          </Button>
        )}
        {asks && <Button onClick={() => setAsking(true)}>{t.scorecards.ask}</Button>}
        {may('jobs:manage') && candidate.may.includes('read_setup') && (
          <Link to={`/jobs/${application.job_id}/criteria`}>{t.scorecards.setUp}</Link>
        )}
      </div>
      <Requests of={application.id} panel={panel} reload={reload} mayWithdraw={asks} />
      {panel.hidden === 0 && panel.cards.length > 1 && <PanelSummary cards={panel.cards} />}
      {panel.cards.length === 0 && panel.hidden === 0 && !isOpen && <Empty title={t.scorecards.none} />}
      {panel.cards.length > 0 && (
        <ol class="entries" aria-label={t.scorecards.title}>
          {panel.cards.map(card => (
            <Card key={card.id} applicationId={application.id} card={card} onRemark={reload} />
          ))}
        </ol>
      )}
      {asking && <AskDialog of={application.id} panel={panel} reload={reload} onClose={() => setAsking(false)} />}
    </div>
  )
}

/** Another device may have gone on writing in the meantime. */
function useWhenSeenAgain(run: () => void): void {
  useEffect(() => {
    const onChange = () => {
      if (document.visibilityState === 'visible') run()
    }
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [run])
}
