import { type HandleKind, PREFIXES } from '../../contract/handles.ts'
import { LIMITABLE_ROLES } from '../../contract/roles.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql, wordList } from '../db/sql.ts'
import { fail } from '../errors/api-error.ts'
import { isHandle } from '../ids/handles.ts'

/**
 * Members and viewers can be limited to the jobs whose team they are on (`users.job_access`, `job_team`). A call of such a
 * person is checked before its handler runs: every handle in its path, query and body must belong to one of these jobs.
 * Anything else is the 404 of a record that does not exist.
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

/** A limited person. */
export interface LimitedPerson {
  workspace: string
  userId: string
}

/** The jobs whose team the person is on. */
export const jobsOfTeam = ({ workspace, userId }: LimitedPerson): Sql<{ job_id: string }> =>
  sql<{ job_id: string }>`select job_id from job_team where workspace_id = ${workspace} and user_id = ${userId}`

/** Whether the user `u` is limited to jobs: as `isLimited` of the contract. */
export const IS_LIMITED: Sql = sql`(u.job_access = 'team' and u.role in ${wordList(LIMITABLE_ROLES)})`

/** Those of the users who are members now, and whether they are limited to jobs. */
export const selectIsLimited = (workspace: string, users: readonly string[]): Sql<{ id: string; limited: boolean }> =>
  sql<{ id: string; limited: boolean }>`
    select id, ${IS_LIMITED} as limited from users u where workspace_id = ${workspace} and id = any(${users}::text[])`

const teamsOf = (workspace: string, users: readonly string[]): Sql<{ user_id: string; job_id: string }> =>
  sql<{ user_id: string; job_id: string }>`
    select user_id, job_id from job_team where workspace_id = ${workspace} and user_id = any(${users}::text[])
    order by job_id`

/** Those of the users who are members now, and the jobs that each is limited to; null: all jobs. */
export async function jobsOfMembers(
  db: Queryable,
  workspace: string,
  users: readonly string[],
): Promise<ReadonlyMap<string, string[] | null>> {
  const members = await db.query(selectIsLimited(workspace, users))
  const limited = members.flatMap(member => (member.limited ? member.id : []))
  const teams = limited.length === 0 ? [] : await db.query(teamsOf(workspace, limited))
  const jobs = Map.groupBy(teams, ({ user_id }) => user_id)
  return new Map(
    members.map(member => [member.id, member.limited ? (jobs.get(member.id) ?? []).map(team => team.job_id) : null]),
  )
}

/** Those of the handles that belong to jobs of the person. Each costs a lookup or two in indexes. */
export const reachable = (person: LimitedPerson, handles: readonly string[]): Sql<{ handle: string }> => {
  const { workspace } = person
  const onTeam = (job: Sql) => sql`exists (
    select from job_team t
    where t.workspace_id = ${workspace} and t.user_id = ${person.userId} and t.job_id = ${job})`
  return sql<{ handle: string }>`
    select h.handle from unnest(${handles}::text[]) h (handle)
    where case split_part(h.handle, '_', 1)
      when 'job' then ${onTeam(sql`h.handle`)}
      when 'stg' then exists (select from pipeline_stages s
        where s.workspace_id = ${workspace} and s.id = h.handle and ${onTeam(sql`s.job_id`)})
      when 'app' then exists (select from applications a
        where a.workspace_id = ${workspace} and a.id = h.handle and ${onTeam(sql`a.job_id`)})
      when 'apl' then exists (select from applications a
        where a.workspace_id = ${workspace} and a.applicant_id = h.handle and ${onTeam(sql`a.job_id`)})
      when 'res' then exists (select from resumes r
        join applications a on a.workspace_id = r.workspace_id and a.id = r.application_id
        where r.workspace_id = ${workspace} and r.id = h.handle and ${onTeam(sql`a.job_id`)})
      when 'msg' then exists (select from messages m
        join applications a on a.workspace_id = m.workspace_id
          and (a.id = m.application_id or m.application_id is null and a.applicant_id = m.applicant_id)
        where m.workspace_id = ${workspace} and m.id = h.handle and ${onTeam(sql`a.job_id`)})
      when 'ord' then exists (select from orders o
        where o.workspace_id = ${workspace} and o.id = h.handle and ${onTeam(sql`o.job_id`)})
      else false end`
}

/** The parts of a call that may name records, as far as it was read. */
export interface Naming {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  /** undefined until it was read */
  body?: unknown
}

/**
 * Refuses a call of a limited person that its rule does not allow; 404 unless everything that it names belongs to a job of
 * the person. A call of the rule `record` that names nothing is like one for a record that does not exist. Called before
 * the body is read, so that a refused call costs nothing, and again when the call is `complete`. `refuse` throws what a
 * call that concerns all jobs is refused with.
 */
export async function checkReach(
  db: Queryable,
  person: LimitedPerson,
  rule: LimitedRule,
  { params, query, body }: Naming,
  { complete, refuse }: { complete: boolean; refuse: () => never },
): Promise<void> {
  if (rule === 'closed') refuse()
  const jobId = query['job_id']
  if (rule === 'job' && !(typeof jobId === 'string' && isHandle('job', jobId))) refuse()
  const handles = handlesIn([params, query, body])
  if (handles.size === 0) return complete && rule === 'record' ? fail('not_found') : undefined
  const found = await db.query(reachable(person, [...handles]))
  if (found.length < handles.size) fail('not_found')
}
