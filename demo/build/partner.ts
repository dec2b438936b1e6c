// What partners do over HTTP: reads that are counted and audited, messages, webhook endpoints.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { API_PREFIX } from '../../src/contract/version.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { type Mail, MailNotSent } from '../../src/kernel/mail/mail.ts'
import { deliverWebhooks } from '../../src/workers/deliver-webhooks.ts'
import { type Random, seeded } from '../random.ts'
import type { Application } from './applications.ts'
import { DAY, daysAgo, END, HOUR, iso, MINUTE, type Replay } from './replay.ts'

const TLS = join(import.meta.dirname, '../../test/harness/tls')
export const CA_FILE = join(TLS, 'ca.pem')
/** The names that the certificate is for. */
const HOOKS_DOMAIN = 'hooks.test'

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

/** Busy by day and quiet by night: lists are read, some records, some contact details. */
export function planRequests(replay: Replay, call: ApiCall, applications: readonly Application[]): void {
  const random = seeded('requests')
  for (let hour = END - REQUEST_DAYS * DAY; hour < END; hour += HOUR) {
    const daytime = Math.max(0.1, Math.sin(((new Date(hour).getUTCHours() - 5) / 24) * 2 * Math.PI))
    const requests = Math.round(random.between(5, 14) * daytime)
    replay.plan(hour + 20 * MINUTE, async () => {
      for (let i = 0; i < requests; i++) await request(random, call, applications)
      await replay.services.usage.flush()
    })
  }
}

async function request(random: Random, call: ApiCall, applications: readonly Application[]): Promise<void> {
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
  ] as const)
  await call('GET', path)
}

/** People under a domain that could be mailed; the dump gives them one that is reserved for examples. */
export const MAILABLE_DOMAIN = 'mailbox.demo-candidates.net'

/** The mail server of the replay accepts what it is given, but for one email. */
export function acceptMail(replay: Replay): void {
  let mails = 0
  replay.services.mailer = {
    check: async () => 'ready',
    send: async (_mail: Mail) => {
      if (++mails === 4) throw new MailNotSent('the provider refused the mail')
    },
  }
}

export function planMessages(replay: Replay, call: ApiCall, applications: readonly Application[]): void {
  for (let i = 0; i < 8; i++)
    replay.plan(daysAgo(4 - i * 0.45), async () => {
      const mailable = applications.filter(one => one.person.email.endsWith(MAILABLE_DOMAIN))
      const one = mailable[i]
      if (!one) throw new Error('no applicant is left to write to')
      await call('POST', '/messages', {
        to: i % 3 === 2 ? { applicant_id: one.applicantId } : { application_id: one.id },
        subject: 'Your application',
        body_text: 'Thank you for your application. We will come back to you this week.',
      })
    })
}

type StatusAt = (at: number) => number

/** How each receiver of the demo responds, and the URL that its endpoint is shown with. */
const RECEIVERS: Readonly<Record<string, { shown: string; description: string; statusAt: StatusAt }>> = {
  warehouse: {
    shown: 'https://hooks.acme-warehouse.example/hiring',
    description: 'Data warehouse',
    statusAt: () => 200,
  },
  // fails for a night, and again at the end
  crm: {
    shown: 'https://crm.acme-robotics.example/hooks/hiring',
    description: 'Candidate CRM',
    statusAt: at => (at > END - 5 * HOUR || (at > daysAgo(3) && at < daysAgo(2.6)) ? 503 : 200),
  },
  staging: {
    shown: 'https://staging.acme-robotics.example/hooks',
    description: 'Staging, never finished',
    statusAt: () => 500,
  },
  old: {
    shown: 'https://hooks.old-partner.example/v1',
    description: 'Former partner',
    statusAt: at => (at < daysAgo(5) ? 200 : 410),
  },
}
/** Days ago: it responds with 410, and its endpoint is disabled. */
const TESTED_AGAIN: Readonly<Record<string, number>> = { old: 3 }
/** A receiver that fails is given five days, and a delivery ten attempts over three. */
const WEBHOOK_DAYS = 7

export interface Hooks {
  /** host:port of each receiver, to be allowed by the service */
  hosts: string[]
  /** URLs as they are during the replay, and as the dump shows them */
  shown: readonly (readonly [url: string, shown: string])[]
  close(): Promise<void>
}

/** Receivers on loopback, by the moment of the replay. */
export async function startReceivers(now: () => number): Promise<Hooks> {
  const server = createServer({
    cert: readFileSync(join(TLS, 'receiver.pem')),
    key: readFileSync(join(TLS, 'receiver.key')),
  })
  server.on('request', (request, response) => {
    const name = request.headers.host!.split('.')[0]!
    request.resume().on('end', () => {
      response.statusCode = RECEIVERS[name]!.statusAt(now())
      response.end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const names = Object.keys(RECEIVERS).map(name => [name, `${name}.${HOOKS_DOMAIN}:${port}`] as const)
  return {
    hosts: names.map(([, host]) => host),
    shown: names.map(([name, host]) => [`https://${host}/`, RECEIVERS[name]!.shown]),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export function planWebhooks(replay: Replay, call: ApiCall, hooks: Hooks): void {
  const types: Record<string, string[]> = {
    warehouse: ['application.created', 'application.status_changed', 'application.stage_changed', 'job.published'],
    crm: ['application.created', 'application.scored', 'sourced_profile.created'],
    // rare ones: what else waits when an endpoint is disabled depends on the moment
    staging: ['list.created'],
    old: ['job.published'],
  }
  for (const [i, [url]] of hooks.shown.entries())
    replay.plan(daysAgo(WEBHOOK_DAYS) + i * MINUTE, async () => {
      const name = Object.keys(RECEIVERS)[i]!
      const { description } = RECEIVERS[name]!
      const made = await call('POST', '/webhooks/endpoints', { url, event_types: types[name], description })
      const test = () => call('POST', `/webhooks/endpoints/${made.id}/test`)
      await test()
      const again = TESTED_AGAIN[name]
      if (again !== undefined) replay.plan(daysAgo(again), test)
    })
  // fails from its first day; the second is tried again when five days are over, and the third waits then
  for (const [name, days] of [
    ['Trade fair contacts', WEBHOOK_DAYS - 0.1] as const,
    ['Robotics meet-up', 2.3] as const,
    ['Alumni', 2.2] as const,
  ])
    replay.plan(daysAgo(days), () => call('POST', '/lists', { name }))
  for (let at = daysAgo(WEBHOOK_DAYS) + 10 * MINUTE; at <= END; at += HOUR)
    replay.plan(at, async () => {
      await settleEvents(replay)
      if (!(await isDeliveryDue(replay))) return
      // in this step alone, so that the moment of each attempt does not depend on how long the others take
      const stopping = new AbortController()
      const sending = deliverWebhooks(replay.services).run(stopping.signal)
      while (await isDeliveryDue(replay)) await new Promise(resolve => setTimeout(resolve, 20))
      stopping.abort()
      await sending
    })
}

/** Moves what is in the outbox into the logs. */
export async function settleEvents({ db }: Replay): Promise<void> {
  while ((await sequenceBatch(db)) > 0);
}

const isDeliveryDue = async ({ db, now }: Replay): Promise<boolean> =>
  (await db.one(sql`
    select 1 from webhook_deliveries
    where status in ('pending', 'retrying') and (next_attempt_at is null or next_attempt_at <= ${iso(now)}
      or leased_until is not null) limit 1`)) !== undefined
