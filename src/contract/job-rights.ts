import { isManager, type Role } from './roles.ts'
import { isLimited, type Rights } from './scopes.ts'

/** What a member is on the team of a job. */
export const JOB_ROLES = ['recruiter', 'hiring_manager', 'interviewer'] as const

export type JobRole = (typeof JOB_ROLES)[number]

/**
 * What people may do in a job, in our own pages. The record of an endpoint names one of these words; `RIGHTS` says who has
 * it. Scopes count as well: a right adds nothing that the role of the workspace does not allow.
 */
interface RightRow {
  description: string
  /** the roles of the job that have it */
  jobRoles: readonly JobRole[]
  /** viewers of the workspace have it, too, as far as their job role does */
  viewers: boolean
}

const recruiting: readonly JobRole[] = ['recruiter', 'hiring_manager']

const RIGHTS = {
  see: {
    description: 'open candidates: interviewers only those whom they interview or were asked about',
    jobRoles: JOB_ROLES,
    viewers: true,
  },
  browse: { description: 'see all candidates of the job, and its numbers', jobRoles: recruiting, viewers: true },
  contact: {
    description: 'read contact details, as the role in the workspace allows',
    jobRoles: recruiting,
    viewers: false,
  },
  discuss: { description: 'read all team notes, reasons, history and results', jobRoles: recruiting, viewers: false },
  messages: { description: 'read what was written to candidates', jobRoles: recruiting, viewers: false },
  feedback: { description: 'write notes and scorecards', jobRoles: JOB_ROLES, viewers: false },
  decide: {
    description: 'move, reject, withdraw, tag and message candidates, plan interviews, order checks',
    jobRoles: recruiting,
    viewers: false,
  },
  hire: { description: 'hire, make an offer, move to another job', jobRoles: ['recruiter'], viewers: false },
  read_setup: { description: 'read the set-up of the job', jobRoles: recruiting, viewers: true },
  setup: { description: 'change the set-up of the job, publish and close it', jobRoles: ['recruiter'], viewers: false },
} as const satisfies Record<string, RightRow>

export type JobRight = keyof typeof RIGHTS

export const JOB_RIGHTS: Readonly<Record<JobRight, RightRow>> = RIGHTS

export const ALL_JOB_RIGHTS: ReadonlySet<JobRight> = new Set(Object.keys(RIGHTS) as JobRight[])

export const NO_JOB_RIGHTS: ReadonlySet<JobRight> = new Set()

/** A person's role in the workspace, whether they are limited to jobs, and their roles by job. */
export interface JobPerson extends Rights {
  jobRoles: ReadonlyMap<string, JobRole>
}

const COMBINED = new Map<string, ReadonlySet<JobRight>>()

/** The rights that both roles have: the smaller one wins. Owners and admins have all, whatever they are on a team. */
export function combineRoles(role: Role, jobRole: JobRole): ReadonlySet<JobRight> {
  if (isManager({ role })) return ALL_JOB_RIGHTS
  const key = `${role} ${jobRole}`
  const known = COMBINED.get(key)
  if (known) return known
  const rights = new Set(
    [...ALL_JOB_RIGHTS].filter(right => {
      const { jobRoles, viewers } = JOB_RIGHTS[right]
      return jobRoles.includes(jobRole) && (role !== 'viewer' || viewers)
    }),
  )
  COMBINED.set(key, rights)
  return rights
}

/** What this person may do in this job. People with access to all jobs act as recruiters where they are on no team. */
export function rightsInJob(person: JobPerson, jobId: string): ReadonlySet<JobRight> {
  const jobRole = person.jobRoles.get(jobId) ?? (isLimited(person) ? undefined : 'recruiter')
  return isManager(person) ? ALL_JOB_RIGHTS : jobRole ? combineRoles(person.role, jobRole) : NO_JOB_RIGHTS
}

/** Whether some job gives the person less than their role in the workspace does. */
export const isNarrowed = (person: JobPerson): boolean =>
  !isManager(person) && (isLimited(person) || [...person.jobRoles.values()].some(role => role !== 'recruiter'))

/** What the person may do in every job that they have access to. */
export function rightsEverywhere(person: JobPerson): ReadonlySet<JobRight> {
  const sets = [...person.jobRoles.values()].map(jobRole => combineRoles(person.role, jobRole))
  const most = combineRoles(person.role, 'recruiter')
  return sets.length === 0 ? most : new Set([...most].filter(right => sets.every(set => set.has(right))))
}
