import { type HandleKind, PREFIXES } from '../../contract/handles.ts'
import {
  ALL_JOB_RIGHTS,
  combineRoles,
  isNarrowed,
  type JobPerson,
  type JobRight,
  type JobRole,
  NO_JOB_RIGHTS,
  rightsEverywhere,
  rightsInJob,
} from '../../contract/job-rights.ts'
import { isManager, LIMITABLE_ROLES, type Role } from '../../contract/roles.ts'
import { isLimited, type Rights } from '../../contract/scopes.ts'
import type { Queryable } from '../db/database.ts'
import { none, type Sql, sql, wordList } from '../db/sql.ts'
import { fail } from '../errors/api-error.ts'
import { isHandle } from '../ids/handles.ts'

/**
 * Members and viewers can be limited to the jobs whose team they are on (`users.job_access`, `job_team`), and have a role
 * in each (`contract/job-rights.ts`). A call of a person who may not do everything everywhere is checked before its handler
 * runs: every handle in its path, query and body must belong to a job of theirs, and to a candidate whom their role shows.
 * Anything else is the 404 of a record that does not exist. Then the right that the record names is checked.
 */

/**
 * The part of the workspace that a call of a limited person concerns decides whether they may make it.
 * - `record`: it names a job, or something that belongs to one.
 * - `job`: `job_id` of its query names a job; without one it would concern all of them.
 * - `filtered`: its handler leaves out what belongs to other jobs.
 * - `open`: it shows nothing of any job.
 * - `closed`: it concerns the whole workspace.
 */
export type LimitedRule = 'record' | 'job' | 'filtered' | 'open' | 'closed'

/** Calls that need a right which the role in a job does not have are refused with this message. */
export const ROLE_IN_JOB_MESSAGE = 'Your role in this job does not allow this. Ask an owner or admin.'

/** `closed` calls are refused with this message. */
export const LIMITED_MESSAGE =
  'Your access is limited to the jobs whose team you are on, and this concerns others too. Ask an admin for more.'

/** Kinds that belong to a job. */
const OF_JOBS: readonly HandleKind[] = [
  'job',
  'pipeline_stage',
  'application',
  'applicant',
  'resume',
  'message',
  'order',
]
/** Kinds that belong to the whole workspace or installation: never within the reach of a limited person. */
const OF_NO_JOB: readonly HandleKind[] = [
  'sourced_profile',
  'pool_profile',
  'person',
  'project',
  'list',
  'list_membership',
]

const kinds = new Map([...OF_JOBS, ...OF_NO_JOB].map(kind => [PREFIXES[kind] as string, kind]))

function isChecked(text: string): boolean {
  const kind = kinds.get(text.slice(0, text.indexOf('_') + 1))
  return kind !== undefined && isHandle(kind, text)
}

/** Fields of texts that people write: a handle in one of them names nothing, and can be stored. */
const WRITTEN: ReadonlySet<string> = new Set([
  'body',
  'body_text',
  'body_html',
  'subject',
  'text',
  'q',
  'reason',
  'summary',
  'comment',
  'note',
  'description',
])

/**
 * The handles in values of any depth, alone or separated by commas. A handle within a longer text, or in a text that people
 * write, names nothing. With a list of what is left instead of calls of itself: a body can be nested deeper than calls.
 */
export function handlesIn(value: unknown): Set<string> {
  const found = new Set<string>()
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') {
      for (const part of next.split(',')) if (isChecked(part.trim())) found.add(part.trim())
    } else if (next !== null && typeof next === 'object' && !ArrayBuffer.isView(next)) {
      for (const [name, inner] of Object.entries(next)) {
        if (typeof inner !== 'string' || !WRITTEN.has(name)) left.push(inner)
      }
    }
  }
  return found
}

/** A person who sees less than all candidates of the workspace, for the statements of lists. */
export interface LimitedPerson {
  workspace: string
  userId: string
  /** only the jobs whose team they are on; false: all jobs, and in some of them they are an interviewer */
  limited: boolean
  /** an interviewer in some job */
  interviews: boolean
}

type TeamMember = Pick<LimitedPerson, 'workspace' | 'userId'>

