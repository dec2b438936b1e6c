import { ROLES, type Role } from '../../contract/scopes.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { domainKey } from '../../kernel/text/person-keys.ts'

/** Roles that a claim can give. Owners are made by owners, so that an account at the provider never controls everything. */
export const CLAIM_ROLES = ['admin', 'member', 'viewer'] as const
export type ClaimRole = (typeof CLAIM_ROLES)[number]

export interface RoleRule {
  value: string
  role: ClaimRole
}

/** How the provider's claims become a role. */
export interface RoleSettings {
  role_claim: string | null
  role_rules: readonly RoleRule[]
  default_role: ClaimRole | null
}

/** The limits of the settings. Providers send up to a few hundred groups. */
const MOST = { domains: 20, rules: 50, valueLength: 200, urlLength: 500, secretLength: 2_000 } as const

/**
 * The values of a claim: a text, a list of texts, or one of both inside objects (`realm_access.roles` of Keycloak). A
 * claim whose name itself contains dots is looked up first.
 */
export function claimValues(claims: Readonly<Record<string, unknown>>, name: string): string[] {
  let found: unknown = Object.hasOwn(claims, name) ? claims[name] : claims
  if (found === claims) {
    for (const part of name.split('.')) {
      if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, part)) return []
      found = (found as Record<string, unknown>)[part]
    }
  }
  const list = Array.isArray(found) ? found : [found]
  return list.filter(value => typeof value === 'string')
}

/**
 * The role that the claims give: the highest of the rules that match, else the default. `null` is no access. undefined:
 * roles are managed in the workspace.
 */
export function roleByClaims(
  settings: RoleSettings,
  claims: Readonly<Record<string, unknown>>,
): ClaimRole | null | undefined {
  if (settings.role_claim === null) return undefined
  const values = new Set(claimValues(claims, settings.role_claim))
  const matched = settings.role_rules.filter(rule => values.has(rule.value)).map(rule => rule.role)
  return CLAIM_ROLES.find(role => matched.includes(role)) ?? settings.default_role
}

/**
 * The role of a member after a sign-in; null: no access. An owner keeps the role whatever the claims say: only owners
 * make and unmake owners.
 */
export function nextRole(now: Role, byClaims: ClaimRole | null | undefined): Role | null {
  return now === 'owner' || byClaims === undefined ? now : byClaims
}

/** The role of a new member; null: no access. */
export const firstRole = (settings: RoleSettings, byClaims: ClaimRole | null | undefined): ClaimRole | null =>
  byClaims === undefined ? settings.default_role : byClaims

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Where anyone can have a mailbox: such a domain belongs to no company. */
const PUBLIC_MAILBOXES: ReadonlySet<string> = new Set(
  `aol.com fastmail.com gmail.com gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.com icloud.com live.com mac.com
  mail.com mail.ru me.com msn.com outlook.com pm.me proton.me protonmail.com qq.com t-online.de web.de yahoo.com
  yandex.ru zoho.com`.split(/\s+/),
)

export const isPublicMailbox = (domain: string): boolean => PUBLIC_MAILBOXES.has(domain)

export const emailDomainOf = (emailKey: string): string => emailKey.slice(emailKey.lastIndexOf('@') + 1)

export function checkedDomains(given: readonly string[]): string[] {
  const named = given.map(domain => domain.trim().replace(/^@/, '')).filter(Boolean)
  const domains = named.map(domainKey)
  if (domains.length > MOST.domains) throw new SettingFault('domains', `at most ${MOST.domains} domains are allowed`)
  const wrong = named.filter(domain => !DOMAIN.test(domainKey(domain)))
  if (wrong.length > 0)
    throw new SettingFault(
      'domains',
      `not a valid domain (such as example.com): ${wrong.map(d => d.slice(0, 80)).join(', ')}`,
    )
  return [...new Set(domains)]
}

/** A value that cannot be stored, with the name of its setting. */
export class SettingFault extends UserError {
  readonly param: string
  constructor(param: string, message: string) {
    super(message)
    this.param = param
  }
}

const PLAIN = /^[\x21-\x7e]+$/

/** The issuer as the provider writes it; where it may be is checked when it is asked. */
export function checkedIssuer(text: string): string {
  const issuer = text.trim().replace(/\/\.well-known\/openid-configuration$/, '')
  const url = PLAIN.test(issuer) && URL.canParse(issuer) ? new URL(issuer) : undefined
  if (!url || issuer.length > MOST.urlLength || !/^https?:$/.test(url.protocol))
    throw new SettingFault('issuer', 'the issuer must be a URL, such as https://login.example.com')
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '' || issuer.includes('?'))
    throw new SettingFault('issuer', 'the issuer must have no query, fragment or user name')
  if (/[{}]|%7[bd]/i.test(issuer) || /\/(common|organizations|consumers)\/v2\.0\/?$/.test(url.pathname))
    throw new SettingFault('issuer', 'the issuer must be the one of your own tenant, with its id in the URL')
  return issuer
}

export function checkedClientId(text: string): string {
  const id = text.trim()
  if (!/^[\x20-\x7e]{1,200}$/.test(id)) throw new SettingFault('client_id', 'the client ID must be 1 to 200 characters')
  return id
}

export function checkedSecret(text: string): string {
  const secret = text.trim()
  if (secret.length > MOST.secretLength || !/^[\x20-\x7e]+$/.test(secret))
    throw new SettingFault('client_secret', `the client secret must be 1 to ${MOST.secretLength} characters`)
  return secret
}

export function checkedRoles(given: {
  role_claim: string | null
  role_rules: readonly { value: string; role: string }[]
  default_role: string | null
}): RoleSettings {
  const claim = given.role_claim?.trim() || null
  if (claim !== null && claim.length > MOST.valueLength)
    throw new SettingFault('role_claim', `the name of the claim must be at most ${MOST.valueLength} characters`)
  if (given.role_rules.length > MOST.rules)
    throw new SettingFault('role_rules', `at most ${MOST.rules} values are allowed`)
  if (claim === null && given.role_rules.length > 0)
    throw new SettingFault('role_claim', 'name the claim that has the values')
  const rules = given.role_rules.map(rule => ({ value: rule.value.trim(), role: claimRole('role_rules', rule.role) }))
  if (rules.some(({ value }) => value === '' || value.length > MOST.valueLength))
    throw new SettingFault('role_rules', `each value must be 1 to ${MOST.valueLength} characters`)
  const values = rules.map(({ value }) => value)
  if (new Set(values).size < values.length) throw new SettingFault('role_rules', 'each value can have one role')
  return {
    role_claim: claim,
    role_rules: rules,
    default_role: given.default_role === null ? null : claimRole('default_role', given.default_role),
  }
}

function claimRole(param: string, text: string): ClaimRole {
  const role = CLAIM_ROLES.find(known => known === text)
  if (role) return role
  throw new SettingFault(
    param,
    ROLES.some(known => known === text)
      ? 'a claim never makes an owner; owners are made in the console'
      : `the role must be one of ${CLAIM_ROLES.join(', ')}`,
  )
}
