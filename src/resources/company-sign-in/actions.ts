import { randomUUID } from 'node:crypto'
import type { Role } from '../../contract/scopes.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import type { Mailer } from '../../kernel/mail/mail.ts'
import type { ResolveTxt } from '../../kernel/net/resolve-name.ts'
import type { SealedColumn } from '../../kernel/services/sealed-columns.ts'
import { shownName } from '../../kernel/text/names.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { followRights } from '../keys/index.ts'
import { addUser, changeRoleIn, endAccess } from '../users/index.ts'
import { requireWorkspace } from '../workspaces/index.ts'
import type { SignInFailure } from './failure-rules.ts'
import {
  type ClaimRole,
  checkedClientId,
  checkedDomains,
  checkedIssuer,
  checkedRoles,
  checkedSecret,
  emailDomainOf,
  firstRole,
  nextRole,
  roleByClaims,
  SettingFault,
} from './rules.ts'
import {
  addDomains,
  type CompanySignInRow,
  deleteCompanySignIn,
  deleteIdentities,
  deleteIdentity,
  dropDomains,
  endCompanySessions,
  endOtherSessions,
  insertIdentity,
  insertLog,
  type LinkedMember,
  lockForCompanySignIn,
  memberBySubject,
  membersAt,
  selectCompanySignIn,
  setRefused,
  signInLog,
  storeCompanySignIn,
  trimFailures,
} from './store.ts'

/** What an owner or the operator may change. What is not given stays. */
export interface CompanySignInInput {
  issuer?: string
  client_id?: string
  client_secret?: string
  domains?: readonly string[]
  enabled?: boolean
  enforced?: boolean
  creates_members?: boolean
  trusts_email?: boolean
  role_claim?: string | null
  role_rules?: readonly { value: string; role: string }[]
  default_role?: string | null
  ends_provider_session?: boolean
}

/** Who changes the settings. The operator may add any domain, an owner those that are proved by a DNS record. */
export type ChangedBy = 'operator' | { user: string; proved: readonly string[] }

const RECORD = 'hiring-verification='
const recordContext = (workspace: string) => `company domains ${workspace}`

/** The TXT record with which a domain names the workspace that may have its people sent to a provider. */
export const domainRecord = (keyring: Keyring, workspace: string): string =>
  RECORD + keyring.signText('session', recordContext(workspace), 18)

/** Those of the domains that have the record of the workspace. What is not a domain is left to the check of the settings. */
export async function provedDomains(
  { keyring, resolveTxt }: { keyring: Keyring; resolveTxt: ResolveTxt },
  workspace: string,
  domains: readonly string[],
): Promise<string[]> {
  const proves = (record: string) =>
    record.startsWith(RECORD) &&
    keyring.verifyText('session', recordContext(workspace), record.slice(RECORD.length), 18)
  const records = await Promise.all(domains.map(domain => resolveTxt(domain)))
  return domains.filter((_, index) => records[index]?.some(proves))
}

const secretContext = (workspace: string) => `company sign-in ${workspace}`

export const companySealedColumns: readonly SealedColumn[] = [
  {
    table: 'company_sign_in',
    column: 'client_secret_sealed',
    identifiedBy: ['workspace_id'],
    context: row => secretContext(String(row['workspace_id'])),
  },
]

export const unsealClientSecret = (
  keyring: Keyring,
  row: Pick<CompanySignInRow, 'workspace_id' | 'client_secret_sealed'>,
): string => keyring.unseal(row.client_secret_sealed, secretContext(row.workspace_id)).toString()

const LOGGED = [
  'issuer',
  'client_id',
  'domains',
  'enabled',
  'enforced',
  'creates_members',
  'trusts_email',
  'role_claim',
  'role_rules',
  'default_role',
  'ends_provider_session',
] as const

