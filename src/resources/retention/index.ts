export {
  addRetentionRuns,
  changeRetention,
  nextRetentionRun,
  previewApplications,
  previewRetention,
  readRetention,
  runNextRetention,
  runRetentionOfWorkspace,
} from './actions.ts'
export { retentionWaiting } from './store.ts'
