export { detailsOf } from './actions.ts'
export { suppressionRoutes } from './routes.ts'
export {
  acknowledgementsOf,
  entryOf,
  type Identifier,
  lockSuppressionsExclusive,
  lockSuppressionsShared,
  type Reach,
  suppressedAmong,
  suppressedExternalIds,
} from './store.ts'
