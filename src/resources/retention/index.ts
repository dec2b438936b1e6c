export {
  addRetentionRuns,
  changeRetention,
  nextRetentionRun,
  previewApplications,
  previewRetention,
  readRetention,
  runNextRetention,
  runRetentionOf,
} from './actions.ts'
export { retentionWaiting } from './store.ts'
