import type { OwnLimits, PlanCode } from '../../contract/plans.ts'
import type { JobAccess, Role, Scope } from '../../contract/scopes.ts'
import type { Environment } from '../../kernel/access/key-format.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import { accountKey } from '../../kernel/text/person-keys.ts'

export interface KeyRow {
  id: string
  workspace_id: string
  user_id: string | null
  name: string
  environment: Environment
  /** in force: what its person may do of those granted */
  scopes: Scope[]
  granted_scopes: Scope[]
  workspace_scope: 'single' | 'list' | 'all'
  workspace_ids: string[]
  ip_allowlist: string[]
  /** the installation that it belongs to: its app rotates it, no one else */
  installation_id: string | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  previous_secret_expires_at: string | null
}

/** When the older of two secrets of `k` ends; null if there is only one, or the older has ended. */
export const previousSecretExpiry = sql`
  (select max(expires_at) from (
    select expires_at from api_key_secrets s
    where s.workspace_id = k.workspace_id and s.key_id = k.id order by issue desc offset 1
  ) as older where expires_at > app_now())`

const KEY = sql`
  k.id, k.workspace_id, k.user_id, k.name, k.environment, k.scopes, k.granted_scopes, k.workspace_scope, k.workspace_ids,
  k.ip_allowlist, k.installation_id, k.created_at, k.expires_at, k.revoked_at,
  (select max(last_used_at) from api_key_secrets s where s.workspace_id = k.workspace_id and s.key_id = k.id)
    as last_used_at,
  ${previousSecretExpiry} as previous_secret_expires_at`

export const workspacePlan = (workspace: string) =>
  sql<{ plan: PlanCode | null; own_limits: OwnLimits; environment: Environment }>`
    select plan, own_limits, environment from workspaces where id = ${workspace}`

export const keyById = (id: string, lock?: 'for update'): Sql<KeyRow> =>
  sql<KeyRow>`select ${KEY} from api_keys k where k.id = ${id} ${lock ? sql`for update of k` : none}`

export const selectKeys = (workspace: string | undefined): Sql<KeyRow> =>
  sql<KeyRow>`
    select ${KEY} from api_keys k where true ${workspace === undefined ? none : sql`and k.workspace_id = ${workspace}`}
    order by k.created_at desc, k.id desc`

export interface InsertKey {
  workspaceId: string
  id: string
  userId: string | null
  name: string
  environment: Environment
  scopes: readonly Scope[]
  grantedScopes: readonly Scope[]
  workspaceScope: string
  workspaceIds: string[]
  ipAllowlist: string[]
  expiresInDays: number | null
}

export const insertKey = (k: InsertKey) => sql`
  insert into api_keys
    (workspace_id, id, user_id, name, environment, scopes, granted_scopes, workspace_scope, workspace_ids, ip_allowlist,
      expires_at)
  values (${k.workspaceId}, ${k.id}, ${k.userId}, ${k.name}, ${k.environment}, ${k.scopes}::text[],
    ${k.grantedScopes}::text[], ${k.workspaceScope}, ${k.workspaceIds}::text[], ${k.ipAllowlist}::text[],
    app_now() + ${k.expiresInDays}::float8 * interval '1 day')`

/** Here and not in `users`, which depends on the keys. */
export const userIdByEmail = (workspace: string, email: string) =>
  sql<{ id: string }>`
    select id from users where workspace_id = ${workspace} and email_key = ${accountKey(email)}
    order by email_key_rank limit 1`

/** Role and access to jobs cannot change until the transaction ends. */
export const holdRights = (workspace: string, userId: string) =>
  sql<{ role: Role; jobAccess: JobAccess; refused: boolean }>`
    select role, job_access as "jobAccess", exists (
      select 1 from company_identities i
      where i.workspace_id = u.workspace_id and i.user_id = u.id and i.refused_at is not null and u.role <> 'owner') as refused
    from users u where workspace_id = ${workspace} and id = ${userId} for share`

/** Cuts the scopes of a person's valid keys to those that the person may have, and returns those that it took away. */
export const cutScopes = (workspace: string, userId: string, allowed: readonly Scope[]) =>
  sql<{ id: string; lost: Scope[] }>`
    with theirs as materialized (
      select id, scopes from api_keys
      where workspace_id = ${workspace} and user_id = ${userId} and revoked_at is null order by id for update
    )
    update api_keys k set scopes = array(
      select g.scope from unnest(k.granted_scopes) with ordinality as g (scope, place)
      where g.scope = any(${allowed}::text[]) order by g.place)
    from theirs t where k.workspace_id = ${workspace} and k.id = t.id
    returning k.id, array(select unnest(t.scopes) except select unnest(k.scopes)) as lost`

/** A secret lives as long as its key. */
export const addKeySecret = (workspace: string, keyId: string, hash: string) => sql`
  insert into api_key_secrets (secret_hash, workspace_id, key_id, expires_at)
  select ${hash}, workspace_id, id, expires_at from api_keys where workspace_id = ${workspace} and id = ${keyId}`

/** The newest secret stays valid for the overlap, but not longer than the key; older ones expire now. */
export const expireKeySecrets = (workspace: string, keyId: string, overlapHours: number) => sql`
  with newest as (
    select secret_hash from api_key_secrets where workspace_id = ${workspace} and key_id = ${keyId}
    order by issue desc limit 1
  ), gone as (
    delete from api_key_secrets
    where workspace_id = ${workspace} and key_id = ${keyId}
      and (secret_hash not in (select secret_hash from newest) or ${overlapHours}::float8 = 0)
  )
  update api_key_secrets
  set expires_at = least(expires_at, app_now() + ${overlapHours}::float8 * interval '1 hour')
  where secret_hash in (select secret_hash from newest) and ${overlapHours}::float8 > 0`

/** Without a secret there is nothing left that could be found. */
export const markKeyRevoked = (workspace: string, id: string) => sql`
  with gone as (
    delete from api_key_secrets where workspace_id = ${workspace} and key_id = ${id}
  )
  update api_keys set revoked_at = app_now() where workspace_id = ${workspace} and id = ${id}`

/** Changes nothing, but is waited for like a change. */
export const noteKeyChange = (workspace: string, id: string) => sql`
  update api_keys set revoked_at = revoked_at where workspace_id = ${workspace} and id = ${id}`

export interface SecretRow {
  current: boolean
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  last_used_address: string | null
  last_used_agent: string | null
}

/** The secrets of a key that are in force, the newest first: one, or two during a rotation. */
export const secretsOfKey = (workspace: string, keyId: string) =>
  sql<SecretRow>`
    select issue = max(issue) over () as current, created_at, expires_at, last_used_at, last_used_address,
      last_used_agent
    from api_key_secrets
    where workspace_id = ${workspace} and key_id = ${keyId} and (expires_at is null or expires_at > app_now())
    order by issue desc`
