import { randomUUID } from 'node:crypto'
import type { Environment } from '../../kernel/access/key-format.ts'
import { BoundedQueue, QueueFullError } from '../../kernel/async/bounded-queue.ts'
import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import {
  type Database,
  DatastoreUnavailable,
  isDuplicate,
  type Queryable,
  type Transaction,
  withUnlimitedSession,
} from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import type { Page } from '../../kernel/http/list.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { findSearchCluster, SearchUnavailable } from '../../kernel/search-cluster/search-cluster.ts'
import { PoolWriter } from '../../search/cluster/pool-writer.ts'
import { documentTerms, type SearchDocument } from '../../search/document-terms.ts'
import { engineFor } from '../../search/engine.ts'
import type { SearchRequest } from '../../search/query-parser.ts'
import type { Ranked } from '../../search/rank.ts'
import { hasWords } from '../../search/search.ts'
import type { SearchEngine } from '../../search/search-engine.ts'
import { insertTerms, replaceTerms } from '../../search/store.ts'
import {
  eraseProfileTerms,
  forgetUnusedWords,
  lockProfileTerms,
  VocabularyCounts,
  withVocabularyCounts,
} from '../../search/vocabulary.ts'
import type { LockInOrder } from '../imports/index.ts'
import { lockSuppressionsShared, suppressedAmong, suppressedExternalIds } from '../suppressions/index.ts'
import { isShort, listSpellings, type PoolLine, splitShortParts } from './rules.ts'
import type { PoolProfileRow } from './shape.ts'
import {
  emptyProfile,
  importSettings,
  insertPoolProfiles,
  insertShortParts,
  type KnownPoolProfile,
  knownPoolProfiles,
  type PoolFilter,
  type PoolKeys,
  placeEntries,
  poolProfiles,
  poolProfilesById,
  profilesErasedSince,
  refreshStatistics,
  type StoredLine,
  type StoredPoolProfile as StoredRow,
  selectPoolKeys,
  shortPartsKnown,
  toPoolProfile,
  updatePoolProfiles,
  waitForPoolImports,
} from './store.ts'
import { rankTestProfiles, testProfilesById, testProfilesPage } from './test-pool.ts'

export { forgetUnusedWords }

const RETRY_SECONDS = 2

/** Profiles ranked beyond the limit, to replace those that are suppressed; read only then. */
const SPARE = 10

/**
 * Searches of a process use few connections, however slow they become, so that the other requests continue. A search that
 * would wait for longer than a second is refused.
 */
const queues = new WeakMap<SearchEngine, BoundedQueue>()
const queueOf = (engine: SearchEngine): BoundedQueue =>
  getOrCreate(
    queues,
    engine,
    () =>
      new BoundedQueue({
        concurrency: engine.concurrency,
        capacity: 100,
        timeoutMs: 1_000,
        retryAfterSeconds: RETRY_SECONDS,
      }),
  )

/** Ranked profiles. When the search is overloaded, or its statements or its cluster fail, `pool_search_unavailable`. */
export async function searchPool(db: Database, request: SearchRequest, limit: number): Promise<PoolProfileRow[]> {
  if (!hasWords(request)) return []
  const engine = engineFor(db)
  try {
    return await queueOf(engine).run({}, () => searchWith(db, engine, request, limit))
  } catch (error) {
    if (error instanceof SearchUnavailable) {
      fail('pool_search_unavailable', { retry_after_seconds: error.retryAfterSeconds })
    }
    if (error instanceof DatastoreUnavailable || error instanceof QueueFullError) {
      fail('pool_search_unavailable', { retry_after_seconds: RETRY_SECONDS })
    }
    throw error
  }
}