/** Takes effect with the next sign-in; a sign-in that is at the provider now has to start again. */
export function changeCompanySignIn(
  db: Database,
  keyring: Keyring,
  workspace: string,
  input: CompanySignInInput,
  by: ChangedBy,
): Promise<CompanySignInRow> {
  return db.transaction(async tx => {
    await requireWorkspace(tx, workspace)
    await tx.query(lockForCompanySignIn(workspace))
    const now = await tx.one(selectCompanySignIn(workspace))
    const next = checkedSettings(keyring, workspace, now, input)
    const domains = input.domains === undefined ? (now?.domains ?? []) : checkedDomains(input.domains)
    const added = domains.filter(domain => !now?.domains.includes(domain))
    if (by !== 'operator') requireProved(added, by.proved, domainRecord(keyring, workspace))
    if (next.enabled && domains.length === 0)
      throw new SettingFault('domains', 'list at least one email domain before you turn this on')
    if (next.enforced && !next.enabled) throw new SettingFault('enforced', 'turn company sign-in on first')
    await tx.query(storeCompanySignIn(workspace, next))
    await tx.query(dropDomains(workspace, domains))
    const owned = (await tx.query(addDomains(workspace, domains))).map(row => row.domain)
    const taken = domains.filter(domain => !owned.includes(domain))
    if (taken.length > 0)
      throw new SettingFault('domains', `another workspace of this installation uses ${taken.join(', ')}`)
    // subjects are names inside one issuer, so with another one they could belong to anyone
    if (now && now.issuer !== next.issuer) await forgetAccounts(tx, workspace)
    if (now && isNoLongerTrusted(now, next)) await tx.query(endCompanySessions(workspace))
    const stored = await tx.only(selectCompanySignIn(workspace))
    if (stored.enforced) await tx.query(endOtherSessions(workspace))
    await logChange(tx, now, stored, input.client_secret !== undefined, by)
    return stored
  })
}

/** Sessions are based on what this provider said to this client: without it, or with another one, they end. */
const isNoLongerTrusted = (
  now: CompanySignInRow,
  next: Pick<CompanySignInRow, 'enabled' | 'issuer' | 'client_id'>,
): boolean => (now.enabled && !next.enabled) || now.issuer !== next.issuer || now.client_id !== next.client_id

function checkedSettings(
  keyring: Keyring,
  workspace: string,
  now: CompanySignInRow | undefined,
  input: CompanySignInInput,
) {
  const issuer = input.issuer === undefined ? now?.issuer : checkedIssuer(input.issuer)
  const clientId = input.client_id === undefined ? now?.client_id : checkedClientId(input.client_id)
  const secret = input.client_secret === undefined ? undefined : checkedSecret(input.client_secret)
  if (issuer === undefined) throw new SettingFault('issuer', 'the issuer is required')
  if (clientId === undefined) throw new SettingFault('client_id', 'the client ID is required')
  // with the old secret, a new issuer would be sent a credential of another one
  const known = now?.issuer === issuer ? now.client_secret_sealed : undefined
  const sealed = secret === undefined ? known : keyring.seal(Buffer.from(secret), secretContext(workspace))
  if (sealed === undefined) throw new SettingFault('client_secret', 'enter the client secret of this issuer')
  return {
    issuer,
    client_id: clientId,
    client_secret_sealed: sealed,
    enabled: input.enabled ?? now?.enabled ?? false,
    enforced: input.enforced ?? now?.enforced ?? false,
    creates_members: input.creates_members ?? now?.creates_members ?? false,
    trusts_email: input.trusts_email ?? now?.trusts_email ?? false,
    ends_provider_session: input.ends_provider_session ?? now?.ends_provider_session ?? false,
    ...(checkedRoles({
      role_claim: input.role_claim === undefined ? (now?.role_claim ?? null) : input.role_claim,
      role_rules: input.role_rules ?? now?.role_rules ?? [],
      default_role: input.default_role === undefined ? (now?.default_role ?? null) : input.default_role,
    }) as Pick<CompanySignInRow, 'role_claim' | 'role_rules' | 'default_role'>),
  }
}

/** A domain decides where everyone with an address in it is sent, so an owner can add only what is their company's. */
function requireProved(added: readonly string[], proved: readonly string[], record: string): void {
  const open = added.filter(domain => !proved.includes(domain))
  if (open.length === 0) return
  throw new SettingFault(
    'domains',
    `add the DNS record TXT "${record}" at ${open.join(', ')} and save again, or ask the operator of the service to add the domain`,
  )
}

async function logChange(
  tx: Transaction,
  before: CompanySignInRow | undefined,
  after: CompanySignInRow,
  newSecret: boolean,
  by: ChangedBy,
): Promise<void> {
  const same = (name: (typeof LOGGED)[number]) => JSON.stringify(before?.[name]) === JSON.stringify(after[name])
  const changed = Object.fromEntries(LOGGED.filter(name => !same(name)).map(name => [name, after[name]]))
  const detail = { ...changed, ...(newSecret ? { client_secret: 'replaced' } : {}) }
  await log(tx, after.workspace_id, 'changed', { actor: by, detail })
}

