import type { Role } from '../../contract/scopes.ts'
import { type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { accountKey } from '../../kernel/text/person-keys.ts'
import type { ClaimRole, RoleRule } from './rules.ts'

export interface CompanySignInRow {
  workspace_id: string
  workspace_name: string
  issuer: string
  client_id: string
  client_secret_sealed: Buffer
  domains: string[]
  enabled: boolean
  enforced: boolean
  creates_members: boolean
  trusts_email: boolean
  role_claim: string | null
  role_rules: RoleRule[]
  default_role: ClaimRole | null
  /** who signs out here also signs out at the provider */
  ends_provider_session: boolean
  version: number
  updated_at: string
}

const COMPANY = sql`
  c.workspace_id, w.name as workspace_name, c.issuer, c.client_id, c.client_secret_sealed,
  array(select d.domain from company_domains d where d.workspace_id = c.workspace_id order by d.domain) as domains,
  c.enabled, c.enforced, c.creates_members, c.trusts_email, c.role_claim, c.role_rules, c.default_role,
  c.ends_provider_session, c.version,
  c.updated_at`

/** The settings of a workspace; none if it has no provider. */
export const selectCompanySignIn = (workspace: string): Sql<CompanySignInRow> =>
  sql<CompanySignInRow>`
    select ${COMPANY} from company_sign_in c join workspaces w on w.id = c.workspace_id
    where c.workspace_id = ${workspace}`

/** The same, for people who sign in: none of a workspace that is closed. */
export const openCompanySignIn = (workspace: string): Sql<CompanySignInRow> =>
  sql<CompanySignInRow>`
    select ${COMPANY} from company_sign_in c join workspaces w on w.id = c.workspace_id
    where c.workspace_id = ${workspace} and w.closing_at is null`

/** The settings to which an email domain leads, where they are in use. */
export const companySignInAt = (domain: string): Sql<CompanySignInRow> =>
  sql<CompanySignInRow>`
    select ${COMPANY} from company_domains d
    join company_sign_in c on c.workspace_id = d.workspace_id
    join workspaces w on w.id = c.workspace_id
    where d.domain = ${domain} and c.enabled and w.closing_at is null`

/** Whether any workspace of the installation uses it. */
export const anyCompanySignIn = () =>
  sql<{ any: boolean }>`select exists (select 1 from company_sign_in where enabled) as any`

/** The workspace, so that two first settings cannot be stored at the same time. */
export const lockForCompanySignIn = (workspace: string) =>
  sql<{ id: string }>`select id from workspaces where id = ${workspace} for no key update`

export type StoredProviderSettings = Omit<
  CompanySignInRow,
  'workspace_id' | 'workspace_name' | 'domains' | 'version' | 'updated_at'
>

export const storeCompanySignIn = (workspace: string, s: StoredProviderSettings) => sql`
  insert into company_sign_in as c (workspace_id, issuer, client_id, client_secret_sealed, enabled, enforced, creates_members,
    trusts_email, role_claim, role_rules, default_role, ends_provider_session)
  values (${workspace}, ${s.issuer}, ${s.client_id}, ${s.client_secret_sealed}, ${s.enabled}, ${s.enforced},
    ${s.creates_members}, ${s.trusts_email}, ${s.role_claim}, ${JSON.stringify(s.role_rules)}::jsonb, ${s.default_role},
    ${s.ends_provider_session})
  on conflict (workspace_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
    client_secret_sealed = excluded.client_secret_sealed, enabled = excluded.enabled, enforced = excluded.enforced,
    creates_members = excluded.creates_members, trusts_email = excluded.trusts_email, role_claim = excluded.role_claim,
    role_rules = excluded.role_rules, default_role = excluded.default_role,
    ends_provider_session = excluded.ends_provider_session, version = c.version + 1,
    updated_at = ${touched('c.updated_at')}`

export const deleteCompanySignIn = (workspace: string) =>
  sql<{ workspace_id: string }>`delete from company_sign_in where workspace_id = ${workspace} returning workspace_id`

export const dropDomains = (workspace: string, but: readonly string[]) => sql`
  delete from company_domains where workspace_id = ${workspace} and domain <> all(${but}::text[])`

/** Returns those that the workspace has now: the others belong to another one. */
export const addDomains = (workspace: string, domains: readonly string[]) =>
  sql<{ domain: string }>`
    insert into company_domains as d (domain, workspace_id) select unnest(${domains}::text[]), ${workspace}
    on conflict (domain) do update set workspace_id = d.workspace_id where d.workspace_id = ${workspace}
    returning domain`

/** Members who may sign in through the provider only, while it is enforced. */
const boundToProvider = (workspace: string) => sql`
  select u.id from users u
  join company_sign_in c on c.workspace_id = u.workspace_id and c.enforced
  join company_domains d on d.workspace_id = u.workspace_id and d.domain = split_part(u.email_key, '@', 2)
  where u.workspace_id = ${workspace} and u.role <> 'owner'`

/** Ends the sessions that began in another way, and returns how many. */
export const endOtherSessions = (workspace: string) =>
  sql<{ id: string }>`
    delete from sessions where workspace_id = ${workspace} and method <> 'company'
      and user_id in (${boundToProvider(workspace)})
    returning id`

/** Ends the sessions that the provider vouched for, and the sign-ins that wait for a second factor. */
export const endCompanySessions = (workspace: string) => sql`
  with ended as (delete from sessions where workspace_id = ${workspace} and method = 'company')
  delete from sign_in_tickets
  where method = 'company' and user_ids && array(select id::text from users where workspace_id = ${workspace})`

export interface LinkedMember {
  id: string
  email: string
  role: Role
  subject: string | null
  refused_at: string | null
}

const MEMBER = sql`u.id, u.email, u.role, i.subject, i.refused_at`

/** Locked, so that a member who is made an owner at this moment keeps that role. */
export const memberBySubject = (workspace: string, subject: string): Sql<LinkedMember> =>
  sql<LinkedMember>`
    select ${MEMBER} from company_identities i
    join users u on u.workspace_id = i.workspace_id and u.id = i.user_id
    where i.workspace_id = ${workspace} and i.subject = ${subject} for no key update of u`

/** Several only for members that were added under different spellings of one address. */
export const membersAt = (workspace: string, email: string): Sql<LinkedMember> =>
  sql<LinkedMember>`
    select ${MEMBER} from users u
    left join company_identities i on i.workspace_id = u.workspace_id and i.user_id = u.id
    where u.workspace_id = ${workspace} and u.email_key = ${accountKey(email)} order by u.email_key_rank
    for no key update of u`

export const insertIdentity = (workspace: string, userId: string, subject: string) => sql`
  insert into company_identities (workspace_id, user_id, subject) values (${workspace}, ${userId}, ${subject})`

export const setRefused = (workspace: string, userId: string, refused: boolean) => sql`
  update company_identities set refused_at = case when ${refused} then coalesce(refused_at, app_now()) end
  where workspace_id = ${workspace} and user_id = ${userId}`

export const deleteIdentity = (workspace: string, userId: string) =>
  sql<{ user_id: string }>`
    delete from company_identities where workspace_id = ${workspace} and user_id = ${userId} returning user_id`

/** With the provider go the accounts there. Returns whose access was refused: it is no longer. */
export const deleteIdentities = (workspace: string) =>
  sql<{ user_id: string; refused: boolean }>`
    delete from company_identities where workspace_id = ${workspace}
    returning user_id, refused_at is not null as refused`

/** Members with an account at the provider. */
export const selectCompanyIdentities = (workspace: string) =>
  sql<{ user_id: string; linked_at: string; refused_at: string | null }>`
    select user_id, linked_at, refused_at from company_identities where workspace_id = ${workspace}
    order by linked_at desc, user_id limit 500`

export interface SignInLogRow {
  id: number
  at: string
  event: string
  user_id: string | null
  actor_id: string | null
  detail: Record<string, unknown>
}

export const insertLog = (workspace: string, row: Omit<SignInLogRow, 'id' | 'at'>) => sql`
  insert into company_sign_in_log (workspace_id, event, user_id, actor_id, detail)
  values (${workspace}, ${row.event}, ${row.user_id}, ${row.actor_id}, ${JSON.stringify(row.detail)}::jsonb)`

/** Anyone can cause failures, so only the newest are stored; changes stay. */
export const trimFailures = (workspace: string, most: number) => sql`
  delete from company_sign_in_log where workspace_id = ${workspace} and event = 'failed' and id <= (
    select id from company_sign_in_log where workspace_id = ${workspace} and event = 'failed'
    order by id desc offset ${most}::integer limit 1)`

export const signInLog = (workspace: string, most: number) =>
  sql<SignInLogRow>`
    select id, at, event, user_id, actor_id, detail from company_sign_in_log where workspace_id = ${workspace}
    order by id desc limit ${most}::integer`
