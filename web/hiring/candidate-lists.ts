import { useEffect } from 'preact/hooks'
import type {
  CountedApplicationResponse,
  SearchResponse,
  TasksResponse,
  WaitingTask,
} from '../../src/hiring/api-types.ts'
import { nextOf, type PageResponse, read } from '../ui/api.ts'

/**
 * Lists from which a reader goes through candidates one by one, as from a board. The address of a candidate names the list
 * (`in`). Its order is kept as the reader saw it, as handles alone: a candidate about whom something was decided may leave
 * the list, and the next one is still the next one.
 */
type Kind = 'waiting' | 'mentions' | 'scorecards' | 'insight' | 'search'

interface Source {
  title: string
  /** the page of the list; null: it has none */
  page: string | null
  /** where the list is read if this tab has not shown it, as from a link that a colleague sent */
  path: string
  ids: (response: never) => string[]
}

const SOURCES: Readonly<Record<Kind, Source>> = {
  waiting: {
    title: 'My tasks',
    page: '/tasks',
    path: '/tasks/waiting',
    ids: ({ data }: PageResponse<WaitingTask>) => data.map(task => task.application_id),
  },
  mentions: {
    title: 'My tasks',
    page: '/tasks',
    path: '/tasks',
    ids: ({ mentions }: TasksResponse) => mentions.map(task => task.application_id),
  },
  scorecards: {
    title: 'My tasks',
    page: '/tasks',
    path: '/tasks',
    ids: ({ scorecards }: TasksResponse) => scorecards.map(task => task.application_id),
  },
  insight: {
    title: 'Applications behind the number',
    page: '/insight/applications',
    path: '/insight/applications',
    ids: ({ data }: PageResponse<CountedApplicationResponse>) => data.map(({ id }) => id),
  },
  search: {
    title: 'Search',
    page: null,
    path: '/search',
    ids: ({ candidates }: SearchResponse) => candidates.map(candidate => candidate.application_id),
  },
}

/** What `in` of an address says: the kind of the list and its query. */
const textOf = (kind: Kind, query: Readonly<Record<string, string>> | string = ''): string =>
  new URLSearchParams([['list', kind], ...new URLSearchParams(query)]).toString()

const addressOf = (id: string, text: string, panel?: string): string =>
  `/applications/${id}?${new URLSearchParams({ ...(panel ? { panel } : {}), in: text })}`

interface Kept {
  ids: string[]
  /** query text of the page after them */
  next: string | null
}

/** Whose lists these are; in the key, so that no one goes through those of someone who was here before. */
let holder = ''
let isOver = false
const PREFIX = 'hiring-list'
const keyOf = (text: string) => `${PREFIX} ${holder} ${text}`

/** For the person of these pages, before the first list is shown. */
export function keepListsOf(of: string): void {
  holder = of
}

/** Forgets the lists of everyone but `of`; without one, all of them, and those to come. */
export function forgetLists(of?: string): void {
  isOver = of === undefined
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(`${PREFIX} `) && !(of && key.startsWith(`${PREFIX} ${of} `))) sessionStorage.removeItem(key)
  } catch {
    // there is no storage
  }
}

function keep(text: string, kept: Kept): void {
  if (isOver) return
  try {
    sessionStorage.setItem(keyOf(text), JSON.stringify({ ...kept, ids: [...new Set(kept.ids)] }))
  } catch {
    // no storage, or no space in it: the list is read again
  }
}

function keptOf(text: string): Kept | undefined {
  try {
    const stored = sessionStorage.getItem(keyOf(text))
    return stored === null ? undefined : (JSON.parse(stored) as Kept)
  } catch {
    return undefined
  }
}

/** The address of a candidate in a list that is shown now. */
export function useCandidateList(
  kind: Kind,
  query: Readonly<Record<string, string>> | string,
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
const MOST_PAGES = 10

/** The list that the reader came from, if `in` of the address names one. */
export function candidateList(text: string): CandidateList | undefined {
  const query = new URLSearchParams(text)
  const kind = query.get('list')
  if (kind === null || !Object.hasOwn(SOURCES, kind)) return undefined
  query.delete('list')
  const { title, page, path, ids } = SOURCES[kind as Kind]
  const search = (more: string) => {
    const whole = [query.toString(), more].filter(Boolean).join('&')
    return whole && `?${whole}`
  }
  const backQuery = kind === 'waiting' && query.has('job_id') ? `?job=${query.get('job_id')}` : search('')
  const readPage = async (next: string | null, signal: AbortSignal): Promise<Kept> => {
    const response = await read<PageResponse<unknown>>(path + search(next ?? ''), signal)
    return { ids: ids(response as never), next: nextOf(response) }
  }
  const neighbors: CandidateList['neighbors'] = async (id, signal) => {
    let kept = keptOf(text) ?? (await readPage(null, signal))
    // the next page is needed where the candidate is the last one that is known, or is not among them
    for (let pages = 1; pages < MOST_PAGES && kept.next !== null; pages++) {
      const at = kept.ids.indexOf(id)
      if (at >= 0 && at < kept.ids.length - 1) break
      const more = await readPage(kept.next, signal)
      kept = { ids: [...new Set([...kept.ids, ...more.ids])], next: more.next }
    }
    keep(text, kept)
    const at = kept.ids.indexOf(id)
    return { previous: kept.ids[at - 1] ?? null, next: at < 0 ? null : (kept.ids[at + 1] ?? null) }
  }
  return { title, path: page === null ? null : page + backQuery, neighbors }
}
