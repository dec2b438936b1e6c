export {
  changeRetention,
  previewRetention,
  readRetention,
  runNextRetention,
} from './actions.ts'
