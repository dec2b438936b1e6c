import type { Cooperative } from '../kernel/async/cooperative.ts'
import type { InvertedIndex } from './inverted-index.ts'
import { parseSearch, queryTerms, type SearchRequest } from './query-parser.ts'
import { buildRankingPlan } from './query-plan.ts'
import type { Ranked } from './rank.ts'
import { findCorrections, misspellingCandidates, type SimilarWord, spellingsToLookUp, wordsByStem } from './spelling.ts'

/** What an index is asked: plain data, which can be sent to another thread. */
export interface IndexQuery {
  request: SearchRequest
  limit: number
  /** words of the vocabulary that are similar to the spellings of an earlier result */
  similar?: readonly SimilarWord[]
}

/** The best profiles, or the spellings for which similar words must be looked up first. */
export type IndexResult = { ranked: Ranked[] } | { spellings: string[] }

/** One search of an index. It looks nothing up itself, so that it runs in any thread. */
export function* resultFrom(index: InvertedIndex, { request, limit, similar }: IndexQuery): Cooperative<IndexResult> {
  let query = parseSearch(request)
  const frequencies = index.frequencies(queryTerms(query).flatMap(t => t.fields.map(field => `${field}:${t.word}`)))
  const misspelt = misspellingCandidates(query, frequencies, index.size)
  if (misspelt.length > 0) {
    const originals = wordsByStem(request)
    if (!similar) return { spellings: [...new Set(misspelt.flatMap(t => spellingsToLookUp(t, originals)))] }
    query = parseSearch(request, findCorrections(misspelt, frequencies, similar, originals))
  }
  return { ranked: yield* index.search(buildRankingPlan(query, frequencies, index.size), limit) }
}
