import PostalMime from 'postal-mime'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { PersonDetails } from '../../src/resources/applicants/actions.ts'
import { addApplicant } from '../../src/resources/applicants/index.ts'
import { newJob, startWorld, type World } from '../applications/setup.ts'
import type { TestResponse } from '../harness/service.ts'
import { type Arrived, type MailServer, startMailServer } from '../harness/smtp.ts'

/** A workspace with applicants and a mail server of its own. Addresses are of a domain that no test name reserves. */
export interface MailWorld extends World {
  mails: MailServer
  /** a new applicant with an application */
  person(details?: PersonDetails): Promise<Person>
  send(body: object, opts?: { key?: { secret: string }; idempotencyKey?: string; path?: string }): Promise<TestResponse>
  used(): Promise<number>
}

export interface Person {
  id: string
  applicationId: string
  email: string
}

let count = 0
export const newIdempotencyKey = () => `message-${String(++count).padStart(6, '0')}`

export const messageTo = (to: object, over: object = {}) => ({
  to,
  subject: 'Your application',
  body_text: 'Dear Ada,\nwe liked your application.',
  ...over,
})

export async function startMailWorld(settings: Record<string, string> = {}): Promise<MailWorld> {
  const mails = await startMailServer()
  const world = await startWorld({
    SMTP_URL: mails.url,
    MAIL_FROM: 'Hiring <no-reply@mail.hiring.dev>',
    SMTP_TIMEOUT_SECONDS: '5',
    LOG_LEVEL: 'silent',
    ...settings,
  })
  const { service, key } = world
  return {
    ...world,
    mails,
    person: details => newPerson(world, world.workspace, details),
    send: (body, opts = {}) =>
      service.post(opts.path ?? '/messages', opts.key ?? key, body, {
        headers: { 'idempotency-key': opts.idempotencyKey ?? newIdempotencyKey() },
      }),
    used: async () => (await service.get('/me', key)).body.rate_limits.messages_used_today,
  }
}

export async function newPerson(
  { service }: Pick<World, 'service'>,
  workspace: string,
  details: PersonDetails = {},
): Promise<Person> {
  const { db } = service.services
  const email = details.email === undefined ? `ada-${++count}@people.dev` : details.email
  const provenance = {
    origin: 'applicant',
    acquisition: 'inbound_application',
    provider: null,
    consentBasis: 'candidate_submitted',
  } as const
  const id = await db.transaction(tx =>
    addApplicant(tx, workspace, { first_name: 'Ada', last_name: 'Lovelace', ...details, email }, provenance, null),
  )
  const job = await newJob(service, workspace)
  const applicationId = newHandle('application')
  await db.query(sql`
    insert into applications (workspace_id, id, job_id, applicant_id, stage_id, source)
    values (${workspace}, ${applicationId}, ${job.id}, ${id}, ${job.stages[0]!}, 'public_board')`)
  return { id, applicationId, email: email ?? '' }
}

export const parse = ({ raw }: Pick<Arrived, 'raw'>) => new PostalMime().parse(raw)

export async function header(arrived: Arrived, name: string): Promise<string | undefined> {
  return (await parse(arrived)).headers.find(({ key }) => key === name)?.value
}

export const unsubscribeUrl = async (arrived: Arrived): Promise<string> =>
  (await header(arrived, 'list-unsubscribe'))!.replace(/[<>]/g, '')
