import { EMPLOYMENT_TYPES, LOCATION_TYPES } from '../../resources/jobs/shape.ts'

/** Open jobs that have the same values of everything that can be filtered by. */
export interface JobKind {
  department: string | null
  location_type: string | null
  employment_type: string | null
  locations: readonly string[]
  /** values of the filter by location that they pass */
  places: readonly string[]
  jobs: number
}

export interface ListFilters {
  department: string | undefined
  location: string | undefined
  workplace: string | undefined
  type: string | undefined
}

export type FilterName = keyof ListFilters
export const FILTER_NAMES: readonly FilterName[] = ['department', 'location', 'workplace', 'type']

export interface ListQuery {
  q: string | undefined
  filters: ListFilters
  page: number
}

/** Rows of a page: with the frame about 10 KB compressed. */
export const PAGE_SIZE = 100

/** Longer texts are not words. */
const LONGEST_TEXT = 200
const LAST_PAGE = 10_000

/** What a visitor asks for. What makes no sense is left out: a shared link that was cut off still shows jobs. */
export function readListQuery(query: URLSearchParams): ListQuery {
  const text = (name: string) => {
    const value = (query.get(name) ?? '').replaceAll('\0', '').trim().slice(0, LONGEST_TEXT)
    return value === '' ? undefined : value
  }
  const oneOf = (name: string, values: readonly string[]) => values.find(value => value === query.get(name))
  const page = Number(query.get('page') ?? 1)
  return {
    q: text('q'),
    filters: {
      department: text('department'),
      location: text('location'),
      workplace: oneOf('workplace', LOCATION_TYPES),
      type: oneOf('type', EMPLOYMENT_TYPES),
    },
    page: Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1,
  }
}

export const isNarrowed = ({ q, filters }: ListQuery): boolean =>
  q !== undefined || Object.values(filters).some(value => value !== undefined)

/** The page that people come to first; others show what was asked for, and nothing above it. */
export const isFirstPage = (wanted: ListQuery): boolean => !isNarrowed(wanted) && wanted.page === 1

const VALUES: Readonly<Record<FilterName, (kind: JobKind) => readonly (string | null)[]>> = {
  department: kind => [kind.department],
  location: kind => kind.places,
  workplace: kind => [kind.location_type],
  type: kind => [kind.employment_type],
}

const passes = (kind: JobKind, filters: ListFilters, except?: FilterName): boolean =>
  FILTER_NAMES.every(
    name => name === except || filters[name] === undefined || VALUES[name](kind).includes(filters[name]),
  )

/** How many jobs pass the filters. */
export const countJobs = (kinds: readonly JobKind[], filters?: ListFilters): number =>
  kinds.reduce((sum, kind) => sum + (filters === undefined || passes(kind, filters) ? kind.jobs : 0), 0)

/** The values of a filter, each with the number of jobs that the other filters leave of it. */
export function countOptions(kinds: readonly JobKind[], filters: ListFilters, name: FilterName): Map<string, number> {
  const options = new Map<string, number>()
  for (const kind of kinds) {
    const jobs = passes(kind, filters, name) ? kind.jobs : 0
    for (const value of new Set(VALUES[name](kind))) {
      if (value !== null) options.set(value, (options.get(value) ?? 0) + jobs)
    }
  }
  return options
}
