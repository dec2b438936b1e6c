import { type Database, DatastoreUnavailable } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { MailInDoubt, MailNotSent } from '../../kernel/mail/mail.ts'
import type { Services } from '../../kernel/services/services.ts'
import { pause } from '../../kernel/time/pause.ts'
import { composeMessage, type MessageMail } from './message-mail.ts'

const STORE_TRIES = 6
const STORE_PAUSE_MS = 500

/** Until the mailer has the mail it is certainly not sent; after that only the mailer's word counts. */
export async function deliver(
  services: Pick<Services, 'mailer' | 'log'>,
  message: MessageMail,
): Promise<'sent' | 'failed' | 'in doubt'> {
  let handedOver = false
  try {
    const mail = composeMessage(message)
    handedOver = true
    await services.mailer.send(mail)
    return 'sent'
  } catch (error) {
    const outcome = !handedOver || error instanceof MailNotSent ? 'failed' : 'in doubt'
    const known = error instanceof MailNotSent || error instanceof MailInDoubt
    // what the mailer throws names no address
    const cause = known ? { reason: error.message } : { err: error }
    services.log.warn({ message: message.id, outcome, ...cause }, 'the mail provider did not accept a message')
    return outcome
  }
}

/** Retries a statement about an in-flight message while the store is unavailable. It may run twice. */
export async function retryStatement<Row>(
  { db, log }: { db: Database } & Pick<Services, 'log'>,
  statement: Sql<Row>,
): Promise<Row | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.one(statement)
    } catch (error) {
      if (!(error instanceof DatastoreUnavailable) || tries === STORE_TRIES) throw error
      log.warn({ tries }, 'database unavailable while sending a message')
      await pause(STORE_PAUSE_MS)
    }
  }
}
