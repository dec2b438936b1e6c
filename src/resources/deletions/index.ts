export {
  countDeletion,
  hastenScheduled,
  listDeletions,
  repeatDeletion,
  restoreWorkspace,
  scheduleDeletion,
} from './actions.ts'
export { deletionMails } from './notify.ts'
export { runNextDeletion } from './run-deletion.ts'
export { deletionsWaiting, type EarlierDeletion } from './store.ts'
