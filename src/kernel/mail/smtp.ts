import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import { lazyPackage } from '../async/lazy.ts'
import type { Compose } from './compose.ts'
import { type Mail, type Mailer, MailInDoubt, MailNotSent } from './mail.ts'

const transportClass = lazyPackage<typeof SMTPTransport>('nodemailer/lib/smtp-transport')
const connectionClass = lazyPackage<typeof SMTPConnection>('nodemailer/lib/smtp-connection')

export interface SmtpSettings {
  /** smtp://user:password@host:port, or smtps:// for TLS from the first byte */
  url: string
  /** for the whole of one email, from the lookup of the name to the server's reply */
  timeoutSeconds: number
  compose: Compose
}

/**
 * A connection for each mail. A mail is certainly not sent while the server has not requested its text (the reply 354
 * to DATA), and when the server refuses it with a code of its own. Lost after the first byte of the text and before the
 * reply, it is in doubt: RFC 5321 lets a server that has seen the end of the text deliver it although its reply was
 * never read.
 */
export class SmtpMailer implements Mailer {
  readonly #settings: SmtpSettings
  readonly #transport: SMTPTransport

  constructor(settings: SmtpSettings) {
    this.#settings = settings
    const limitMs = settings.timeoutSeconds * 1000
    this.#transport = new (transportClass())({
      url: settings.url,
      connectionTimeout: limitMs,
      greetingTimeout: limitMs,
      socketTimeout: limitMs,
      dnsTimeout: limitMs,
    })
  }

  async send(mail: Mail): Promise<void> {
    const { envelope, raw } = await this.#settings.compose(mail).catch(notSent)
    let begun = false
    const text = new Readable({
      read() {
        begun = true
        this.push(raw)
        this.push(null)
      },
    })
    try {
      await this.#session(
        connection =>
          new Promise<void>((resolve, reject) => {
            connection.send({ ...envelope, to: [envelope.to], size: raw.length }, text, error =>
              error ? reject(error) : resolve(),
            )
          }),
      )
    } catch (error) {
      const { code = 'ESMTP', responseCode = 0 } = error as { code?: string; responseCode?: number }
      // The server's own words often repeat the address, and what is thrown here may be logged.
      const reason = responseCode > 0 ? `the mail server replied ${responseCode}` : `the mail server: ${code}`
      if (!begun || (responseCode >= 400 && responseCode < 600)) throw new MailNotSent(reason)
      throw new MailInDoubt(reason)
    }
  }

  async check(): Promise<string> {
    const { host, port } = await this.#session(async connection => connection)
    return `${host}:${port} responds`
  }

  /** Connects, signs in where the address names a user, does the work; all within the time limit. */
  async #session<T>(work: (connection: SMTPConnection) => Promise<T>): Promise<T> {
    // the options of the server's URL, but no transcript: it would hold recipients and texts
    const connection = new (connectionClass())({ ...this.#transport.options, logger: false, debug: false })
    const { promise: broken, reject } = Promise.withResolvers<never>()
    broken.catch(() => undefined) // heard through the race, or too late to matter
    connection.on('error', reject)
    const seconds = this.#settings.timeoutSeconds
    const limit = setTimeout(() => reject(tooLate(seconds)), seconds * 1000)
    try {
      const done = await Promise.race([broken, this.#signIn(connection).then(() => work(connection))])
      // RFC 5321, 4.1.1.10. Not awaited: a server that does not respond is left when the socket times out.
      connection.quit()
      return done
    } catch (error) {
      connection.close()
      throw error
    } finally {
      clearTimeout(limit)
    }
  }

  async #signIn(connection: SMTPConnection): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      connection.connect(error => (error ? reject(error) : resolve()))
    })
    const auth = this.#transport.getAuth({})
    if (!auth) return
    await new Promise<void>((resolve, reject) => {
      connection.login(auth, error => (error ? reject(error) : resolve()))
    })
  }
}

const tooLate = (seconds: number) =>
  Object.assign(new Error(`no reply within ${seconds} seconds`), { code: 'ETIMEDOUT' })

const notSent = (error: unknown): never => {
  throw error instanceof MailNotSent ? error : new MailNotSent('the email cannot be composed', { cause: error })
}