async function searchWith(
  db: Database,
  engine: SearchEngine,
  request: SearchRequest,
  limit: number,
): Promise<PoolProfileRow[]> {
  const ranked = await engine.search(request, limit + SPARE)
  const read = (ids: readonly string[]) => db.query(poolProfilesById(ids))
  const shown = await profilesOf(read, ranked.slice(0, limit))
  if (shown.length === limit || ranked.length <= limit) return shown
  return [...shown, ...(await profilesOf(read, ranked.slice(limit)))].slice(0, limit)
}

/** Those of the ranked profiles that may be shown. */
async function profilesOf(
  read: (ids: readonly string[]) => Promise<StoredRow[]>,
  ranked: readonly Ranked[],
): Promise<PoolProfileRow[]> {
  const rows = new Map((await read(ranked.map(r => r.id))).map(row => [row.id, row]))
  return ranked.flatMap(({ id, score, tier }) => {
    const row = rows.get(id)
    return row ? [{ ...toPoolProfile(row), match_score: score, match_tier: tier }] : []
  })
}

/** A page of the pool. A part of one or two letters that no profile has is known without reading profiles. */
export async function poolPage(db: Queryable, filter: PoolFilter, page: Page) {
  const short = (['company', 'title'] as const).flatMap(field => {
    const text = filter[field]
    return text === undefined || !isShort(text) ? [] : [{ field, text }]
  })
  if (short.length > 0) {
    const spellings = short.flatMap(({ field, text }) => listSpellings(text).map(part => ({ field, part })))
    const known = new Set((await db.query(shortPartsKnown(spellings))).map(row => row.field))
    if (short.some(({ field }) => !known.has(field))) return []
  }
  return (await db.query(poolProfiles(filter, page))).map(toPoolProfile)
}

/** The profiles that a workspace can find. */
export interface Pool {
  search: (db: Database, request: SearchRequest, limit: number) => Promise<PoolProfileRow[]>
  page: (db: Queryable, filter: PoolFilter, page: Page) => Promise<PoolProfileRow[]>
  /** as they are stored; those that are not there are left out */
  read: (db: Queryable, ids: readonly string[]) => Promise<StoredRow[]>
  keys: (db: Queryable, ids: readonly string[]) => Promise<PoolKeys[]>
}

const SHARED_POOL: Pool = {
  search: searchPool,
  page: poolPage,
  read: (db, ids) => db.query(poolProfilesById(ids)),
  keys: (db, ids) => db.query(selectPoolKeys(ids)),
}

const TEST_POOL: Pool = {
  search: async (_, request, limit) =>
    hasWords(request) ? profilesOf(testProfilesById, await rankTestProfiles(request, limit)) : [],
  page: async (_, filter, page) => (await testProfilesPage(filter, page)).map(toPoolProfile),
  read: (_, ids) => testProfilesById(ids),
  keys: async (_, ids) => (await testProfilesById(ids)).map(({ id }) => ({ id, linkedin_key: null })),
}

/** The shared pool has real people: live workspaces alone read it. Test workspaces have a pool of invented people. */
export const poolFor = (environment: Environment | null): Pool => (environment === 'live' ? SHARED_POOL : TEST_POOL)

// More texts than this are split again, so that memory stays bounded.
const MAX_TEXTS_SEEN = 200_000

/** Parts of one or two letters that this process has stored, and the texts that have no others. */
class ShortParts {
  readonly #stored = { company: new Set<string>(), title: new Set<string>() }
  readonly #seen = { company: new Set<string>(), title: new Set<string>() }

