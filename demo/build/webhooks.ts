import { deliverWebhooks } from '../../src/delivery/deliver-webhooks.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { PRIVATE_HOST, RECEIVER_HOST, UNTRUSTED_HOST } from '../receiver.ts'
import type { ApiCall } from './partner.ts'
import { daysAgo, END, HOUR, iso, MINUTE, type Replay } from './replay.ts'

/** A receiver that fails is given five days, and a delivery ten attempts over three. */
const WEBHOOK_DAYS = 7
/** When the endpoints of receivers that never work are registered: no event of theirs follows. */
const LAB_DAYS = 1.5

interface PlannedEndpoint {
  url: string
  description: string
  types: readonly string[]
  /** days ago: each time a test ping is sent */
  tests: readonly number[]
  /** days ago: a person disables it */
  disabled?: number
}

const at = (path: string, host = RECEIVER_HOST) => `https://${host}/${path}`

/** Endpoints that belong to the demo key. */
const ENDPOINTS: readonly PlannedEndpoint[] = [
  {
    url: at('200/warehouse'),
    description: 'Data warehouse',
    types: ['application.created', 'application.status_changed', 'application.stage_changed', 'job.published'],
    tests: [WEBHOOK_DAYS],
  },
  {
    url: at('200/crm'),
    description: 'Candidate CRM',
    types: ['application.created', 'application.scored', 'sourced_profile.created'],
    tests: [WEBHOOK_DAYS],
  },
  {
    url: at('later/payroll'),
    description: 'Payroll, accepts events days later',
    // rare ones: no attempt succeeds in the hour in which another fails, so that their order does not matter
    types: ['applicant.updated'],
    tests: [],
  },
  {
    url: at('500/staging'),
    description: 'Staging, never finished',
    // rare ones: what else waits when an endpoint is disabled depends on the moment
    types: ['list.created'],
    tests: [WEBHOOK_DAYS],
  },
  { url: at('410/former-partner'), description: 'Former partner', types: ['job.published'], tests: [WEBHOOK_DAYS, 3] },
  { url: at('200/pilot'), description: 'Pilot, paused', types: ['job.closed'], tests: [WEBHOOK_DAYS], disabled: 4 },
]

/** Endpoints whose receivers do not work, each in another way; they have a key of their own. */
const LAB_ENDPOINTS: readonly PlannedEndpoint[] = [
  { url: at('timeout'), description: 'Responds too late' },
  { url: at('302'), description: 'Redirects' },
  { url: at('closed'), description: 'Closes the connection' },
  { url: at('200', UNTRUSTED_HOST), description: 'Certificate of another host' },
  { url: at('200', PRIVATE_HOST), description: 'Host with a private IP address' },
].map(endpoint => ({ ...endpoint, types: ['list.deleted'], tests: [LAB_DAYS] }))

const REVOKED_ENDPOINT: PlannedEndpoint = {
  url: at('200/agency'),
  description: 'Recruiting agency',
  types: ['job.published'],
  tests: [WEBHOOK_DAYS],
}
const REVOKED_DAYS = 3

/** How the receiver responds in the past: the CRM fails for a night, and the former partner was there once. */
export function outcomeInReplay(path: string, now: number): string {
  if (path === '/200/crm' && now > daysAgo(3) && now < daysAgo(2.6)) return '503'
  if (path === '/410/former-partner' && now < daysAgo(5)) return '200'
  return path.split('/')[1]!
}

/** The names of the replay: the host with a private address had a public one when its endpoint was registered. */
export const resolveInReplay = (host: string, now: number): string[] =>
  host === PRIVATE_HOST && now > daysAgo(LAB_DAYS) + HOUR / 2 ? ['10.0.0.10'] : ['203.0.114.10']

export interface WebhookCallers {
  demo: ApiCall
  lab: ApiCall
  revoked: { id: string; call: ApiCall }
}

export function planWebhooks(replay: Replay, callers: WebhookCallers): void {
  planEndpoints(replay, callers.demo, ENDPOINTS, WEBHOOK_DAYS)
  planEndpoints(replay, callers.lab, LAB_ENDPOINTS, LAB_DAYS)
  planEndpoints(replay, callers.revoked.call, [REVOKED_ENDPOINT], WEBHOOK_DAYS)
  replay.plan(daysAgo(REVOKED_DAYS), () => revokeKey(replay.db, callers.revoked.id))
  // the receiver of `list.created` fails from its first day; the second list is tried again when five days are over, and
  // the third waits then
  for (const [name, days] of [
    ['Trade fair contacts', WEBHOOK_DAYS - 0.1] as const,
    ['Robotics meet-up', 2.3] as const,
    ['Alumni', 2.2] as const,
  ])
    replay.plan(daysAgo(days), () => callers.demo('POST', '/lists', { name }))
  for (let time = daysAgo(WEBHOOK_DAYS) + 10 * MINUTE; time <= END; time += HOUR)
    replay.plan(time, () => deliverDue(replay))
}

function planEndpoints(replay: Replay, call: ApiCall, endpoints: readonly PlannedEndpoint[], days: number): void {
  for (const [i, { url, description, types, tests, disabled }] of endpoints.entries())
    replay.plan(daysAgo(days) + i * MINUTE, async () => {
      const made = await call('POST', '/webhooks/endpoints', { url, event_types: types, description })
      const own = `/webhooks/endpoints/${made.id}`
      for (const day of tests) replay.plan(Math.max(daysAgo(day), replay.now) + HOUR, () => call('POST', `${own}/test`))
      if (disabled !== undefined) replay.plan(daysAgo(disabled), () => call('POST', `${own}/disable`))
    })
}

/** Sends what is due, in this step alone: the moment of each attempt does not depend on how long the others take. */
async function deliverDue(replay: Replay): Promise<void> {
  await settleEvents(replay)
  if (!(await isDeliveryDue(replay))) return
  const stopping = new AbortController()
  const sending = deliverWebhooks(replay.services).run(stopping.signal)
  while (await isDeliveryDue(replay)) await new Promise(resolve => setTimeout(resolve, 20))
  stopping.abort()
  await sending
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
