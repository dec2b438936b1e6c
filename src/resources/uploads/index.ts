export { reserveUpload } from './actions.ts'
export { uploadRoutes } from './routes.ts'
export { ANSWER_FILE_TYPES, RESUME_TYPES, typesFor, type UploadPurpose } from './rules.ts'
export {
  clearDeletions,
  deleteExpiredUploads,
  lockUpload,
  pendingDeletions,
  type StoredUpload,
  spendUpload,
  uploadById,
} from './store.ts'
