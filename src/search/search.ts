import type { Database, Transaction } from '../kernel/db/database.ts'
import { indexFor } from './index-cache.ts'
import { IndexLostError, type PoolIndex } from './pool-index.ts'
import { parseQuery, queryTerms, type SearchRequest } from './query-parser.ts'
import { buildRankingPlan } from './query-plan.ts'
import { type Ranked, type RankingCandidate, rankRows } from './rank.ts'
import { findCorrections, misspellingCandidates, spellingsToLookUp, wordsByStem } from './spelling.ts'
import { searchSettings, selectCandidates, selectFrequencies, similarityThreshold, similarWords } from './store.ts'

/** Profiles ranked in the database: the stricter conditions come first, so more of them cost time and improve little. */
const MAX_CANDIDATES = 1_000

/** Whether a request has any word at all: one of nothing but punctuation finds nothing. */
export const hasWords = (request: SearchRequest): boolean =>
  Object.values(parseQuery(request)).some(list => list.length > 0)

/** The best `limit` profiles. `tx` must be a transaction of its own: its statements get a time limit. */
export async function searchProfiles(
  db: Database,
  tx: Transaction,
  request: SearchRequest,
  limit: number,
): Promise<Ranked[]> {
  try {
    const [, index] = await Promise.all([tx.query(searchSettings()), indexFor(db).current(tx)])
    if (index) return await rankInMemory(tx, index, request, limit)
  } catch (error) {
    if (!(error instanceof IndexLostError)) throw error
  }
  return rankInDatabase(tx, request, limit)
}

async function rankInMemory(
  tx: Transaction,
  index: PoolIndex,
  request: SearchRequest,
  limit: number,
): Promise<Ranked[]> {
  const result = await index.search({ request, limit })
  if ('ranked' in result) return result.ranked
  const similar = await similarTo(tx, result.spellings)
  const corrected = await index.search({ request, limit, similar })
  return 'ranked' in corrected ? corrected.ranked : [] // with similar words it never asks for more
}

async function similarTo(tx: Transaction, spellings: readonly string[]) {
  const [, similar] = await Promise.all([tx.query(similarityThreshold()), tx.query(similarWords(spellings))])
  return similar
}

/** The same ranking while this process has no index yet: slower with many profiles. */
async function rankInDatabase(tx: Transaction, request: SearchRequest, limit: number): Promise<Ranked[]> {
  let query = parseQuery(request)
  const terms = queryTerms(query)
  const frequencies = new Map((await tx.query(selectFrequencies(terms))).map(row => [row.term, row.profiles]))
  const profiles = frequencies.get('') ?? 1
  const misspelt = misspellingCandidates(query, frequencies, profiles)
  if (misspelt.length > 0) {
    const originals = wordsByStem(request)
    const spellings = [...new Set(misspelt.flatMap(t => spellingsToLookUp(t, originals)))]
    query = parseQuery(request, findCorrections(misspelt, frequencies, await similarTo(tx, spellings), originals))
  }
  const plan = buildRankingPlan(query, frequencies, profiles)
  let found: RankingCandidate[] = []
  for (const level of plan.levels) {
    found = await tx.query(selectCandidates(level, plan.features, MAX_CANDIDATES))
    if (found.length >= limit) break
  }
  return rankRows(plan, found, limit)
}
