import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Factor, SignInChange } from './rules.ts'

/** A member of a workspace. */
export interface FactorOwner {
  workspace: string
  user: string
}

interface AppRow {
  secret_sealed: Buffer
  confirmed_at: string | null
  /** since the setup began */
  age_seconds: number
}

export const authenticatorApp = ({ workspace, user }: FactorOwner): Sql<AppRow> =>
  sql<AppRow>`
    select secret_sealed, confirmed_at, extract(epoch from app_now() - created_at)::float8 as age_seconds
    from authenticator_apps where workspace_id = ${workspace} and user_id = ${user}`

/** An app that is being set up is replaced; one that is in use is not. */
export const insertAuthenticatorApp = ({ workspace, user }: FactorOwner, sealed: Buffer) => sql`
  insert into authenticator_apps as a (workspace_id, user_id, secret_sealed) values (${workspace}, ${user}, ${sealed})
  on conflict (workspace_id, user_id) do update set secret_sealed = excluded.secret_sealed, created_at = app_now()
  where a.confirmed_at is null`

export const confirmApp = ({ workspace, user }: FactorOwner, step: number) =>
  sql<{ user_id: string }>`
    update authenticator_apps set confirmed_at = app_now(), last_step = ${step}::bigint
    where workspace_id = ${workspace} and user_id = ${user} and confirmed_at is null returning user_id`

/** Uses up the code of a time step, and of all before it. Of two concurrent calls only one gets the row. */
export const useStep = ({ workspace, user }: FactorOwner, step: number) =>
  sql<{ user_id: string }>`
    update authenticator_apps set last_step = ${step}::bigint
    where workspace_id = ${workspace} and user_id = ${user} and confirmed_at is not null and last_step < ${step}::bigint
    returning user_id`

export const deleteApp = ({ workspace, user }: FactorOwner) =>
  sql<{ confirmed: boolean }>`
    delete from authenticator_apps where workspace_id = ${workspace} and user_id = ${user}
    returning confirmed_at is not null as confirmed`

export const insertRecoveryCodes = ({ workspace, user }: FactorOwner, hashes: readonly string[]) => sql`
  insert into recovery_codes (workspace_id, user_id, code_hash)
  select ${workspace}, ${user}, unnest(${hashes}::text[])`

/** Uses a code by deleting it. Of two concurrent calls only one gets the row. */
export const useRecoveryCode = ({ workspace, user }: FactorOwner, hash: string) =>
  sql<{ code_hash: string }>`
    delete from recovery_codes where workspace_id = ${workspace} and user_id = ${user} and code_hash = ${hash}
    returning code_hash`

export const deleteRecoveryCodes = ({ workspace, user }: FactorOwner) => sql`
  delete from recovery_codes where workspace_id = ${workspace} and user_id = ${user}`

export const deletePasskeys = ({ workspace, user }: FactorOwner) => sql`
  delete from passkeys where workspace_id = ${workspace} and user_id = ${user}`

export interface FactorsRow {
  /** since when an authenticator app is in use */
  app_since: string | null
  recovery_codes: number
  passkeys: number
}

export const factorsRow = ({ workspace, user }: FactorOwner): Sql<FactorsRow> =>
  sql<FactorsRow>`
    select
      (select confirmed_at from authenticator_apps where workspace_id = ${workspace} and user_id = ${user}) as app_since,
      (select count(*)::integer from recovery_codes where workspace_id = ${workspace} and user_id = ${user}) as recovery_codes,
      (select count(*)::integer from passkeys where workspace_id = ${workspace} and user_id = ${user}) as passkeys`

/** The members of a workspace who have a second factor. */
export const membersWithFactor = (workspace: string) =>
  sql<{ user_id: string }>`
    select user_id from authenticator_apps where workspace_id = ${workspace} and confirmed_at is not null
    union select user_id from passkeys where workspace_id = ${workspace}`

/** Held until the transaction ends: two changes of one member's factors follow each other. */
export const lockFactorOwner = ({ workspace, user }: FactorOwner) =>
  sql<{ id: string }>`
    select id from users where workspace_id = ${workspace} and id = ${user} for no key update`

/** The session has proved a factor now. */
export const markSessionProved = ({ workspace, user }: FactorOwner, session: string, factor: Factor) => sql`
  update sessions set factor = ${factor}, factor_at = app_now()
  where workspace_id = ${workspace} and user_id = ${user} and id = ${session}::uuid`

/** What the sessions of a member have proved, with this kind of factor or with any, does not exist any more. */
export const forgetProved = ({ workspace, user }: FactorOwner, factor: Factor | null) => sql`
  update sessions set factor = null, factor_at = null
  where workspace_id = ${workspace} and user_id = ${user} and (${factor}::text is null or factor = ${factor})`

export const insertChange = (workspace: string, change: SignInChange, user: string | null, by: string | null) => sql`
  insert into sign_in_changes (workspace_id, change, user_id, by_user)
  values (${workspace}, ${change}, ${user}, ${by})`

export interface ChangeRow {
  change: SignInChange
  user_id: string | null
  by_user: string | null
  at: string
}

/** Newest first; of one member, or of the whole workspace. */
export const selectSignInChanges = (workspace: string, user: string | null, limit: number): Sql<ChangeRow> =>
  sql<ChangeRow>`
    select change, user_id, by_user, at from sign_in_changes
    where workspace_id = ${workspace} and (${user}::text is null or user_id = ${user}) order by id desc limit ${limit}`
