export {
  cancelUnreadableDeliveries,
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  disableExpiredEndpoints,
  disableKeyEndpoints,
  enableEndpoint,
  type RegisteringKey,
  recoverDeliveries,
  redeliver,
  resumeEndpoints,
  rotateSigningSecret,
  secretContext,
  suspendEndpoints,
  testEndpoint,
  webhookSealedColumns,
} from './actions.ts'
export {
  type AppEndpoint,
  deriveEndpoint,
  moveDerivedEndpoint,
  queueNotice,
  readAppEndpoint,
  removeAppEndpoint,
  resumeDerivedEndpoint,
  rotateAppWebhookSecret,
  saveAppEndpoint,
} from './app-actions.ts'
export {
  type AttemptContext,
  type AttemptPayload,
  attemptDelivery,
  openPoster,
  PROCESS_STOPPING,
  UnsealedSecrets,
} from './attempt.ts'
export {
  cancelWaiting,
  deliveriesOfWorkspace,
  deliveryOfWorkspace,
  dropResponses,
  type Lease,
  returnHandOvers,
  selectAttempts,
} from './delivery-store.ts'
export { countEndpoints, endpointsOfWorkspace, IN_ORDER, type OwnedEndpoint } from './endpoint-store.ts'
export {
  deliveryFilters,
  descriptionField,
  eventTypesField,
  NEWEST_FIRST,
  overlapField,
  urlField,
} from './fields.ts'
export { countOnDemand } from './limit-actions.ts'
export { webhookRoutes } from './routes.ts'
export {
  type AttemptOutcome,
  type AttemptVerdict,
  type DeliveryKind,
  judgeAttempt,
  LEASE_SECONDS,
  newSigningSecret,
  type ReadUrl,
  readUrl,
  urlFaults,
} from './rules.ts'
export { checkTarget } from './targets.ts'
