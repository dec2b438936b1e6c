export { readUnlessStopped, unconfirmedKeys } from './actions.ts'
export { suppressionRoutes } from './routes.ts'
export {
  acknowledgementsOf,
  type Identifier,
  lockSuppressionsExclusive,
  lockSuppressionsShared,
  owesConfirmation,
  processingOf,
  type SuppressionScope,
  suppressedAmong,
  suppressedExternalIds,
  suppressionById,
  tryLockSuppressionsShared,
} from './store.ts'
