export { type Import, type ImportProgress, runImport } from './actions.ts'
export type { InTurn } from './batch-pipeline.ts'
