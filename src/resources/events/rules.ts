/** The state of a workspace's log. */
export interface EventLog {
  last_sequence: number
  oldest_sequence: number
  /** numbers that were given out by a store that a backup has replaced: from the first of each pair up to the second */
  lost: readonly (readonly [number, number])[]
}

/**
 * Whether a reader that has handled everything up to `after` cannot simply read on, but must make a full copy: what
 * follows is no longer retained, or `after` is not a number of this log, because a backup has replaced the store that gave
 * it out.
 */
export const hasGap = (log: EventLog, after: number): boolean =>
  after < log.oldest_sequence - 1 ||
  after > log.last_sequence ||
  log.lost.some(([from, to]) => after >= from && after < to)
