import { randomUUID } from 'node:crypto'
import { BoundedQueue, QueueFullError } from '../../kernel/async/bounded-queue.ts'
import { runCooperatively } from '../../kernel/async/cooperative.ts'
import {
  type Database,
  DatastoreUnavailable,
  isDuplicate,
  type Queryable,
  type Transaction,
} from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { newHandle } from '../../kernel/handles.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { InTurn } from '../imports/actions.ts'
import { lockSuppressionsShared, suppressedAmong, suppressedExternalIds } from '../suppressions/store.ts'
import { indexFor } from './index-cache.ts'
import { buildRankingPlan, type Ranked, type RankingCandidate, type RankingPlan, rank } from './plan.ts'
import { isShort, type PoolLine, spellingsOf } from './rules.ts'
import {
  correctionsOf,
  misspellingCandidates,
  type PoolSearch,
  queryTerms,
  readSearch,
  spellingsAsked,
  wordsByStem,
} from './search.ts'
import type { PoolProfileRow } from './shape.ts'
import {
  candidates,
  frequencies,
  importSettings,
  insertPoolProfiles,
  insertTerms,
  type KnownPoolProfile,
  knownPoolProfiles,
  type PoolFilter,
  placeEntries,
  poolProfiles,
  poolProfilesById,
  refreshStatistics,
  replaceTerms,
  type StoredLine,
  searchSettings,
  shortPartsKnown,
  similarityLimit,
  similarWords,
  toPoolProfile,
  updatePoolProfiles,
} from './store.ts'
import { termsOf } from './terms.ts'
import { WordCounts } from './vocabulary-counts.ts'

export { erasePoolProfile, forgetUnusedWords } from './erase.ts'
export { withPoolImport } from './vocabulary-counts.ts'
export { WordCounts }

const RETRY_SECONDS = 2
/** Profiles that are ranked: fetching more costs more than it finds, as the stricter conditions come first. */
const MOST_CANDIDATES = 1_000

/** Some more than asked for, in place of those whose processing was stopped. */
const SPARE = 10

/**
 * Searches use at most two connections, however slow they become, so that the other requests of the process go on. A
 * search that would wait for longer than a second is refused.
 */
const searchQueue = new BoundedQueue({
  concurrency: 2,
  capacity: 100,
  timeoutMs: 1_000,
  retryAfterSeconds: RETRY_SECONDS,
})

/** Ranked profiles. When the search is overloaded or its statements fail, `pool_search_unavailable`. */
export async function searchPool(db: Database, search: PoolSearch, limit: number): Promise<PoolProfileRow[]> {
  if (Object.values(readSearch(search)).every(list => list.length === 0)) return [] // nothing but signs
  try {
    return await searchQueue.run({}, () => db.transaction(tx => searchIn(tx, indexFor(db), search, limit)))
  } catch (error) {
    if (error instanceof DatastoreUnavailable || error instanceof QueueFullError) {
      fail('pool_search_unavailable', { retry_after_seconds: RETRY_SECONDS })
    }
    throw error
  }
}

async function searchIn(
  tx: Transaction,
  kept: ReturnType<typeof indexFor>,
  search: PoolSearch,
  limit: number,
): Promise<PoolProfileRow[]> {
  let read = readSearch(search)
  const [, memory] = await Promise.all([tx.query(searchSettings()), kept.current(tx)])
  const asked = queryTerms(read)
  const known = memory
    ? memory.frequencies(asked.flatMap(a => a.in.map(field => `${field}:${a.word}`)))
    : new Map((await tx.query(frequencies(asked))).map(row => [row.term, row.profiles]))
  const profiles = memory?.size ?? known.get('') ?? 1
  const doubtful = misspellingCandidates(read, known, profiles)
  if (doubtful.length > 0) {
    const endings = wordsByStem(search)
    const words = [...new Set(doubtful.flatMap(asked => spellingsAsked(asked, endings)))]
    const [, similar] = await Promise.all([tx.query(similarityLimit()), tx.query(similarWords(words))])
    read = readSearch(search, correctionsOf(doubtful, known, similar, endings))
  }
  const plan = buildRankingPlan(read, known, profiles)
  const most = limit + SPARE
  const ranked = memory ? await runCooperatively(memory.search(plan, most)) : await rankInStore(tx, plan, most)
  const rows = new Map((await tx.query(poolProfilesById(ranked.map(r => r.id)))).map(row => [row.id, row]))
  const shown = ranked.flatMap(({ id, score, tier }) => {
    const row = rows.get(id)
    return row ? [{ ...toPoolProfile(row), match_score: score, match_tier: tier }] : []
  })
  return shown.slice(0, limit)
}

/** The same from the store, for the time in which this process has not loaded the terms yet: slower with many profiles. */
async function rankInStore(tx: Transaction, plan: RankingPlan, limit: number): Promise<Ranked[]> {
  let found: RankingCandidate[] = []
  for (const level of plan.levels) {
    found = await tx.query(candidates(level, plan.features, MOST_CANDIDATES))
    if (found.length >= limit) break
  }
  return rank(plan, found, limit)
}

