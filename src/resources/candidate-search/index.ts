export { findCandidatesByKey, findCandidatesByWords, rebuildNext, requestRebuild } from './actions.ts'
export {
  CANDIDATE_ORDERS,
  type CandidateFilter,
  type CandidateRow,
  type CandidateSort,
  candidatesById,
  candidatesPage,
} from './list-store.ts'
export { explainMatch, kindOfSearch, type Match, type SearchKind } from './rules.ts'
export { type Found, findSimilarNames, RANKS, rankFound, selectRebuild } from './search-store.ts'
