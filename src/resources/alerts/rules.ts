import type { AlertKind, AlertLevel } from '../../contract/alerts.ts'
import { recordWord } from '../../contract/record-words.ts'
import { lazy } from '../../kernel/async/lazy.ts'
import { dateInWords, timeInWords } from '../../kernel/text/dates.ts'
import type { Reason } from '../suppressions/shape.ts'

/** An endpoint is failing after this long without a success, or after this many failures in a row. */
export const FAILING_AFTER_HOURS = 1
export const FAILING_AFTER_ATTEMPTS = 100
/** After so many alerts about the endpoints of a key within 24 hours, the next ones are not sent. */
export const KEY_NOTIFICATIONS_PER_DAY = 10
/** A disabled endpoint, an expired key and a missed deadline stay open for so long; then the workspace accepts it. */
export const DISABLED_OPEN_DAYS = 30
export const EXPIRED_OPEN_DAYS = 7
export const OVERDUE_OPEN_DAYS = 30
/** Percent of a quota or budget. */
export const USAGE_STEPS = { warning: 80, critical: 100 } as const
/** Days before a key expires. */
export const EXPIRY_STEPS = { warning: 14, critical: 3 } as const
/** Days before a previous secret expires; rotation leaves it valid for seven days at most. */
export const SECRET_STEP = 3
/** Days before a deadline that begins seven days ahead. */
export const DEADLINE_STEPS = { warning: 3, critical: 1 } as const

/** A vendor has not responded to an order for so long. */
export const ORDER_WAITING_HOURS = 24

/** So many keys that have not confirmed a deletion are named; of the others there is the number. */
export const PARTNERS_NAMED = 3

/** Waits between attempts of an email, in seconds. After the last attempt it is given up; the console shows the alert. */
const MAIL_RETRY_SECONDS = [60, 600, 3_600, 21_600, 86_400] as const

/** How long after a failed attempt the next one follows; null: there is none. */
export const alertRetryDelay = (attempt: number): number | null => MAIL_RETRY_SECONDS[attempt - 1] ?? null

/** What the texts are made of, by kind: names of keys, URLs of which the host is shown, counts and times. */
export interface AlertDetails {
  endpoint_failing: { url: string; key_name: string; since: string; failures: number }
  endpoint_disabled: { url: string; key_name: string; reason: 'failing' | 'gone'; at: string }
  /** `app_id`: the reader is a connected app */
  personal_data_budget: { name: string; app_id: string | null; used: number; limit: number }
  monthly_quota: { used: number; limit: number }
  key_expiring: { name: string; expires_at: string; expired: boolean }
  secret_expiring: { name: string; expires_at: string }
  /** `reason`, `partners` and `records` are missing in resolved alerts of version 0.2 */
  deletion_deadline: {
    keys: number
    delete_by: string
    overdue: boolean
    reason?: Reason
    /** the first of the keys, each with the URL of an endpoint if it has one */
    partners?: readonly { name: string; url: string | null }[]
    /** counts by type */
    records?: Readonly<Record<string, number>>
  }
  order_waiting: { vendor: string; orders: number; since: string }
  app_suspended: { name: string; by: 'workspace' | 'operator'; since: string }
}

/** An alert with what its text needs. */
export interface AlertFacts {
  kind: AlertKind
  level: AlertLevel
  subject_id: string
  details: AlertDetails[AlertKind]
}

export interface AlertText {
  title: string
  /** what happened, then what to do */
  text: string
  /** the page of the console, below /console */
  path: string
}

type Describe = { [K in AlertKind]: (details: AlertDetails[K], alert: AlertFacts) => AlertText }

