import { ALL_SCOPES, type Scope } from '../../src/contract/scopes.ts'

/** The scopes by group. A scope without a group is listed under "Other". */
const GROUPS: readonly (readonly [title: string, description: string, scopes: readonly Scope[]])[] = [
  [
    'Jobs',
    'Postings, their stages, forms and questions.',
    ['jobs:read', 'jobs:screening:read', 'jobs:write', 'jobs:manage'],
  ],
  [
    'Applications',
    'Applications, their stage and status.',
    [
      'applications:read',
      'applications:answers:read',
      'applications:internal:read',
      'screening:metadata:read',
      'applications:write',
      'notes:write',
      'scorecards:write',
    ],
  ],
  [
    'Applicants and contact details',
    'People who applied, and their contact details.',
    ['applicants:read', 'contact:read', 'contact:phone:read', 'messages:send'],
  ],
  [
    'Résumés and files',
    'Parsed profiles, full texts and files.',
    ['resume:read', 'resume:raw_text:read', 'resume:download', 'attachments:read'],
  ],
  [
    'Sourcing',
    'Saved candidates, the shared pool and identity resolution.',
    ['sourced_profiles:read', 'pool:read', 'pool:search', 'people:resolve'],
  ],
  ['Projects and lists', 'Candidate lists and their members.', ['lists:read', 'lists:write']],
  [
    'Events and webhooks',
    'The change feed and webhook deliveries.',
    ['events:read', 'webhooks:read', 'webhooks:write'],
  ],
  [
    'Workspace',
    'Members, analytics and test workspaces.',
    ['workspaces:read', 'users:read', 'analytics:read', 'test:manage'],
  ],
]

export interface ScopeGroup {
  title: string
  description: string
  scopes: readonly Scope[]
}

const named = new Set(GROUPS.flatMap(([, , scopes]) => scopes))
const others = ALL_SCOPES.filter(scope => !named.has(scope))

export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  ...GROUPS.map(([title, description, scopes]) => ({ title, description, scopes })),
  ...(others.length > 0 ? [{ title: 'Other', description: '', scopes: others }] : []),
]
