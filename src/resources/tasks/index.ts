export {
  countSnoozed,
  countTasks,
  type Reading,
  readTasks,
  readZone,
  setTaskStates,
} from './actions.ts'
export { COUNTED_TASKS } from './rules.ts'
