export {
  countSnoozed,
  countTasks,
  type Reading,
  readTasks,
  setTaskStates,
} from './actions.ts'
export { COUNTED_TASKS } from './rules.ts'
