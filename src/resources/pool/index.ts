export {
  confirmPoolErased,
  erasePoolProfile,
  finishPoolImport,
  forgetUnusedWords,
  importPoolBatch,
  indexPoolProfiles,
  poolFor,
  poolWriter,
  type StoredPoolProfile,
  WordCounts,
  withPoolImport,
} from './actions.ts'
export { poolRoutes } from './routes.ts'
export { poolKeys, readPoolLine } from './rules.ts'
