/** Why a file cannot be read. */
export const UNREADABLE_REASONS = ['no_text', 'unreadable', 'encrypted', 'unsupported', 'too_large', 'timeout'] as const
export type UnreadableReason = (typeof UNREADABLE_REASONS)[number]

/** The file itself is at fault: trying again gives the same. The message is for the log, the reason for the sender. */
export class Unreadable extends Error {
  readonly reason: UnreadableReason

  constructor(message: string, reason: UnreadableReason = 'unreadable') {
    super(message)
    this.reason = reason
  }
}
