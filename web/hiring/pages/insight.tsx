import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type {
  FunnelGroup,
  FunnelStage,
  FunnelTotals,
  HiringFunnel,
  JobPage,
} from '../../../packages/sdk/src/generated.ts'
import { queryOf, useData } from '../../ui/api.ts'
import { Chart } from '../../ui/chart.tsx'
import { Segments, SelectField } from '../../ui/form.tsx'
import { Empty, ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { PageHead, Section } from '../../ui/page.tsx'
import { Link, useFilters } from '../../ui/router.tsx'
import { useMay } from '../session.ts'
import { sourceName } from '../source-names.ts'
import '../css/insight.css'

const FILTERS = ['days', 'job_id', 'department', 'source', 'group_by'] as const
type Values = Record<(typeof FILTERS)[number], string>

const SPANS = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '12 months'],
] as const

const GROUPINGS = [
  ['job', 'Job'],
  ['department', 'Department'],
  ['source', 'Source'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const

const STAGE_NAMES: Readonly<Record<string, string>> = {
  applied: 'Applied',
  screen: 'Screen',
  assessment: 'Assessment',
  interview: 'Interview',
  offer: 'Offer',
  hired: 'Hired',
  custom: 'Other stages',
}

/** The hiring funnel: how many got how far, how long it took, and where the good ones came from. */
export function InsightPage() {
  const [values, set] = useFilters(FILTERS)
  const days = values.days || '90'
  const grouping = values.group_by || 'source'
  // whole days, so that the same page is the same question all day
  const after = new Date(Math.floor(Date.now() / 86_400_000 - Number(days) + 1) * 86_400_000).toISOString()
  const { job_id, department, source } = values
  const window = { applied_after: after, job_id, department, source }
  const funnel = useData<HiringFunnel>(`/v1/analytics/hiring-funnel${queryOf({ ...window, group_by: grouping })}`)
  const jobs = useData<JobPage>('/v1/jobs?include_unpublished=true&limit=100')
  const departments = [...new Set((jobs.data?.data ?? []).map(job => job.department))].filter(name => name !== null)
  const any = (title: string) => ['', title] as const
  return (
    <>
      <PageHead
        title="Insight"
        description="How candidates move through your jobs. Every number opens the applications behind it."
      />
      <div class="insight-filters">
        <Segments label="Applied in the last" value={days} options={SPANS} onInput={value => set({ days: value })} />
        <SelectField
          label="Job"
          value={job_id}
          options={[any('All jobs'), ...(jobs.data?.data ?? []).map(({ id, title }) => [id, title] as const)]}
          onInput={value => set({ job_id: value })}
        />
        <SelectField
          label="Department"
          value={department}
          options={[any('All departments'), ...departments.map(name => [name, name] as const)]}
          onInput={value => set({ department: value })}
        />
        {source && (
          <SelectField
            label="Source"
            value={source}
            options={[any('All sources'), [source, sourceName(source)]]}
            onInput={value => set({ source: value })}
          />
        )}
      </div>
      {funnel.error && <ErrorNote error={funnel.error} retry={funnel.reload} />}
      {!funnel.data && !funnel.error && <Skeleton lines={10} />}
      {funnel.data && (
        <Funnel
          funnel={funnel.data}
          window={window}
          values={values}
          grouping={grouping}
          set={set}
          stale={funnel.loading}
        />
      )}
    </>
  )
}

type Window = Readonly<Record<string, string>>

interface FunnelProps {
  funnel: HiringFunnel
  window: Window
  values: Values
  grouping: string
  set: (changes: Partial<Values>) => void
  stale: boolean
}

function Funnel({ funnel, window, grouping, set, stale }: FunnelProps) {
  const { totals, stages, groups } = funnel
  const isTime = grouping === 'week' || grouping === 'month'
  const inTime = [...groups].sort((a, b) => (a.key ?? '').localeCompare(b.key ?? ''))
  if (totals.applications === 0) {
    return (
      <Empty title="No one applied in this time">
        <p>Choose a longer time, or another job.</p>
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
          <Segments label="By" value={grouping} options={GROUPINGS} onInput={value => set({ group_by: value })} />
        }
      >
        {isTime ? (
          <Chart
            title={`Applications by ${grouping}`}
            rows={inTime}
            label={group => group.label ?? ''}
            series={[
              { name: 'Open', tone: 'info', value: ({ totals: t }) => t.new + t.in_review + t.advanced },
              { name: 'Hired', tone: 'good', value: ({ totals: t }) => t.hired },
              { name: 'Rejected', tone: 'bad', value: ({ totals: t }) => t.rejected },
              { name: 'Withdrawn', tone: 'warn', value: ({ totals: t }) => t.withdrawn },
            ]}
            empty="No one applied in this time."
          />
        ) : null}
        <Groups groups={isTime ? inTime.toReversed() : groups} window={window} grouping={grouping} />
        {funnel.groups_truncated && <Notice>Only the 500 groups with the most applications are shown.</Notice>}
      </Section>
    </div>
  )
}

/** A number that opens what it counts, for those who may see it. */
function Behind({
  n,
  window,
  part,
  children,
}: {
  n: number
  window: Window
  part: Window
  children?: ComponentChildren
}) {
  const may = useMay()
  const text = children ?? count.format(n)
  // which applications reached a stage is their history
  const isHistory = 'stage_id' in part || 'stage_type' in part
  const scope = isHistory && part['outcome'] !== 'current' ? 'applications:internal:read' : 'applications:read'
  if (n === 0 || !may(scope)) return <>{text}</>
  return <Link to={`/insight/applications${queryOf({ ...window, ...part })}`}>{text}</Link>
}

const TOTALS: readonly (readonly [keyof FunnelTotals, string])[] = [
  ['applications', 'Applications'],
  ['hired', 'Hired'],
  ['advanced', 'Advanced'],
  ['rejected', 'Rejected'],
  ['withdrawn', 'Withdrawn'],
]

const Totals = ({ totals, window }: { totals: FunnelTotals; window: Window }) => (
  <dl class="insight-totals">
    {TOTALS.map(([name, title]) => (
      <div key={name}>
        <dt>{title}</dt>
        <dd>
          <Behind n={totals[name] ?? 0} window={window} part={name === 'applications' ? {} : { status: name }} />
        </dd>
      </div>
    ))}
    <div>
      <dt>Median time to hire</dt>
      <dd>
        {totals.median_days_to_hire === null ? '–' : `${count.format(Math.round(totals.median_days_to_hire))} days`}
      </dd>
    </div>
  </dl>
)

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })
const share = (rate: number | null): string => (rate === null ? '–' : percent.format(rate))

