export {
  countDeletion,
  hastenScheduled,
  listDeletions,
  restoreWorkspace,
  scheduleDeletion,
} from './actions.ts'
export { notifyNextDeletion } from './notify.ts'
export { runNextDeletion } from './run-deletion.ts'
export { deletionsWaiting } from './store.ts'
