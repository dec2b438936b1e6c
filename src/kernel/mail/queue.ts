import { type Database, DatastoreUnavailable } from '../db/database.ts'
import { none, type Sql, sql } from '../db/sql.ts'
import type { Services } from '../services/services.ts'
import { countWaiting, type Waiting } from '../work/queue.ts'
import { type Mail, MailNotSent } from './mail.ts'

export type MailServices = Pick<Services, 'config' | 'db' | 'mailer' | 'keyring' | 'publicUrl' | 'log'>

/**
 * One kind of queued email. What waits is in a table of its owner, written in the transaction of the change; the queue says
 * how it is claimed, written and settled. A loop of every process sends what is due.
 */
export interface MailQueue<Work> {
  /** Leases what is due next. None: nothing is due, or other processes have it. */
  claim(db: Database): Promise<readonly Work[]>
  /** Whose email it is and which attempt, for the log. It has no personal values. */
  describe(work: Work): Readonly<Record<string, unknown>>
  /** No email: there is no one to write to. */
  write(services: MailServices, work: Work): Promise<readonly WrittenMail[]>
  /** Records the outcome. What failed is due again later, or given up; undefined: it is due again when its lease ends. */
  settle(work: Work, outcome: MailOutcome): Sql | undefined
}

/** A queue that has a loop of its own. */
export interface MailLoop<Work> extends MailQueue<Work> {
  name: string
  everyMs: number
}

export interface WrittenMail extends Mail {
  /** Removes what the email would have made usable, such as a link, if it was certainly not sent. */
  undo?: Sql
}

/** sent: someone was or may have been reached, so it is not sent a second time. failed: certainly no one was. */
export type MailOutcome = 'sent' | 'failed' | 'no recipient'

/**
 * Sends the next emails of a queue; false when none is due that is not leased. An email is sent again only if it was
 * certainly not sent, or if the process died before it could record the result: then with the same Message-ID.
 */
export async function sendNextMails<Work>(services: MailServices, queue: MailQueue<Work>): Promise<boolean> {
  const claimed = await queue.claim(services.db)
  const ends = await Promise.allSettled(claimed.map(work => sendOne(services, queue, work)))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return claimed.length > 0
}

async function sendOne<Work>(services: MailServices, queue: MailQueue<Work>, work: Work): Promise<void> {
  const { db, log } = services
  const outcome = await sendAll(services, queue, work).catch((error: unknown): MailOutcome => {
    if (error instanceof DatastoreUnavailable) throw error // claimed again when the lease has ended
    // one email that cannot be written does not stop the others
    log.error({ ...queue.describe(work), err: error }, 'an email could not be written')
    return 'failed'
  })
  const result = queue.settle(work, outcome)
  if (result) await db.query(result)
}

async function sendAll<Work>(services: MailServices, queue: MailQueue<Work>, work: Work): Promise<MailOutcome> {
  const mails = await queue.write(services, work)
  let outcome: MailOutcome = mails.length === 0 ? 'no recipient' : 'failed'
  for (const mail of mails) {
    try {
      await services.mailer.send(mail)
      outcome = 'sent'
    } catch (error) {
      const isRefused = error instanceof MailNotSent
      // what the mailer throws names no address
      const facts = { ...queue.describe(work), mail: mail.id, reason: (error as Error).message }
      services.log.warn(facts, isRefused ? 'an email was not sent' : 'an email may not have been sent')
      if (!isRefused) outcome = 'sent'
      else if (mail.undo) await services.db.query(mail.undo)
    }
  }
  return outcome
}

/** How long a process may take to send what it claimed, longer than a mail server may take for all its replies. */
const LEASE_SECONDS = 300
const MAILS_TOGETHER = 8

/** A row of a table of emails, one for each email. */
export interface QueuedMail {
  workspace_id: string
  id: string
  attempt: number
}

type MailKey = Pick<QueuedMail, 'workspace_id' | 'id'>

/**
 * The statements of a table of emails with `workspace_id`, `id`, `attempt`, `due_at` and `sent_at`. `lease` is the column
 * that holds the end of a lease: `due_at` itself, or one of its own where others must see that an email is being sent.
 */
export function mailTable<Row extends QueuedMail>(table: Sql, columns: Sql, lease: 'due_at' | 'leased_until') {
  const hasOwnLease = lease === 'leased_until'
  const isDue = hasOwnLease
    ? sql`due_at <= app_now() and (leased_until is null or leased_until <= app_now())`
    : sql`due_at <= app_now()`
  const leaseEnd = sql`app_now() + ${LEASE_SECONDS}::integer * interval '1 second'`
  const leased = hasOwnLease ? sql`leased_until = ${leaseEnd}` : sql`due_at = ${leaseEnd}`
  const released = hasOwnLease ? sql`, leased_until = null` : none
  const isRow = ({ workspace_id, id }: MailKey) => sql`workspace_id = ${workspace_id} and id = ${id}::uuid`

  const due = sql<MailKey>`
    select workspace_id, id from ${table} where ${isDue} order by due_at, id limit ${MAILS_TOGETHER}`
  /** In two statements: one that locks rows must name the workspace where tables are spread over a cluster. */
  const claimOne = (key: MailKey): Sql<Row> =>
    sql<Row>`
      with due as (select id from ${table} where ${isRow(key)} and ${isDue} for update skip locked)
      update ${table} m set attempt = m.attempt + 1, ${leased}
      from due d where m.workspace_id = ${key.workspace_id} and m.id = d.id
      returning m.workspace_id, m.id, m.attempt, ${columns}`

  return {
    async claim(db: Database): Promise<readonly Row[]> {
      const keys = await db.query(due)
      const ends = await Promise.allSettled(keys.map(key => db.one(claimOne(key))))
      const claimed = ends.flatMap(end => (end.status === 'fulfilled' && end.value ? [end.value] : []))
      // what was claimed is sent, also if another claim failed
      for (const end of ends) if (end.status === 'rejected' && claimed.length === 0) throw end.reason
      return claimed
    },
    /**
     * `delaySeconds`: until the next attempt; null: there is none. A failure is recorded for its own attempt alone: another
     * process may have sent the email since, or its workspace was closed, which puts it off by a century.
     */
    settle(row: QueuedMail, outcome: MailOutcome, delaySeconds: number | null): Sql {
      if (outcome === 'sent')
        return sql`update ${table} set due_at = null, sent_at = app_now()${released} where ${isRow(row)}`
      const delay = outcome === 'failed' ? delaySeconds : null
      return sql`
        update ${table} set due_at = app_now() + ${delay}::float8 * interval '1 second'${released}
        where ${isRow(row)} and attempt = ${row.attempt} and due_at < app_now() + interval '50 years'`
    },
    /** Emails that are due and not being sent. */
    waiting: countWaiting(sql`due_at`, sql`${table} where ${isDue} order by due_at`) as Sql<Waiting>,
  }
}
