export { readReasonList, resolveReason, setReasons } from './actions.ts'
export { reasonsBody } from './rules.ts'
export { putHabit, selectHabit } from './store.ts'
