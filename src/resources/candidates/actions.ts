import type { Transaction } from '../../kernel/db/database.ts'
import { insertMail, type NewMail } from './store.ts'

/** An email to a candidate, sent by a worker after the transaction. Whether it may be sent is decided then. */
export const queueMail = async (tx: Transaction, mail: NewMail): Promise<void> => {
  await tx.query(insertMail(mail))
}
