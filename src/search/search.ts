import type { Database, Transaction } from '../kernel/db/database.ts'
import { indexFor } from './index-cache.ts'
import { IndexLostError, type PoolIndex } from './pool-index.ts'
import { parseSearch, queryTerms, type SearchRequest } from './query-parser.ts'
import { buildRankingPlan, type WeightedPlan } from './query-plan.ts'
import { type Ranked, type RankingCandidate, rankRows } from './rank.ts'
import { findCorrections, misspellingCandidates, spellingsToLookUp, wordsByStem } from './spelling.ts'
import { searchSettings, selectCandidates, selectFrequencies, similarityThreshold, similarWords } from './store.ts'

/** Profiles ranked in the database: the stricter conditions come first, so more of them cost time and improve little. */
const MAX_CANDIDATES = 1_000

/** Whether a request has any word at all: one of nothing but punctuation finds nothing. */
export const hasWords = (request: SearchRequest): boolean =>
  Object.values(parseSearch(request)).some(list => list.length > 0)

/** Runs what has a database connection for its whole time; few at a time. */
export type RunFew = <T>(work: () => Promise<T>) => Promise<T>

/** The best `limit` profiles by the index of this process; undefined while there is none. */
export async function searchInMemory(
  db: Database,
  request: SearchRequest,
  limit: number,
  few: RunFew,
): Promise<Ranked[] | undefined> {
  try {
    const index = await indexFor(db).current()
    return index && (await rankInMemory(db, index, request, limit, few))
  } catch (error) {
    if (error instanceof IndexLostError) return undefined
    throw error
  }
}

async function rankInMemory(
  db: Database,
  index: PoolIndex,
  request: SearchRequest,
  limit: number,
  few: RunFew,
): Promise<Ranked[]> {
  const result = await index.search({ request, limit })
  if ('ranked' in result) return result.ranked
  const similar = await few(() =>
    db.transaction(async tx => {
      const [, words] = await Promise.all([tx.query(searchSettings()), similarTo(tx, result.spellings)])
      return words
    }),
  )
  const corrected = await index.search({ request, limit, similar })
  return 'ranked' in corrected ? corrected.ranked : [] // with similar words it never asks for more
}

async function similarTo(tx: Transaction, spellings: readonly string[]) {
  const [, similar] = await Promise.all([tx.query(similarityThreshold()), tx.query(similarWords(spellings))])
  return similar
}

/** The best by the database. Each has a connection for its whole time. */
export const searchInDatabase = (db: Database, request: SearchRequest, limit: number): Promise<Ranked[]> =>
  db.transaction(async tx => {
    await tx.query(searchSettings())
    return rankInDatabase(tx, request, limit)
  })

/** The same ranking while there is no index yet: slower with many profiles. */
async function rankInDatabase(tx: Transaction, request: SearchRequest, limit: number): Promise<Ranked[]> {
  const plan = await planFor(tx, request)
  let found: RankingCandidate[] = []
  for (const level of plan.levels) {
    found = await tx.query(selectCandidates(level, plan.features, MAX_CANDIDATES))
    if (found.length >= limit) break
  }
  return rankRows(plan, found, limit)
}

/** The plan of a request, with its spelling corrected, from the frequencies that the database has counted. */
export async function planFor(tx: Transaction, request: SearchRequest): Promise<WeightedPlan> {
  let query = parseSearch(request)
  const terms = queryTerms(query)
  const frequencies = new Map((await tx.query(selectFrequencies(terms))).map(row => [row.term, row.profiles]))
  const profiles = frequencies.get('') ?? 1
  const misspelt = misspellingCandidates(query, frequencies, profiles)
  if (misspelt.length > 0) {
    const originals = wordsByStem(request)
    const spellings = [...new Set(misspelt.flatMap(t => spellingsToLookUp(t, originals)))]
    query = parseSearch(request, findCorrections(misspelt, frequencies, await similarTo(tx, spellings), originals))
  }
  return buildRankingPlan(query, frequencies, profiles)
}
