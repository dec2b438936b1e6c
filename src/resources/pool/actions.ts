import { randomUUID } from 'node:crypto'
import { clock } from '../../kernel/clock.ts'
import { type Database, DatastoreUnavailable, type Queryable, type Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/failure.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { newHandle } from '../../kernel/handles.ts'
import { enterGate } from '../suppressions/store.ts'
import { keptIndex } from './keep-index.ts'
import { type Candidate, type Plan, planOf, type Ranked, rank } from './plan.ts'
import { type PoolLine, poolKey, termsOf } from './rules.ts'
import { askedOf, correctionsOf, type PoolSearch, readSearch, suspicious } from './search.ts'
import type { PoolProfileRow } from './shape.ts'
import {
  candidates,
  countWords,
  frequencies,
  insertTerms,
  nowIs,
  poolProfilesById,
  refreshStatistics,
  searchSettings,
  similarityLimit,
  similarWords,
  toPoolProfile,
  upsertPoolProfiles,
} from './store.ts'

export { erasePoolProfile, forgetUnusedWords } from './erase.ts'

/** One statement of a search; the p99 of a whole search is far below. */
const STATEMENT_MS = 1_000
const RETRY_SECONDS = 2
/** Profiles that are ranked: fetching more costs more than it finds, as the stricter conditions come first. */
const MOST_CANDIDATES = 1_000

/** Some more than asked for, in place of those whose processing was stopped. */
const SPARE = 10

/**
 * Searches have connections of their own count: however slow they become, they hold no more than these, and everything
 * else goes on. Who would have to wait longer than this for a turn is told so.
 */
const AT_ONCE = 2
const MOST_WAITING = 100
const LONGEST_WAIT_MS = 1_000

let running = 0
const waiting: { begin: () => void; since: number }[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING) unavailable()
    const since = clock.monotonic()
    await new Promise<void>(begin => waiting.push({ begin, since }))
    if (clock.monotonic() - since > LONGEST_WAIT_MS) {
      next()
      unavailable()
    }
  } else running++
  try {
    return await work()
  } finally {
    next()
  }
}

/** A turn that ends is handed on, or given back. */
function next(): void {
  const first = waiting.shift()
  if (first) first.begin()
  else running--
}

const unavailable = (): never => fail('pool_search_unavailable', { retry_after_seconds: RETRY_SECONDS })

/** Ranked profiles. An outage of the search is told from one of the store, and harms nothing else. */
export async function searchPool(db: Database, search: PoolSearch, limit: number): Promise<PoolProfileRow[]> {
  if (Object.values(readSearch(search)).every(list => list.length === 0)) return [] // nothing but signs
  try {
    return await inTurn(() => db.transaction(tx => searchIn(tx, keptIndex(db), search, limit)))
  } catch (error) {
    if (error instanceof DatastoreUnavailable) return unavailable()
    throw error
  }
}

async function searchIn(
  tx: Transaction,
  kept: ReturnType<typeof keptIndex>,
  search: PoolSearch,
  limit: number,
): Promise<PoolProfileRow[]> {
  let read = readSearch(search)
  const [, memory] = await Promise.all([tx.query(searchSettings(STATEMENT_MS)), kept.current(tx)])
  const asked = askedOf(read)
  const known = memory
    ? memory.frequencies(asked.flatMap(a => a.in.map(field => `${field}:${a.word}`)))
    : new Map((await tx.query(frequencies(asked))).map(row => [row.term, row.profiles]))
  const profiles = memory?.size ?? known.get('') ?? 1
  const doubtful = suspicious(read, known, profiles)
  if (doubtful.length > 0) {
    const words = doubtful.map(a => a.word)
    const [, similar] = await Promise.all([tx.query(similarityLimit()), tx.query(similarWords(words))])
    read = readSearch(search, correctionsOf(doubtful, known, similar))
  }
  const plan = planOf(read, known, profiles)
  const most = limit + SPARE
  const ranked = memory ? memory.search(plan, most) : await rankInStore(tx, plan, most)
  const rows = new Map((await tx.query(poolProfilesById(ranked.map(r => r.id)))).map(row => [row.id, row]))
  const shown = ranked.flatMap(({ id, score, tier }) => {
    const row = rows.get(id)
    return row ? [{ ...toPoolProfile(row), match_score: score, match_tier: tier }] : []
  })
  return shown.slice(0, limit)
}

/** The same from the store, for the time in which this process has not loaded the terms yet: slower with many profiles. */
async function rankInStore(tx: Transaction, plan: Plan, limit: number): Promise<Ranked[]> {
  let found: Candidate[] = []
  for (const level of plan.levels) {
    found = await tx.query(candidates(level, plan.features, MOST_CANDIDATES))
    if (found.length >= limit) break
  }
  return rank(plan, found, limit)
}

/** Words of profiles that were added, until they are worth a statement. */
export class WordCounts {
  readonly #counts = new Map<string, number>()
  #lines = 0

  add(line: Pick<PoolLine, 'terms'>): void {
    this.#lines++
    for (const term of line.terms.split(' ')) this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1)
  }

  get lines(): number {
    return this.#lines
  }

  /** In batches: one statement must not take as long as its limit allows. Words in order, so that two imports cannot lock each other out. */
  async store(db: Queryable): Promise<void> {
    const words = [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([term, profiles]) => ({ field: term.slice(0, 1), word: term.slice(2), profiles }))
    this.#counts.clear()
    this.#lines = 0
    for (let at = 0; at < words.length; at += 10_000) await db.query(countWords(words.slice(at, at + 10_000)))
  }
}

/** Stores a batch and announces it. A profile that stands twice in it is taken as it stands last. */
export async function importPoolBatch(tx: Transaction, lines: readonly PoolLine[], counts: WordCounts): Promise<void> {
  const unique = new Map(lines.map(line => [poolKey(line), { ...line, id: newHandle('pool_profile') }]))
  await tx.query(enterGate())
  const named = (by: 'linkedin_key' | 'external_id') =>
    [...unique.values()].filter(line => (line.linkedin_key === null) === (by === 'external_id'))
  let stored = 0
  for (const by of ['linkedin_key', 'external_id'] as const) {
    const some = named(by)
    if (some.length === 0) continue
    const rows = await tx.query(upsertPoolProfiles(some, by))
    stored += rows.length
    const added = new Set(rows.filter(row => row.added).map(row => row.key))
    tx.afterCommit(() => {
      for (const line of some) if (added.has(line[by]!)) counts.add(line)
    })
  }
  const { now } = (await tx.one(nowIs()))!
  await appendEvents(tx, [
    {
      type: 'pool.batch_upserted',
      workspaceId: null,
      id: randomUUID(),
      updatedAt: now,
      values: { count: stored },
      originKeyId: null,
    },
  ])
}

/** Makes profiles findable that were not imported, such as the demo's, which carry times of their own. */
export async function indexPoolProfiles(tx: Transaction, profiles: readonly StoredPoolProfile[]): Promise<void> {
  const counts = new WordCounts()
  const rows = profiles.map(profile => ({ profile_id: profile.id, ...termsOf(profile) }))
  for (const row of rows) counts.add(row)
  await tx.query(insertTerms(rows))
  await counts.store(tx)
}

export type StoredPoolProfile = Parameters<typeof termsOf>[0] & { id: string }

export const refreshPoolStatistics = (db: Database) => db.query(refreshStatistics())
