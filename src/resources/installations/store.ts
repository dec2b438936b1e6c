import type { AppInstalls } from '../../contract/app-installs.ts'
import type { Role, Scope } from '../../contract/scopes.ts'
import type { Environment } from '../../kernel/access/key-format.ts'
import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'

export interface InstallationRow {
  workspace_id: string
  id: string
  workspace_name: string
  environment: Environment
  app_workspace_id: string
  app_id: string
  app_name: string
  /** the endpoint of the app, for the environment of the workspace */
  app_endpoint_id: string
  user_id: string
  credential_id: string
  status: 'active' | 'suspended' | 'ended'
  suspended_by: 'workspace' | 'operator' | null
  scopes: string[]
  scopes_pending: string[]
  personal_data_reads_per_day: number
  installed_by: string | null
  key_created_at: string
  installed_at: string
  updated_at: string
  ended_at: string | null
  delete_by: string | null
  deletion_confirmed_at: string | null
}

const INSTALLATION = sql`
  i.workspace_id, i.id, w.name as workspace_name, w.environment, i.app_workspace_id, i.app_id, a.name as app_name,
  case w.environment when 'test' then a.test_endpoint_id else a.live_endpoint_id end as app_endpoint_id, i.user_id,
  i.key_id as credential_id,
  case when i.ended_at is not null then 'ended'
    when a.suspended_at is not null or i.suspended_at is not null then 'suspended' else 'active' end as status,
  case when i.ended_at is not null then null when a.suspended_at is not null then 'operator'
    when i.suspended_at is not null then 'workspace' end as suspended_by,
  i.scopes,
  case when i.ended_at is null then array(
    select s from unnest(a.scopes || a.optional_scopes) with ordinality as t (s, n)
    where s <> all(i.offered_scopes) order by n) else '{}' end as scopes_pending,
  i.personal_data_reads_per_day, i.installed_by, i.key_created_at, i.installed_at, i.updated_at, i.ended_at, i.delete_by,
  i.deletion_confirmed_at`

const INSTALLATIONS = sql`
  installations i
  join connected_apps a on a.workspace_id = i.app_workspace_id and a.id = i.app_id
  join workspaces w on w.id = i.workspace_id`

export const installationById = (workspace: string, id: string, lock?: 'for update'): Sql<InstallationRow> =>
  sql<InstallationRow>`
    select ${INSTALLATION} from ${INSTALLATIONS} where i.workspace_id = ${workspace} and i.id = ${id}
    ${lock ? sql`for update of i` : none}`

export const activeInstallation = (workspace: string, app: string, lock?: 'for update'): Sql<InstallationRow> =>
  sql<InstallationRow>`
    select ${INSTALLATION} from ${INSTALLATIONS}
    where i.workspace_id = ${workspace} and i.app_id = ${app}::uuid and i.ended_at is null
    ${lock ? sql`for update of i` : none}`

/** Newest first; what ended last. */
export const selectInstallations = (workspace: string): Sql<InstallationRow> =>
  sql<InstallationRow>`
    select ${INSTALLATION} from ${INSTALLATIONS} where i.workspace_id = ${workspace}
    order by i.ended_at is not null, i.installed_at desc, i.id`

/** Those of one app, in every workspace. */
export const installationsOfApp = (app: string, status: string | undefined, page: Page): Sql<InstallationRow> =>
  sql<InstallationRow>`
    select * from (
      select ${INSTALLATION} from ${INSTALLATIONS} where i.app_id = ${app}::uuid and w.closing_at is null
    ) as found where (${status ?? null}::text is null or status = ${status ?? null}) ${page.clause}`

export const installationOfApp = (app: string, id: string, lock?: 'for update'): Sql<InstallationRow> =>
  sql<InstallationRow>`
    select ${INSTALLATION} from ${INSTALLATIONS}
    where i.app_id = ${app}::uuid and i.id = ${id} and w.closing_at is null ${lock ? sql`for update of i` : none}`

export const activeOfApp = (app: { workspace_id: string; id: string }) =>
  sql<{ workspace_id: string; id: string }>`
    select workspace_id, id from installations
    where app_workspace_id = ${app.workspace_id} and app_id = ${app.id}::uuid and ended_at is null
    order by workspace_id, id`

