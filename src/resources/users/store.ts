import type { JobAccess } from '../../contract/scopes.ts'
import { IS_LIMITED } from '../../kernel/access/reach.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { accountKey } from '../../kernel/text/person-keys.ts'
import type { userShape } from './shape.ts'

type UserRow = Row<typeof userShape>

const USER = sql`id, workspace_id, email, first_name, last_name, is_verified, role, photo_url, created_at, updated_at, last_login_at`

export const usersOf = (workspace: string): Sql<UserRow> =>
  sql<UserRow>`select ${USER} from users where workspace_id = ${workspace} order by created_at, id`

export const userById = (workspace: string, id: string): Sql<UserRow> =>
  sql<UserRow>`select ${USER} from users where workspace_id = ${workspace} and id = ${id}`

export const userByEmail = (workspace: string, email: string): Sql<UserRow> =>
  sql<UserRow>`
    select ${USER} from users where workspace_id = ${workspace} and email_key = ${accountKey(email)}
    order by email_key_rank limit 1`

export interface InsertUser {
  workspace: string
  id: string
  email: string
  role: string
  jobAccess: JobAccess
  firstName: string | null
  lastName: string | null
  passwordHash: string | null
}

export const insertUser = (u: InsertUser) => sql`
  insert into users (workspace_id, id, email, email_key, role, job_access, first_name, last_name, password_hash)
  values (${u.workspace}, ${u.id}, ${u.email}, ${accountKey(u.email)}, ${u.role}, ${u.jobAccess}, ${u.firstName},
    ${u.lastName}, ${u.passwordHash})`

export const storePassword = (workspace: string, id: string, hash: string) => sql`
  update users set password_hash = ${hash} where workspace_id = ${workspace} and id = ${id}`

/** All sessions of a user, except the given one. */
export const endSessionsOf = (workspace: string, userId: string, but: string | null) =>
  sql<{ id: string }>`
    delete from sessions
    where workspace_id = ${workspace} and user_id = ${userId} and (${but}::uuid is null or id <> ${but}::uuid)
    returning id`

/** Open links and choices: each could start a session. */
export const dropTicketsOf = (userId: string) => sql`
  delete from sign_in_tickets where ${userId} = any(user_ids)`

/** The authorizations from which apps could still get tokens. The consents of the user stay. */
export const endAuthorizationsOf = (workspace: string, userId: string) => sql`
  delete from oidc_records where workspace_id = ${workspace} and user_id = ${userId}`

export const lockOwners = (workspace: string, id: string) => sql`
  select 1 from users where workspace_id = ${workspace} and (role = 'owner' or id = ${id}) order by id for update`

export const storeRole = (workspace: string, id: string, role: string) => sql`
  update users set role = ${role}, updated_at = app_touch(updated_at) where workspace_id = ${workspace} and id = ${id}`

export const storeJobAccess = (workspace: string, id: string, access: JobAccess) => sql`
  update users set job_access = ${access} where workspace_id = ${workspace} and id = ${id}`

/** For whom 'team' is stored, whether it limits them now, and on the teams of how many jobs they are. */
export const limitedUsers = (workspace: string) =>
  sql<{ id: string; limited: boolean; jobs: number }>`
    select u.id, ${IS_LIMITED} as limited, count(t.job_id)::integer as jobs
    from users u left join job_team t on t.workspace_id = u.workspace_id and t.user_id = u.id
    where u.workspace_id = ${workspace} and u.job_access = 'team' group by u.workspace_id, u.id`

export const keysOfUser = (workspace: string, userId: string) =>
  sql<{ id: string }>`
    select id from api_keys where workspace_id = ${workspace} and user_id = ${userId} and revoked_at is null order by id`

/** Revoked keys stay in the list, without an owner. */
export const releaseKeys = (workspace: string, userId: string) => sql`
  update api_keys set user_id = null where workspace_id = ${workspace} and user_id = ${userId}`

export const deleteUser = (workspace: string, id: string) => sql`
  delete from users where workspace_id = ${workspace} and id = ${id}`
