export {
  approveRequest,
  declineRequest,
  type EarlierSuppression,
  previewErasure,
  type RequestedErasure,
  repeatSuppression,
  requestErasure,
  targetsOfRequest,
} from './actions.ts'
export { askNextHolders } from './ask-holders.ts'
export { runErasure } from './execute-erasure.ts'
export { requestMails } from './notify-owners.ts'
export {
  beginPlannedErasures,
  planErasure,
  previewErasureOf,
  readConfirmation,
  undoErasure,
} from './planned-actions.ts'
export { erasureAbout, planOf } from './planned-store.ts'
export type { ErasureTarget } from './rules.ts'
export {
  type ErasureRow,
  erasureById,
  erasureSeenBy,
  erasuresSeenBy,
  erasuresWaiting,
  openErasures,
  selectErasureTargets,
} from './store.ts'
export {
  allRequests,
  type ErasureRequestRow,
  erasureRequestById,
  requestMailsWaiting,
  workspaceRequest,
  workspaceRequests,
} from './store-requests.ts'
