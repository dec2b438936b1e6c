import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { present } from '../errors/present.ts'
import { composer } from '../mail/compose.ts'
import { type Mailer, parseMailbox } from '../mail/mail.ts'
import { Outbox } from '../mail/outbox.ts'
import { SmtpMailer } from '../mail/smtp.ts'

/** The outbox is there in any case: what it holds from before a mail server was configured can be seen and removed. */
export function openMailer(config: Config): { mailer: Mailer; outbox: Outbox } {
  const compose = composer(
    present(parseMailbox(config.MAIL_FROM), 'MAIL_FROM'),
    config.DKIM_PRIVATE_KEY && {
      domain: present(config.DKIM_DOMAIN, 'DKIM_DOMAIN'),
      selector: present(config.DKIM_SELECTOR, 'DKIM_SELECTOR'),
      privateKey: config.DKIM_PRIVATE_KEY.toString(),
    },
  )
  const outbox = new Outbox(join(config.DATA_DIR, 'outbox'), compose)
  const mailer = config.SMTP_URL
    ? new SmtpMailer({ url: config.SMTP_URL, timeoutSeconds: config.SMTP_TIMEOUT_SECONDS, compose })
    : outbox
  return { mailer, outbox }
}
