import { useEffect, useRef } from 'preact/hooks'
import { JOB_STATUS_NAMES } from '../../../src/contract/job-status.ts'
import { wholeDays } from '../../ui/age.ts'
import { Button } from '../../ui/button.tsx'
import { Filters, FilterText } from '../../ui/filters.tsx'
import { SelectField } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty } from '../../ui/notice.tsx'
import { amount, count } from '../../ui/numbers.ts'
import { PageHead } from '../../ui/page.tsx'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { exactTime } from '../../ui/time.tsx'
import { type Row, useData, usePages } from '../api.ts'
import '../css/jobs.css'
import { JobState } from '../job-head.tsx'
import { CHOICES, describeField } from '../jobs/fields.ts'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useMay, useSession } from '../session.ts'

/** A draft is worked on first; others are opened for their candidates. */
type Job = Row<'/jobs'>

const pathOf = ({ id, status }: Job) => (status === 'draft' ? `/jobs/${id}/edit` : `/jobs/${id}`)

const placeOf = ({ department, location_type, locations }: Job): string =>
  [
    department,
    locations.length > 1 ? `${locations[0]} and ${locations.length - 1} more` : locations[0],
    location_type && describeField('location_type', location_type),
  ]
    .filter(Boolean)
    .join(' · ')

const activeOf = ({ stages }: Job): number => stages.reduce((sum, { active }) => sum + active, 0)

/** For how long candidates could have applied; for a draft, for how long it exists. */
function Age({ job }: { job: Job }) {
  const since = job.published_at ?? job.created_at
  const days = wholeDays(Date.now() - Date.parse(since))
  const what = job.published_at === null ? 'Created' : 'Published'
  return <span title={`${what} ${exactTime(since)}`}>{days === 0 ? 'today' : amount(days, 'day')}</span>
}

/** How many wait in which stage; stages without any are left out. */
function StageCounts({ job }: { job: Job }) {
  const filled = job.stages.filter(({ active }) => active > 0)
  if (filled.length === 0) return <span class="faint">–</span>
  return (
    <ul class="stage-counts" title={filled.map(({ name, active }) => `${name} ${active}`).join(', ')}>
      {filled.map(({ id, name, active }) => (
        <li key={id}>
          <b>{count.format(active)}</b> {name}
        </li>
      ))}
    </ul>
  )
}

const COLUMNS: readonly Column<Job>[] = [
  {
    title: 'Job',
    grow: true,
    cell: job => (
      <div class="two-lines">
        <Link to={pathOf(job)} class="job-link">
          {job.title}
        </Link>
        <span class="faint">{placeOf(job) || 'No department or location'}</span>
      </div>
    ),
  },
  { title: 'Status', cell: job => <JobState status={job.status} /> },
  { title: 'Active', align: 'end', cell: job => count.format(activeOf(job)) },
  { title: 'By stage', wide: true, cell: job => <StageCounts job={job} /> },
  { title: 'Age', align: 'end', wide: true, cell: job => <Age job={job} /> },
]

const FILTERS = ['q', 'status', 'department', 'location_type', 'employment_type'] as const
const any = (title: string): readonly [string, string] => ['', title]
const STATUS_OPTIONS = (['published', 'draft', 'closed'] as const).map(
  status => [status, JOB_STATUS_NAMES[status]] as const,
)

/** Several changes in a row are read together. */
const SETTLE_MS = 800
const PAGE_ROWS = 50

/** The jobs of the workspace. */
export function JobsPage() {
  const may = useMay()
  const { limited } = useSession()
  const mayCreate = may('jobs:write') && !limited
  const [values, set] = useFilters(FILTERS)
  const jobs = usePages('/jobs', { limit: PAGE_ROWS, ...values })
  const { data: words, reload: reloadWords } = useData('/job-words')
  const list = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { rows, reload } = jobs
  useEffect(() => () => clearTimeout(timer.current), [])
  useLive(({ type }) => {
    // someone who has loaded more would lose their place
    if (!/^(job|application)\./.test(type) || (rows?.length ?? 0) > PAGE_ROWS) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      reload()
      if (type.startsWith('job.')) reloadWords()
    }, SETTLE_MS)
  }, reload)

  const step = (by: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('.job-link') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
  }
  useShortcuts([
    {
      keys: KEYS.search,
      title: 'Search jobs',
      run: () => document.querySelector<HTMLElement>('.job-search input')?.focus(),
    },
    { keys: KEYS.next, title: 'Next job', run: () => step(1) },
    { keys: KEYS.previous, title: 'Previous job', run: () => step(-1) },
    ...(mayCreate ? [{ keys: KEYS.create, title: 'New job', run: () => navigate('/jobs/new') }] : []),
  ])

  const isFiltered = Object.values(values).some(value => value !== '')
  const newJob = mayCreate && (
    <Button kind="primary" onClick={() => navigate('/jobs/new')}>
      <Icon name="plus" size={15} />
      New job
    </Button>
  )
  return (
    <>
      <PageHead
        title="Jobs"
        description={`${limited ? 'The jobs whose team you are on' : 'Every job of the workspace'}, with active candidates.`}
        actions={newJob}
      />
      <JobFilters values={values} set={set} departments={words?.departments ?? []} />
      <div ref={list}>
        <DataTable
          name="Jobs"
          columns={COLUMNS}
          {...jobs}
          rowKey={job => job.id}
          onRow={job => navigate(pathOf(job))}
          empty={
            isFiltered ? (
              <Empty title="No job matches">
                <Button
                  small
                  onClick={() => set({ q: '', status: '', department: '', location_type: '', employment_type: '' })}
                >
                  Show all jobs
                </Button>
              </Empty>
            ) : limited ? (
              <Empty title="You are not on any job’s team yet">
                <p>Ask an admin to add you to one.</p>
              </Empty>
            ) : (
              <Empty title="There are no jobs yet">
                <p>A job begins as a draft. Candidates see it after you publish it.</p>
                {newJob && <p>{newJob}</p>}
              </Empty>
            )
          }
        />
      </div>
    </>
  )
}

interface FiltersProps {
  values: Readonly<Record<(typeof FILTERS)[number], string>>
  set: (changes: Partial<FiltersProps['values']>) => void
  departments: readonly string[]
}

const JobFilters = ({ values: { q, ...filters }, set, departments }: FiltersProps) => (
  <div class="job-filters">
    <div class="toolbar job-search">
      <FilterText label="Search" value={q} onInput={text => set({ q: text })} placeholder="Title, skill, text…" words />
    </div>
    <Filters values={filters} set={(changes: Partial<typeof filters>) => set(changes)}>
      <SelectField
        label="Status"
        value={filters.status}
        onInput={status => set({ status })}
        options={[any('All'), ...STATUS_OPTIONS]}
      />
      <SelectField
        label="Department"
        value={filters.department}
        onInput={department => set({ department })}
        options={[any('All'), ...departments.toSorted().map(name => [name, name] as const)]}
      />
      <SelectField
        label="Workplace"
        value={filters.location_type}
        onInput={location_type => set({ location_type })}
        options={[any('All'), ...CHOICES.location_type]}
      />
      <SelectField
        label="Employment"
        value={filters.employment_type}
        onInput={employment_type => set({ employment_type })}
        options={[any('All'), ...CHOICES.employment_type]}
      />
    </Filters>
  </div>
)
