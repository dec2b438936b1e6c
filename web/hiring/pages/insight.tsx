import type { FunnelTotals, HiringFunnel } from '../../../packages/sdk/src/generated.ts'
import { Segments } from '../../ui/form.tsx'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { Link, useFilters } from '../../ui/router.tsx'
import { useData } from '../api.ts'
import { Behind, inDays, type Part } from '../insight/behind.tsx'
import { FILTERS, InsightFilters, type SetValues } from '../insight/filters.tsx'
import { Groups } from '../insight/groups.tsx'
import { GROUPINGS } from '../insight/names.ts'
import { Stages } from '../insight/stages.tsx'
import { OUTCOME_WORDS } from '../outcome.ts'
import { useMay, useSession } from '../session.ts'
import { t } from '../texts/index.ts'
import '../css/insight.css'

/** The hiring funnel: how many got how far, how long it took, and where the good ones came from. */
export function InsightPage() {
  const readsHistory = useMay()('applications:internal:read')
  const { jobs } = useSession()
  return (
    <>
      <PageHead
        title="Insight"
        description={
          readsHistory
            ? 'How candidates move through your jobs. Every number opens the applications behind it.'
            : 'How candidates move through your jobs. A number that is a link opens the applications behind it.'
        }
      />
      {jobs?.length === 0 ? (
        <Empty title="You are not on any job’s team yet">
          <p>Ask an admin to add you to one.</p>
        </Empty>
      ) : (
        <Figures />
      )}
    </>
  )
}

function Figures() {
  const { jobs } = useSession()
  const [given, set] = useFilters(FILTERS)
  // people who are limited to jobs see one of them at a time
  const [first] = jobs ?? []
  const values = first !== undefined && given.job_id === '' ? { ...given, job_id: first } : given
  const days = values.days || '90'
  const grouping = values.group_by || 'source'
  // whole days, so that the same page is the same question all day
  const after = new Date(Math.floor(Date.now() / 86_400_000 - Number(days) + 1) * 86_400_000).toISOString()
  const { job_id, department, source } = values
  const window = { applied_after: after, job_id, department, source }
  const funnel = useData('/v1/analytics/hiring-funnel', { ...window, group_by: grouping })
  return (
    <>
      <InsightFilters values={values} days={days} after={after} set={set} limited={jobs !== null} />
      {funnel.error && <ErrorNote error={funnel.error} retry={funnel.reload} />}
      {!funnel.data && !funnel.error && <Skeleton lines={10} />}
      {funnel.data && (
        <Funnel
          funnel={funnel.data}
          window={window}
          chosen={grouping}
          set={set}
          stale={funnel.loading}
          filtered={Boolean(job_id || department || source)}
        />
      )}
    </>
  )
}

interface FunnelProps {
  funnel: HiringFunnel
  window: Part
  /** the grouping that was asked for; until it is there, the one before is shown */
  chosen: string
  set: SetValues
  stale: boolean
  filtered: boolean
}

function Funnel({ funnel, window, chosen, set, stale, filtered }: FunnelProps) {
  const { totals, stages, groups, group_by: grouping } = funnel
  if (totals.applications === 0) {
    return (
      <Empty title={filtered ? 'No application matches' : 'No one applied in this time'}>
        {filtered ? (
          <p>Choose a longer time, or clear the filters.</p>
        ) : (
          <p>
            Choose a longer time, or <Link to="/">publish a job</Link>: numbers appear with the first application.
          </p>
        )}
      </Empty>
    )
  }
  return (
    <div class={stale ? 'stale' : undefined}>
      <Totals totals={totals} window={window} />
      <Section
        title="Stages"
        description="Of those who applied in this time: who reached a stage, and what became of them there."
      >
        <Stages stages={stages} window={window} />
      </Section>
      <Section
        title="Compare"
        actions={
          <Segments label="Compare by" value={chosen} options={GROUPINGS} onInput={value => set({ group_by: value })} />
        }
      >
        <Groups groups={groups} stages={stages} window={window} grouping={grouping} />
        {funnel.groups_truncated && <Notice>Only the 500 groups with the most applications are shown.</Notice>}
      </Section>
    </div>
  )
}

const ENDED = ['hired', 'rejected', 'withdrawn'] as const

/** The statuses add up to the applications. */
const Totals = ({ totals, window }: { totals: FunnelTotals; window: Part }) => (
  <dl class="insight-totals">
    <div>
      <dt>Applications</dt>
      <dd>
        <Behind n={totals.applications} window={window} part={{}} />
      </dd>
    </div>
    <div>
      <dt>{t.common.open}</dt>
      <dd>
        <Behind n={totals.new + totals.in_review + totals.advanced} window={window} part={{ status: 'open' }} />
      </dd>
    </div>
    {ENDED.map(status => (
      <div key={status}>
        <dt>{OUTCOME_WORDS()[status]}</dt>
        <dd>
          <Behind n={totals[status]} window={window} part={{ status }} />
        </dd>
      </div>
    ))}
    <div>
      <dt>Median time to hire</dt>
      <dd>
        {totals.median_days_to_hire === null ? (
          '–'
        ) : (
          <Behind n={totals.hired} window={window} part={{ status: 'hired' }}>
            {inDays(totals.median_days_to_hire)}
          </Behind>
        )}
      </dd>
    </div>
  </dl>
)