const DESCRIBE: Describe = {
  endpoint_failing: ({ url, key_name, since, failures }, { subject_id }) => ({
    title: `Webhook endpoint is failing: ${hostOf(url)}`,
    text: `The endpoint at ${hostOf(url)} of the key ${key_name} has accepted no event since ${timeInWords(since)}; ${number(failures)} attempts failed. Check the receiver. An endpoint without a success for five days is disabled.`,
    path: `/webhooks/${subject_id}`,
  }),
  endpoint_disabled: ({ url, key_name, reason, at }, { subject_id }) => ({
    title: `Webhook endpoint was disabled: ${hostOf(url)}`,
    text: `The endpoint at ${hostOf(url)} of the key ${key_name} was disabled on ${timeInWords(at)}, ${reason === 'gone' ? 'because its receiver returned 410' : 'after five days without a success'}. It receives no events. Fix the receiver, enable the endpoint, then recover the events that it missed.`,
    path: `/webhooks/${subject_id}`,
  }),
  personal_data_budget: ({ name, app_id, used, limit }, { level, subject_id }) => ({
    title: `Personal-data budget ${level === 'critical' ? 'exhausted' : 'almost exhausted'}: ${name}`,
    text: `${name} has read ${share(used, limit)} personal values of its budget for today (UTC).${level === 'critical' ? ' Further reads get 429 personal_data_quota_exceeded until midnight UTC.' : ''} If this is more than you expect, look at what it reads.`,
    path: app_id === null ? `/audit?key_id=${subject_id}` : `/apps/${app_id}`,
  }),
  monthly_quota: ({ used, limit }, { level }) => ({
    title: `Monthly quota ${level === 'critical' ? 'exhausted' : 'almost exhausted'}`,
    text: `The keys of this workspace have made ${share(used, limit)} requests of this month's quota.${level === 'critical' ? ' Further requests get 429 rate_limit_exceeded until the first of next month, UTC.' : ''} All keys share the quota; the overview shows which of them is the busiest.`,
    path: '/?range=30d',
  }),
  key_expiring: ({ name, expires_at, expired }, { subject_id }) => ({
    title: `API key ${expired ? 'has expired' : 'expires'}: ${name}`,
    text: expired
      ? `The key ${name} was valid until ${timeInWords(expires_at)}. Its requests get 401, and its webhook endpoints are disabled. Create a new key if the integration is still needed.`
      : `The key ${name} is valid until ${timeInWords(expires_at)}. After that its requests get 401, and its webhook endpoints are disabled. Create a new key for the integration, then revoke this one.`,
    path: `/keys/${subject_id}`,
  }),
  secret_expiring: ({ name, expires_at }, { subject_id }) => ({
    title: `Previous secret still in use: ${name}`,
    text: `The key ${name} was rotated, and requests still use its previous secret, which is valid until ${timeInWords(expires_at)}. After that these requests get 401. Give the new secret to every system that uses the key.`,
    path: `/keys/${subject_id}`,
  }),
  deletion_deadline: (details, { subject_id }) => describeDeletion(details, subject_id),
  order_waiting: ({ vendor, orders, since }) => ({
    title: `${vendor} does not respond`,
    text: `${vendor} has neither accepted nor declined ${orders === 1 ? 'an order of a check' : `${number(orders)} orders of checks`}, the oldest from ${timeInWords(since)}. Ask the vendor whether its integration works. An order without a response for seven days fails; recruiters can then order again.`,
    path: '/checks',
  }),
  app_suspended: ({ name, by, since }, { subject_id }) => ({
    title: `Installed app is suspended: ${name}`,
    text: `${by === 'operator' ? 'The operator of the service' : 'An owner or admin of the workspace'} suspended ${name} on ${timeInWords(since)}. Its key is refused, and it is sent no events. ${by === 'operator' ? 'Only the operator can resume it; uninstall it if you no longer need it.' : 'Resume it, or uninstall it if you no longer need it.'}`,
    path: `/installations/${subject_id}`,
  }),
}

export const describeAlert = (alert: AlertFacts): AlertText =>
  (DESCRIBE[alert.kind] as (details: unknown, alert: AlertFacts) => AlertText)(alert.details, alert)

/** Why a partner must delete its copies, and what became of the records here. */
const DELETION_CAUSES: Readonly<Record<Reason, { title: string; cause: string; here: string }>> = {
  erasure_request: { title: 'Erasure request', cause: 'A person asked for erasure.', here: 'Deleted here' },
  legal_request: { title: 'Legal request', cause: 'A legal request required an erasure.', here: 'Deleted here' },
  stop_processing: {
    title: 'Stop of processing',
    cause: 'A person stopped all processing of their data.',
    here: 'Retained here but no longer used',
  },
}

function describeDeletion(details: AlertDetails['deletion_deadline'], suppression: string): AlertText {
  const { keys, delete_by, overdue, reason = 'erasure_request', partners = [], records = {} } = details
  const { title, cause, here } = DELETION_CAUSES[reason]
  const one = keys === 1
  const deleted = Object.entries(records).map(([object, n]) => `${number(n)} ${recordWord(object, n)}`)
  const owing = [
    ...partners.map(({ name, url }) => (url === null ? name : `${name} (endpoint at ${hostOf(url)})`)),
    ...(partners.length > 0 && keys > partners.length ? [`${number(keys - partners.length)} more`] : []),
  ]
  const sentences = [
    cause,
    deleted.length > 0 && `${here}: ${listed(deleted)}.`,
    `${one ? 'One key has not confirmed that its' : `${number(keys)} keys have not confirmed that their`} copies are deleted${owing.length > 0 ? `: ${listed(owing)}` : ''}.`,
    `The deadline ${overdue ? 'was' : 'is'} ${timeInWords(delete_by)}.`,
    `Ask ${one ? 'this partner' : 'these partners'} to delete the copies and to confirm it with POST /suppressions/${suppression}/acknowledge.`,
    overdue && `If there is no response, revoke the ${one ? 'key' : 'keys'}.`,
  ]
  const by = one ? (partners[0]?.name ?? 'one key') : `${number(keys)} keys`
  return {
    title: `${title}: deletion not confirmed by ${by}, ${overdue ? 'overdue since' : 'due'} ${dateInWords(delete_by)}`,
    text: sentences.filter(sentence => sentence !== false).join(' '),
    path: `/erasures/${suppression}`,
  }
}

/** `a`, `a and b`, `a, b and c` */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const LONGEST_HOST = 80

/**
 * Shows the host name alone of a URL that a partner chose and that owners and admins read in emails of the service, without
 * the `www.` that mail programs turn into a link. The end of a long one says whose it is.
 */
function hostOf(url: string): string {
  const host = new URL(url).hostname.replace(/\bwww\./g, '')
  return host.length > LONGEST_HOST ? `…${host.slice(1 - LONGEST_HOST)}` : host
}

const numberFormat = lazy(() => new Intl.NumberFormat('en'))

const number = (value: number): string => numberFormat().format(value)
const share = (used: number, limit: number): string => `${number(used)} of ${number(limit)}`