/** A page of the pool. That a part of one or two letters stands nowhere is known without a look at the profiles. */
export async function poolPage(db: Queryable, filter: PoolFilter, page: Page) {
  const short = (['company', 'title'] as const).flatMap(field => {
    const text = filter[field]
    return text === undefined || !isShort(text) ? [] : [{ field, text }]
  })
  if (short.length > 0) {
    const asked = short.flatMap(({ field, text }) => spellingsOf(text).map(part => ({ field, part })))
    const known = new Set((await db.query(shortPartsKnown(asked))).map(row => row.field))
    if (short.some(({ field }) => !known.has(field))) return []
  }
  return (await db.query(poolProfiles(filter, page))).map(toPoolProfile)
}

/**
 * Stores a batch, announces it, and answers its id. A line is the profile that has its LinkedIn address, or else the one that its
 * provider calls by the same name; a profile that stands twice in the batch is taken as it stands last. People whose
 * processing was stopped do not come back.
 */
export async function importPoolBatch(
  db: Queryable,
  tx: Transaction,
  lines: readonly PoolLine[],
  counts: WordCounts,
  inTurn: InTurn = lock => lock(),
): Promise<string> {
  const id = randomUUID()
  await counts.shortParts.store(db, lines)
  const [linkedinKeys, externalIds] = keysOf(lines)
  const look = () => tx.query(knownPoolProfiles(linkedinKeys, externalIds))
  // The store runs them one after the other, so that the lists are read behind the gate.
  const [, settings, stopped, gone, found] = await inTurn(() =>
    Promise.all([
      tx.query(lockSuppressionsShared()),
      tx.one(importSettings()),
      tx.query(
        suppressedAmong(
          null,
          linkedinKeys.map(key => ({ kind: 'linkedin_url', key })),
        ),
      ),
      tx.query(suppressedExternalIds(externalIds.map(name => ({ workspace: '', object: 'pool_profile', id: name })))),
      look(),
    ]),
  )
  const suppressed = new Set(stopped.map(({ place }) => linkedinKeys[place]!))
  const goneNames = new Set(gone.map(({ place }) => externalIds[place]!))
  const left = lines.filter(line => !suppressed.has(line.linkedin_key ?? '') && !goneNames.has(line.external_id ?? ''))
  for (let known = found, tries = 1; ; known = await look(), tries++) {
    const { added, changed } = matched(left, known)
    const event: NewEvent = {
      type: 'pool.batch_upserted',
      workspaceId: null,
      id,
      updatedAt: settings!.now,
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
      // Another import added one of them between our look and our write: they are known now.
      if (!isDuplicate(error) || tries === MOST_TRIES) throw error
    }
  }
}

const MOST_TRIES = 5

const keysOf = (lines: readonly PoolLine[]): [string[], string[]] => [
  lines.flatMap(line => line.linkedin_key ?? []),
  lines.flatMap(line => line.external_id ?? []),
]

/** Which lines are new profiles, in the order of their handles, and which are newer selves of known ones. */
function matched(lines: readonly PoolLine[], known: readonly KnownPoolProfile[]) {
  type Profile = KnownPoolProfile & { line?: StoredLine; isNew?: true }
  const byLinkedin = new Map<string, Profile>()
  const byExternal = new Map<string, Profile>()
  const remember = (profile: Profile) => {
    if (profile.linkedin_key !== null) byLinkedin.set(profile.linkedin_key, profile)
    if (profile.external_id !== null) byExternal.set(profile.external_id, profile)
  }
  known.forEach(remember)
  const written = new Set<Profile>()
  for (const line of lines) {
    const { linkedin_key, external_id } = line
    const named = external_id === null ? undefined : byExternal.get(external_id)
    const profile: Profile = (linkedin_key === null ? undefined : byLinkedin.get(linkedin_key)) ??
      named ?? { id: newHandle('pool_profile'), linkedin_key, external_id, suppressed: false, isNew: true }
    if (profile.suppressed) continue
    profile.linkedin_key = linkedin_key ?? profile.linkedin_key
    // a name that is another profile's stays with it
    profile.external_id = (named === undefined || named === profile ? external_id : null) ?? profile.external_id
    profile.line = {
      ...line,
      id: profile.id,
      linkedin_key: profile.linkedin_key,
      linkedin_url: line.linkedin_url ?? profile.line?.linkedin_url ?? null,
      external_id: profile.external_id,
    }
    remember(profile)
    written.add(profile)
  }
  const added: StoredLine[] = []
  const changed: StoredLine[] = []
  for (const { isNew, line } of written) (isNew ? added : changed).push(line!)
  // neighbours in the indexes too
  return { added: added.sort((a, b) => (a.id < b.id ? -1 : 1)), changed }
}

/** Makes profiles findable that were not imported, such as the demo's, which carry times of their own. */
export async function indexPoolProfiles(tx: Transaction, profiles: readonly StoredPoolProfile[]): Promise<void> {
  const counts = new WordCounts()
  const rows = profiles.map(profile => ({ id: profile.id, ...termsOf(profile) }))
  for (const row of rows) counts.add(row)
  await counts.shortParts.store(tx, profiles)
  await tx.query(insertTerms(rows))
  for (const statement of counts.take()) await tx.query(statement)
}

export type StoredPoolProfile = Parameters<typeof termsOf>[0] & { id: string }

/** After an import: what is looked up is found in its place, and the planner knows what there is. */
export async function settlePool(db: Database): Promise<void> {
  await db.query(placeEntries())
  await db.query(refreshStatistics())
}
