import type { JobAccess, Rights, Role } from '../contract/scopes.ts'
import type { SecondFactorPolicy } from '../contract/second-factor.ts'
import type { Environment } from '../kernel/access/key-format.ts'
import { type Sql, sql, touched } from '../kernel/db/sql.ts'
import { accountKey } from '../kernel/text/person-keys.ts'
import type { Factor } from '../resources/second-factors/index.ts'

/** How a session began. */
export type Method = 'password' | 'link' | 'passkey' | 'company'

export interface MemberRow extends Rights {
  id: string
  workspace_id: string
  workspace_name: string
  email: string
  first_name: string | null
  last_name: string | null
  is_verified: boolean
  photo_url: string | null
  password_hash: string | null
  /** signs in through the company's provider only, or is refused by it */
  companyOnly: boolean
}

/**
 * True for a member `u` if the workspace enforces its provider for the domain of the address, or the provider refused the
 * person. Never of owners, so that a provider that fails or is set up wrongly locks no workspace.
 */
const COMPANY_ONLY = sql`(u.role <> 'owner' and (
  exists (
    select 1 from company_identities i
    where i.workspace_id = u.workspace_id and i.user_id = u.id and i.refused_at is not null)
  or exists (
    select 1 from company_sign_in c join company_domains d on d.workspace_id = c.workspace_id
    where c.workspace_id = u.workspace_id and c.enforced and d.domain = split_part(u.email_key, '@', 2))))`

const MEMBER = sql`
  u.id, u.workspace_id, w.name as workspace_name, u.email, u.first_name, u.last_name, u.role,
  u.job_access as "jobAccess", u.is_verified,
  u.photo_url, u.password_hash, ${COMPANY_ONLY} as "companyOnly"`

/** Members of a workspace that is closed cannot sign in, and are not signed in. */
const OPEN = sql`w.closing_at is null`

/** Every membership of an email address, in any spelling, oldest first. */
export const membersByEmail = (email: string): Sql<MemberRow> =>
  sql<MemberRow>`
    select ${MEMBER} from users u join workspaces w on w.id = u.workspace_id
    where u.email_key = ${accountKey(email)} and ${OPEN} order by u.created_at, u.id limit 100`

export const membersById = (ids: readonly string[]): Sql<MemberRow> =>
  sql<MemberRow>`
    select ${MEMBER} from users u join workspaces w on w.id = u.workspace_id
    where u.id = any(${ids}::text[]) and u.email is not null and ${OPEN} order by u.created_at, u.id`

/**
 * Locks the members in one order until the transaction ends: what a proof is based on (the membership, the password,
 * the ticket) cannot change between the check and the new session.
 */
export const lockMembers = (ids: readonly string[]) =>
  sql<{ id: string; password_hash: string | null; companyOnly: boolean }>`
    select id, password_hash, ${COMPANY_ONLY} as "companyOnly" from users u where id = any(${ids}::text[])
    order by id for no key update`

/** What a company's provider said about its own session. */
export interface CompanyProof {
  /** when the person authenticated there, in seconds since 1970; null: it did not say */
  authenticatedAt: number | null
  /** the hash of its `sid`; null: it has none */
  session: string | null
}

export interface NewSession {
  tokenHash: string
  id: string
  workspaceId: string
  userId: string
  method: Method
  /** the second factor that was proved, too */
  factor: Factor | null
  company: CompanyProof | null
  address: string
  userAgent: string | null
}

/** Also updates the last sign-in. A link and the company's provider also verify the email address. */
export const insertSession = (s: NewSession) => sql`
  with seen as (
    update users set last_login_at = app_now(), is_verified = is_verified or ${s.method} in ('link', 'company'),
      updated_at = case when is_verified or ${s.method} not in ('link', 'company') then updated_at else ${touched()} end
    where workspace_id = ${s.workspaceId} and id = ${s.userId}
  )
  insert into sessions (token_hash, id, workspace_id, user_id, method, address, user_agent, factor, factor_at,
    authenticated_at, provider_session)
  values (${s.tokenHash}, ${s.id}::uuid, ${s.workspaceId}, ${s.userId}, ${s.method}, ${s.address}, ${s.userAgent},
    ${s.factor}, case when ${s.factor}::text is not null then app_now() end,
    case when ${s.company?.authenticatedAt ?? null}::float8 is not null
      then least(to_timestamp(${s.company?.authenticatedAt ?? null}::float8), app_now()) end,
    ${s.company?.session ?? null})`

export interface FoundSession {
  id: string
  workspace_id: string
  workspace_name: string
  environment: Environment
  user_id: string
  email: string | null
  first_name: string | null
  last_name: string | null
  role: Role
  job_access: JobAccess
  method: Method
  factor: Factor | null
  factor_seconds_ago: number | null
  /** The policy of the workspace. */
  second_factor: SecondFactorPolicy
  created_at: string
  age_seconds: number
  authenticated_at: string | null
  authenticated_seconds_ago: number | null
  seen_seconds_ago: number
}

