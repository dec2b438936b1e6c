import type { JobAccess } from '../../contract/scopes.ts'
import { IS_LIMITED } from '../../kernel/access/reach.ts'
import { type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { accountKey } from '../../kernel/text/person-keys.ts'
import type { userShape } from './shape.ts'

type UserRow = Row<typeof userShape>

const USER = sql`id, workspace_id, email, first_name, last_name, is_verified, role, kind, photo_url, created_at, updated_at, last_login_at`

export const selectUsers = (workspace: string): Sql<UserRow> =>
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
export const endUserSessions = (workspace: string, userId: string, but: string | null) =>
  sql<{ id: string }>`
    delete from sessions
    where workspace_id = ${workspace} and user_id = ${userId} and (${but}::uuid is null or id <> ${but}::uuid)
    returning id`

/** Open links and choices: each could start a session. */
export const dropUserTickets = (userId: string) => sql`
  delete from sign_in_tickets where ${userId} = any(user_ids)`

/** The authorizations from which apps could still get tokens. The consents of the user stay. */
export const endUserAuthorizations = (workspace: string, userId: string) => sql`
  delete from oidc_records where workspace_id = ${workspace} and user_id = ${userId}`

export const lockOwners = (workspace: string, id: string) => sql`
  select 1 from users where workspace_id = ${workspace} and (role = 'owner' or id = ${id}) order by id for update`

export const storeRole = (workspace: string, id: string, role: string) => sql`
  update users set role = ${role}, updated_at = ${touched()} where workspace_id = ${workspace} and id = ${id}`

export const storeJobAccess = (workspace: string, id: string, access: JobAccess) => sql`
  update users set job_access = ${access} where workspace_id = ${workspace} and id = ${id}`

/** For whom 'team' is stored, and whether it limits them now. */
export const teamUsers = (workspace: string) =>
  sql<{ id: string; limited: boolean }>`
    select u.id, ${IS_LIMITED} as limited from users u where u.workspace_id = ${workspace} and u.job_access = 'team'`

/** On the teams of how many jobs each of the users is; no row for who is on none. */
export const countTeams = (workspace: string, users: readonly string[]) =>
  sql<{ user_id: string; jobs: number }>`
    select user_id, count(*)::integer as jobs from job_team
    where workspace_id = ${workspace} and user_id = any(${users}::text[]) group by user_id`

export const keysOfUser = (workspace: string, userId: string) =>
  sql<{ id: string }>`
    select id from api_keys where workspace_id = ${workspace} and user_id = ${userId} and revoked_at is null order by id`

/** Revoked keys stay in the list, without an owner. */
export const releaseKeys = (workspace: string, userId: string) => sql`
  update api_keys set user_id = null where workspace_id = ${workspace} and user_id = ${userId}`

/**
 * What exists for a member only. Views that they shared stay. On PostgreSQL foreign keys delete it, too; in a cluster these tables are not where the
 * members are.
 */
export const deleteTraces = (workspace: string, id: string): readonly Sql[] => [
  sql`delete from job_team where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from job_visits where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from saved_views where workspace_id = ${workspace} and user_id = ${id} and not shared`,
  sql`update saved_views set user_id = null where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from note_mentions where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from rejection_habits where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from scorecard_requests where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from scorecard_drafts where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from interview_people where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from task_states where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from member_hours where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from member_calendars where workspace_id = ${workspace} and user_id = ${id}`,
  sql`delete from team_mails where workspace_id = ${workspace} and user_id = ${id}`,
]

export const deleteUser = (workspace: string, id: string) => sql`
  delete from users where workspace_id = ${workspace} and id = ${id}`
