import { isOfJob, jobsInQuery, type ViewPage, viewQuery } from '../../contract/saved-views.ts'
import type { InputFault } from '../../kernel/http/faults.ts'

export const MAX_VIEW_NAME = 80
export const MAX_VIEW_QUERY = 2_000
/** Own and shared ones of a member. */
export const MAX_VIEWS = 100

export interface ViewInput {
  name: string
  page: ViewPage
  job_id?: string | null | undefined
  query: string
  shared?: boolean | undefined
}

export interface StoredView {
  id: string
  user_id: string | null
  name: string
  page: ViewPage
  job_id: string | null
  query: string
  shared: boolean
}

export function viewFaults({ name, page, job_id, query }: ViewInput): InputFault[] {
  const faults: InputFault[] = []
  if (name.trim() === '') faults.push({ param: 'name', message: 'must not be blank' })
  if (isOfJob(page) && !job_id) faults.push({ param: 'job_id', message: 'is required for this page' })
  if (!isOfJob(page) && job_id) faults.push({ param: 'job_id', message: 'is for a board or table only' })
  const names = (text: string) => [...new URLSearchParams(text).keys()].sort().join()
  if (names(viewQuery(page, query)) !== names(query))
    faults.push({ param: 'query', message: 'has parameters that a view of this page does not keep' })
  return faults
}

/** The jobs that a view needs. */
export const jobsOfView = ({ job_id, query }: Pick<StoredView, 'job_id' | 'query'>): string[] => [
  ...(job_id === null ? [] : [job_id]),
  ...jobsInQuery(query),
]

const withJobs = (query: string, jobs: readonly string[]): string => {
  const params = new URLSearchParams(query)
  params.set('job_id', jobs.join())
  return params.toString()
}

export interface ShownView extends Omit<StoredView, 'user_id'> {
  own: boolean
  job_title: string | null
  /** a job that the view names does not exist for the reader, and without it the view shows nothing */
  is_gone: boolean
}

/**
 * A view as a member sees it. `titles` has the jobs that exist for them; the others are not named, not even by a handle.
 * Undefined: a shared view of other people's jobs alone.
 */
export function showView(
  { user_id, ...view }: StoredView,
  reader: string,
  titles: ReadonlyMap<string, string>,
  isLimited: boolean,
): ShownView | undefined {
  const own = user_id === reader
  const named = jobsOfView(view)
  const known = named.filter(id => titles.has(id))
  const isGone = named.length > 0 && known.length === 0
  if (isGone && isLimited && !own) return undefined
  const query = jobsInQuery(view.query).length > 0 && known.length > 0 ? withJobs(view.query, known) : view.query
  return {
    ...view,
    ...(isGone ? { job_id: null, query: withoutJobs(view.query) } : { query }),
    own,
    job_title: view.job_id === null ? null : (titles.get(view.job_id) ?? null),
    is_gone: isGone,
  }
}

function withoutJobs(query: string): string {
  const params = new URLSearchParams(query)
  params.delete('job_id')
  return params.toString()
}
