import type { ParseError } from '../shape.ts'

/** The file itself is at fault: trying again gives the same. The message is for the log, the reason for partners. */
export class Unreadable extends Error {
  readonly reason: ParseError

  constructor(message: string, reason: ParseError = 'unreadable') {
    super(message)
    this.reason = reason
  }
}
