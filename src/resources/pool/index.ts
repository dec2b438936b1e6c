export {
  erasePoolProfile,
  forgetUnusedWords,
  importPoolBatch,
  indexPoolProfiles,
  type StoredPoolProfile,
  settlePool,
  WordCounts,
  withPoolImport,
} from './actions.ts'
export { poolRoutes } from './routes.ts'
export { poolKeys, readPoolLine } from './rules.ts'