/** The jobs whose team the person is on. */
export const jobsOfTeam = ({ workspace, userId }: TeamMember): Sql<{ job_id: string }> =>
  sql<{ job_id: string }>`select job_id from job_team where workspace_id = ${workspace} and user_id = ${userId}`

const jobsAsInterviewer = (person: TeamMember): Sql => sql`${jobsOfTeam(person)} and role = 'interviewer'`

/** Whether the person has access to a job. */
export const reachesJob = (person: LimitedPerson, job: Sql): Sql =>
  person.limited ? sql`${job} in (${jobsOfTeam(person)})` : sql`true`

/** Whether the person sees all candidates of a job. */
export const browsesJob = (person: LimitedPerson, job: Sql): Sql =>
  person.limited
    ? sql`${job} in (${jobsOfTeam(person)} ${person.interviews ? sql`and role <> 'interviewer'` : none})`
    : person.interviews
      ? sql`${job} not in (${jobsAsInterviewer(person)})`
      : sql`true`

/** Whether the person sees a candidate: interviewers see those whom they were asked about. */
export const reachesCandidate = (person: LimitedPerson, { job, application }: { job: Sql; application: Sql }): Sql =>
  person.interviews
    ? sql`(${browsesJob(person, job)} or ${reachesJob(person, job)} and ${isAsked(person, application)})`
    : reachesJob(person, job)

/** The users who interview a candidate, or were asked for a scorecard about them. */
const askedAbout = (workspace: string, application: Sql): Sql => sql`
  select asked.user_id from scorecard_requests asked
  where asked.workspace_id = ${workspace} and asked.application_id = ${application}
  union all
  select asked.user_id from interviews talk
  join interview_people asked on asked.workspace_id = ${workspace} and asked.interview_id = talk.id
  where talk.workspace_id = ${workspace} and talk.application_id = ${application} and talk.state <> 'canceled'`

const isAsked = ({ workspace, userId }: TeamMember, application: Sql): Sql =>
  sql`${userId} in (${askedAbout(workspace, application)})`

/** The person as lists are filtered by them; undefined for people who see all candidates. */
export function limitOf(workspace: string, userId: string, person: JobPerson): LimitedPerson | undefined {
  if (!isNarrowed(person)) return undefined
  return {
    workspace,
    userId,
    limited: isLimited(person),
    interviews: [...person.jobRoles.values()].includes('interviewer'),
  }
}

const selectJobRoles = (workspace: string, users: readonly string[]) =>
  sql<{ user_id: string; job_id: string; role: JobRole }>`
    select user_id, job_id, role from job_team
    where workspace_id = ${workspace} and user_id = any(${users}::text[])`

const selectRights = (workspace: string, users: readonly string[]) =>
  sql<Rights & { id: string }>`
    select id, role, job_access as "jobAccess" from users
    where workspace_id = ${workspace} and id = any(${users}::text[])`

/** The roles of a person by job. */
export async function readJobRoles(
  db: Queryable,
  workspace: string,
  userId: string,
): Promise<ReadonlyMap<string, JobRole>> {
  const rows = await db.query(selectJobRoles(workspace, [userId]))
  return new Map(rows.map(({ job_id, role }) => [job_id, role]))
}

/** Those of the users who are members now, with their roles by job. */
export async function readJobPeople(
  db: Queryable,
  workspace: string,
  users: readonly string[],
): Promise<ReadonlyMap<string, JobPerson>> {
  const [members, teams] = await Promise.all([
    db.query(selectRights(workspace, users)),
    db.query(selectJobRoles(workspace, users)),
  ])
  const byUser = Map.groupBy(teams, team => team.user_id)
  return new Map(
    members.map(({ id, ...rights }) => {
      const jobRoles = new Map((byUser.get(id) ?? []).map(({ job_id, role }) => [job_id, role]))
      return [id, { ...rights, jobRoles }]
    }),
  )
}

/** Whether the user `u` is limited to jobs: as `isLimited` of the contract. */
export const IS_LIMITED: Sql = sql`(u.job_access = 'team' and u.role in ${wordList(LIMITABLE_ROLES)})`