export const countActive = (workspace: string) =>
  sql<{ active: number }>`
    select count(*)::integer as active from installations where workspace_id = ${workspace} and ended_at is null`

export const insertInstallation = (i: {
  workspace: string
  id: string
  app: { workspace_id: string; id: string }
  user: string
  key: string
  scopes: readonly Scope[]
  offered: readonly string[]
  budget: number
  installedBy: string
}) => sql`
  insert into installations (workspace_id, id, app_workspace_id, app_id, user_id, key_id, scopes, offered_scopes,
    personal_data_reads_per_day, installed_by)
  values (${i.workspace}, ${i.id}, ${i.app.workspace_id}, ${i.app.id}::uuid, ${i.user}, ${i.key}, ${i.scopes}::text[],
    ${i.offered}::text[], ${i.budget}::integer, ${i.installedBy})`

/** A new key for what was decided now; the person who decided is the installer from now on. */
export const renewInstallation = (i: {
  workspace: string
  id: string
  key: string
  scopes: readonly Scope[]
  offered: readonly string[]
  budget: number
  installedBy: string
}) => sql`
  update installations set key_id = ${i.key}, scopes = ${i.scopes}::text[], offered_scopes = ${i.offered}::text[],
    personal_data_reads_per_day = ${i.budget}::integer, installed_by = ${i.installedBy}, key_created_at = app_now(),
    updated_at = ${touched()}
  where workspace_id = ${i.workspace} and id = ${i.id}`

export const endInstallationRow = (workspace: string, id: string, days: number) => sql`
  update installations set ended_at = app_now(), delete_by = app_now() + ${days}::integer * interval '1 day',
    updated_at = ${touched()}
  where workspace_id = ${workspace} and id = ${id} and ended_at is null`

export const storeInstallationSuspended = (workspace: string, id: string, suspended: boolean) => sql`
  update installations set suspended_at = case when ${suspended}::boolean then coalesce(suspended_at, app_now()) end,
    updated_at = ${touched()}
  where workspace_id = ${workspace} and id = ${id}`

export const storeDeletionConfirmed = (workspace: string, id: string, at: string) => sql`
  update installations set deletion_confirmed_at = ${at}::timestamptz, updated_at = ${touched()}
  where workspace_id = ${workspace} and id = ${id}`

export const markKeyCreated = (workspace: string, id: string) => sql`
  update installations set key_created_at = app_now(), updated_at = ${touched()}
  where workspace_id = ${workspace} and id = ${id}`

// Its user and keys

export const insertAppUser = (workspace: string, id: string, name: string, role: Role) => sql`
  insert into users (workspace_id, id, kind, first_name, role, is_verified)
  values (${workspace}, ${id}, 'app', ${name}, ${role}, false)`

export const storeAppUser = (workspace: string, id: string, name: string, role: Role) => sql`
  update users set first_name = ${name}, role = ${role}, updated_at = ${touched()}
  where workspace_id = ${workspace} and id = ${id} and kind = 'app'`

/** The keys of an installation that are not revoked, the newest first. */
export const keysOfInstallation = (workspace: string, id: string) =>
  sql<{ id: string }>`
    select id from api_keys where workspace_id = ${workspace} and installation_id = ${id} and revoked_at is null
    order by created_at desc, id desc`

export const bindKey = (workspace: string, key: string, installation: string, budget: number) => sql`
  update api_keys set installation_id = ${installation}, personal_data_reads_per_day = ${budget}::integer
  where workspace_id = ${workspace} and id = ${key}`

/** A key works at most until the overlap ends. */
export const limitKey = (workspace: string, key: string, budget: number, hours: number) => sql`
  with limited as (
    update api_key_secrets set expires_at = least(expires_at, app_now() + ${hours}::integer * interval '1 hour')
    where workspace_id = ${workspace} and key_id = ${key}
  )
  update api_keys set expires_at = least(expires_at, app_now() + ${hours}::integer * interval '1 hour'),
    personal_data_reads_per_day = least(personal_data_reads_per_day, ${budget}::integer)
  where workspace_id = ${workspace} and id = ${key}`

