import { invalid } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { emailKey } from '../kernel/text/person-keys.ts'
import {
  CLAIM_ROLES,
  type CompanySignInInput,
  type CompanySignInRow,
  changeCompanySignIn,
  checkedDomains,
  checkedIssuer,
  describeReason,
  disconnectMember,
  domainRecord,
  emailDomainOf,
  FAILURES,
  type FailureCode,
  isPublicMailbox,
  provedDomains,
  readCompanyLog,
  readCompanySignIn,
  removeCompanySignIn,
  SettingFault,
  type SignInLogRow,
  selectCompanyIdentities,
} from '../resources/company-sign-in/index.ts'
import { userById } from '../resources/users/index.ts'
import { buildRedirectUri } from '../sign-in/company/flow.ts'
import { logoutPath, signedOutPath, startPath } from '../sign-in/company/paths.ts'
import { describeIssuerFault } from '../sign-in/company/provider.ts'
import { memberNames } from './members.ts'
import { type Call, get, post } from './program.ts'

const roles = ['owner'] as const
const role = Type.Union(CLAIM_ROLES.map(name => Type.Literal(name)))
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const flag = Type.Optional(Type.Boolean())

/** For owners: it decides who can sign in to the workspace. */
export const companySignInEndpoints = [
  get({ path: '/company-sign-in', roles, handler: call => respond(call) }),
  post({
    path: '/company-sign-in',
    roles,
    sensitive: true,
    body: Type.Object(
      {
        issuer: text(600),
        client_id: text(300),
        client_secret: text(2_100),
        domains: Type.Optional(Type.Array(Type.String({ maxLength: 253 }), { maxItems: 30 })),
        enabled: flag,
        enforced: flag,
        creates_members: flag,
        trusts_email: flag,
        ends_provider_session: flag,
        role_claim: Type.Optional(Type.Union([Type.String({ maxLength: 300 }), Type.Null()])),
        role_rules: Type.Optional(
          Type.Array(Type.Object({ value: Type.String({ maxLength: 300 }), role }, closed), { maxItems: 60 }),
        ),
        default_role: Type.Optional(Type.Union([role, Type.Null()])),
      },
      { ...closed, minProperties: 1 },
    ),
    handler: async call => {
      const { db, services, session, body } = call
      try {
        await checkIssuer(call)
        const by = await changedBy(call, body as CompanySignInInput)
        await changeCompanySignIn(db, services.keyring, session.workspaceId, body as CompanySignInInput, by)
      } catch (error) {
        if (error instanceof SettingFault) return invalid(error.param, error.message)
        throw error
      }
      return respond(call)
    },
  }),
  post({
    path: '/company-sign-in/remove',
    roles,
    sensitive: true,
    handler: async call =>
      (await removeCompanySignIn(call.db, call.session.workspaceId, await changedBy(call))) ? respond(call) : undefined,
  }),
  post({
    path: '/company-sign-in/members/{id}/disconnect',
    roles,
    sensitive: true,
    handler: async call => {
      const { db, session, params } = call
      const done = await disconnectMember(db, session.workspaceId, params.id, await changedBy(call))
      return done ? respond(call) : undefined
    },
  }),
]

type SignedIn = Pick<Call, 'db' | 'services' | 'session'>

/** Before anything is stored: an issuer that does not respond would lock out everyone whom it is enforced for. */
async function checkIssuer({ db, services, session, body }: SignedIn & { body: unknown }): Promise<void> {
  const { issuer, enabled } = body as CompanySignInInput
  const now = await readCompanySignIn(db, session.workspaceId)
  const next = issuer === undefined ? now?.issuer : checkedIssuer(issuer)
  if (next === undefined || (next === now?.issuer && !(enabled && !now.enabled))) return
  const fault = await describeIssuerFault(services, next)
  if (fault !== undefined) throw new SettingFault('issuer', fault)
}

/** Looks up the domains that are new. */
async function changedBy({ db, services, session }: SignedIn, { domains }: CompanySignInInput = {}) {
  const { workspaceId, userId } = session
  const now = domains && (await readCompanySignIn(db, workspaceId))
  const added = domains ? checkedDomains(domains).filter(domain => !now?.domains.includes(domain)) : []
  return { user: userId, proved: await provedDomains(services, workspaceId, added) }
}

