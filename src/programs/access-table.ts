import { combineRoles, JOB_RIGHTS, JOB_ROLES, type JobRight } from '../contract/job-rights.ts'
import { ROLE_SCOPES, ROLES, type Role } from '../contract/scopes.ts'
import type { Endpoint } from './endpoint.ts'
import type { Area, Policy } from './policy.ts'

const admits = ({ roles, scope }: Pick<Policy, 'roles' | 'scope'>, role: Role): boolean =>
  (roles?.includes(role) ?? true) && (scope === undefined || ROLE_SCOPES[role].includes(scope))

/** The roles that may make a call. */
export const findAllowedRoles = (area: Pick<Area, 'roles'>, endpoint: Policy): Role[] =>
  ROLES.filter(role => admits(area, role) && admits(endpoint, role))

const LIMITED = {
  record: 'of their jobs',
  job: 'with `job_id`',
  filtered: 'what is of their jobs',
  open: 'yes',
  closed: 'no',
} as const

const moreOf = ({ sensitive, needs, tier, limit }: Policy): string =>
  [sensitive && 'proof', needs?.name, tier === 'expensive' && 'expensive', limit?.name].filter(Boolean).join(', ')

const describeRight = (right: Policy['jobRight']): string =>
  right === undefined
    ? ''
    : typeof right === 'string'
      ? `*${right}*`
      : right.among.map(word => `*${word}*`).join(' or ')

const mark = (rights: ReadonlySet<JobRight>, right: JobRight): string => (rights.has(right) ? '✓' : '')

/** What the roles of a job may do, as a table in Markdown. */
export function jobRightsTable(): string {
  const names = Object.keys(JOB_RIGHTS) as JobRight[]
  const columns = [
    combineRoles('owner', 'recruiter'),
    ...JOB_ROLES.map(role => combineRoles('member', role)),
    combineRoles('viewer', 'recruiter'),
  ]
  const head = ['right', 'owner, admin', 'recruiter', 'hiring manager', 'interviewer', 'viewer', '']
  const rows = names.map(right => [
    `*${right}*`,
    ...columns.map(rights => mark(rights, right)),
    JOB_RIGHTS[right].description,
  ])
  return toMarkdownTable([head, head.map(() => '---'), ...rows])
}

const toMarkdownTable = (lines: readonly (readonly string[])[]): string =>
  `${lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')}\n`

/** Who may call what, as a table in Markdown: a row for each endpoint, made from its record. */
export function accessTable<S extends Area['session']>(
  title: string,
  area: Pick<Area, 'path' | 'roles'> & { session: Pick<S, 'checkReach'> },
  endpoints: readonly Endpoint[],
): string {
  const isLimited = area.session.checkReach !== undefined
  const rows = endpoints.map(endpoint => {
    const may = findAllowedRoles(area, endpoint)
    return [
      `\`${endpoint.method} ${endpoint.path}\``,
      ...ROLES.map(role => (may.includes(role) ? '✓' : '')),
      ...(isLimited ? [LIMITED[endpoint.limited ?? 'closed'], describeRight(endpoint.jobRight)] : []),
      moreOf(endpoint),
    ]
  })
  const head = ['call', ...ROLES, ...(isLimited ? ['limited to jobs', 'right in the job'] : []), 'needs']
  return `## ${title}\n\nBelow \`${area.path}\`.\n\n${toMarkdownTable([head, head.map(() => '---'), ...rows])}`
}
