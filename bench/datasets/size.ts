/** Set in a check, which measures nothing: every process of it makes and reads datasets that are filled in a moment. */
export const SMALL_DATASETS = 'BENCH_SMALL_DATASETS'

/** Rows of a dataset: for measurements, and for a check. */
export const sized = <T>(full: T, small: T): T => (process.env[SMALL_DATASETS] ? small : full)
