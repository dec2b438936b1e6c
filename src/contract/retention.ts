import { API_LIMITS } from './limits.ts'

/** What a workspace decides about how long it is retained. `fallback` 0 and the value 0: without an end. */
export interface RetentionRule {
  unit: 'months' | 'days'
  least: number
  most: number
  /** for workspaces that set nothing; the settings of the installation can give others */
  fallback: number
  /** whether 0 (without an end) is allowed */
  endless: boolean
  description: string
}

export const RETENTION = {
  applications: {
    unit: 'months',
    least: 1,
    most: 120,
    fallback: 0,
    endless: true,
    description: 'applications that were rejected or withdrawn, or whose job is closed, since their last activity',
  },
  audit: {
    unit: 'days',
    least: 90,
    most: 3_650,
    fallback: 0,
    endless: true,
    description: 'the audit of personal data that was read',
  },
  // the specification promises partners a window of this length
  events: {
    unit: 'days',
    least: API_LIMITS.eventRetentionDays,
    most: 365,
    fallback: API_LIMITS.eventRetentionDays,
    endless: false,
    description: 'events of the change feed',
  },
  // never shorter than the feed: what an endpoint acknowledged decides what it is sent again
  deliveries: {
    unit: 'days',
    least: API_LIMITS.eventRetentionDays,
    most: 365,
    fallback: API_LIMITS.eventRetentionDays,
    endless: false,
    description: 'webhook deliveries with their attempts and responses',
  },
  request_log: {
    unit: 'days',
    least: API_LIMITS.requestLogDays,
    most: 90,
    fallback: API_LIMITS.requestLogDays,
    endless: false,
    description: 'the request log',
  },
} as const satisfies Record<string, RetentionRule>

export type RetentionKind = keyof typeof RETENTION

export const RETENTION_KINDS = Object.keys(RETENTION) as RetentionKind[]

/** Tables whose rows are deleted after a fixed time: hours after their end or creation. */
export const FIXED_RETENTION = {
  spent_challenges: { hours: 0, of: 'proofs of work of application forms', after: 'when they expire' },
  idempotency_records: { hours: 0, of: 'responses by Idempotency-Key', after: 'when they expire, 24 hours' },
  rate_windows: { hours: 1 / 6, of: 'rate limits that are counted in the database', after: '10 minutes' },
  oidc_records: { hours: 0, of: 'codes and tokens of connected apps', after: 'when they expire' },
  install_codes: { hours: 1, of: 'codes of app installs', after: 'an hour after they expire' },
  partner_sessions: { hours: 0, of: "sessions on the partner's page", after: 'when they expire' },
  sign_in_tickets: { hours: 0, of: 'emailed sign-in links', after: 'when they expire' },
  passkey_challenges: { hours: 0, of: 'challenges of passkeys', after: 'when they expire' },
  company_sign_in_flows: {
    hours: 0,
    of: "sign-ins at a company's provider that were not completed",
    after: 'when they expire',
  },
  company_logout_tokens: { hours: 0, of: "logout messages of a company's provider", after: 'when they expire' },
  candidate_links: { hours: 0, of: 'links of candidates', after: 'when they expire' },
  candidate_sessions: { hours: 0, of: 'sessions of candidates', after: 'when they expire' },
  sign_in_attempts: { hours: 25, of: 'counted sign-in attempts', after: '25 hours' },
  sessions: { hours: 192, of: 'sessions of members', after: '8 days' },
  candidate_mails: { hours: 720, of: 'emails for a candidate whom no one found', after: '30 days' },
  test_mails: { hours: 720, of: 'captured emails of test workspaces', after: '30 days' },
  alerts: { hours: 2_160, of: 'resolved alerts', after: '90 days' },
  personal_data_usage: { hours: 2_160, of: 'daily counters of personal values', after: '90 days' },
  message_usage: { hours: 2_160, of: 'daily counters of messages', after: '90 days' },
  erasure_request_usage: { hours: 2_160, of: 'daily counters of erasure requests', after: '90 days' },
  request_stats: { hours: 9_600, of: 'hourly counts of requests', after: '400 days' },
  webhook_stats: { hours: 9_600, of: 'hourly counts of deliveries', after: '400 days' },
} as const

export type FixedTable = keyof typeof FIXED_RETENTION
