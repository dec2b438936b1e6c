import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { present } from '../errors/present.ts'
import { CapturingMailer } from '../mail/capture.ts'
import { type Compose, composer } from '../mail/compose.ts'
import { type Mailer, parseMailbox } from '../mail/mail.ts'
import { Outbox } from '../mail/outbox.ts'
import { SmtpMailer } from '../mail/smtp.ts'

/** The outbox is there in any case: what it holds from before a mail server was configured can be seen and removed. */
export function openMailer(config: Config, db: Database): { mailer: Mailer; outbox: Outbox } {
  const { transport, outbox } = openTransport(config)
  return { mailer: new CapturingMailer(db, transport), outbox }
}

/** Sends whatever it is given: for checks, and behind `openMailer`. */
export function openTransport(config: Config): { transport: Mailer; outbox: Outbox } {
  const compose = openComposer(config)
  const outbox = new Outbox(join(config.DATA_DIR, 'outbox'), compose)
  const transport = config.SMTP_URL
    ? new SmtpMailer({ url: config.SMTP_URL, timeoutSeconds: config.SMTP_TIMEOUT_SECONDS, compose })
    : outbox
  return { transport, outbox }
}

const openComposer = (config: Config): Compose =>
  composer(
    present(parseMailbox(config.MAIL_FROM), 'MAIL_FROM'),
    config.DKIM_PRIVATE_KEY && {
      domain: present(config.DKIM_DOMAIN, 'DKIM_DOMAIN'),
      selector: present(config.DKIM_SELECTOR, 'DKIM_SELECTOR'),
      privateKey: config.DKIM_PRIVATE_KEY.toString(),
    },
  )
