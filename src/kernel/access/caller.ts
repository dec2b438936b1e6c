import ipaddr from 'ipaddr.js'
import type { JobPerson } from '../../contract/job-rights.ts'
import {
  type Allowances,
  type OwnLimits,
  PERSON_ALLOWANCES,
  type PlanCode,
  resolveAllowances,
} from '../../contract/plans.ts'
import {
  APP_TOKEN_SCOPES,
  isAppScope,
  isScope,
  type JobAccess,
  keyScopes,
  personScopes,
  type Role,
  SCOPES,
  type Scope,
} from '../../contract/scopes.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import type { Environment } from './key-format.ts'
import { type LimitedPerson, limitOf } from './reach.ts'

/** The ways to call the API: itself, the tools of the MCP server, and the pages of people who are signed in. */
export type Audience = 'api' | 'mcp' | 'pages'

/** The path of the MCP server, whose URL is its identifier in authorization requests (RFC 8707). */
export const MCP_PATH = '/mcp'

/** The caller is a key, or a person in front of our pages. It has everything that the pipeline needs to know. */
export interface Caller {
  /** what limits, budget, audit and repeats are counted under; the user's id for a person in front of our pages */
  keyId: string
  /** the key that events name as their origin; null: a person made the change in our pages */
  originKeyId: string | null
  /** the workspace that the key was created in; its plan and quota apply */
  homeWorkspace: string
  /** the kind of that workspace, and so of every workspace that the key has access to; null: no workspace is known */
  workspaceEnvironment: Environment | null
  name: string
  /** a label of the key */
  environment: Environment
  /** the same set object for all keys with the same scopes, so that compiled presenters are shared */
  scopes: ReadonlySet<Scope>
  workspaceScope: 'single' | 'list' | 'all'
  workspaceIds: readonly string[]
  plan: PlanCode | null
  allowances: Allowances
  /** the user the key belongs to; without one it cannot write */
  userId: string | null
  /** the user that a sign-in token acts for; null for API keys */
  actingUserId: string | null
  /** where a sign-in token is valid; null for API keys, which are valid everywhere */
  audience: Audience | null
  /** The person whose jobs lists are filtered by; set for people who do not see all candidates. */
  limitedTo?: LimitedPerson
  allowsAddress: (address: string) => boolean
  hasAllowlist: boolean
  createdAt: string
  expiresAt: string | null
  /** set for the key of an installation: budgets are counted under the installation, also while it has two keys */
  installation?: { id: string; appId: string }
  /** set for a token that an installable app got for itself */
  ownTokenOf?: string
}

/** The budget of personal data is counted under this id. */
export const budgetIdOf = ({ keyId, installation }: Pick<Caller, 'keyId' | 'installation'>): string =>
  installation?.id ?? keyId

/** The caller of routes without a key: it has no workspace, no scope and no user. */
export const ANONYMOUS: Caller = {
  keyId: '',
  originKeyId: null,
  homeWorkspace: '',
  workspaceEnvironment: null,
  name: '',
  environment: 'live',
  scopes: new Set(),
  workspaceScope: 'single',
  workspaceIds: [''],
  plan: null,
  allowances: resolveAllowances(null),
  userId: null,
  actingUserId: null,
  audience: null,
  allowsAddress: () => true,
  hasAllowlist: false,
  createdAt: '',
  expiresAt: null,
}

export interface CallerRow {
  key_id: string
  workspace_id: string
  workspace_environment: Environment
  name: string
  environment: Environment
  scopes: Scope[]
  workspace_scope: Caller['workspaceScope']
  workspace_ids: string[]
  plan: PlanCode | null
  own_limits: OwnLimits
  user_id: string | null
  ip_allowlist: string[]
  created_at: string
  expires_at: string | null
  /** set for the key of an installation */
  installation_id?: string | null
  app_id?: string | null
  personal_data_reads_per_day?: number | null
}

export function toCaller(row: CallerRow): Caller {
  const { installation_id: installation, app_id: appId } = row
  return {
    keyId: row.key_id,
    originKeyId: row.key_id,
    homeWorkspace: row.workspace_id,
    workspaceEnvironment: row.workspace_environment,
    name: row.name,
    environment: row.environment,
    scopes: sharedScopes(row.scopes),
    workspaceScope: row.workspace_scope,
    workspaceIds: row.workspace_scope === 'single' ? [row.workspace_id] : row.workspace_ids,
    plan: row.plan,
    allowances: withBudget(resolveAllowances(row.plan, row.own_limits), row.personal_data_reads_per_day),
    userId: row.user_id,
    actingUserId: null,
    audience: null,
    allowsAddress: addressMatcher(row.ip_allowlist),
    hasAllowlist: row.ip_allowlist.length > 0,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...(installation && appId ? { installation: { id: installation, appId } } : {}),
  }
}