/** The domain that is entered for a person who begins: of their own verified address. */
async function ownDomain({ db, session }: SignedIn): Promise<string | null> {
  const user = await db.one(userById(session.workspaceId, session.userId))
  const domain = emailDomainOf(emailKey(session.email) ?? '')
  return user?.is_verified && !isPublicMailbox(domain) ? domain : null
}

async function respond(call: SignedIn) {
  const { db, services, session } = call
  const { workspaceId } = session
  const [row, identities, log, names, own] = await Promise.all([
    readCompanySignIn(db, workspaceId),
    db.query(selectCompanyIdentities(workspaceId)),
    readCompanyLog(db, workspaceId),
    memberNames(db, workspaceId),
    ownDomain(call),
  ])
  const start = services.publicUrl + startPath(workspaceId)
  return {
    /** null: no provider is set; the client secret is never shown */
    settings: row ? settingsOf(row) : null,
    /** to register at the provider */
    redirect_uri: buildRedirectUri(services, workspaceId),
    /** where people of this workspace can start, for bookmarks and the provider's list of apps */
    sign_in_url: start,
    test_url: `${startPath(workspaceId)}/test`,
    /** where the provider posts that someone signed out there (back-channel logout) */
    logout_url: services.publicUrl + logoutPath(workspaceId),
    /** where the provider sends people who signed out, to register there */
    signed_out_url: services.publicUrl + signedOutPath(workspaceId),
    /** the domain of this person; null: their address is not verified, or belongs to a public mail service */
    own_domain: own,
    /** the TXT record that a domain must have before an owner can add it */
    domain_record: domainRecord(services.keyring, workspaceId),
    /** members with an account at the provider, newest first */
    connected: identities.map(({ user_id: id, ...times }) => ({ id, name: names.get(id) ?? id, ...times })),
    /** newest first */
    log: log.map(entry => toEntry(entry, names)),
  }
}

/** Without the secret. */
const settingsOf = (row: CompanySignInRow) => ({
  issuer: row.issuer,
  client_id: row.client_id,
  domains: row.domains,
  enabled: row.enabled,
  enforced: row.enforced,
  creates_members: row.creates_members,
  trusts_email: row.trusts_email,
  role_claim: row.role_claim,
  role_rules: row.role_rules,
  default_role: row.default_role,
  ends_provider_session: row.ends_provider_session,
})

const EVENTS: Readonly<Record<string, string>> = {
  removed: 'Company sign-in was removed',
  linked: 'Connected to an account at the provider',
  created: 'Became a member by signing in',
  role_changed: 'Got another role by a claim',
  refused: 'Lost access: the provider gives no role',
  restored: 'Has access again: the provider gives a role',
  disconnected: 'Disconnected from the account at the provider',
}

const toEntry = (row: SignInLogRow, names: ReadonlyMap<string, string>) => {
  const named = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? id })
  return {
    id: row.id,
    at: row.at,
    event: row.event,
    /** what happened, and for a failure what to do */
    text: textOf(row),
    /** the member it is about; null where none is known */
    member: named(row.user_id),
    /** who did it; null for the operator and for what a sign-in did */
    actor: named(row.actor_id),
  }
}

function textOf({ event, detail }: SignInLogRow): string {
  if (event === 'failed') {
    const code = detail['code'] as FailureCode
    return `${FAILURES[code]?.owner ?? ''} (${describeReason(code, detail['about'])})`
  }
  if (event === 'changed') {
    const { by, ...changes } = detail
    const said = Object.entries(changes).map(([name, value]) => `${name}: ${shownValue(value)}`)
    return `Settings changed${by ? ' by the operator' : ''}. ${said.join('; ')}`
  }
  if (event === 'role_changed') return `Role changed by a claim: ${detail['from']} to ${detail['to']}`
  if (event === 'created') return `${EVENTS['created']}, as ${detail['role']}`
  return EVENTS[event] ?? event
}

const shownValue = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(one => (typeof one === 'object' ? `${one.value} is ${one.role}` : String(one))).join(', ') || 'none'
    : value === null
      ? 'none'
      : String(value)
