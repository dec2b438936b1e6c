import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { AppKind } from './rules.ts'

export interface AppRow {
  workspace_id: string
  id: string
  name: string
  kind: AppKind
  redirect_uris: string[]
  scopes: string[]
  created_by: string | null
  created_at: string
  updated_at: string
  revoked_at: string | null
  /** installable: workspaces install it, and no one signs in to it */
  distribution: 'workspace' | 'installable'
  /** people whose consent is in force */
  consents: number
  previous_secret_expires_at: string | null
}

const APP = sql`
  a.workspace_id, a.id, a.name, a.kind, a.redirect_uris, a.scopes, a.created_by, a.created_at, a.updated_at, a.revoked_at,
  a.distribution,
  (select count(*)::integer from app_consents c
    where c.workspace_id = a.workspace_id and c.app_id = a.id and c.revoked_at is null) as consents,
  (select max(s.expires_at) from connected_app_secrets s
    where s.workspace_id = a.workspace_id and s.app_id = a.id and s.expires_at > app_now())
    as previous_secret_expires_at`

export const selectApps = (workspace: string | undefined): Sql<AppRow> =>
  sql<AppRow>`
    select ${APP} from connected_apps a
    where true ${workspace === undefined ? none : sql`and a.workspace_id = ${workspace}`}
    order by a.created_at desc, a.id`

export const appById = (id: string, lock?: 'for update'): Sql<AppRow> =>
  sql<AppRow>`select ${APP} from connected_apps a where a.id = ${id}::uuid ${lock ? sql`for update of a` : none}`

export const insertApp = (a: {
  workspace: string
  id: string
  name: string
  kind: AppKind
  redirectUris: readonly string[]
  scopes: readonly string[]
  createdBy: string | null
}) => sql`
  insert into connected_apps (workspace_id, id, name, kind, redirect_uris, scopes, created_by)
  values (${a.workspace}, ${a.id}::uuid, ${a.name}, ${a.kind}, ${a.redirectUris}::text[], ${a.scopes}::text[],
    ${a.createdBy})`

export const addAppSecret = (workspace: string, app: string, hash: string) => sql`
  insert into connected_app_secrets (secret_hash, workspace_id, app_id) values (${hash}, ${workspace}, ${app}::uuid)`

/** The newest secret stays valid for the overlap; older ones expire now. */
export const expireAppSecrets = (workspace: string, app: string, overlapHours: number) => sql`
  with newest as (
    select secret_hash from connected_app_secrets where workspace_id = ${workspace} and app_id = ${app}::uuid
    order by issue desc limit 1
  ), gone as (
    delete from connected_app_secrets
    where workspace_id = ${workspace} and app_id = ${app}::uuid
      and (secret_hash not in (select secret_hash from newest) or ${overlapHours}::float8 = 0)
  )
  update connected_app_secrets set expires_at = app_now() + ${overlapHours}::float8 * interval '1 hour'
  where secret_hash in (select secret_hash from newest) and ${overlapHours}::float8 > 0`

export const secretIsGood = (app: string, hash: string) =>
  sql<{ good: boolean }>`
    select true as good from connected_app_secrets
    where secret_hash = ${hash} and app_id = ${app}::uuid and (expires_at is null or expires_at > app_now())`

/** Nothing that was issued to the app is left. */
export const markAppRevoked = (workspace: string, app: string) => sql`
  with secrets as (
    delete from connected_app_secrets where workspace_id = ${workspace} and app_id = ${app}::uuid
  ), records as (
    delete from oidc_records where workspace_id = ${workspace} and app_id = ${app}::uuid
  ), consents as (
    update app_consents set revoked_at = app_now()
    where workspace_id = ${workspace} and app_id = ${app}::uuid and revoked_at is null
  )
  update connected_apps set revoked_at = app_now(), updated_at = ${touched()}
  where workspace_id = ${workspace} and id = ${app}::uuid`

export interface ConsentRow {
  workspace_id: string
  id: string
  app_id: string
  app_name: string
  user_id: string
  user_email: string | null
  scopes: string[]
  granted_at: string
  revoked_at: string | null
}

const CONSENT = sql`
  c.workspace_id, c.id, c.app_id, a.name as app_name, c.user_id, u.email as user_email, c.scopes, c.granted_at,
  c.revoked_at`

const CONSENTS = sql`
  app_consents c
  join connected_apps a on a.workspace_id = c.workspace_id and a.id = c.app_id
  join users u on u.workspace_id = c.workspace_id and u.id = c.user_id`

/** Consents in force, of a workspace, of one of its apps, or of one of its members. */
export const selectAppConsents = (workspace: string, of: { app?: string; user?: string } = {}): Sql<ConsentRow> =>
  sql<ConsentRow>`
    select ${CONSENT} from ${CONSENTS}
    where c.workspace_id = ${workspace} and c.revoked_at is null
      ${of.app === undefined ? none : sql`and c.app_id = ${of.app}::uuid`}
      ${of.user === undefined ? none : sql`and c.user_id = ${of.user}`}
    order by c.granted_at desc, c.id`

export const consentById = (workspace: string, id: string): Sql<ConsentRow> =>
  sql<ConsentRow>`select ${CONSENT} from ${CONSENTS} where c.workspace_id = ${workspace} and c.id = ${id}`

/** What was allowed before stays allowed, unless it was revoked in between. */
export const grantConsent = (c: {
  workspace: string
  id: string
  app: string
  user: string
  scopes: readonly string[]
}) =>
  sql<{ id: string }>`
    insert into app_consents as c (workspace_id, id, app_id, user_id, scopes)
    values (${c.workspace}, ${c.id}, ${c.app}::uuid, ${c.user}, ${c.scopes}::text[])
    on conflict (workspace_id, app_id, user_id) do update set
      scopes = case when c.revoked_at is null
        then array(select distinct unnest(c.scopes || excluded.scopes)) else excluded.scopes end,
      granted_at = app_now(), revoked_at = null
    returning c.id`

export const markConsentRevoked = (workspace: string, id: string) =>
  sql<{ id: string }>`
    with taken as (
      update app_consents set revoked_at = app_now()
      where workspace_id = ${workspace} and id = ${id} and revoked_at is null
      returning id, app_id, user_id
    ), records as (
      delete from oidc_records r using taken
      where r.workspace_id = ${workspace} and r.app_id = taken.app_id and r.user_id = taken.user_id
    )
    select id from taken`
