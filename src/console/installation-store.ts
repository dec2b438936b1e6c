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
