import { sql } from '../kernel/db/sql.ts'

export const insertPartnerSession = (tokenHash: string, secretHash: string, seconds: number) => sql`
  insert into partner_sessions (token_hash, secret_hash, expires_at)
  values (${tokenHash}, ${secretHash}, app_now() + ${seconds}::integer * interval '1 second')`

/** A rotation ends the sessions that began before it, although the previous secret is valid for its overlap. */
export const partnerSessionByHash = (tokenHash: string) =>
  sql<{ secret_hash: string; expires_at: string }>`
    select p.secret_hash, p.expires_at
    from partner_sessions p join api_key_secrets s on s.secret_hash = p.secret_hash
    where p.token_hash = ${tokenHash} and p.expires_at > app_now()
      and not exists (select from api_key_secrets n where n.workspace_id = s.workspace_id and n.key_id = s.key_id
        and n.issue > s.issue and n.created_at >= p.created_at)`

export const deletePartnerSession = (tokenHash: string) =>
  sql`delete from partner_sessions where token_hash = ${tokenHash}`

export interface HourOfRequests {
  at: string
  requests: number
  errors: number
  limited: number
}

/** The SDK that used a key last; undefined if none did. */
export const sdkOfKey = (workspace: string, keyId: string) =>
  sql<{ last_used_sdk: string }>`
    select last_used_sdk from api_key_secrets
    where workspace_id = ${workspace} and key_id = ${keyId} and last_used_sdk is not null
    order by last_used_at desc limit 1`

/** The requests of a key in the last 24 hours; every hour has a row. */
export const requestsByHour = (workspace: string, keyId: string) =>
  sql<HourOfRequests>`
    select t.at::timestamptz(3) as at, coalesce(s.requests, 0) as requests,
      coalesce(s.client_errors + s.server_errors, 0) as errors, coalesce(s.limited, 0) as limited
    from generate_series(date_trunc('hour', app_now()) - interval '23 hours', date_trunc('hour', app_now()),
      interval '1 hour') as t (at)
    left join request_stats s on s.workspace_id = ${workspace} and s.key_id = ${keyId} and s.hour = t.at
    order by t.at`
