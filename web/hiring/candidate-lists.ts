import { useEffect } from 'preact/hooks'
import { buildNextQuery } from '../ui/api.ts'
import { BrowserStorage } from '../ui/browser-storage.ts'
import { read } from './api.ts'
import { rowsOf } from './tasks/rows.ts'

/**
 * Lists from which a reader goes through candidates one by one, as from a board. The address of a candidate names the list
 * (`in`). Its order is cached as the reader saw it, as handles alone: a candidate about whom something was decided may leave
 * the list, and the next one is still the next one.
 */
type Kind = 'tasks' | 'insight' | 'search' | 'candidates'

type Query = Readonly<Record<string, string>>

interface Source {
  title: string
  /** the page of the list; null: it has none */
  page: string | null
  /** reads a page of the list if this tab has not shown it, as from a link that a colleague sent */
  read: (query: Query, signal: AbortSignal) => Promise<CachedList>
}

const SOURCES: Readonly<Record<Kind, Source>> = {
  tasks: {
    title: 'My tasks',
    page: '/tasks',
    // one group of them; checks are among them for those who read orders
    read: async ({ group, ...query }, signal) => {
      const tasks = rowsOf(await read('/tasks', query, signal))
      return { ids: tasks.filter(task => task.group === group).map(task => task.application_id), next: null }
    },
  },
  insight: {
    title: 'Applications behind the number',
    page: '/insight/applications',
    read: async (query, signal) => {
      const response = await read('/insight/applications', query, signal)
      return { ids: response.data.map(({ id }) => id), next: buildNextQuery(response) }
    },
  },
  candidates: {
    title: 'Candidates',
    page: '/candidates',
    read: async (query, signal) => {
      const response = await read('/candidates', query, signal)
      return { ids: response.data.map(row => row.application_id), next: buildNextQuery(response) }
    },
  },
  search: {
    title: 'Search',
    page: '/candidates',
    read: async (query, signal) => {
      const { candidates } = await read('/search', query, signal)
      return { ids: candidates.map(candidate => candidate.application_id), next: null }
    },
  },
}

/** What `in` of an address says: the kind of the list and its query. */
const textOf = (kind: Kind, query: Query | string = ''): string =>
  new URLSearchParams([['list', kind], ...new URLSearchParams(query)]).toString()

const addressOf = (id: string, text: string, panel?: string): string =>
  `/applications/${id}?${new URLSearchParams({ ...(panel ? { panel } : {}), in: text })}`

interface CachedList {
  ids: string[]
  /** query text of the page after them */
  next: string | null
}

/** Whose lists these are; in the key, so that no one goes through those of someone who was here before. */
let holder = ''
let isOver = false
const lists = new BrowserStorage<CachedList>('sessionStorage', 'hiring-list')

/** For the person of these pages, before the first list is shown. */
export function keepListsFor(of: string): void {
  holder = of
}

/** Forgets the lists of everyone but `of`; without one, all of them, and those to come. */
export function forgetLists(of?: string): void {
  isOver = of === undefined
  lists.forget(of)
}

/** Where it cannot be stored, the list is read again. */
function keep(text: string, cached: CachedList): void {
  if (!isOver) lists.write(`${holder} ${text}`, { ...cached, ids: [...new Set(cached.ids)] })
}

/** The address of a candidate in a list that is shown now. */
export function useCandidateList(
  kind: Kind,
  query: Query | string,
  ids: readonly string[] | undefined,
  next: string | null = null,
): (id: string, panel?: string) => string {
  const text = textOf(kind, query)
  const shown = ids?.join(' ')
  useEffect(() => {
    if (shown !== undefined) keep(text, { ids: shown.split(' ').filter(Boolean), next })
  }, [text, shown, next])
  return (id, panel) => addressOf(id, text, panel)
}

/** The address of a candidate that a search found. */
export function foundAddress(id: string, q: string, ids: readonly string[]): string {
  const text = textOf('search', { q })
  keep(text, { ids: [...ids], next: null })
  return addressOf(id, text)
}

export interface CandidateList {
  title: string
  /** the way back; null: there is no page */
  path: string | null
  neighbors: (id: string, signal: AbortSignal) => Promise<{ previous: string | null; next: string | null }>
}

/** So many pages are read to find a candidate in a list that this tab has not shown. */
const MAX_PAGES = 10

/** The list that the reader came from, if `in` of the address names one. */
export function candidateList(text: string): CandidateList | undefined {
  const query = new URLSearchParams(text)
  const kind = query.get('list')
  if (kind === null || !Object.hasOwn(SOURCES, kind)) return undefined
  query.delete('list')
  const source = SOURCES[kind as Kind]
  const search = query.size === 0 ? '' : `?${query}`
  const backQuery = kind === 'tasks' ? '' : search
  const readPage = (next: string | null, signal: AbortSignal): Promise<CachedList> =>
    source.read(Object.fromEntries([...query, ...new URLSearchParams(next ?? '')]), signal)
  const neighbors: CandidateList['neighbors'] = async (id, signal) => {
    let cached = lists.read(`${holder} ${text}`) ?? (await readPage(null, signal))
    // the next page is needed where the candidate is the last one that is known, or is not among them
    for (let pages = 1; pages < MAX_PAGES && cached.next !== null; pages++) {
      const at = cached.ids.indexOf(id)
      if (at >= 0 && at < cached.ids.length - 1) break
      const more = await readPage(cached.next, signal)
      cached = { ids: [...new Set([...cached.ids, ...more.ids])], next: more.next }
    }
    keep(text, cached)
    const at = cached.ids.indexOf(id)
    return { previous: cached.ids[at - 1] ?? null, next: at < 0 ? null : (cached.ids[at + 1] ?? null) }
  }
  return { title: source.title, path: source.page === null ? null : source.page + backQuery, neighbors }
}
