export { readUnlessStopped, unconfirmedKeys, withVendors } from './actions.ts'
export { suppressionRoutes } from './routes.ts'
export {
  type Identifier,
  lockSuppressionsExclusive,
  lockSuppressionsShared,
  owesConfirmation,
  type SuppressionScope,
  selectAcknowledgements,
  selectProcessing,
  suppressedAmong,
  suppressedExternalIds,
  suppressionById,
  tryLockSuppressionsShared,
} from './store.ts'
