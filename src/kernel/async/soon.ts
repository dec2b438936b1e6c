/** A value that is mostly there already: a promise of it costs time and memory that every request would pay. */
export type Soon<T> = T | Promise<T>

/** Returns what `next` makes of the value, immediately if the value is there. */
export const onceThere = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value)