/** How long the company's provider is trusted before it is asked again: a role that it took away is gone by then. */
export const COMPANY_SESSION_HOURS = 12

/**
 * When the person of a session proved who they are. A provider may have signed them in without a question, so its word
 * counts and not the begin of the session; if it gave none, only a second factor proves a time.
 */
export const AUTHENTICATED_AT = sql`
  case when s.method = 'company' then greatest(s.authenticated_at, s.factor_at) else s.created_at end`

/** Also when the rules of the company changed after a session began, the session is over. */
const alive = (idleSeconds: number, lifetimeSeconds: number) => sql`
  s.last_seen_at > app_now() - ${idleSeconds}::integer * interval '1 second'
  and s.created_at > app_now() - ${lifetimeSeconds}::integer * interval '1 second'
  and case when s.method = 'company' then s.created_at > app_now() - ${COMPANY_SESSION_HOURS}::integer * interval '1 hour'
    else not ${COMPANY_ONLY} end`

export const sessionByHash = (hash: string, idleSeconds: number, lifetimeSeconds: number): Sql<FoundSession> =>
  sql<FoundSession>`
    select s.id, s.workspace_id, w.name as workspace_name, w.environment, s.user_id, u.email, u.first_name, u.last_name, u.role,
      u.job_access, s.method, s.created_at, extract(epoch from app_now() - s.created_at)::float8 as age_seconds,
      ${AUTHENTICATED_AT} as authenticated_at,
      extract(epoch from app_now() - ${AUTHENTICATED_AT})::float8 as authenticated_seconds_ago,
      extract(epoch from app_now() - s.last_seen_at)::float8 as seen_seconds_ago, s.factor,
      extract(epoch from app_now() - s.factor_at)::float8 as factor_seconds_ago, ws.second_factor
    from sessions s
    join users u on u.workspace_id = s.workspace_id and u.id = s.user_id
    join workspaces w on w.id = s.workspace_id
    join workspace_settings ws on ws.workspace_id = s.workspace_id
    where s.token_hash = ${hash} and ${OPEN} and ${alive(idleSeconds, lifetimeSeconds)}`

export const markSeen = (hash: string) => sql`
  update sessions set last_seen_at = app_now() where token_hash = ${hash} and last_seen_at < app_now()`

export interface SessionRow {
  id: string
  user_id: string
  method: Method
  factor: Factor | null
  address: string
  user_agent: string | null
  created_at: string
  last_seen_at: string
}

export const selectSessions = (
  workspace: string,
  userId: string,
  idleSeconds: number,
  lifetimeSeconds: number,
): Sql<SessionRow> =>
  sql<SessionRow>`
    select s.id, s.user_id, s.method, s.factor, s.address, s.user_agent, s.created_at, s.last_seen_at from sessions s
    join users u on u.workspace_id = s.workspace_id and u.id = s.user_id
    where s.workspace_id = ${workspace} and s.user_id = ${userId} and ${alive(idleSeconds, lifetimeSeconds)}
    order by s.last_seen_at desc, s.id`

export const deleteSession = (workspace: string, userId: string, id: string) =>
  sql<{ id: string }>`
    delete from sessions where workspace_id = ${workspace} and user_id = ${userId} and id = ${id}::uuid returning id`

export type TicketKind = 'link' | 'choice' | 'factor'

export interface NewTicket {
  tokenHash: string
  kind: TicketKind
  userIds: readonly string[]
  method: Method
  /** the provider's session, of a sign-in through a company */
  providerSession?: string | null
  seconds: number
}

export const insertTicket = (t: NewTicket) => sql`
  insert into sign_in_tickets (token_hash, kind, user_ids, method, provider_session, expires_at)
  values (${t.tokenHash}, ${t.kind}, ${t.userIds}::text[], ${t.method}, ${t.providerSession ?? null},
    app_now() + ${t.seconds}::integer * interval '1 second')`

interface TicketRow {
  user_ids: string[]
  method: Method
  provider_session: string | null
}

export const ticketByHash = (hash: string, kind: TicketKind): Sql<TicketRow> =>
  sql<TicketRow>`
    select user_ids, method, provider_session from sign_in_tickets
    where token_hash = ${hash} and kind = ${kind} and expires_at > app_now()`

/** Uses a ticket by deleting it. Of two concurrent calls only one gets the row. */
export const consumeTicket = (hash: string, kind: TicketKind): Sql<TicketRow> =>
  sql<TicketRow>`
    delete from sign_in_tickets where token_hash = ${hash} and kind = ${kind} and expires_at > app_now()
    returning user_ids, method, provider_session`
