import { writeCandidateMail } from '../../src/careers/candidate/mails.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { candidateMails, queueMail } from '../../src/resources/candidates/index.ts'
import type { Arrived } from '../harness/smtp.ts'
import { type MailWorld, type Person, parse, startMailWorld } from '../messages/setup.ts'
import { type Seen, Visitor } from '../sign-in/visitor.ts'

/** A workspace with a careers site, people who applied, and a mail server. Workers are run by hand. */
export interface CandidateWorld extends MailWorld {
  slug: string
  /** queues an email and sends all that are due */
  mail(
    kind: Parameters<typeof queueMail>[1]['kind'],
    person: Partial<Person> & { email: string },
    language?: string,
  ): Promise<Arrived | undefined>
  /** sends all that are due; returns the emails of this call */
  deliver(): Promise<Arrived[]>
  /** rows that are left, with what became of them */
  queued(): Promise<{ kind: string; attempt: number; waits: number | null; sent: boolean }[]>
  visitor(): Visitor
  /** a browser in which the person opened a mailed link */
  signedIn(person: { email: string }, language?: string): Promise<Visitor>
}

export async function startCandidateWorld(settings: Record<string, string> = {}): Promise<CandidateWorld> {
  const world = await startMailWorld(settings)
  const { service, workspace, mails } = world
  const { services } = service
  const { db } = services
  const slug = await readSlug(world, workspace)

  const deliver = async (): Promise<Arrived[]> => {
    const before = mails.arrived.length
    while (await sendNextMails(services, candidateMails(writeCandidateMail)));
    return mails.arrived.slice(before)
  }
  const candidate: CandidateWorld = {
    ...world,
    slug,
    deliver,
    mail: async (kind, person, language = 'en') => {
      const { id: applicantId, applicationId, email: address } = person
      await db.transaction(tx => queueMail(tx, { workspace, kind, address, applicantId, applicationId, language }))
      return (await deliver())[0]
    },
    queued: () =>
      db.query(sql<{ kind: string; attempt: number; waits: number | null; sent: boolean }>`
        select kind, attempt, round(extract(epoch from due_at - app_now()))::integer as waits, sent_at is not null as sent
        from candidate_mails where workspace_id = ${workspace} order by created_at, id`),
    visitor: () => new Visitor(service.origin),
    signedIn: async (person, language = 'en') => {
      const visitor = candidate.visitor()
      const mail = await candidate.mail('access', { email: person.email }, language)
      if (!mail) throw new Error('no link was mailed')
      const entered = await enter(visitor, pathOf(await linkIn(mail)))
      if (entered.status !== 303) throw new Error(`not let in: ${entered.status}`)
      return visitor
    },
  }
  return candidate
}

export const readSlug = async ({ service }: Pick<MailWorld, 'service'>, workspace: string): Promise<string> =>
  (await service.services.db.one(
    sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace}`,
  ))!.slug

/** Opens a mailed link and presses its button. */
export async function enter(visitor: Visitor, path: string): Promise<Seen> {
  const page = await visitor.get(path)
  if (page.status !== 200) return page
  return press(visitor, page)
}

/** As a browser does on a page without a referrer: the origin of its form is `null`. */
export function press(visitor: Visitor, page: Seen): Promise<Seen> {
  const [, action, form] = /<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(page.html)!
  const hidden = [...form!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]))
  return visitor.post(action!.replaceAll('&amp;', '&'), fields, { origin: 'null', 'sec-fetch-site': 'same-origin' })
}

export async function linkIn(mail: Arrived): Promise<string> {
  const { text } = await parse(mail)
  const found = /^http\S*\/link\?\S+$/m.exec(text ?? '')
  if (!found) throw new Error(`no link in ${text}`)
  return found[0]
}

export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

export interface FeedEvent {
  type: string
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> }
}

/** Every event of the workspace so far, as its key reads them. */
export async function readFeed({ service, key }: Pick<MailWorld, 'service' | 'key'>): Promise<FeedEvent[]> {
  while ((await sequenceBatch(service.services.db)) > 0);
  const all: FeedEvent[] = []
  for (let after = 0; ; ) {
    const { status, body } = await service.get(`/events?after=${after}&limit=100`, key)
    if (status !== 200) throw new Error(`${status}`)
    all.push(...body.data)
    if (body.data.length < 100) return all
    after = body.next_after
  }
}