/** Keys of an installation keep of their scopes those that were decided now; returns what each lost. */
export const cutKeys = (workspace: string, id: string, scopes: readonly Scope[]) =>
  sql<{ id: string; lost: Scope[] }>`
    with theirs as materialized (
      select id, scopes from api_keys
      where workspace_id = ${workspace} and installation_id = ${id} and revoked_at is null order by id for update
    )
    update api_keys k set
      scopes = array(
        select s from unnest(k.scopes) with ordinality as t (s, n) where s = any(${scopes}::text[]) order by n),
      granted_scopes = array(
        select s from unnest(k.granted_scopes) with ordinality as t (s, n) where s = any(${scopes}::text[]) order by n)
    from theirs t
    where k.workspace_id = ${workspace} and k.id = t.id and not k.granted_scopes <@ ${scopes}::text[]
    returning k.id, array(select unnest(t.scopes) except select unnest(k.scopes)) as lost`

// Codes

export interface NewCode {
  codeHash: string
  workspace: string
  user: string
  app: { workspace_id: string; id: string }
  redirectUri: string
  challenge: string
  scopes: readonly string[]
  offered: readonly string[]
  budget: number
  seconds: number
}

export const insertCode = (c: NewCode) => sql`
  insert into install_codes (code_hash, workspace_id, user_id, app_workspace_id, app_id, redirect_uri, code_challenge,
    scopes, offered_scopes, personal_data_reads_per_day, expires_at)
  values (${c.codeHash}, ${c.workspace}, ${c.user}, ${c.app.workspace_id}, ${c.app.id}::uuid, ${c.redirectUri},
    ${c.challenge}, ${c.scopes}::text[], ${c.offered}::text[], ${c.budget}::integer,
    app_now() + ${c.seconds}::integer * interval '1 second')`

export interface CodeRow {
  workspace_id: string
  user_id: string
  redirect_uri: string
  code_challenge: string
  scopes: string[]
  offered_scopes: string[]
  personal_data_reads_per_day: number
  expired: boolean
  used: boolean
  key_id: string | null
}

/** A code of this app. Concurrent exchanges of one code wait for each other here. */
export const lockCode = (app: string, codeHash: string): Sql<CodeRow> =>
  sql<CodeRow>`
    select workspace_id, user_id, redirect_uri, code_challenge, scopes, offered_scopes, personal_data_reads_per_day,
      expires_at <= app_now() as expired, used_at is not null as used, key_id
    from install_codes where code_hash = ${codeHash} and app_id = ${app}::uuid for update`

export const markCodeUsed = (codeHash: string) => sql`
  update install_codes set used_at = app_now() where code_hash = ${codeHash}`

export const storeCodeKey = (codeHash: string, key: string) => sql`
  update install_codes set key_id = ${key} where code_hash = ${codeHash}`

/** Codes of one person for one app that were not exchanged: the newest decision replaces them. */
export const dropOpenCodes = (workspace: string, user: string, app: string) => sql`
  delete from install_codes
  where workspace_id = ${workspace} and user_id = ${user} and app_id = ${app}::uuid and used_at is null`

/** Codes for one app in a workspace that were not exchanged. */
export const dropOpenCodesOfApp = (workspace: string, app: string) => sql`
  delete from install_codes where workspace_id = ${workspace} and app_id = ${app}::uuid and used_at is null`

export interface InstallerRow {
  role: Role
  email: string | null
  domains: string[]
  rule: AppInstalls
}

/** What a person may do who installs. Role and settings cannot change until the transaction ends. */
export const lockInstaller = (workspace: string, user: string) =>
  sql<InstallerRow>`
    select u.role, u.email, s.key_management_domains as domains, s.app_installs as rule
    from users u join workspace_settings s on s.workspace_id = u.workspace_id
    join workspaces w on w.id = u.workspace_id and w.closing_at is null
    where u.workspace_id = ${workspace} and u.id = ${user} and u.kind = 'person' for share of u for update of s`

export const selectInstaller = (workspace: string, user: string) =>
  sql<InstallerRow>`
    select u.role, u.email, s.key_management_domains as domains, s.app_installs as rule
    from users u join workspace_settings s on s.workspace_id = u.workspace_id
    where u.workspace_id = ${workspace} and u.id = ${user} and u.kind = 'person'`
