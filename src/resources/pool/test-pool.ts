import { PREFIXES } from '../../contract/handles.ts'
import { lazy } from '../../kernel/async/lazy.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { FieldCode } from '../../search/conditions.ts'
import { documentTerms } from '../../search/document-terms.ts'
import { LocalIndex } from '../../search/pool-index.ts'
import type { SearchRequest } from '../../search/query-parser.ts'
import type { Ranked } from '../../search/rank.ts'
import type { SimilarWord } from '../../search/spelling.ts'
import { type InventedPerson, inventPerson, TEST_POOL_SIZE } from './invented-people.ts'
import type { PoolFilter, StoredPoolProfile } from './store.ts'

/*
 * The pool of all test workspaces. Nothing writes it, so it is in no table: a process makes it when it is first asked for,
 * and searches it in memory by the ranking of the embedded engine, whatever engine the shared pool has.
 */

const FIRST_SEEN = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000

function toStored({ number, skills, languages, ...person }: InventedPerson): StoredPoolProfile {
  const seen = new Date(FIRST_SEEN + number * HOUR_MS).toISOString()
  return {
    ...person,
    id: `${PREFIXES.pool_profile}test${String(number).padStart(16, '0')}`,
    skills: JSON.stringify(skills),
    languages: JSON.stringify(languages),
    company_linkedin_url: null,
    linkedin_url: null,
    github_url: null,
    photo_url: null,
    connections_count: null,
    follower_count: null,
    first_seen_at: seen,
    last_seen_at: seen,
    provider: 'test_pool',
  }
}

interface TestPool {
  byId: ReadonlyMap<string, StoredPoolProfile>
  index: LocalIndex
  /** each word with its field, and how many profiles have it */
  vocabulary: readonly Omit<SimilarWord, 'spelling'>[]
}

const testPool = lazy(async (): Promise<TestPool> => {
  const people = Array.from({ length: TEST_POOL_SIZE }, (_, number) => inventPerson(number))
  const counts = new Map<string, number>()
  const stored = people.map(toStored)
  const rows = people.map((person, i) => {
    const { title_words, terms } = documentTerms(person)
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    return { profile_id: stored[i]?.id ?? '', title_words, terms: terms.join(' '), changed: 0 }
  })
  const index = new LocalIndex()
  await index.put(rows)
  const vocabulary = [...counts].map(([term, profiles]) => {
    const colon = term.indexOf(':')
    return { field: term.slice(0, colon) as FieldCode, word: term.slice(colon + 1), profiles }
  })
  return { byId: new Map(stored.map(row => [row.id, row])), index, vocabulary }
})

/** The best profiles. Every word is offered as a correction: the few that are near enough are chosen by their letters. */
export async function rankTestProfiles(request: SearchRequest, limit: number): Promise<Ranked[]> {
  const { index, vocabulary } = await testPool()
  const found = await index.search({ request, limit })
  if ('ranked' in found) return found.ranked
  const similar = found.spellings.flatMap(spelling => vocabulary.map(word => ({ ...word, spelling })))
  const corrected = await index.search({ request, limit, similar })
  return 'ranked' in corrected ? corrected.ranked : []
}

export async function testProfilesById(ids: readonly string[]): Promise<StoredPoolProfile[]> {
  const { byId } = await testPool()
  return ids.flatMap(id => byId.get(id) ?? [])
}

const has = (text: string | null, part: string | undefined): boolean =>
  part === undefined || (text?.toLowerCase().includes(part.toLowerCase()) ?? false)

/** A page, most recently seen first, with the row after it if there is one. */
export async function testProfilesPage(filter: PoolFilter, page: Page): Promise<StoredPoolProfile[]> {
  const { byId } = await testPool()
  const { country, company, title, updated_after } = filter
  const [lastTime, lastId] = page.after ?? []
  const isAfter = ({ last_seen_at, id }: StoredPoolProfile) =>
    lastTime === undefined ||
    last_seen_at < lastTime ||
    (last_seen_at === lastTime && lastId !== undefined && id < lastId)
  return [...byId.values()]
    .filter(row => has(row.company_name, company) && has(row.job_title, title))
    .filter(row => country === undefined || row.location_country?.toLowerCase() === country.toLowerCase())
    .filter(row => updated_after === undefined || Date.parse(row.last_seen_at) > Date.parse(updated_after))
    .filter(isAfter)
    .toSorted((a, b) => (a.last_seen_at < b.last_seen_at ? 1 : -1))
    .slice(0, page.limit + 1)
}
