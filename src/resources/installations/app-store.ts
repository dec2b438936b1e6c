import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { AppStatus } from './rules.ts'

/** What an installable app asks for. */
export interface Registration {
  name: string
  scopes: string[]
  optional_scopes: string[]
  redirect_uris: string[]
  domains: string[]
}

/** An app that workspaces install; `workspace_id` is its home. */
export interface InstallableApp extends Registration {
  workspace_id: string
  id: string
  publisher: string
  ip_allowlist: string[]
  /** suspended, or the state of its review */
  status: AppStatus
  review_status: Exclude<AppStatus, 'suspended'>
  /** what it becomes with the next approval */
  proposed: Registration | null
  suspended_at: string | null
  revoked_at: string | null
  created_at: string
  home_open: boolean
  /** what its tokens and its webhook endpoints count as */
  credential_id: string
  live_endpoint_id: string
  test_endpoint_id: string
}

const APP = sql`
  a.workspace_id, a.id, a.name, a.publisher, a.scopes, a.optional_scopes, a.redirect_uris, a.domains, a.ip_allowlist,
  case when a.suspended_at is not null then 'suspended' else a.review_status end as status, a.review_status, a.proposed,
  a.suspended_at, a.revoked_at, a.created_at, w.closing_at is null as home_open,
  a.credential_id, a.live_endpoint_id, a.test_endpoint_id`

export const installableById = (id: string, lock?: 'for update' | 'for share'): Sql<InstallableApp> =>
  sql<InstallableApp>`
    select ${APP} from connected_apps a join workspaces w on w.id = a.workspace_id
    where a.id = ${id}::uuid and a.distribution = 'installable'
    ${lock === undefined ? none : lock === 'for share' ? sql`for share of a` : sql`for update of a`}`

export const lockHome = (workspace: string) => sql`
  select 1 from workspaces where id = ${workspace} for no key update`

/** Those of a workspace that are not revoked, the newest first. */
export const selectInstallables = (workspace: string): Sql<InstallableApp> =>
  sql<InstallableApp>`
    select ${APP} from connected_apps a join workspaces w on w.id = a.workspace_id
    where a.workspace_id = ${workspace} and a.distribution = 'installable' and a.revoked_at is null
    order by a.created_at desc, a.id`

export const insertInstallable = (
  a: Registration & { workspace: string; id: string; publisher: string; ipAllowlist: string[]; credentialId: string },
) => sql`
  insert into connected_apps (workspace_id, id, name, kind, redirect_uris, scopes, distribution, optional_scopes, publisher,
    domains, ip_allowlist, review_status, credential_id, live_endpoint_id, test_endpoint_id)
  values (${a.workspace}, ${a.id}::uuid, ${a.name}, 'web', ${a.redirect_uris}::text[], ${a.scopes}::text[], 'installable',
    ${a.optional_scopes}::text[], ${a.publisher}, ${a.domains}::text[], ${a.ipAllowlist}::text[], 'draft',
    ${a.credentialId}, gen_random_uuid(), gen_random_uuid())`

export const storeRegistration = (app: { workspace_id: string; id: string }, r: Registration) => sql`
  update connected_apps set name = ${r.name}, redirect_uris = ${r.redirect_uris}::text[], scopes = ${r.scopes}::text[],
    optional_scopes = ${r.optional_scopes}::text[], domains = ${r.domains}::text[], updated_at = ${touched()}
  where workspace_id = ${app.workspace_id} and id = ${app.id}::uuid`

export const storeReview = (
  app: { workspace_id: string; id: string },
  status: InstallableApp['review_status'],
  proposed: Registration | null,
) => sql`
  update connected_apps set review_status = ${status}, updated_at = ${touched()},
    proposed = ${proposed === null ? null : JSON.stringify(proposed)}::jsonb
  where workspace_id = ${app.workspace_id} and id = ${app.id}::uuid`

export const storeAllowlist = (app: { workspace_id: string; id: string }, ranges: readonly string[]) => sql`
  update connected_apps set ip_allowlist = ${ranges}::text[], updated_at = ${touched()}
  where workspace_id = ${app.workspace_id} and id = ${app.id}::uuid`

export const storeSuspended = (app: { workspace_id: string; id: string }, suspended: boolean) => sql`
  update connected_apps set suspended_at = case when ${suspended}::boolean then coalesce(suspended_at, app_now()) end,
    updated_at = ${touched()}
  where workspace_id = ${app.workspace_id} and id = ${app.id}::uuid`

// What a change of the app means for its installations, which are in many workspaces

/** The keys of an app are suspended while the app or their installation is. */
export const followSuspension = (app: { workspace_id: string; id: string }, installation?: string) =>
  sql<{ workspace_id: string; id: string; suspended: boolean }>`
  update api_keys k set suspended_at =
    case when a.suspended_at is not null or i.suspended_at is not null then coalesce(k.suspended_at, app_now()) end
  from installations i
  join connected_apps a on a.workspace_id = i.app_workspace_id and a.id = i.app_id
  where i.app_workspace_id = ${app.workspace_id} and i.app_id = ${app.id}::uuid and i.ended_at is null
    ${installation === undefined ? none : sql`and i.id = ${installation}`}
    and k.workspace_id = i.workspace_id and k.installation_id = i.id and k.revoked_at is null
  returning k.workspace_id, k.id, k.suspended_at is not null as suspended`

export const followAllowlist = (app: { workspace_id: string; id: string }, ranges: readonly string[]) => sql`
  update api_keys k set ip_allowlist = ${ranges}::text[] from installations i
  where i.app_workspace_id = ${app.workspace_id} and i.app_id = ${app.id}::uuid and i.ended_at is null
    and k.workspace_id = i.workspace_id and k.installation_id = i.id and k.revoked_at is null`

/** Scopes that the app gave up end with the next request; asked for again, they wait for a new decision. */
export const dropScopes = (app: { workspace_id: string; id: string }, lost: readonly string[]) =>
  sql<{ workspace_id: string; id: string }>`
    update installations set updated_at = ${touched()},
      scopes = array(select s from unnest(scopes) with ordinality as t (s, n) where s <> all(${lost}::text[]) order by n),
      offered_scopes = array(select s from unnest(offered_scopes) as s where s <> all(${lost}::text[]))
    where app_workspace_id = ${app.workspace_id} and app_id = ${app.id}::uuid and ended_at is null
      and offered_scopes && ${lost}::text[]
    returning workspace_id, id`

export const dropScopesOfKeys = (app: { workspace_id: string; id: string }, lost: readonly string[]) =>
  sql<{ id: string }>`
    update api_keys k set
      scopes = array(select s from unnest(k.scopes) with ordinality as t (s, n) where s <> all(${lost}::text[]) order by n),
      granted_scopes = array(
        select s from unnest(k.granted_scopes) with ordinality as t (s, n) where s <> all(${lost}::text[]) order by n)
    from installations i
    where i.app_workspace_id = ${app.workspace_id} and i.app_id = ${app.id}::uuid and i.ended_at is null
      and k.workspace_id = i.workspace_id and k.installation_id = i.id and k.revoked_at is null
      and k.granted_scopes && ${lost}::text[]
    returning k.id`

/** The app changed so that a reader of its installations must look at them again. */
export const touchInstallations = (app: { workspace_id: string; id: string }) => sql`
  update installations set updated_at = ${touched()}
  where app_workspace_id = ${app.workspace_id} and app_id = ${app.id}::uuid and ended_at is null`