const log = (
  tx: Queryable,
  workspace: string,
  event: 'changed' | 'removed' | 'linked' | 'created' | 'role_changed' | 'refused' | 'restored' | 'disconnected',
  about: { actor?: ChangedBy; user?: string; detail?: Record<string, unknown> } = {},
) =>
  tx.query(
    insertLog(workspace, {
      event,
      user_id: about.user ?? null,
      actor_id: about.actor === undefined || about.actor === 'operator' ? null : about.actor.user,
      detail: { ...(about.actor === 'operator' ? { by: 'operator' } : {}), ...about.detail },
    }),
  )

/** Members sign in with passwords and emailed links again. */
export function removeCompanySignIn(db: Database, workspace: string, by: ChangedBy): Promise<boolean> {
  return db.transaction(async tx => {
    await tx.query(lockForCompanySignIn(workspace))
    if (!(await tx.one(deleteCompanySignIn(workspace)))) return false
    await forgetAccounts(tx, workspace)
    await tx.query(endCompanySessions(workspace))
    await log(tx, workspace, 'removed', { actor: by })
    return true
  })
}

async function forgetAccounts(tx: Transaction, workspace: string): Promise<void> {
  for (const { user_id, refused } of await tx.query(deleteIdentities(workspace)))
    if (refused) await followRights(tx, { workspace, user: user_id })
}

/** The next sign-in connects the member again, by email address. False if the member is not connected. */
export function disconnectMember(db: Database, workspace: string, user: string, by: ChangedBy): Promise<boolean> {
  return db.transaction(async tx => {
    if (!(await tx.one(deleteIdentity(workspace, user)))) return false
    await endAccess(tx, { workspace, user })
    await followRights(tx, { workspace, user })
    await log(tx, workspace, 'disconnected', { actor: by, user })
    return true
  })
}

/** A person as the provider describes them, after every check of the token. */
export interface ProvidedPerson {
  subject: string
  /** undefined: not sent */
  email: string | undefined
  /** undefined: the provider does not say */
  emailVerified: boolean | undefined
  firstName: string | undefined
  lastName: string | undefined
  /** when the person authenticated, in seconds since 1970; undefined: the provider does not say */
  authenticatedAt: number | undefined
  /** the provider's own session (`sid`), by which it ends ours */
  session: string | undefined
  claims: Readonly<Record<string, unknown>>
}

/** A member as whom a person is signed in. `linked`: connected to this account for the first time, so they get an email. */
export interface FoundMember {
  userId: string
  linked?: { email: string }
}

/**
 * The member whom a person at the provider is, as the settings and the claims say: found by subject, else by verified
 * email address, else created. Updates the role. Without a role, the member loses every session, link, authorization
 * and scope of their keys until the provider gives one again; that is stored, so the caller must commit.
 *
 * An address alone never connects an owner: its provider would control the workspace. Owners connect
 * themselves, by a sign-in through the provider in a browser where they are signed in already (`signedInAs`).
 */
export async function memberForPerson(
  tx: Transaction,
  settings: CompanySignInRow,
  person: ProvidedPerson,
  signedInAs?: string,
): Promise<FoundMember | SignInFailure> {
  const { workspace_id: workspace } = settings
  const byClaims = roleByClaims(settings, person.claims)
  const linked = await tx.one(memberBySubject(workspace, person.subject))
  if (linked) return admitMember(tx, workspace, linked, byClaims)
  const email = provedEmail(settings, person)
  if (typeof email !== 'string') return email
  // if members have several spellings of one address, only the exact one is meant
  const [first, ...others] = await tx.query(membersAt(workspace, email))
  const found = [first, ...others].find(member => member?.email === email) ?? first
  if (found) {
    if (found.subject !== null || (found.email !== email && others.length > 0))
      return { code: 'account_mismatch', userId: found.id }
    if (found.role === 'owner' && signedInAs !== found.id) return { code: 'owner_not_connected', userId: found.id }
    await tx.query(insertIdentity(workspace, found.id, person.subject))
    await log(tx, workspace, 'linked', { user: found.id })
    const admitted = await admitMember(tx, workspace, found, byClaims)
    return 'code' in admitted ? admitted : { ...admitted, linked: { email: found.email } }
  }
  if (!settings.creates_members) return { code: 'no_account' }
  const role = firstRole(settings, byClaims)
  if (role === null) return { code: 'no_role' }
  const user = await addUser(tx, {
    workspace,
    email,
    role,
    jobAccess: 'all',
    firstName: shownName(person.firstName ?? '', 'person'),
    lastName: shownName(person.lastName ?? '', 'person'),
    passwordHash: null,
  })
  await tx.query(insertIdentity(workspace, user.id, person.subject))
  await log(tx, workspace, 'created', { user: user.id, detail: { role } })
  return { userId: user.id }
}

