import { canBeLimited, type Role } from './roles.ts'

export { ROLES, type Role } from './roles.ts'

/**
 * Every scope a key can have. `access` separates reads from writes; `personal` marks scopes that give access to personal data;
 * `metered` ones are charged to the daily budget and audited record by record; `paid` ones need a plan; `keyOnly` ones
 * cannot be granted to connected apps, such as webhooks, whose endpoints belong to an API key. `own` ones give access only
 * to what belongs to the vendor of the key (`kernel/access/vendor.ts`); keys of test workspaces alone have `testOnly` ones;
 * `appToken` ones belong to the tokens of an installable app alone: no key has them.
 */
interface ScopeRow {
  access: 'read' | 'write'
  description: string
  personal?: true
  metered?: true
  paid?: true
  keyOnly?: true
  own?: true
  testOnly?: true
  appToken?: true
}

const table = {
  'jobs:read': { access: 'read', description: 'Read jobs, their sections, stages and application forms.' },
  'jobs:screening:read': { access: 'read', description: 'Read pre-screen questions and the phone code of a job.' },
  'applications:read': { access: 'read', description: 'Read applications, their stage, status and match score.' },
  'applications:answers:read': {
    access: 'read',
    personal: true,
    description: 'Read the answers that candidates gave on application forms.',
  },
  'applications:internal:read': {
    access: 'read',
    personal: true,
    description: 'Read rejection reasons, score rationale, stage history, notes and scorecards.',
  },
  'screening:metadata:read': {
    access: 'read',
    personal: true,
    description: 'Read whether a phone pre-screen took place and how it went, never what was said.',
  },
  'applicants:read': { access: 'read', description: 'Read the people who applied, without their contact details.' },
  'sourced_profiles:read': { access: 'read', description: 'Read candidates that the workspace found and saved.' },
  'people:resolve': { access: 'read', description: 'Find a person by email address or LinkedIn URL.' },
  'pool:read': { access: 'read', personal: true, description: 'Read profiles of the shared pool.' },
  'pool:search': { access: 'read', personal: true, description: 'Search the shared pool.' },
  'contact:read': {
    access: 'read',
    personal: true,
    metered: true,
    description: 'Read email addresses that the workspace already has.',
  },
  'contact:phone:read': {
    access: 'read',
    personal: true,
    metered: true,
    description: 'Read phone numbers that the workspace already has.',
  },
  'resume:read': { access: 'read', personal: true, description: 'Read résumé details and the parsed profile.' },
  'resume:raw_text:read': {
    access: 'read',
    personal: true,
    metered: true,
    description: 'Read the full text of a résumé.',
  },
  'resume:download': { access: 'read', personal: true, metered: true, description: 'Download résumé files.' },
  'attachments:read': {
    access: 'read',
    personal: true,
    description: 'List files attached to sourced profiles and download their photos.',
  },
  'users:read': { access: 'read', description: 'Read the members of the workspace.' },
  'workspaces:read': { access: 'read', description: 'Read the workspaces that the key has access to.' },
  'lists:read': { access: 'read', description: 'Read projects, candidate lists and their members.' },
  'analytics:read': { access: 'read', description: 'Read aggregate hiring-funnel counts.' },
  'orders:read': { access: 'read', personal: true, description: 'Read every order of the workspace, without results.' },
  'orders:results:read': {
    access: 'read',
    personal: true,
    metered: true,
    description: 'Read the results of orders and their reports.',
  },
  'orders:candidate:read': {
    access: 'read',
    personal: true,
    metered: true,
    keyOnly: true,
    own: true,
    description: 'For vendors: read name, email, phone and résumé of the candidates of your own open orders.',
  },
  'events:read': { access: 'read', description: 'Read the change feed and erasure notices.' },
  'webhooks:read': { access: 'read', keyOnly: true, description: 'Read webhook endpoints and the delivery log.' },
  'applications:write': {
    access: 'write',
    description: 'Upload résumés, create applications, move, reject, hire and reopen them.',
  },
  'jobs:write': { access: 'write', description: 'Push jobs from a partner system.' },
  'jobs:manage': { access: 'write', description: 'Publish, unpublish, close and reopen any job of the workspace.' },
  'lists:write': { access: 'write', description: 'Create candidate lists, add members and set their stage.' },
  'messages:send': { access: 'write', paid: true, description: 'Send an email to an applicant.' },
  'notes:write': { access: 'write', paid: true, description: 'Add notes to applications.' },
  'scorecards:write': { access: 'write', paid: true, description: 'Add scorecards to applications.' },
  'orders:write': {
    access: 'write',
    paid: true,
    description: 'Order checks and assessments, and cancel, extend and repeat orders.',
  },
  'orders:fulfill': {
    access: 'write',
    paid: true,
    keyOnly: true,
    own: true,
    description: 'For vendors: publish packages, and read and update the orders of your own packages.',
  },
  'webhooks:write': {
    access: 'write',
    paid: true,
    keyOnly: true,
    description: 'Register and manage webhook endpoints.',
  },
  'test:manage': {
    access: 'write',
    keyOnly: true,
    testOnly: true,
    description: 'Reset and fill a test workspace, and read its captured emails.',
  },
  'installations:manage': {
    access: 'write',
    appToken: true,
    description: 'List the installations of an app and confirm deletions.',
  },
} as const satisfies Record<string, ScopeRow>