/** The jobs that the person is limited to; null: all jobs. */
export const jobsOf = (person: JobPerson): string[] | null =>
  isLimited(person) ? [...person.jobRoles.keys()].sort() : null

interface Place {
  handle: string
  job_id: string
  /** whether the person interviews the candidate or was asked about them; null: the handle names no candidate */
  asked: boolean | null
}

/** The jobs that the handles belong to. Each costs a lookup or two in indexes. */
const placesOf = (person: TeamMember, handles: readonly string[]): Sql<Place> => {
  const { workspace } = person
  const ofJob = (found: Sql) => sql`select f.job_id, null::boolean as asked from (${found}) f`
  const ofApplication = (found: Sql) => sql`
    select f.job_id, ${isAsked(person, sql`f.application_id`)} as asked from (${found}) f`
  const is = (prefix: string, table: Sql) =>
    sql`split_part(h.handle, '_', 1) = ${prefix} and ${table}.workspace_id = ${workspace}`
  return sql<Place>`
    select h.handle, p.job_id, p.asked from unnest(${handles}::text[]) h (handle) cross join lateral (
      ${ofJob(sql`select j.id as job_id from jobs j where ${is('job', sql`j`)} and j.id = h.handle`)}
      union all
      ${ofJob(sql`select s.job_id from pipeline_stages s where ${is('stg', sql`s`)} and s.id = h.handle`)}
      union all
      ${ofApplication(sql`select a.job_id, a.id as application_id from applications a
        where ${is('app', sql`a`)} and a.id = h.handle`)}
      union all
      ${ofApplication(sql`select a.job_id, a.id as application_id from applications a
        where ${is('apl', sql`a`)} and a.applicant_id = h.handle`)}
      union all
      ${ofApplication(sql`select a.job_id, a.id as application_id from resumes r
        join applications a on a.workspace_id = r.workspace_id and a.id = r.application_id
        where ${is('res', sql`r`)} and r.id = h.handle`)}
      union all
      ${ofApplication(sql`select a.job_id, a.id as application_id from messages m
        join applications a on a.workspace_id = m.workspace_id
          and (a.id = m.application_id or m.application_id is null and a.applicant_id = m.applicant_id)
        where ${is('msg', sql`m`)} and m.id = h.handle`)}
      union all
      ${ofApplication(sql`select o.job_id, o.application_id from orders o where ${is('ord', sql`o`)} and o.id = h.handle`)}
    ) p`
}

/** A person and where their roles are looked up. */
export interface Reader {
  workspace: string
  userId: string
  person: JobPerson
}

/** Returns what the person may do in the job of a place; undefined where they may not know of it. */
function rightsAt({ person }: Reader, { job_id, asked }: Place): ReadonlySet<JobRight> | undefined {
  const rights = rightsInJob(person, job_id)
  return rights.has('see') && (rights.has('browse') || asked !== false) ? rights : undefined
}

/**
 * Returns what the person may do with each of the handles that they may know of: what the role in one of its jobs allows. Handles
 * of no job are left out for people who are limited to jobs. Others may do with them what their scopes allow, and with a
 * person, who can have applied for any job, what they may do everywhere.
 */
