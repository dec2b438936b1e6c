import { ALL_SCOPES, type Scope } from '../../src/contract/scopes.ts'

/** The scopes in the groups in which people think of them. A scope that is in none stands under "Other". */
const GROUPS: readonly (readonly [title: string, about: string, scopes: readonly Scope[]])[] = [
  [
    'Jobs',
    'Postings, their stages, forms and questions.',
    ['jobs:read', 'jobs:screening:read', 'jobs:write', 'jobs:manage'],
  ],
  [
    'Applications',
    'Who applied where, and how far they came.',
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
    'People who applied, and how to reach them.',
    ['applicants:read', 'contact:read', 'contact:phone:read', 'messages:send'],
  ],
  [
    'Résumés and files',
    'Parsed profiles, full texts and the files themselves.',
    ['resume:read', 'resume:raw_text:read', 'resume:download', 'attachments:read'],
  ],
  [
    'Sourcing',
    'Saved candidates, the shared pool, and finding a person across records.',
    ['sourced_profiles:read', 'pool:read', 'pool:search', 'people:resolve'],
  ],
  ['Projects and lists', 'Candidate lists and their members.', ['lists:read', 'lists:write']],
  ['Events and webhooks', 'The change feed, and having it sent.', ['events:read', 'webhooks:read', 'webhooks:write']],
  ['Workspace', 'The directory, and aggregate figures.', ['workspaces:read', 'users:read', 'analytics:read']],
]

export interface ScopeGroup {
  title: string
  about: string
  scopes: readonly Scope[]
}

const named = new Set(GROUPS.flatMap(([, , scopes]) => scopes))
const others = ALL_SCOPES.filter(scope => !named.has(scope))

export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  ...GROUPS.map(([title, about, scopes]) => ({ title, about, scopes })),
  ...(others.length > 0 ? [{ title: 'Other', about: '', scopes: others }] : []),
]
