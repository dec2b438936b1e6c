/** The pages whose address can be saved under a name. A board and a table show one job. */
export const VIEW_PAGES = ['candidates', 'jobs', 'board', 'table'] as const
export type ViewPage = (typeof VIEW_PAGES)[number]

export const isOfJob = (page: ViewPage): boolean => page === 'board' || page === 'table'

/** Filters of the candidates of a job, besides words. */
export const BOARD_FILTERS = [
  'status',
  'score_from',
  'source',
  'skills',
  'applied_after',
  'applied_before',
  'has_resume',
  'check',
] as const

/** Filters of the candidates of all jobs, besides words. */
export const CANDIDATE_FILTERS = [
  'job_id',
  'stage_type',
  'status',
  'source',
  'skills',
  'tag',
  'applied_after',
  'applied_before',
  'score_from',
  'has_resume',
] as const

const BOARD = [...BOARD_FILTERS, 'sort']

/**
 * What a view keeps of an address. Words that candidates are searched by are left out: they can be a name or an address, which
 * an erasure would not find here.
 */
export const VIEW_PARAMETERS: Readonly<Record<ViewPage, readonly string[]>> = {
  candidates: [...CANDIDATE_FILTERS, 'owner', 'sort', 'columns'],
  jobs: ['team', 'status', 'q', 'department', 'location_type', 'employment_type', 'sort', 'order', 'columns'],
  board: BOARD,
  table: BOARD,
}

/** The part of an address that a view keeps. */
export function viewQuery(page: ViewPage, search: string): string {
  const given = new URLSearchParams(search)
  const kept = VIEW_PARAMETERS[page].flatMap((name): [string, string][] => {
    const value = given.get(name)
    return value === null || value === '' ? [] : [[name, value]]
  })
  return new URLSearchParams(kept).toString()
}

/** The jobs that a query names. */
export const jobsInQuery = (query: string): string[] =>
  (new URLSearchParams(query).get('job_id') ?? '').split(',').filter(Boolean)