/** Hours as people say them. */
function duration(hours: number | null): string {
  if (hours === null) return '–'
  if (hours < 48) return `${count.format(Math.round(hours))} h`
  return `${count.format(Math.round(hours / 24))} days`
}

function Stages({ stages, window }: { stages: readonly FunnelStage[]; window: Window }) {
  const most = Math.max(...stages.map(stage => stage.reached), 1)
  return (
    <div class="table-frame">
      <table class="rows funnel" aria-label="Stages of the funnel">
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col" class="grow">
              Reached
            </th>
            <th scope="col" class="end wide-only">
              Now there
            </th>
            <th scope="col" class="end wide-only">
              Rejected
            </th>
            <th scope="col" class="end wide-only">
              Withdrawn
            </th>
            <th scope="col" class="end">
              Moved on
            </th>
            <th scope="col" class="end wide-only">
              Median time
            </th>
          </tr>
        </thead>
        <tbody>
          {stages.map(stage => {
            const part: Window = stage.stage_id ? { stage_id: stage.stage_id } : { stage_type: stage.stage_type }
            return (
              <tr key={stage.stage_id ?? stage.stage_type}>
                <th scope="row">{stage.name ?? STAGE_NAMES[stage.stage_type] ?? stage.stage_type}</th>
                <td class="grow">
                  <Bar part={stage.reached / most} />
                  <Behind n={stage.reached} window={window} part={part} />
                </td>
                {(['current', 'rejected', 'withdrawn'] as const).map(outcome => (
                  <td key={outcome} class="end wide-only">
                    <Behind n={stage[outcome]} window={window} part={{ ...part, outcome }} />
                  </td>
                ))}
                <td class="end">
                  <Behind n={stage.advanced} window={window} part={{ ...part, outcome: 'advanced' }} />{' '}
                  <span class="faint">{share(stage.conversion_rate)}</span>
                </td>
                <td class="end wide-only">{duration(stage.median_hours_in_stage)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** A bar as long as its share. Its width is set from here: the page has no inline styles. */
function Bar({ part }: { part: number }) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => bar.current?.style.setProperty('inline-size', `${Math.max(part * 100, 0.5)}%`), [part])
  return (
    <span class="funnel-track" aria-hidden="true">
      <span ref={bar} />
    </span>
  )
}

const FILTER_OF: Readonly<Record<string, string>> = { job: 'job_id', department: 'department', source: 'source' }

function Groups({ groups, window, grouping }: { groups: readonly FunnelGroup[]; window: Window; grouping: string }) {
  const filter = FILTER_OF[grouping]
  const partOf = ({ key }: FunnelGroup): Window | undefined => (filter && key ? { [filter]: key } : undefined)
  const cell = (group: FunnelGroup, n: number, part: Window) => {
    const own = partOf(group)
    return own ? <Behind n={n} window={window} part={{ ...own, ...part }} /> : count.format(n)
  }
  return (
    <div class="table-frame">
      <table class="rows" aria-label={`Applications by ${grouping}`}>
        <thead>
          <tr>
            <th scope="col" class="grow">
              {GROUPINGS.find(([value]) => value === grouping)?.[1]}
            </th>
            <th scope="col" class="end">
              Applications
            </th>
            <th scope="col" class="end">
              Interviewed
            </th>
            <th scope="col" class="end">
              Hired
            </th>
            <th scope="col" class="end wide-only">
              Rejected
            </th>
            <th scope="col" class="end wide-only">
              Time to hire
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(group => {
            const { totals } = group
            const interviewed = group.stages.find(stage => stage.stage_type === 'interview')?.reached ?? 0
            return (
              <tr key={group.key}>
                <th scope="row" class="grow">
                  {grouping === 'source' && group.key ? sourceName(group.key) : (group.label ?? 'None')}
                </th>
                <td class="end">{cell(group, totals.applications, {})}</td>
                <td class="end">
                  {cell(group, interviewed, { stage_type: 'interview' })}{' '}
                  <span class="faint">{share(totals.applications ? interviewed / totals.applications : null)}</span>
                </td>
                <td class="end">
                  {cell(group, totals.hired, { status: 'hired' })}{' '}
                  <span class="faint">{share(totals.applications ? totals.hired / totals.applications : null)}</span>
                </td>
                <td class="end wide-only">{cell(group, totals.rejected, { status: 'rejected' })}</td>
                <td class="end wide-only">
                  {totals.median_days_to_hire === null
                    ? '–'
                    : `${count.format(Math.round(totals.median_days_to_hire))} days`}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
