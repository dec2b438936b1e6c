export {
  countDeletion,
  hastenScheduled,
  listDeletions,
  repeatDeletion,
  restoreWorkspace,
  scheduleDeletion,
} from './actions.ts'
export { deletionMails } from './notify.ts'
export { inOrder, listFolders } from './rules.ts'
export { runNextDeletion } from './run-deletion.ts'
export {
  allowLedgerDeletion,
  deleteSuppressionsOfWorkspace,
  deletionsWaiting,
  type EarlierDeletion,
  tenantTables,
} from './store.ts'
