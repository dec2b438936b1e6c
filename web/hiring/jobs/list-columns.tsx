import type { JobStatus } from '../../../src/contract/job-status.ts'
import { wholeDays } from '../../ui/age.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { count } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import { exactTime, Time } from '../../ui/time.tsx'
import type { Row } from '../api.ts'
import { JobState } from '../job-head.tsx'
import { SortHead } from '../sort-head.tsx'
import { t } from '../texts/index.ts'
import type { NamedColumn } from '../views/columns.tsx'

export type ListedJob = Row<'/jobs'>

/** A draft is worked on first; others are opened for their candidates. */
export const jobPath = ({ id, status }: ListedJob): string => (status === 'draft' ? `/jobs/${id}/edit` : `/jobs/${id}`)

const nameIn = (names: Readonly<Record<string, string>>, value: string): string => names[value] ?? value

const placeOf = ({ department, location_type, locations: [first, ...others] }: ListedJob): string =>
  [
    department,
    first !== undefined && others.length > 0 ? t.views.jobs.furtherPlaces(first, others.length) : first,
    location_type && nameIn(t.views.workplaces, location_type),
  ]
    .filter(Boolean)
    .join(' · ')

function Title({ job }: { job: ListedJob }) {
  const place = placeOf(job)
  return (
    <div class="two-lines">
      <Link to={jobPath(job)} class="job-link">
        {job.title}
      </Link>
      <span class="faint job-place">
        {job.status !== 'published' && <JobState status={job.status} />}
        <span>{place || t.views.jobs.noPlace}</span>
      </span>
    </div>
  )
}

const MAX_AVATARS = 3

/** Several are drawn as avatars, one with the name. */
function People({ people }: { people: ListedJob['recruiters'] }) {
  const [first] = people
  if (!first) return <span class="faint">–</span>
  if (people.length === 1) {
    return (
      <span class="job-person">
        <Avatar id={first.id} name={first.name} size={20} isNamed />
        <span class="clip">{first.name}</span>
      </span>
    )
  }
  return (
    <span class="job-people">
      {people.slice(0, MAX_AVATARS).map(({ id, name }) => (
        <Avatar key={id} id={id} name={name} size={20} />
      ))}
      {people.length > MAX_AVATARS && (
        <span class="faint" title={people.map(({ name }) => name).join(', ')}>
          +{people.length - MAX_AVATARS}
        </span>
      )}
    </span>
  )
}

/** The number of new candidates leads to them. */
function NewCount({ job: { id, new_count, visited_at } }: { job: ListedJob }) {
  if (new_count === 0) return <span class="faint">0</span>
  const filters = new URLSearchParams({ view: 'table', ...(visited_at ? { applied_after: visited_at } : {}) })
  return (
    <span class="job-new" title={t.views.jobs.newTitle(new_count)}>
      <Link to={`/jobs/${id}?${filters}`}>{count.format(new_count)}</Link>
    </span>
  )
}

function OpenCount({ job: { id, open_count } }: { job: ListedJob }) {
  if (open_count === 0) return <span class="faint">0</span>
  return (
    <span title={t.views.jobs.openTitle(open_count)}>
      <Link to={`/jobs/${id}`}>{count.format(open_count)}</Link>
    </span>
  )
}

/** Open candidates by stage; the numbers are on hover, and read out. */
function StageBar({ job }: { job: ListedJob }) {
  const filled = job.stages.map((stage, at) => ({ ...stage, at })).filter(({ active }) => active > 0)
  if (filled.length === 0) return <span class="stage-bar" aria-hidden="true" />
  const words = filled.map(({ name, active }) => `${name} ${count.format(active)}`).join(', ')
  return (
    <span class="stage-bar" role="img" aria-label={words} title={words}>
      {filled.map(({ id, at, active }) => (
        <span key={id} class={`shade-${Math.min(at, 4)}`} style={{ flexGrow: active }} />
      ))}
    </span>
  )
}

function Age({ job: { open_since, published_at } }: { job: ListedJob }) {
  const { published, created } = t.views.jobs
  const title = (published_at === null ? created : published)(exactTime(open_since))
  return <span title={title}>{count.format(wholeDays(Date.now() - Date.parse(open_since)))}</span>
}

/** What a head sorts by, with the direction of its first click. */
const SORTS = {
  title: ['title', 'asc'],
  recruiter: ['recruiter', 'asc'],
  hiring_manager: ['hiring_manager', 'asc'],
  new: ['new', 'desc'],
  open: ['open', 'desc'],
  stages: ['open', 'desc'],
  age: ['age', 'asc'],
  activity: ['activity', 'desc'],
} as const

type Named = keyof typeof SORTS

export interface Sorting {
  sort: string
  /** empty: the first direction of the column */
  order: string
}

const opposite = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc')

/** A first click on a head sorts, a second one turns the order round, a third one ends it. */
function nextSorting(name: Named, { sort, order }: Sorting): Sorting {
  const [by, first] = SORTS[name]
  if (sort !== by) return { sort: by, order: '' }
  return order === '' ? { sort: by, order: opposite(first) } : { sort: '', order: '' }
}

/** The columns of the list of jobs. */
export function jobColumns(sorting: Sorting, onSort: (next: Sorting) => void): NamedColumn<ListedJob>[] {
  const column = (name: Named, more: Omit<NamedColumn<ListedJob>, 'title'>): NamedColumn<ListedJob> => {
    const [by, first] = SORTS[name]
    const title = t.views.jobs.columns[name]
    // the bar is the number of open candidates, too: one of the two heads shows the order
    const isSorted = sorting.sort === by && name !== 'stages'
    const sorted = isSorted ? (sorting.order === '' ? first : opposite(first)) : undefined
    const head = <SortHead title={title} sorted={sorted} onSort={() => onSort(nextSorting(name, sorting))} />
    // the title is always there, at the beginning
    return { title, head, ...(name === 'title' ? {} : { name }), ...more }
  }
  return [
    column('title', { grow: true, cell: job => <Title job={job} /> }),
    column('recruiter', { wide: true, cell: job => <People people={job.recruiters} /> }),
    column('hiring_manager', { wide: true, cell: job => <People people={job.hiring_managers} /> }),
    column('new', { align: 'end', cell: job => <NewCount job={job} /> }),
    column('open', { align: 'end', cell: job => <OpenCount job={job} /> }),
    column('stages', { wide: true, cell: job => <StageBar job={job} /> }),
    column('age', { align: 'end', wide: true, cell: job => <Age job={job} /> }),
    column('activity', { wide: true, cell: job => <Time at={job.last_activity_at} /> }),
  ]
}

/** In the order of their chips: what is worked on comes first. */
export const STATUS_CHIPS = ['published', 'draft', 'closed'] as const satisfies readonly JobStatus[]
/** Closed jobs are left out at first. */
export const DEFAULT_STATUSES = 'published,draft'
