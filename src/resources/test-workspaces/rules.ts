import type { InputFault } from '../../kernel/http/faults.ts'

/** A test workspace that is not used for so many days is deleted. */
export const UNUSED_DAYS = 90

const LINK = /https?:\/\/[^\s<>"]+/g

function withoutPunctuation(link: string): string {
  let end = link.length
  while ('.,;:!?)]'.includes(link.charAt(end - 1))) end--
  return link.slice(0, end)
}

/** The URLs of a text, without the punctuation of the sentence that they end. */
export const linksIn = (text: string): string[] => (text.match(LINK) ?? []).map(withoutPunctuation)

const DAY_SECONDS = 86_400

/** A clock is never further ahead of real time. */
export const MAX_AHEAD_SECONDS = 400 * DAY_SECONDS

/** One of both. */
export interface ClockChange {
  to?: string | undefined
  by_seconds?: number | undefined
}

interface MovedClock {
  real_now: string
  /** how far the clock is ahead of real time when everything until then is done */
  target_seconds: number
}

/** How far the clock will be ahead of real time, in whole seconds. */
export const computeTarget = ({ to, by_seconds = 0 }: ClockChange, { real_now, target_seconds }: MovedClock): number =>
  to === undefined ? target_seconds + by_seconds : Math.ceil((Date.parse(to) - Date.parse(real_now)) / 1_000)

/** What is wrong with a body of any shape. */
export function clockFaults(body: unknown): InputFault[] {
  const { to, by_seconds } = (body ?? {}) as Record<string, unknown>
  if (to === undefined && by_seconds === undefined) return [{ param: 'to', message: 'or by_seconds is required' }]
  return to === undefined || by_seconds === undefined
    ? []
    : [{ param: 'by_seconds', message: 'cannot be given together with to' }]
}

/** The clock goes forward only. */
export function advanceFaults(change: ClockChange, clock: MovedClock): InputFault[] {
  const param = change.to === undefined ? 'by_seconds' : 'to'
  const target = computeTarget(change, clock)
  if (target <= clock.target_seconds)
    return [{ param, message: 'must be later than the time of the clock, and than the time that it advances to' }]
  return target <= MAX_AHEAD_SECONDS
    ? []
    : [{ param, message: 'must be at most 400 days ahead of real time, all advances together' }]
}

/**
 * What a reset leaves, of the tables with rows of workspaces: who may enter, where events are sent, settings, and what
 * limits are counted in. A test compares this with the schema, so that every new table is decided.
 */
const RETAINED = new Set(
  `users sessions passkeys authenticator_apps recovery_codes sign_in_changes
  company_domains company_identities company_logout_tokens company_sign_in company_sign_in_flows company_sign_in_log
  api_keys api_key_secrets connected_apps connected_app_secrets app_consents installations install_codes oidc_records
  career_sites career_slugs hiring_settings decision_reasons workspace_settings workspace_retention workspace_log workspace_deletions
  webhook_endpoints webhook_secrets webhook_stats alert_preferences alert_webhooks member_settings
  member_hours member_calendars
  event_logs monthly_usage request_log request_stats scope_usage personal_data_usage message_usage erasure_request_usage
  worker_turns file_deletions`.split(/\s+/),
)

/** Whether a reset deletes the rows of a table. */
export const isReset = (table: string): boolean => !RETAINED.has(table)
