export { type ImportProgress, type ImportSource, runImport } from './actions.ts'
export type { LockInOrder } from './batch-pipeline.ts'
