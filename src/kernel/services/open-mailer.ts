import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { composer } from '../mail/compose.ts'
import { type Mailer, parseMailbox } from '../mail/mail.ts'
import { Outbox } from '../mail/outbox.ts'
import { SmtpMailer } from '../mail/smtp.ts'

/** The outbox is there in any case: what it holds from before a mail server was configured can be seen and removed. */
export function openMailer(config: Config): { mailer: Mailer; outbox: Outbox } {
  const compose = composer(
    parseMailbox(config.MAIL_FROM)!,
    config.DKIM_PRIVATE_KEY && {
      domain: config.DKIM_DOMAIN!,
      selector: config.DKIM_SELECTOR!,
      privateKey: config.DKIM_PRIVATE_KEY.toString(),
    },
  )
  const outbox = new Outbox(join(config.DATA_DIR, 'outbox'), compose)
  const mailer = config.SMTP_URL
    ? new SmtpMailer({ url: config.SMTP_URL, timeoutSeconds: config.SMTP_TIMEOUT_SECONDS, compose })
    : outbox
  return { mailer, outbox }
}
