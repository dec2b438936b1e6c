import { useEffect, useState } from 'preact/hooks'
import { foldCase } from '../../../src/kernel/text/tokenize.ts'
import type { IconName } from '../../ui/icons.tsx'
import { activeShortcuts } from '../../ui/keys.ts'
import { navigationFor, textOf } from '../../ui/page-entry.tsx'
import { navigate } from '../../ui/router.tsx'
import { type Read, read } from '../api.ts'
import { foundAddress } from '../candidate-lists.ts'
import { currentPlace } from '../candidates/words.ts'
import { formatKeys } from '../key-map.tsx'
import { PAGES } from '../pages.ts'
import { useSession } from '../session.ts'
import { type Texts, t } from '../texts/index.ts'
import { useSavedViews, viewLink } from '../views/saved-views.ts'

export type Group = keyof Texts['search']['groups']

export interface Entry {
  /** what it is, whatever comes before it in the list */
  id: string
  group: Group
  icon: IconName
  title: string
  /** after the title: title and employer, or why someone was found */
  detail?: string
  /** on the right: a key, a state, a job with a stage */
  note?: string
  run: () => void
}

export type Member = Read<'/search'>['members'][number]
type Found = Read<'/search'>

export interface Entries {
  entries: readonly Entry[]
  /** the entries are of other words than those that are typed now */
  isOld: boolean
  searching: boolean
  /** no one was found by these words */
  isNoOne: boolean
  notes: readonly string[]
}

const SEARCH_DELAY_MS = 120
/** What this page knows is shown without the service from then on; what it finds comes below. */
const LATE_MS = 400
const MAX_JOBS = 5
const MAX_PROFILES = 3

/** Whether all words are in a title, without case and accents. */
export const matches = (title: string, q: string): boolean =>
  foldCase(q)
    .split(/\s+/)
    .every(word => foldCase(title).includes(word))

type Candidate = Found['candidates'][number]

function detailOf({ match, title, company }: Candidate): string {
  if (match.by === 'email') return t.search.emailMatches
  if (match.by === 'phone') return t.search.phoneMatches
  if (match.by === 'skill') return t.search.skill(match.text)
  if (match.by === 'tag') return t.search.tag(match.text)
  return [title, company].filter(Boolean).join(', ')
}

const candidateEntry =
  (q: string, ids: readonly string[]) =>
  (found: Candidate): Entry => {
    const { application_id, name, job_title, stage_name, status, match } = found
    return {
      id: `application ${application_id}`,
      group: match.by === 'similar_name' ? 'similar' : 'candidates',
      icon: 'person',
      title: name ?? t.search.candidate,
      detail: detailOf(found),
      note: `${job_title} · ${currentPlace(status, stage_name)}`,
      run: () => navigate(foundAddress(application_id, q, ids)),
    }
  }

/** A part that failed is left out; the rest is shown. */
const none = () => undefined

/** What the service finds, in the order in which it is shown: people first. */
async function search(q: string, scopes: readonly string[], onMember: (member: Member) => void, signal: AbortSignal) {
  const [people, jobs, profiles] = await Promise.all([
    read('/search', { q }, signal).catch(none),
    read('/v1/jobs', { q, include_unpublished: 'true', limit: MAX_JOBS }, signal).catch(none),
    scopes.includes('sourced_profiles:read')
      ? read('/v1/sourced-profiles', { q, limit: MAX_PROFILES }, signal).catch(none)
      : undefined,
  ])
  const found = people?.candidates ?? []
  const candidates = found.map(
    candidateEntry(
      q,
      found.map(({ application_id }) => application_id),
    ),
  )
  const jobEntries = (jobs?.data ?? []).map(({ id, title, status }): Entry => {
    // jobs are also found by similar words, or by words of their text
    const group = matches(title, q) ? 'jobs' : 'otherJobs'
    return { id: `job ${id}`, group, icon: 'job', title, note: status, run: () => navigate(`/jobs/${id}`) }
  })
  const before: Entry[] = [
    ...candidates.filter(({ group }) => group === 'candidates'),
    ...(profiles?.data ?? []).map(
      ({ id, full_name, job_title, company_name }): Entry => ({
        id: `profile ${id}`,
        group: 'profiles',
        icon: 'people',
        title: full_name ?? '',
        detail: [job_title, company_name].filter(Boolean).join(', '),
        run: () => navigate(`/profiles/${id}`),
      }),
    ),
    ...jobEntries.filter(({ group }) => group === 'jobs'),
  ]
  const after: Entry[] = [
    ...(people?.members ?? []).map(
      (member): Entry => ({
        id: `member ${member.id}`,
        group: 'members',
        icon: 'people',
        title: member.name || member.email,
        note: member.role,
        run: () => onMember(member),
      }),
    ),
    ...candidates.filter(({ group }) => group === 'similar'),
    ...jobEntries.filter(({ group }) => group === 'otherJobs'),
  ]
  const notes = [people?.phone_refused && t.search.phoneRefused, people?.rebuilding && t.search.rebuilding]
  return { before, after, isNoOne: found.length === 0, notes: notes.filter(note => typeof note === 'string') }
}