/** A key may have less of the budget for personal data than its plan gives. */
const withBudget = (allowances: Allowances, own: number | null | undefined): Allowances =>
  own === undefined || own === null || own >= allowances.personalDataReadsPerDay
    ? allowances
    : { ...allowances, personalDataReadsPerDay: own }

/** A token that an installable app got for itself. It opens installations and their deliveries, and no record of a workspace. */
export interface AppTokenRow {
  app_id: string
  app_name: string
  credential_id: string
  workspace_id: string
  workspace_environment: Environment
  plan: PlanCode | null
  own_limits: OwnLimits
  ip_allowlist: string[]
  created_at: string
  expires_at: string
}

export const toAppTokenCaller = (row: AppTokenRow): Caller => ({
  ...toCaller({
    key_id: row.credential_id,
    workspace_id: row.workspace_id,
    workspace_environment: row.workspace_environment,
    name: row.app_name,
    environment: row.workspace_environment,
    scopes: [...APP_TOKEN_SCOPES],
    workspace_scope: 'single',
    workspace_ids: [],
    plan: row.plan,
    own_limits: row.own_limits,
    // without a user it cannot write
    user_id: null,
    ip_allowlist: row.ip_allowlist,
    created_at: row.created_at,
    expires_at: row.expires_at,
  }),
  audience: 'api',
  ownTokenOf: row.app_id,
})

/** A token of the sign-in flow, with the current state of its user. */
export interface TokenRow {
  consent_id: string
  workspace_id: string
  workspace_environment: Environment
  app_name: string
  user_id: string
  role: Role
  job_access: JobAccess
  scopes: string[]
  /** the resource that the token was requested for; null: the API */
  resource: string | null
  plan: PlanCode | null
  own_limits: OwnLimits
  writes: boolean
  created_at: string
  expires_at: string
}

/** Its scopes are those that the app requested, the user has, and the plan of the user's workspace includes. */
export function toTokenCaller(row: TokenRow): Caller {
  const visible: ReadonlySet<string> = new Set(keyScopes({ role: row.role, jobAccess: row.job_access }))
  const scopes = row.scopes
    .filter(isScope)
    .filter(scope => isAppScope(scope) && visible.has(scope) && (row.plan || !SCOPES[scope].paid))
  return {
    ...toCaller({
      key_id: row.consent_id,
      workspace_id: row.workspace_id,
      workspace_environment: row.workspace_environment,
      name: row.app_name,
      environment: row.workspace_environment,
      scopes,
      workspace_scope: 'single',
      workspace_ids: [],
      plan: row.plan,
      own_limits: row.own_limits,
      // without a user it cannot write
      user_id: row.writes ? row.user_id : null,
      ip_allowlist: [],
      created_at: row.created_at,
      expires_at: row.expires_at,
    }),
    actingUserId: row.user_id,
    audience: row.resource?.endsWith(MCP_PATH) ? 'mcp' : 'api',
  }
}

/** A member who is signed in to our pages. */
export interface SignedInRow extends JobPerson {
  user_id: string
  workspace_id: string
  environment: Environment
  name: string
}

/** Every scope of the person: plans limit what partners build, not the team's own pages. */
export function toPersonCaller({ user_id, workspace_id, environment, name, ...person }: SignedInRow): Caller {
  const limitedTo = limitOf(workspace_id, user_id, person)
  return {
    ...ANONYMOUS,
    keyId: user_id,
    homeWorkspace: workspace_id,
    workspaceEnvironment: environment,
    environment,
    name,
    scopes: sharedScopes([...personScopes(person)]),
    workspaceIds: [workspace_id],
    allowances: PERSON_ALLOWANCES,
    userId: user_id,
    actingUserId: user_id,
    audience: 'pages',
    ...(limitedTo ? { limitedTo } : {}),
  }
}

const sets = new Map<string, ReadonlySet<Scope>>()

export function sharedScopes(scopes: readonly Scope[]): ReadonlySet<Scope> {
  return getOrCreate(sets, [...scopes].sort().join(' '), () => new Set(scopes))
}

/** Parses an IP address or a CIDR range: `203.0.113.7`, `2001:db8::/32`. undefined if it is neither. */
export function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    // four parts only: the parser would also accept 127.1 or 0x7f000001
    if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined
    const address = ipaddr.process(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    return undefined
  }
}

/** Checks IP addresses against a list of ranges; an empty list allows all. */
export function addressMatcher(allowlist: string[]): (address: string) => boolean {
  if (allowlist.length === 0) return () => true
  const ranges = allowlist.map(parseRange).filter(range => range !== undefined)
  return text => {
    if (!ipaddr.isValid(text)) return false
    // on a dual-stack socket an IPv4 caller has the address ::ffff:a.b.c.d
    const address = ipaddr.process(text)
    return ranges.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits))
  }
}
