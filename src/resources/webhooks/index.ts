export {
  cancelUnreadableOf,
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  disableEndpointsOf,
  disableExpiredEndpoints,
  type EndpointOwner,
  enableEndpoint,
  recoverDeliveries,
  redeliver,
  resumeEndpoints,
  rotateSecret,
  secretContext,
  suspendEndpoints,
  testEndpoint,
  webhookSealedColumns,
} from './actions.ts'
export { type AttemptContext, attemptDelivery, PROCESS_STOPPING, UnsealedSecrets } from './attempt.ts'
export { claimDeliveries, readHandedOver, readyRetries, recordAttempts, takeOverExpired } from './claim-actions.ts'
export {
  type Claim,
  type ClaimedDelivery,
  deliveriesWaiting,
  type EndpointCursor,
  FIRST_ENDPOINT,
  type FinishedAttempt,
  forceIndexPlans,
  handOverCapacity,
  type Leased,
  releaseDeliveries,
  returnHandOvers,
  SLOW_ENDPOINT_MS,
} from './claim-store.ts'
export { attemptsOf, deliveriesOfWorkspace, deliveryOfWorkspace, dropResponses } from './delivery-store.ts'
export { countEndpoints, endpointsOfWorkspace, type OwnedEndpoint } from './endpoint-store.ts'
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
export { type AttemptOutcome, judgeAttempt, LEASE_SECONDS, newSigningSecret, urlFaults } from './rules.ts'
export { checkTarget } from './targets.ts'
