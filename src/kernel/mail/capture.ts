import { readWorkspaceKind } from '../access/workspace-kind.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { accountKey } from '../text/person-keys.ts'
import { type Mail, type Mailbox, type Mailer, MailInDoubt, MailNotSent } from './mail.ts'

/**
 * The one place that decides whether an email leaves: what a test workspace sends is stored in its mailbox instead. Its
 * address, headers and text decide nothing. Links that sign members in leave, because a workspace that no one can enter is
 * of no use. An email of an unknown workspace is not sent.
 */
export class CapturingMailer implements Mailer {
  readonly #db: Database
  readonly #transport: Mailer

  constructor(db: Database, transport: Mailer) {
    this.#db = db
    this.#transport = transport
  }

  async send(mail: Mail): Promise<void> {
    const { audience } = mail
    if ('signsIn' in audience) return this.#transport.send(mail)
    const { workspaceId } = audience
    const kind = await readWorkspaceKind(this.#db, workspaceId).catch((cause: unknown) => {
      throw new MailNotSent('the workspace of the email could not be read', { cause })
    })
    if (!kind) throw new MailNotSent('the workspace of the email does not exist')
    if (kind.environment === 'live') return this.#transport.send(mail)
    await captureMail(this.#db, workspaceId, mail).catch((cause: unknown) => {
      throw new MailInDoubt('the mailbox of the test workspace could not be written', { cause })
    })
  }

  check(): Promise<string> {
    return this.#transport.check()
  }
}

/** The same email twice is one row. */
export const captureMail = (db: Queryable, workspace: string, mail: Mail): Promise<unknown> =>
  db.query(sql`
    insert into test_mails (workspace_id, id, to_name, to_address, to_key, reply_to, subject, body_text, body_html)
    values (${workspace}, ${mail.id}, ${mail.to.name ?? null}, ${mail.to.address}, ${accountKey(mail.to.address)},
      ${mail.replyTo ? shown(mail.replyTo) : null}, ${mail.subject}, ${mail.text}, ${mail.html ?? null})
    on conflict (workspace_id, id) do nothing`)

const shown = ({ name, address }: Mailbox): string => (name === undefined ? address : `${name} <${address}>`)