/** What can be done on the page below, the pages, and the views under a name. */
function useLocalEntries(): Entry[] {
  const session = useSession()
  // those of the page below: the palette itself has none
  const [shortcuts] = useState(activeShortcuts)
  const keyOf = new Map(shortcuts.filter(({ isPage }) => isPage).map(({ keys, title }) => [title, keys]))
  const pages = navigationFor(PAGES, session).map(({ path, title: named }): Entry => {
    const title = textOf(named)
    const key = keyOf.get(t.common.nav.goTo(title))
    const note = key ? { note: formatKeys(key) } : {}
    return { id: `page ${path}`, group: 'pages', icon: 'overview', title, ...note, run: () => navigate(path) }
  })
  const actions = shortcuts
    .filter(({ isPage, title }, i) => !isPage && shortcuts.findIndex(other => other.title === title) === i)
    .map(
      ({ title, keys, run }): Entry => ({
        id: `action ${keys}`,
        group: 'actions',
        icon: 'check',
        title,
        note: formatKeys(keys),
        run,
      }),
    )
  const views = (useSavedViews() ?? []).map(
    (view): Entry => ({
      id: `view ${view.id}`,
      group: 'views',
      icon: 'events',
      title: view.name,
      ...(view.job_title === null ? {} : { detail: view.job_title }),
      ...(view.own ? {} : { note: t.views.shared }),
      run: () => navigate(viewLink(view)),
    }),
  )
  // read late, they come below
  return [...actions, ...pages, ...views]
}

interface Shown extends Pick<Entries, 'entries' | 'isNoOne' | 'notes'> {
  q: string
  /** the service has responded, or it is not asked */
  isWhole: boolean
}

/**
 * The entries for what is typed. A new list is drawn once, when the service has responded; if that takes long, what the page
 * knows itself is drawn first, and what was found is added below: nothing moves.
 */
export function useEntries(q: string, onMember: (member: Member) => void): Entries {
  const { scopes } = useSession()
  const all = useLocalEntries()
  const local = all.filter(({ title }) => matches(title, q))
  const [shown, setShown] = useState<Shown>({ q: '', entries: all, isWhole: true, isNoOne: false, notes: [] })
  useEffect(() => {
    if (q === '') return setShown({ q, entries: local, isWhole: true, isNoOne: false, notes: [] })
    const abort = new AbortController()
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      setShown({ q, entries: local, isWhole: false, isNoOne: false, notes: [] })
    }, LATE_MS)
    const timer = setTimeout(async () => {
      const { before, after, isNoOne, notes } = await search(q, scopes, onMember, abort.signal)
      if (abort.signal.aborted) return
      clearTimeout(late)
      const entries = isLate ? [...local, ...before, ...after] : [...before, ...local, ...after]
      setShown({ q, entries, isWhole: true, isNoOne, notes })
    }, SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      clearTimeout(late)
      abort.abort()
    }
  }, [q])
  const isOld = shown.q !== q
  // what was found for other words stays as far as its title has the words that are typed now
  const entries = isOld ? shown.entries.filter(({ title }) => matches(title, q)) : shown.entries
  const { isNoOne, notes } = shown
  return { entries, isOld, searching: isOld || !shown.isWhole, isNoOne: isNoOne && !isOld, notes: isOld ? [] : notes }
}
