export { deleteExpiredUploads, reserveUpload } from './actions.ts'
export { uploadRoutes } from './routes.ts'
export { typesFor, type UploadPurpose } from './rules.ts'
export {
  clearDeletions,
  lockUpload,
  noteDeletions,
  pendingDeletions,
  pendingUploads,
  type StoredUpload,
  spendUpload,
  uploadById,
} from './store.ts'