export async function rightsOn(
  db: Queryable,
  reader: Reader,
  handles: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<JobRight>>> {
  const found = new Map<string, Set<JobRight>>()
  if (handles.length === 0) return found
  const places = await db.query(placesOf(reader, handles))
  for (const place of places) {
    const rights = rightsAt(reader, place)
    if (rights) found.set(place.handle, new Set([...(found.get(place.handle) ?? []), ...rights]))
  }
  if (!isLimited(reader.person)) {
    const ofJobs = new Set(places.map(({ handle }) => handle))
    const most = combineRoles(reader.person.role, 'recruiter')
    for (const handle of handles)
      if (!ofJobs.has(handle))
        found.set(handle, new Set(isHandle('person', handle) ? rightsEverywhere(reader.person) : most))
  }
  return found
}

const selectAsked = (workspace: string, applicationId: string) =>
  sql<{ job_id: string; asked: string[] }>`
    select a.job_id, array(${askedAbout(workspace, sql`a.id`)})::text[] as asked from applications a
    where a.workspace_id = ${workspace} and a.id = ${applicationId}`

/** A member as far as an application concerns them. */
export interface ApplicationReader {
  role: Role
  /** what they may do in its job */
  rights: ReadonlySet<JobRight>
  /** whether they may know of the candidate */
  sees: boolean
}

/** Those of the users who are members now and have access to the job of the application. */
export async function readersOf(
  db: Queryable,
  workspace: string,
  applicationId: string,
  users: readonly string[],
): Promise<ReadonlyMap<string, ApplicationReader>> {
  const [people, application] = await Promise.all([
    readJobPeople(db, workspace, users),
    db.one(selectAsked(workspace, applicationId)),
  ])
  if (!application) return new Map()
  const { job_id, asked } = application
  return new Map(
    [...people].flatMap(([id, person]) => {
      const rights = rightsInJob(person, job_id)
      const sees = rights.has('browse') || (rights.has('see') && asked.includes(id))
      return rights.size === 0 ? [] : [[id, { role: person.role, rights, sees }]]
    }),
  )
}

/** The parts of a call that may name records, as far as it was read. */
export interface Naming {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  /** undefined until it was read */
  body?: unknown
}

/** A right that depends on what the body asks for. */
export interface ChosenRight {
  /** those that it can be, for the documentation */
  readonly among: readonly JobRight[]
  choose(body: unknown): JobRight
}

/** A right in the jobs that a call names; where it names nothing, in every job of the person. */
export type NeededRight = JobRight | ChosenRight

/**
 * How a record says what people may do with it who are limited to jobs, and which right in a job it needs. A record of one
 * job must name the right.
 */
export type ReachWords<Rule extends string = LimitedRule> =
  | { readonly limited: Extract<Rule, 'record' | 'job'>; readonly jobRight: NeededRight }
  | { readonly limited: Exclude<Rule, 'record' | 'job'>; readonly jobRight?: NeededRight }

/** The rule of a call for people who are limited to jobs, and the right that it needs in the jobs that it names. */
export interface ReachRule {
  rule: LimitedRule
  jobRight?: NeededRight | undefined
  /** refuses a call that concerns the whole workspace */
  refuseLimited: () => never
  /** refuses what the role in a job does not allow */
  refuseRight: () => never
}

/**
 * Refuses a call that its rule does not allow to a limited person; 404 unless the person may know of everything that it
 * names, and then what the right is missing for. A call of the rule `record` that names nothing is like one for a record
 * that does not exist. Called before the body is read, so that a refused call costs nothing, and again when the call is
 * `complete`. Returns what the person may do with everything that the call names.
 */
export async function checkReach(
  db: Queryable,
  reader: Reader,
  { rule, jobRight, refuseLimited, refuseRight }: ReachRule,
  { params, query, body }: Naming,
  complete: boolean,
): Promise<ReadonlySet<JobRight>> {
  const { person } = reader
  if (isManager(person)) return ALL_JOB_RIGHTS
  const needed = typeof jobRight !== 'object' ? jobRight : complete ? jobRight.choose(body) : undefined
  const checked = (rights: ReadonlySet<JobRight>) =>
    needed === undefined || rights.has(needed) ? rights : refuseRight()
  if (!isNarrowed(person)) return checked(rightsEverywhere(person))
  const limited = isLimited(person)
  if (limited && rule === 'closed') refuseLimited()
  const jobId = query['job_id']
  if (limited && rule === 'job' && !(typeof jobId === 'string' && isHandle('job', jobId))) refuseLimited()
  const handles = [...handlesIn([params, query, body])]
  if (handles.length === 0 && limited && rule === 'record') return complete ? fail('not_found') : NO_JOB_RIGHTS
  const found = await rightsOn(db, reader, handles)
  if (found.size < handles.length) fail('not_found')
  const rights = handles.length === 0 ? rightsEverywhere(person) : inAll([...found.values()])
  return handles.length > 0 || complete ? checked(rights) : rights
}

const inAll = ([first = NO_JOB_RIGHTS, ...others]: readonly ReadonlySet<JobRight>[]): ReadonlySet<JobRight> =>
  new Set([...first].filter(right => others.every(rights => rights.has(right))))
