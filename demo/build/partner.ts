// What partners do over HTTP: reads that are counted and audited, messages.

import { API_PREFIX } from '../../src/contract/version.ts'
import { type Mail, MailInDoubt, MailNotSent } from '../../src/kernel/mail/mail.ts'
import { encodeMail } from '../mails.ts'
import { type Random, seeded } from '../random.ts'
import type { Application } from './applications.ts'
import { DAY, daysAgo, END, HOUR, iso, MINUTE, type Replay } from './replay.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of every kind
type Json = any

export type ApiCall = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Json>

/** Calls the API as a client with this key does. A refusal is part of a partner's day, a failure of the service is not. */
export const callerWith =
  (replay: Replay, secret: string): ApiCall =>
  async (method, path, body) => {
    const response = await fetch(replay.services.publicUrl + API_PREFIX + path, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        'user-agent': 'acme-sync/2.4',
        ...(method === 'POST' ? { 'idempotency-key': `demo-${replay.now}-${path.length}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined
  }

const REQUEST_DAYS = 7

/** Busy by day and quiet by night: lists are read, some records, some contact details. `narrow` has few scopes. */
export function planRequests(
  replay: Replay,
  call: ApiCall,
  narrow: ApiCall,
  applications: readonly Application[],
): void {
  const random = seeded('requests')
  for (let hour = END - REQUEST_DAYS * DAY; hour < END; hour += HOUR) {
    const daytime = Math.max(0.1, Math.sin(((new Date(hour).getUTCHours() - 5) / 24) * 2 * Math.PI))
    const requests = Math.round(random.between(5, 14) * daytime)
    for (let i = 0; i < requests; i++) {
      replay.plan(hour + random.int(0, HOUR - MINUTE), () => request(random, call, narrow, applications))
    }
    replay.plan(hour + HOUR - 1, async () => {
      await replay.services.usage.flush()
      await replay.services.requestLog.flush()
    })
  }
}

/** Needs a scope that only one of the two keys has. */
const FORBIDDEN = '/applications?status=new&limit=25'

async function request(
  random: Random,
  call: ApiCall,
  narrow: ApiCall,
  applications: readonly Application[],
): Promise<void> {
  const one = random.pick(applications.slice(-80))
  const path = random.weighted([
    ['/jobs?limit=50', 4],
    ['/applications?limit=50', 6],
    ['/events?after=0&limit=20', 6],
    ['/sourced-profiles?has_contact_info=true&limit=25', 2],
    [`/applications/${one.id}`, 4],
    [`/applications/${one.id}/score`, 2],
    [`/applicants/${one.applicantId}/contact-info`, 1],
    [`/applications/${one.id}/resume/download`, 0.5],
    [`/people/resolve?email=${encodeURIComponent(one.person.email)}`, 1],
    ['/jobs/job_00000000000000000000', 0.4],
    ['/jobs?limit=500', 0.3],
    ['/candidates', 0.2],
    [FORBIDDEN, 0.3],
  ] as const)
  await (path === FORBIDDEN ? narrow : call)('GET', path)
}

/** People under a domain that could be mailed; the dump gives them one that is reserved for examples. */
export const MAILABLE_DOMAIN = 'mailbox.demo-candidates.net'

/**
 * The mail server of the replay accepts what it is given, but for two emails: it refuses one, and of one it does not say
 * whether it accepted it. Returns the emails of the outbox, in the form of the dump.
 */
export function acceptMail(replay: Replay): string[] {
  const { outbox } = replay.services
  const written: string[] = []
  let mails = 0
  replay.services.mailer = {
    check: async () => 'ready',
    send: async (mail: Mail) => {
      mails++
      if (mails === REFUSED_MAIL) throw new MailNotSent('the provider refused the mail')
      if (mails === MAIL_IN_DOUBT) throw new MailInDoubt('the connection was lost')
      await outbox.send(mail)
      written.push(encodeMail(mail, iso(replay.now)))
    },
  }
  return written
}

/** By their number. */
const REFUSED_MAIL = 4
const MAIL_IN_DOUBT = 6

const MESSAGES = [
  {
    subject: 'Your application',
    body_text: 'Thank you for your application. We will come back to you this week.',
  },
  {
    subject: 'Interview on Thursday',
    body_text: 'Are you free on Thursday at 10? The interview takes an hour, by video.',
    body_html: '<p>Are you free on <strong>Thursday at 10</strong>? The interview takes an hour, by video.</p>',
  },
  {
    subject: 'Next steps',
    body_text: 'The team would like to meet you. Please choose a day of next week.',
  },
]

export function planMessages(replay: Replay, call: ApiCall, applications: readonly Application[]): void {
  for (let i = 0; i < 9; i++)
    replay.plan(daysAgo(4 - i * 0.45), async () => {
      const mailable = applications.filter(one => one.person.email.endsWith(MAILABLE_DOMAIN))
      const one = mailable[i]
      if (!one) throw new Error('no applicant is left to write to')
      await call('POST', '/messages', {
        to: i % 3 === 2 ? { applicant_id: one.applicantId } : { application_id: one.id },
        ...MESSAGES[i % MESSAGES.length],
      })
    })
}
