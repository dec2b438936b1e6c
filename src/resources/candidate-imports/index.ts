export { importCandidates, readRowContext } from './actions.ts'
export { BadRow, CANDIDATE_COLUMNS, candidateColumns, readCandidateRow } from './rules.ts'
