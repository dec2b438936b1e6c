export {
  addRetentionRuns,
  changeRetention,
  nextRetentionRun,
  previewApplications,
  previewRetention,
  readRetention,
  runNextRetention,
} from './actions.ts'
export { retentionWaiting } from './store.ts'
