export { deleteExpiredUploads, reserveUpload, storeUpload } from './actions.ts'
export { matchesContentType, readStoredHead } from './file-content.ts'
export { uploadRoutes } from './routes.ts'
export { resumeTypeOf, typesFor, type UploadPurpose, uploadFaults } from './rules.ts'
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
