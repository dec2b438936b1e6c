export { reserveUpload } from './actions.ts'
export { uploadRoutes } from './routes.ts'
export { typesFor, type UploadPurpose } from './rules.ts'
export {
  clearDeletions,
  deleteExpiredUploads,
  lockUpload,
  pendingDeletions,
  pendingUploads,
  type StoredUpload,
  spendUpload,
  uploadById,
} from './store.ts'
