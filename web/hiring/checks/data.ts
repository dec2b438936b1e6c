import type { Read } from '../api.ts'

/** A test or check of a candidate, with what can be done with it. */
export type Check = Read<'/applications/{application}/orders'>['orders'][number]
