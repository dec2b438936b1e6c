import type { Database, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import { requireWorkspace } from '../workspaces/index.ts'
import { type CreditKind, MAX_BALANCE, MAX_GRANT, NOTE_LENGTH, NotEnoughCredits } from './rules.ts'
import { type CreditEntry, insertEntry, lowerBalance, raiseBalance } from './store.ts'

/** Gives a workspace credits. The operator does it, so there is no person of the workspace in the entry. */
export async function grantCredits(
  db: Database,
  workspace: string,
  { amount, note }: { amount: number; note: string },
): Promise<CreditEntry> {
  if (!Number.isInteger(amount) || amount < 1 || amount > MAX_GRANT)
    throw new UserError(`the amount must be a whole number from 1 to ${MAX_GRANT}`)
  const reason = note.trim()
  if (reason === '' || charactersIn(reason) > NOTE_LENGTH || reason.includes('\0'))
    throw new UserError(`the reason must be 1 to ${NOTE_LENGTH} characters`)
  return db.transaction(async tx => {
    await requireWorkspace(tx, workspace)
    return addGrant(tx, workspace, amount, reason)
  })
}

async function addGrant(tx: Transaction, workspace: string, amount: number, note: string): Promise<CreditEntry> {
  const after = await tx.only(raiseBalance(workspace, amount))
  if (after.balance > MAX_BALANCE) throw new UserError(`a workspace can have at most ${MAX_BALANCE} credits`)
  return tx.only(insertEntry({ workspace, kind: 'grant', amount, userId: null, subjectId: null, note }, after))
}

const PLAY_CREDITS = 10_000

/** What a test workspace spends: no one pays for them, and a reset gives them again. */
export const grantPlayCredits = (tx: Transaction, workspace: string): Promise<CreditEntry> =>
  addGrant(tx, workspace, PLAY_CREDITS, 'play credits of a test workspace')

/**
 * Takes the price of something in the transaction that delivers it: both happen or neither. Throws NotEnoughCredits, with
 * which the caller's transaction must end. Concurrent spending takes turns at the row of the balance, so no balance is
 * spent twice; lock what is bought before, so that it is not paid for twice. A price of 0 writes nothing.
 */
export async function spendCredits(
  tx: Transaction,
  spent: {
    workspace: string
    kind: Exclude<CreditKind, 'grant'>
    price: number
    /** who decided it */
    userId: string
    /** the application or sourced profile that is paid for */
    subjectId: string
  },
): Promise<void> {
  const { workspace, kind, price, userId, subjectId } = spent
  if (price === 0) return
  const after = await tx.one(lowerBalance(workspace, price))
  if (!after) throw new NotEnoughCredits(price)
  await tx.query(insertEntry({ workspace, kind, amount: -price, userId, subjectId, note: null }, after))
}
