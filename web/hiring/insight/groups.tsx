import type { FunnelGroup, FunnelStage, FunnelTotals } from '../../../packages/sdk/src/generated.ts'
import type { ApplicationStatus } from '../../../src/contract/application-status.ts'
import { Bars, Chart, type Series } from '../../ui/chart.tsx'
import { amount } from '../../ui/numbers.ts'
import { Behind, inDays, type Part, share } from './behind.tsx'
import { groupingName, groupName } from './names.ts'

type Counted = Pick<FunnelTotals, ApplicationStatus>

interface Bar {
  name: string
  totals: Counted
}

const open = (totals: Counted): number => totals.new + totals.in_review + totals.advanced

const SERIES: readonly Series<Bar>[] = [
  { name: 'Open', tone: 'info', value: ({ totals }) => open(totals) },
  { name: 'Hired', tone: 'good', value: ({ totals }) => totals.hired },
  { name: 'Rejected', tone: 'bad', value: ({ totals }) => totals.rejected },
  { name: 'Withdrawn', tone: 'warn', value: ({ totals }) => totals.withdrawn },
]

const NONE: Counted = { new: 0, in_review: 0, advanced: 0, hired: 0, rejected: 0, withdrawn: 0 }

const byKey = (a: FunnelGroup, b: FunnelGroup) => (a.key ?? '').localeCompare(b.key ?? '')

/** Every week or month from the first to the last that has applications: a gap is time, too. */
function overTime(groups: readonly FunnelGroup[], grouping: 'week' | 'month'): Bar[] {
  const bars: Bar[] = []
  const sorted = [...groups].sort(byKey)
  for (const [i, { key, label, totals }] of sorted.entries()) {
    bars.push({ name: groupName(grouping, key, label), totals })
    const end = sorted[i + 1]?.key
    const at = new Date(`${key}T00:00:00Z`)
    while (end) {
      if (grouping === 'week') at.setUTCDate(at.getUTCDate() + 7)
      else at.setUTCMonth(at.getUTCMonth() + 1)
      const next = at.toISOString().slice(0, 10)
      if (next >= end) break
      bars.push({ name: groupName(grouping, next, null), totals: NONE })
    }
  }
  return bars
}

/** More bars than this are not a picture; the table below has them all. */
const BARS = 12

interface GroupsProps {
  groups: readonly FunnelGroup[]
  /** The stages of the whole funnel: with a job they are its own, else types of stages. */
  stages: readonly FunnelStage[]
  window: Part
  grouping: string
}

/** The applications of each job, department, source, week or month, as a chart and as a table. */
export function Groups({ groups, stages, window, grouping }: GroupsProps) {
  const title = `Applications by ${grouping}`
  if (grouping === 'week' || grouping === 'month') {
    return (
      <>
        <Chart
          title={title}
          rows={overTime(groups, grouping)}
          label={({ name }) => name}
          series={SERIES}
          empty="No one applied in this time."
        />
        <GroupTable groups={[...groups].sort(byKey).reverse()} {...{ stages, window, grouping }} />
      </>
    )
  }
  const bars = groups.slice(0, BARS).map(group => ({
    name: groupName(grouping, group.key, group.label),
    totals: group.totals,
  }))
  const left = groups.length - bars.length
  return (
    <>
      <Bars
        title={title}
        head={groupingName(grouping)}
        rows={bars}
        label={({ name }) => name}
        series={SERIES}
        note={left > 0 ? `The largest ${BARS}; ${amount(left, 'more is', 'more are')} in the table below.` : undefined}
      />
      <GroupTable {...{ groups, stages, window, grouping }} />
    </>
  )
}

function GroupTable({ groups, stages, window, grouping }: GroupsProps) {
  // with a job, the numbers are those of its own stages: the first for interviews is shown
  const interview = stages.find(({ stage_type }) => stage_type === 'interview')
  const part: Part = interview?.stage_id ? { stage_id: interview.stage_id } : { stage_type: 'interview' }
  const reached = (group: FunnelGroup) =>
    group.stages.find(stage =>
      interview?.stage_id ? stage.stage_id === interview.stage_id : stage.stage_type === 'interview',
    )?.reached ?? 0
  return (
    <div class="table-frame">
      <table class="rows" aria-label={`Applications by ${grouping}`}>
        <thead>
          <tr>
            <th scope="col" class="grow">
              {groupingName(grouping)}
            </th>
            <th scope="col" class="end">
              Applications
            </th>
            {interview && (
              <th scope="col" class="end wide-only">
                {interview.name ? `Reached ${interview.name}` : 'Interviewed'}
              </th>
            )}
            <th scope="col" class="end">
              Hired
            </th>
            <th scope="col" class="end wide-only">
              Rejected
            </th>
            <th scope="col" class="end wide-only">
              Withdrawn
            </th>
            <th scope="col" class="end wide-only">
              Time to hire
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(group => {
            const { key, totals } = group
            const own: Part = { group_by: grouping, ...(key === null ? {} : { group: key }) }
            const behind = (n: number, more: Part, text?: string) => (
              <Behind n={n} window={window} part={{ ...own, ...more }}>
                {text}
              </Behind>
            )
            return (
              <tr key={key}>
                <th scope="row" class="grow">
                  {groupName(grouping, key, group.label)}
                </th>
                <td class="end">{behind(totals.applications, {})}</td>
                {interview && (
                  <td class="end wide-only">
                    {behind(reached(group), part)}{' '}
                    <span class="faint">{share(reached(group), totals.applications)}</span>
                  </td>
                )}
                <td class="end">
                  {behind(totals.hired, { status: 'hired' })}{' '}
                  <span class="faint">{share(totals.hired, totals.applications)}</span>
                </td>
                <td class="end wide-only">{behind(totals.rejected, { status: 'rejected' })}</td>
                <td class="end wide-only">{behind(totals.withdrawn, { status: 'withdrawn' })}</td>
                <td class="end wide-only">
                  {totals.median_days_to_hire === null
                    ? '–'
                    : behind(totals.hired, { status: 'hired' }, inDays(totals.median_days_to_hire))}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
