import type { AlertKind, AlertLevel } from '../../contract/alerts.ts'
import { lazy } from '../../kernel/async/lazy.ts'
import { dateInWords, timeInWords } from '../../kernel/text/dates.ts'

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

/** Waits between attempts of an email, in seconds. After the last attempt it is given up; the console shows the alert. */
const MAIL_RETRY_SECONDS = [60, 600, 3_600, 21_600, 86_400] as const

/** How long after a failed attempt the next one follows; null: there is none. */
export const mailRetryDelay = (attempt: number): number | null => MAIL_RETRY_SECONDS[attempt - 1] ?? null

/** What the texts are made of, by kind: names of keys, URLs of which the host is shown, counts and times. */
export interface AlertDetails {
  endpoint_failing: { url: string; key_name: string; since: string; failures: number }
  endpoint_disabled: { url: string; key_name: string; reason: 'failing' | 'gone'; at: string }
  /** `app_id`: the reader is a connected app */
  personal_data_budget: { name: string; app_id: string | null; used: number; limit: number }
  monthly_quota: { used: number; limit: number }
  key_expiring: { name: string; expires_at: string; expired: boolean }
  secret_expiring: { name: string; expires_at: string }
  deletion_deadline: { keys: number; delete_by: string; overdue: boolean }
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
  deletion_deadline: ({ keys, delete_by, overdue }, { subject_id }) => ({
    title: overdue
      ? `Deletion not confirmed since ${dateInWords(delete_by)}`
      : `Deletion must be confirmed by ${dateInWords(delete_by)}`,
    text: `${keys === 1 ? 'One key has not confirmed that its' : `${number(keys)} keys have not confirmed that their`} copies of an erased person are deleted. The deadline ${overdue ? 'was' : 'is'} ${timeInWords(delete_by)}. Ask ${keys === 1 ? 'this partner' : 'these partners'} to delete the copies and to confirm it.`,
    path: `/erasures/${subject_id}`,
  }),
}

export const describeAlert = (alert: AlertFacts): AlertText =>
  (DESCRIBE[alert.kind] as (details: unknown, alert: AlertFacts) => AlertText)(alert.details, alert)

const LONGEST_HOST = 80

/**
 * Of a URL that a partner chose, and that owners and admins read in emails of the service: the host name alone, and not
 * the `www.` that mail programs turn into a link. Of a long one, the end says whose it is.
 */
function hostOf(url: string): string {
  const host = new URL(url).hostname.replace(/\bwww\./g, '')
  return host.length > LONGEST_HOST ? `…${host.slice(1 - LONGEST_HOST)}` : host
}

const numberFormat = lazy(() => new Intl.NumberFormat('en'))

const number = (value: number): string => numberFormat().format(value)
const share = (used: number, limit: number): string => `${number(used)} of ${number(limit)}`