  /** Outside the transaction that stores the lines: an extra part does no harm, a missing one hides a profile. */
  async store(db: Queryable, lines: readonly Pick<PoolLine, 'company_name' | 'job_title'>[]): Promise<void> {
    const texts = { company: new Set<string>(), title: new Set<string>() }
    for (const { company_name, job_title } of lines) {
      if (company_name !== null && !this.#seen.company.has(company_name)) texts.company.add(company_name)
      if (job_title !== null && !this.#seen.title.has(job_title)) texts.title.add(job_title)
    }
    const missing = (['company', 'title'] as const).flatMap(field =>
      [...new Set([...texts[field]].flatMap(text => [...splitShortParts(text)]))]
        .filter(part => !this.#stored[field].has(part))
        .map(part => ({ field, part })),
    )
    if (missing.length > 0) await db.query(insertShortParts(missing))
    for (const { field, part } of missing) this.#stored[field].add(part)
    for (const field of ['company', 'title'] as const) {
      for (const text of texts[field]) if (this.#seen[field].size < MAX_TEXTS_SEEN) this.#seen[field].add(text)
    }
  }
}

/** What an import has counted and stored besides the profiles. */
export class WordCounts extends VocabularyCounts {
  readonly shortParts = new ShortParts()
}

/**
 * One import of the pool at a time: an import stores several batches at the same time that wait for each other to commit, so two
 * imports with the same people could deadlock. Afterwards, even if it fails, the vocabulary is complete.
 */
export const withPoolImport = <T>(db: Database, work: (counts: WordCounts) => Promise<T>): Promise<T> =>
  withUnlimitedSession(db, async session => {
    await session.query(waitForPoolImports())
    const wasErasedSince = async (time: string) => (await db.one(profilesErasedSince(time))) !== undefined
    return withVocabularyCounts(db, new WordCounts(), work, wasErasedSince)
  })

/**
 * Stores a batch, emits its event and returns its id. A line updates the profile with its LinkedIn URL, or else the one
 * with its provider's id; of several lines for one profile the last wins. Suppressed people are skipped.
 */
export async function importPoolBatch(
  db: Queryable,
  tx: Transaction,
  lines: readonly PoolLine[],
  counts: WordCounts,
  inTurn: LockInOrder = lock => lock(),
): Promise<string> {
  const id = randomUUID()
  await counts.shortParts.store(db, lines)
  const [linkedinKeys, externalIds] = keysOf(lines)
  const lookUp = () => tx.query(knownPoolProfiles(linkedinKeys, externalIds))
  // The connection runs them in this order, so that the lists are read under the lock.
  const [, settings, stopped, gone, found] = await inTurn(() =>
    Promise.all([
      tx.query(lockSuppressionsShared()),
      tx.only(importSettings()),
      tx.query(
        suppressedAmong(
          null,
          linkedinKeys.map(key => ({ kind: 'linkedin_url', key })),
        ),
      ),
      tx.query(suppressedExternalIds(externalIds.map(name => ({ workspace: '', object: 'pool_profile', id: name })))),
      lookUp(),
    ]),
  )
  const suppressed = new Set(stopped.map(({ place }) => linkedinKeys[place]))
  const goneNames = new Set(gone.map(({ place }) => externalIds[place]))
  const left = lines.filter(line => !suppressed.has(line.linkedin_key ?? '') && !goneNames.has(line.external_id ?? ''))
  for (let known = found, tries = 1; ; known = await lookUp(), tries++) {
    const { added, changed } = matched(left, known)
    const event: NewEvent = {
      type: 'pool.batch_upserted',
      workspaceId: null,
      id,
      updatedAt: settings.now,
      values: { count: added.length + changed.length },
      originKeyId: null,
    }
    try {
      const [, , , replaced] = await tx.attempt(() =>
        Promise.all([
          added.length > 0 ? tx.query(insertPoolProfiles(added)) : [],
          added.length > 0 ? tx.query(insertTerms(added)) : [],
          changed.length > 0 ? tx.query(updatePoolProfiles(changed)) : [],
          changed.length > 0 ? tx.query(replaceTerms(changed)) : [],
          appendEvents(tx, [event]),
        ]),
      )
      const otherwise = new Set(replaced.map(row => row.profile_id))
      tx.afterCommit(() => {
        for (const line of added) counts.add(line)
        for (const line of changed) if (otherwise.has(line.id)) counts.change(line)
      })
      return id
    } catch (error) {
      // Another import added one of them between the look-up and the write: the next look-up finds it.
      if (!isDuplicate(error) || tries === MAX_TRIES) throw error
    }
  }
}

const MAX_TRIES = 5

const keysOf = (lines: readonly PoolLine[]): [string[], string[]] => [
  lines.flatMap(line => line.linkedin_key ?? []),
  lines.flatMap(line => line.external_id ?? []),
]

/** Which lines are new profiles, in the order of their handles, and which update known ones. */
function matched(lines: readonly PoolLine[], known: readonly KnownPoolProfile[]) {
  type Profile = KnownPoolProfile & { line?: StoredLine; isNew?: true }
  const byLinkedin = new Map<string, Profile>()
  const byExternal = new Map<string, Profile>()
  const register = (profile: Profile) => {
    if (profile.linkedin_key !== null) byLinkedin.set(profile.linkedin_key, profile)
    if (profile.external_id !== null) byExternal.set(profile.external_id, profile)
  }
  known.forEach(register)
  const written = new Set<Profile>()
  for (const line of lines) {
    const { linkedin_key, external_id } = line
    const named = external_id === null ? undefined : byExternal.get(external_id)
    const profile: Profile = (linkedin_key === null ? undefined : byLinkedin.get(linkedin_key)) ??
      named ?? { id: newHandle('pool_profile'), linkedin_key, external_id, suppressed: false, isNew: true }
    if (profile.suppressed) continue
    profile.linkedin_key = linkedin_key ?? profile.linkedin_key
    // an external id of another profile stays with that one
    profile.external_id = (named === undefined || named === profile ? external_id : null) ?? profile.external_id
    profile.line = {
      ...line,
      id: profile.id,
      linkedin_key: profile.linkedin_key,
      linkedin_url: line.linkedin_url ?? profile.line?.linkedin_url ?? null,
      external_id: profile.external_id,
    }
    register(profile)
    written.add(profile)
  }
  const added: StoredLine[] = []
  const changed: StoredLine[] = []
  for (const { isNew, line } of written) (isNew ? added : changed).push(present(line, 'a line'))
  // sorted, so that neighbours in the batch are neighbours in the indexes
  return { added: added.sort((a, b) => (a.id < b.id ? -1 : 1)), changed }
}

/** Indexes profiles that were not imported, such as the demo's, which have times of their own. */
export async function indexPoolProfiles(tx: Transaction, profiles: readonly StoredPoolProfile[]): Promise<void> {
  const counts = new WordCounts()
  const rows = profiles.map(profile => ({ id: profile.id, ...documentTerms(profile) }))
  for (const row of rows) counts.add(row)
  await counts.shortParts.store(tx, profiles)
  await tx.query(insertTerms(rows))
  for (const statement of counts.take()) await tx.query(statement)
}

export type StoredPoolProfile = SearchDocument & { id: string }

/** After an import: flushes the pending entries of the indexes and updates the planner's statistics. */
export async function finishPoolImport(db: Database): Promise<void> {
  await db.query(placeEntries())
  await db.query(refreshStatistics())
}

/** Erases every value of a profile, its terms, and the words that only it had. Its handle remains and cannot be read. */
export async function erasePoolProfile(tx: Transaction, id: string): Promise<void> {
  const terms = await lockProfileTerms(tx, id)
  await tx.query(emptyProfile(id))
  await eraseProfileTerms(tx, id, terms)
}

/** Returns when nothing outside of the database has terms of these erased profiles; fails if that is not known. */
export const confirmPoolErased = (db: Database, ids: readonly string[]): Promise<void> =>
  engineFor(db).confirmErased(ids)

/** What keeps the index of a search cluster up to date; undefined without a cluster. */
export function poolWriter(db: Database): PoolWriter | undefined {
  const cluster = findSearchCluster(db)
  return cluster && new PoolWriter(db, cluster)
}
