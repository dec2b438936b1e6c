export {
  confirmPoolErased,
  erasePoolProfile,
  finishPoolImport,
  forgetUnusedWords,
  importPoolBatch,
  indexPoolProfiles,
  poolWriter,
  type StoredPoolProfile,
  searchPool,
  WordCounts,
  withPoolImport,
} from './actions.ts'
export { poolRoutes } from './routes.ts'
export { mayReadPool, poolKeys, readPoolLine } from './rules.ts'
export { poolProfilesById } from './store.ts'
