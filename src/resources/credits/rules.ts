import { UserError } from '../../kernel/errors/user-error.ts'

/** What credits are given and spent for. */
export type CreditKind = 'grant' | 'resume_unlock' | 'contact_reveal'

export const MAX_GRANT = 1_000_000
/** Limits a balance, so that no sum leaves the range of its column. */
export const MAX_BALANCE = 1_000_000_000
export const NOTE_LENGTH = 500

/** The balance is not in the message: only owners and admins see it, and anyone who hires can try to spend. */
export class NotEnoughCredits extends UserError {
  constructor(price: number) {
    super(
      `this costs ${price} credits, and the workspace does not have that many; an owner or admin can see the balance`,
    )
  }
}
