export { deleteExpiredUploads, reserveUpload } from './actions.ts'
export { isContentOf } from './file-content.ts'
export { uploadRoutes } from './routes.ts'
export { typesFor, type UploadPurpose } from './rules.ts'
export {
  clearBlobDeletions,
  clearDeletions,
  consumeUpload,
  lockUpload,
  noteDeletions,
  pendingBlobDeletions,
  pendingDeletions,
  pendingUploads,
  type StoredUpload,
  uploadById,
} from './store.ts'
