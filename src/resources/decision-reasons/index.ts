export { readReasonList, resolveReason, setReasons } from './actions.ts'
export { ANOTHER_JOB, reasonsBody } from './rules.ts'
export { putHabit, selectHabit } from './store.ts'
