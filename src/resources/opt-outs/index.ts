export { addOptOuts, type OptOut, readOptOuts, removeOptOut } from './actions.ts'
export { MAX_OPT_OUT_LINES, readAddresses } from './rules.ts'
export { NEWEST_FIRST } from './store.ts'
