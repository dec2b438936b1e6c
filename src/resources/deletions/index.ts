export {
  countDeletion,
  hastenScheduled,
  listDeletions,
  repeatDeletion,
  restoreWorkspace,
  scheduleDeletion,
} from './actions.ts'
export { deletionMails } from './notify.ts'
export { foldersOf, inOrder } from './rules.ts'
export { runNextDeletion } from './run-deletion.ts'
export {
  allowLedgerDeletion,
  deleteSuppressionsOf,
  deletionsWaiting,
  type EarlierDeletion,
  tenantTables,
} from './store.ts'
