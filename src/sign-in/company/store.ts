import { type Sql, sql } from '../../kernel/db/sql.ts'

export type FlowPurpose = 'sign_in' | 'test'

export interface NewFlow {
  tokenHash: string
  workspaceId: string
  purpose: FlowPurpose
  version: number
  returnTo: string | null
  /** the provider has to authenticate the person again */
  again: boolean
  seconds: number
}

export const insertFlow = (f: NewFlow) => sql`
  insert into company_sign_in_flows (token_hash, workspace_id, purpose, version, return_to, authenticate_since, expires_at)
  values (${f.tokenHash}, ${f.workspaceId}, ${f.purpose}, ${f.version}, ${f.returnTo},
    case when ${f.again} then app_now() end,
    app_now() + ${f.seconds}::integer * interval '1 second')`

export interface FlowRow {
  purpose: FlowPurpose
  version: number
  return_to: string | null
  /** seconds since 1970 after which the person has to have authenticated; null: at any time */
  authenticate_since: number | null
  /** when the person was sent to the provider, in seconds since 1970 */
  began_at: number
}

/** Uses a flow by deleting it. Of two concurrent calls only one gets the row. */
export const consumeFlow = (workspace: string, hash: string, seconds: number): Sql<FlowRow> =>
  sql<FlowRow>`
    delete from company_sign_in_flows
    where workspace_id = ${workspace} and token_hash = ${hash} and expires_at > app_now()
    returning purpose, version, return_to, extract(epoch from authenticate_since)::float8 as authenticate_since,
      extract(epoch from expires_at)::float8 - ${seconds}::integer as began_at`

/** Sign-ins of a workspace one after the other, and none while its settings change, or after it was closed. */
export const lockSettings = (workspace: string) =>
  sql<{ version: number; enabled: boolean }>`
    select c.version, c.enabled from company_sign_in c join workspaces w on w.id = c.workspace_id
    where c.workspace_id = ${workspace} and w.closing_at is null for no key update of c`

/** None if the provider's token was used before. */
export const useLogoutToken = (workspace: string, hash: string, seconds: number) =>
  sql<{ token_hash: string }>`
    insert into company_logout_tokens (workspace_id, token_hash, expires_at)
    values (${workspace}, ${hash}, app_now() + ${seconds}::integer * interval '1 second')
    on conflict do nothing returning token_hash`

/** Whom a logout token signed out: a row for each, in addition to that of the token itself. */
export const insertSignedOut = (workspace: string, keys: readonly string[], seconds: number) => sql`
  insert into company_logout_tokens (workspace_id, token_hash, expires_at)
  select ${workspace}, key, app_now() + ${seconds}::integer * interval '1 second' from unnest(${keys}::text[]) key
  on conflict (workspace_id, token_hash) do update set expires_at = excluded.expires_at`

/** A row if one of them was signed out since. */
export const signedOutSince = (workspace: string, keys: readonly string[], since: number, seconds: number) =>
  sql<{ token_hash: string }>`
    select token_hash from company_logout_tokens
    where workspace_id = ${workspace} and token_hash = any(${keys}::text[])
      and expires_at >= to_timestamp(${since}::float8)::timestamptz(3) + ${seconds}::integer * interval '1 second'
    limit 1`

/**
 * Ends the sessions that began at the provider: of its session, of a person, or of both. Where the provider did not name
 * its session in the sign-in, the person is enough.
 */
export const endProvidedSessions = (workspace: string, subject: string | null, session: string | null) => sql`
  delete from sessions s where workspace_id = ${workspace} and method = 'company'
    and ${ofProvider(workspace, subject, session, sql`s.user_id`, sql`s.provider_session`)}`

/** Ends sign-ins that wait for a second factor. */
export const endProvidedTickets = (workspace: string, subject: string | null, session: string | null) => sql`
  delete from sign_in_tickets t using users u
  where t.method = 'company' and u.workspace_id = ${workspace} and t.user_ids = array[u.id::text]
    and ${ofProvider(workspace, subject, session, sql`u.id`, sql`t.provider_session`)}`

const ofProvider = (workspace: string, subject: string | null, session: string | null, user: Sql, sid: Sql): Sql => sql`
  (${subject}::text is null or ${user} in (
    select user_id from company_identities where workspace_id = ${workspace} and subject = ${subject}))
  and (${session}::text is null or ${sid} = ${session} or (${subject}::text is not null and ${sid} is null))`