export type Scope = keyof typeof table

export const SCOPES: Readonly<Record<Scope, ScopeRow>> = table

/** Also those that no key can have. */
export const EVERY_SCOPE = Object.keys(table) as Scope[]

/** The scopes that a key can have. */
export const ALL_SCOPES: readonly Scope[] = EVERY_SCOPE.filter(scope => !SCOPES[scope].appToken)

/** Those that a key of a live workspace can have. */
export const LIVE_SCOPES = ALL_SCOPES.filter(scope => !SCOPES[scope].testOnly)

/** Scopes that reach what belongs to the vendor of the key alone. */
export const VENDOR_SCOPES: readonly Scope[] = EVERY_SCOPE.filter(scope => SCOPES[scope].own)
/** They show no record of a workspace by themselves: a vendor that has them, too, still has no other rights in it. */
export const FEED_SCOPES: readonly Scope[] = ['events:read', 'webhooks:read', 'webhooks:write']

/** Whether the holder of these scopes is a vendor without other rights in the workspace: it sees its own orders alone. */
export const isVendorAlone = (scopes: ReadonlySet<Scope>): boolean => {
  const rights = [...scopes].filter(scope => !FEED_SCOPES.includes(scope))
  return rights.length > 0 && rights.every(scope => VENDOR_SCOPES.includes(scope))
}

export const isScope = (name: string): name is Scope => Object.hasOwn(table, name)

/** What the tokens have that an installable app gets for itself. */
export const APP_TOKEN_SCOPES: readonly Scope[] = ['installations:manage', 'webhooks:read']

/** Whether a connected app can be granted a scope. */
export const isAppScope = (scope: Scope): boolean => !SCOPES[scope].keyOnly && !SCOPES[scope].appToken

export const READ_SCOPES = ALL_SCOPES.filter(scope => SCOPES[scope].access === 'read')

const HIDDEN_FROM_MEMBERS: readonly Scope[] = [
  'applications:internal:read',
  'contact:phone:read',
  'resume:raw_text:read',
  'test:manage',
]

const VIEWER_SCOPES: readonly Scope[] = [
  'jobs:read',
  'applications:read',
  'lists:read',
  'pool:read',
  'analytics:read',
  'workspaces:read',
  'users:read',
]

/**
 * What a person of this role can do at most. A key of theirs and a connected app reach the intersection of this with what
 * the key was granted or the app asked for. Keys store it: a change here needs a migration that cuts them again.
 */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ALL_SCOPES,
  admin: ALL_SCOPES,
  member: ALL_SCOPES.filter(scope => !HIDDEN_FROM_MEMBERS.includes(scope)),
  viewer: VIEWER_SCOPES,
}

/**
 * Which jobs a person works on: all, or only those whose team they are on. Owners and admins work on all, whatever is
 * stored for them: it counts again when they become members or viewers.
 */
export type JobAccess = 'all' | 'team'

export const JOB_ACCESS: readonly JobAccess[] = ['all', 'team']

/** A role, and whether the person is limited to jobs. */
export interface Rights {
  role: Role
  jobAccess: JobAccess
}

export const isLimited = ({ role, jobAccess }: Rights): boolean => jobAccess === 'team' && canBeLimited(role)

/** What is not about single jobs: sourcing and the pool belong to the whole workspace. */
export const CLOSED_TO_LIMITED: readonly Scope[] = [
  'sourced_profiles:read',
  'people:resolve',
  'pool:read',
  'pool:search',
  'attachments:read',
  'lists:read',
  'lists:write',
  'events:read',
]

/** What a person can do in our own pages, where each call is also checked for the jobs that it concerns. */
export const personScopes = (rights: Rights): readonly Scope[] =>
  isLimited(rights)
    ? ROLE_SCOPES[rights.role].filter(scope => !CLOSED_TO_LIMITED.includes(scope))
    : ROLE_SCOPES[rights.role]

const LIMITED_KEY_SCOPES: readonly Scope[] = ['users:read', 'workspaces:read']

/**
 * What a key or a connected app of a person can do at most. Their calls are not checked for jobs, so those of a limited
 * person have no scope that shows a job or a candidate.
 */
export const keyScopes = (rights: Rights): readonly Scope[] =>
  isLimited(rights)
    ? ROLE_SCOPES[rights.role].filter(scope => LIMITED_KEY_SCOPES.includes(scope))
    : ROLE_SCOPES[rights.role]
