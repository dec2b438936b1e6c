import { sha256 } from '../../kernel/crypto/signing.ts'

/** The state of a workspace's log. */
export interface EventLog {
  last_sequence: number
  oldest_sequence: number
  /** null until a test workspace was reset */
  epoch: string | null
  /** numbers that were given out by a store that a backup has replaced: from the first of each pair up to the second */
  lost: readonly (readonly [number, number])[]
}

/** The history that numbers belong to: that of the installation, and of the log where it was reset. */
export const deriveEpoch = (feed: string, log: Pick<EventLog, 'epoch'>): string =>
  log.epoch === null ? feed : sha256(`${feed} ${log.epoch}`).toString('hex').slice(0, feed.length)

/**
 * Whether a reader that has handled everything up to `after` cannot simply read on, but must make a full copy: what
 * follows is no longer retained, or `after` is not a number of this log, because a backup has replaced the store that gave
 * it out.
 */
export const hasGap = (log: EventLog, after: number): boolean =>
  after < log.oldest_sequence - 1 ||
  after > log.last_sequence ||
  log.lost.some(([from, to]) => after >= from && after < to)
