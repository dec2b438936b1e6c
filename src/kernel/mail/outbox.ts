import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Compose } from './compose.ts'
import { type Mail, type MailAudience, type Mailer, MailNotSent } from './mail.ts'
import { type ReadMail, readMail } from './read-mail.ts'

export interface OutboxMail extends ReadMail {
  id: string
  /** null in a file that does not say: it is shown to no workspace */
  audience: StoredAudience | null
  /** when it was written, milliseconds since the epoch */
  at: number
}

/** Members, whose accounts the mail may open, or a workspace, which sent it. */
export type StoredAudience = { userIds: readonly string[] } | { workspaceId: string }

/**
 * The folder that takes the emails where no mail server is configured: one file for each, `<id>.eml`, which every mail
 * program opens. A file appears whole or not at all, and the same mail twice is one file. Its first line is a header that
 * says whose mail it is; the rest is what a mail server would have been given.
 */
export class Outbox implements Mailer {
  readonly #folder: string
  readonly #compose: Compose

  constructor(folder: string, compose: Compose) {
    this.#folder = folder
    this.#compose = compose
  }

  async send(mail: Mail): Promise<void> {
    const draft = join(this.#folder, `${mail.id}.${randomUUID()}.draft`)
    try {
      const { raw } = await this.#compose(mail)
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const file = await open(draft, 'wx', 0o600)
      await file
        .writeFile(Buffer.concat([Buffer.from(audienceLine(mail.audience)), raw]))
        .then(() => file.sync())
        .finally(() => file.close())
      if (mail.writtenAt !== undefined) await utimes(draft, mail.writtenAt / 1000, mail.writtenAt / 1000)
      await rename(draft, this.#path(mail.id))
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined) // the first error says more
      throw new MailNotSent('the email could not be written to the outbox', { cause: error })
    }
  }

  async check(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    return `${this.#folder} (emails are not sent)`
  }

  /** Newest first. */
  async list(limit = 100): Promise<OutboxMail[]> {
    const found: { id: string; at: number }[] = []
    for (const id of await this.#ids()) {
      const at = await stat(this.#path(id)).then(file => file.mtimeMs, absent)
      if (at !== null) found.push({ id, at })
    }
    found.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    const mails = await Promise.all(found.slice(0, limit).map(({ id }) => this.read(id)))
    return mails.filter(mail => mail !== null)
  }

  async read(id: string): Promise<OutboxMail | null> {
    if (!isId(id)) return null
    const raw = await readFile(this.#path(id)).catch(absent)
    const at = await stat(this.#path(id)).then(file => file.mtimeMs, absent)
    return raw && at !== null ? { id, at, audience: readAudience(raw), ...readMail(raw) } : null
  }

  /** With the drafts that a crash left. Of no effect where it is not there. */
  async remove(id: string): Promise<void> {
    if (!isId(id)) return
    const names = (await readdir(this.#folder).catch(absent)) ?? []
    for (const name of names) if (name.startsWith(`${id}.`)) await rm(join(this.#folder, name), { force: true })
  }

  /** Removes what was written for this audience, one file after the other. */
  async removeOf(isTheirs: (audience: StoredAudience) => boolean): Promise<void> {
    for (const id of await this.#ids()) {
      const raw = await readFile(this.#path(id)).catch(absent)
      const audience = raw && readAudience(raw)
      if (audience && isTheirs(audience)) await this.remove(id)
    }
  }

  async #ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(absent)
    return (names ?? []).filter(name => name.endsWith(SUFFIX)).map(name => name.slice(0, -SUFFIX.length))
  }

  #path(id: string): string {
    return join(this.#folder, id + SUFFIX)
  }
}

const AUDIENCE = 'X-Hiring-Audience'

const audienceLine = (audience: MailAudience): string => {
  const [kind, ids] = 'userIds' in audience ? ['users', audience.userIds] : ['workspace', [audience.workspaceId]]
  if (ids.length === 0 || !ids.every(isId)) throw new TypeError('the audience of a mail is named by handles')
  return `${AUDIENCE}: ${kind} ${ids.join(' ')}\r\n`
}

/** Only the very first line counts, which the outbox wrote itself. */
function readAudience(raw: Buffer): StoredAudience | null {
  const line = raw.toString('latin1', 0, raw.indexOf('\r\n'))
  const [, kind, list = ''] = /^X-Hiring-Audience: (users|workspace) ([\w-]+(?: [\w-]+)*)$/.exec(line) ?? []
  if (kind === undefined) return null
  return kind === 'users' ? { userIds: list.split(' ') } : { workspaceId: list }
}

const SUFFIX = '.eml'
const isId = (id: string) => /^[\w-]+$/.test(id)

const absent = (error: unknown): null => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
