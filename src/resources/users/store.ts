import { sql } from '../../kernel/db/sql.ts'

export const storePassword = (workspace: string, id: string, hash: string) => sql`
  update users set password_hash = ${hash} where workspace_id = ${workspace} and id = ${id}`

/** All sessions of a person, but the one named. */
export const endSessionsOf = (workspace: string, userId: string, but: string | null) =>
  sql<{ id: string }>`
    delete from sessions
    where workspace_id = ${workspace} and user_id = ${userId} and (${but}::uuid is null or id <> ${but}::uuid)
    returning id`

/** Links and choices that are still open: each would begin a session. */
export const dropTicketsOf = (userId: string) => sql`
  delete from sign_in_tickets where ${userId} = any(user_ids)`

/** What apps were given for a person, and can still make tokens of. What the person allowed them is remembered. */
export const endAuthorizationsOf = (workspace: string, userId: string) => sql`
  delete from oidc_records where workspace_id = ${workspace} and user_id = ${userId}`

export const lockOwners = (workspace: string, id: string) => sql`
  select 1 from users where workspace_id = ${workspace} and (role = 'owner' or id = ${id}) order by id for update`

export const storeRole = (workspace: string, id: string, role: string) => sql`
  update users set role = ${role}, updated_at = app_touch(updated_at) where workspace_id = ${workspace} and id = ${id}`

export const keysOfUser = (workspace: string, userId: string) =>
  sql<{ id: string }>`
    select id from api_keys where workspace_id = ${workspace} and user_id = ${userId} and revoked_at is null order by id`

/** Revoked keys stay in the list, as nobody's. */
export const releaseKeys = (workspace: string, userId: string) => sql`
  update api_keys set user_id = null where workspace_id = ${workspace} and user_id = ${userId}`

export const deleteUser = (workspace: string, id: string) => sql`
  delete from users where workspace_id = ${workspace} and id = ${id}`
