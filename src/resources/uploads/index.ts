export { reserveUpload } from './actions.ts'
export { uploadRoutes } from './routes.ts'
export {
  clearDeletions,
  deleteExpiredUploads,
  lockUpload,
  pendingDeletions,
  type StoredUpload,
  spendUpload,
  uploadById,
} from './store.ts'