/** Emails the member whom a sign-in connected to an account at the provider: they notice so what they did not do. */
export function mailConnected(
  { mailer, publicUrl }: { mailer: Mailer; publicUrl: string },
  settings: Pick<CompanySignInRow, 'workspace_id' | 'workspace_name' | 'issuer'>,
  member: { id: string; email: string },
): Promise<void> {
  const workspace = shownName(settings.workspace_name, 'workspace')
  const { host } = new URL(settings.issuer)
  return mailer.send({
    id: `company-connected-${randomUUID()}`,
    audience: { workspaceId: settings.workspace_id, userIds: [member.id] },
    to: { address: member.email },
    subject: `Your account was connected to ${host}`,
    text: [
      `Someone signed in through ${host} as the person with this email address. From now on, that account signs in to yours.`,
      ...(workspace === null ? [] : ['', `Workspace: ${workspace}`]),
      '',
      'If it was you, there is nothing to do.',
      'If not, ask an owner of your workspace to disconnect it, and look at your sessions:',
      '',
      new URL('/account', publicUrl).href,
    ].join('\n'),
  })
}

/** The address by which a person may be connected to a member: verified, and in a domain of the workspace. */
function provedEmail(settings: CompanySignInRow, person: ProvidedPerson): string | SignInFailure {
  const key = emailKey(person.email ?? '')
  if (person.email === undefined || key === undefined) return { code: 'email_missing' }
  if (!(person.emailVerified ?? settings.trusts_email)) return { code: 'email_unverified' }
  if (!settings.domains.includes(emailDomainOf(key))) return { code: 'domain_not_allowed' }
  return person.email.trim()
}

async function admitMember(
  tx: Transaction,
  workspace: string,
  member: LinkedMember,
  byClaims: ClaimRole | null | undefined,
): Promise<{ userId: string } | SignInFailure> {
  const who = { workspace, user: member.id }
  const role: Role | null = nextRole(member.role, byClaims)
  if (role === null) {
    await tx.query(setRefused(workspace, member.id, true))
    await endAccess(tx, who)
    await followRights(tx, who)
    if (member.refused_at === null) await log(tx, workspace, 'refused', { user: member.id })
    return { code: 'no_role', userId: member.id }
  }
  if (member.refused_at !== null) {
    await tx.query(setRefused(workspace, member.id, false))
    await followRights(tx, who)
    await log(tx, workspace, 'restored', { user: member.id })
  }
  if (role !== member.role) {
    await changeRoleIn(tx, who, role)
    await log(tx, workspace, 'role_changed', { user: member.id, detail: { from: member.role, to: role } })
  }
  return { userId: member.id }
}

const MAX_FAILURES = 200

/** So that owners see why people cannot sign in. */
export const recordFailure = (db: Database, workspace: string, failure: SignInFailure): Promise<void> =>
  db.transaction(async tx => {
    const detail = { code: failure.code, ...(failure.detail ? { about: failure.detail.slice(0, 120) } : {}) }
    await tx.query(insertLog(workspace, { event: 'failed', user_id: failure.userId ?? null, actor_id: null, detail }))
    await tx.query(trimFailures(workspace, MAX_FAILURES))
  })

const LOG_LENGTH = 200

export async function readCompanySignIn(db: Queryable, workspace: string) {
  await requireWorkspace(db, workspace)
  return db.one(selectCompanySignIn(workspace))
}

export async function readCompanyLog(db: Queryable, workspace: string) {
  await requireWorkspace(db, workspace)
  return db.query(signInLog(workspace, LOG_LENGTH))
}
