export {
  changeRetention,
  previewApplications,
  previewRetention,
  readRetention,
  runNextRetention,
} from './actions.ts'
