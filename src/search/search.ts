import { runCooperatively } from '../kernel/async/cooperative.ts'
import type { Database, Transaction } from '../kernel/db/database.ts'
import { indexFor } from './index-cache.ts'
import { parseQuery, queryTerms, type SearchRequest } from './query-parser.ts'
import { buildRankingPlan, type RankingPlan } from './query-plan.ts'
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
  let query = parseQuery(request)
  const [, index] = await Promise.all([tx.query(searchSettings()), indexFor(db).current(tx)])
  const terms = queryTerms(query)
  const frequencies = index
    ? index.frequencies(terms.flatMap(t => t.fields.map(field => `${field}:${t.word}`)))
    : new Map((await tx.query(selectFrequencies(terms))).map(row => [row.term, row.profiles]))
  const profiles = index?.size ?? frequencies.get('') ?? 1
  const misspelt = misspellingCandidates(query, frequencies, profiles)
  if (misspelt.length > 0) {
    const originals = wordsByStem(request)
    const spellings = [...new Set(misspelt.flatMap(t => spellingsToLookUp(t, originals)))]
    const [, similar] = await Promise.all([tx.query(similarityThreshold()), tx.query(similarWords(spellings))])
    query = parseQuery(request, findCorrections(misspelt, frequencies, similar, originals))
  }
  const plan = buildRankingPlan(query, frequencies, profiles)
  return index ? runCooperatively(index.search(plan, limit)) : rankInDatabase(tx, plan, limit)
}

/** The same ranking while this process has no index yet: slower with many profiles. */
async function rankInDatabase(tx: Transaction, plan: RankingPlan, limit: number): Promise<Ranked[]> {
  let found: RankingCandidate[] = []
  for (const level of plan.levels) {
    found = await tx.query(selectCandidates(level, plan.features, MAX_CANDIDATES))
    if (found.length >= limit) break
  }
  return rankRows(plan, found, limit)
}
