import { sql } from '../kernel/db/sql.ts'

/** What the keys of an installation did. */
export const installationUse = (workspace: string, id: string) =>
  sql<{ requests: number; last_used_at: string | null }>`
    with keys as (
      select k.id from api_keys k where k.workspace_id = ${workspace} and k.installation_id = ${id}
    )
    select
      coalesce((select sum(s.requests)::integer from request_stats s
        where s.workspace_id = ${workspace} and s.key_id in (select id from keys)
          and s.hour >= app_now() - interval '24 hours'), 0) as requests,
      (select max(x.last_used_at) from api_key_secrets x
        where x.workspace_id = ${workspace} and x.key_id in (select id from keys)) as last_used_at`

/** The endpoint of an installation, which its newest key has. */
export const endpointHealth = (workspace: string, keyId: string) =>
  sql<{ enabled: boolean; consecutive_failures: number; last_success_at: string | null }>`
    select e.enabled, e.consecutive_failures, e.last_success_at from webhook_endpoints e
    where e.workspace_id = ${workspace} and e.key_id = ${keyId} and e.source_id is not null`

/** Personal values that an installation was shown today. Usage is not where keys are when the store is a cluster. */
export const readToday = (workspace: string, id: string) =>
  sql<{ used: number }>`
    select used from personal_data_usage
    where workspace_id = ${workspace} and key_id = ${id} and day = app_now()::date`

/**
 * Scopes that an installation has had for this many days, and has not used in them. Since when it has a scope, the oldest of its
 * keys says that was never cut: one that is revoked may have had the scope before people took it away.
 */
export const unusedScopes = (workspace: string, id: string, days: number) =>
  sql<{ scope: string }>`
    select s.scope from api_keys k cross join unnest(k.scopes) as s (scope)
    where k.workspace_id = ${workspace} and k.installation_id = ${id} and k.revoked_at is null
      and not exists (select from scope_usage u
        where u.workspace_id = ${workspace} and u.installation_id = ${id} and u.scope = s.scope
          and u.last_used_on >= app_now()::date - ${days}::integer)
    group by s.scope having min(k.created_at) <= app_now() - ${days}::integer * interval '1 day'`
