import type { ApplicationStatus } from '../../contract/application-status.ts'
import type { LimitedPerson } from '../../kernel/access/reach.ts'
import { none, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Order, Page } from '../../kernel/http/list.ts'
import { BY_APPLIED, BY_SCORE } from '../applications/index.ts'
import { resumeIsOpen, seenBy } from './search-store.ts'

/** What the list of candidates is narrowed by. The caller has checked that the reader may read what is compared. */
export interface CandidateFilter {
  jobs?: readonly string[] | undefined
  statuses?: readonly ApplicationStatus[] | undefined
  stageTypes?: readonly string[] | undefined
  source?: string | undefined
  /** all of them are in the parsed résumé; case is ignored */
  skills?: readonly string[] | undefined
  /** as `application_tags` stores it */
  tagKey?: string | undefined
  appliedAfter?: string | undefined
  appliedBefore?: string | undefined
  scoreFrom?: number | undefined
  hasResume?: boolean | undefined
  /** the member who is responsible; null: no one */
  ownerUserId?: string | null | undefined
  /** only these applications, which a search found */
  found?: readonly string[] | undefined
  reader?: LimitedPerson | undefined
}

const NAMED = 'name_key'

/** Each order has a value for every row; ties are settled by the handle. */
export const CANDIDATE_ORDERS = {
  applied: BY_APPLIED,
  activity: { by: 'updated_at', tiebreaker: 'id', direction: 'desc', table: 'a' },
  score: { ...BY_SCORE },
  in_stage: { by: 'in_stage_since', tiebreaker: 'id', direction: 'asc', table: 'a' },
  name: { by: NAMED, byType: 'text', tiebreaker: 'id', direction: 'asc', table: 'a' },
} as const satisfies Record<string, Order>

export type CandidateSort = keyof typeof CANDIDATE_ORDERS

/**
 * Conditions on a row of applications. Scalar subqueries, not joins: each is a lookup by primary key for a row that was
 * found in an index. `row`: its alias.
 */
function conditions(workspace: string, f: CandidateFilter, row: 'a' | 'b'): Sql {
  const a = (column: string) => raw(`${row}.${column}`)
  const person = (condition: Sql) => sql`(select ${condition} from applicants p
    where p.workspace_id = ${workspace} and p.id = ${a('applicant_id')})`
  const parts: Sql[] = []
  if (f.found) parts.push(sql`and ${a('id')} = any(${f.found}::text[])`)
  if (f.reader) parts.push(seenBy(f.reader, row))
  if (f.jobs) parts.push(sql`and ${a('job_id')} = any(${f.jobs}::text[])`)
  if (f.statuses) parts.push(sql`and ${a('status')} = any(${f.statuses}::text[])`)
  if (f.source !== undefined) parts.push(sql`and ${a('source')} = ${f.source}`)
  if (f.appliedAfter) parts.push(sql`and ${a('applied_at')} >= ${f.appliedAfter}::timestamptz`)
  if (f.appliedBefore) parts.push(sql`and ${a('applied_at')} < ${f.appliedBefore}::timestamptz`)
  if (f.stageTypes)
    parts.push(sql`and (select s.type from pipeline_stages s
      where s.workspace_id = ${workspace} and s.id = ${a('stage_id')}) = any(${f.stageTypes}::text[])`)
  if (f.tagKey !== undefined)
    parts.push(sql`and ${a('id')} in (select t.application_id from application_tags t
      where t.workspace_id = ${workspace} and t.tag_key = ${f.tagKey})`)
  // a résumé of a person whose processing was stopped cannot be had, so it counts as none
  if (f.hasResume !== undefined)
    parts.push(sql`and (${a('has_resume')} and ${person(sql`p.suppressed_at is null`)} is not false) = ${f.hasResume}`)
  if (f.ownerUserId !== undefined) parts.push(sql`and ${a('owner_user_id')} is not distinct from ${f.ownerUserId}`)
  if (f.scoreFrom !== undefined) parts.push(sql`and ${a('usable_score')} >= ${f.scoreFrom}::integer`)
  // the index finds the few that have the words; the résumé says whether they are skills
  if (f.skills?.length)
    parts.push(sql`and ${a('id')} in (select s.application_id from application_search s
        where s.workspace_id = ${workspace} and s.terms @@ search_query(${f.skills.join(' ')}, 99, 'C'))
      and (select ${f.skills.map(skill => skill.toLowerCase())}::text[] <@ array(
          select lower(skill) from jsonb_array_elements_text(
            case when jsonb_typeof(r.parsed -> 'skills') = 'array' then r.parsed -> 'skills' else '[]' end) skill)
        from resumes r where r.workspace_id = ${workspace} and r.application_id = ${a('id')})
      and ${
        row === 'a'
          ? resumeIsOpen(workspace)
          : sql`(select ${resumeIsOpen(workspace)} from applications a
        where a.workspace_id = ${workspace} and a.id = b.id)`
      }`)
  // what was read in a résumé is not used for a person whose processing was stopped
  if (f.skills?.length || f.tagKey !== undefined) parts.push(sql`and ${person(sql`p.suppressed_at is null`)}`)
  return parts.reduce((before, one) => sql`${before} ${one}`, none)
}

/**
 * The application `a` passes the filter, and is the latest of its person that does. Nearly every application is: written as
 * a case, the planner does not take it for a rare one, and reads a page in the order of an index.
 */
const matching = (workspace: string, f: CandidateFilter): Sql => sql`a.workspace_id = ${workspace}
  ${conditions(workspace, f, 'a')}
  and case when a.applicant_id is null then true else a.id = (select b.id from applications b
    where b.workspace_id = ${workspace} and b.applicant_id = a.applicant_id ${conditions(workspace, f, 'b')}
    order by b.applied_at desc, b.id desc limit 1) end`

export interface CandidateRow {
  id: string
  applicant_id: string | null
  job_id: string
  job_title: string
  stage_id: string
  /** null: the stage was removed */
  stage_name: string | null
  status: ApplicationStatus
  source: string
  applied_at: string
  updated_at: string
  in_stage_since: string
  owner_user_id: string | null
  full_name: string | null
  match_pct: number | null
  /** the person asked that processing stop */
  stopped: boolean
  /** Read from the résumé, while it may be viewed */
  title: string | null
  company: string | null
  skills: string[] | null
  tags: string[]
  /** further applications of the person that the reader may see */
  others: number
  name_key: string
  usable_score: number
}

/** What a row shows, for the few rows of a page: each a lookup by primary key. */
const withDetails = (workspace: string, found: Sql, reader: LimitedPerson | undefined, end: Sql): Sql<CandidateRow> =>
  sql<CandidateRow>`
    select a.*, j.title as job_title, s.name as stage_name, p.full_name, coalesce(p.stopped, false) as stopped,
      case when p.stopped then null else m.match_pct end as match_pct, r.title, r.company, r.skills,
      case when p.stopped then '{}' else array(select t.name from application_tags t
        where t.workspace_id = ${workspace} and t.application_id = a.id order by t.tag_key) end as tags,
      (select count(*)::integer from applications b where b.workspace_id = ${workspace}
        and b.applicant_id = a.applicant_id and b.id <> a.id
        ${seenBy(reader, 'b')}) as others
    from (${found}) a
    join jobs j on j.workspace_id = ${workspace} and j.id = a.job_id
    left join pipeline_stages s on s.workspace_id = ${workspace} and s.id = a.stage_id
    left join lateral (select full_name, suppressed_at is not null as stopped from applicants
      where workspace_id = ${workspace} and id = a.applicant_id limit 1) p on true
    left join lateral (select match_pct from application_scores
      where workspace_id = ${workspace} and application_id = a.id limit 1) m on true
    left join lateral (select parsed ->> 'current_title' as title, parsed ->> 'current_company' as company,
        case when jsonb_typeof(parsed -> 'skills') = 'array'
          then array(select jsonb_array_elements_text(parsed -> 'skills')) end as skills
      from resumes where workspace_id = ${workspace} and application_id = a.id and not coalesce(p.stopped, false)
        and ${resumeIsOpen(workspace)} limit 1) r on true
    ${end}`

const COLUMNS = sql`a.id, a.applicant_id, a.job_id, a.stage_id, a.status, a.source, a.applied_at, a.updated_at,
  a.owner_user_id, a.resume_unlocked_at, a.usable_score, coalesce(a.stage_entered_at, a.applied_at) as in_stage_since`

/** The value of the row `a` by which it is sorted, where it is not among the columns. */
const sortValue = (workspace: string, by: string | undefined): Sql =>
  by === NAMED
    ? sql`, coalesce((select s.name_key from application_search s
        where s.workspace_id = ${workspace} and s.application_id = a.id), '') as name_key`
    : none

/** These are read in the order of an index up to the size of a page; the others cost a lookup for each row that matches. */
const INDEXED: readonly string[] = [CANDIDATE_ORDERS.applied.by, CANDIDATE_ORDERS.activity.by]

/** A page of people, each with the latest application that passes the filter. */
export const candidatesPage = (workspace: string, f: CandidateFilter, page: Page): Sql<CandidateRow> =>
  withDetails(
    workspace,
    page.by !== undefined && INDEXED.includes(page.by)
      ? sql`select ${COLUMNS} from applications a where ${matching(workspace, f)} ${page.clause}`
      : sql`select a.* from (select ${COLUMNS} ${sortValue(workspace, page.by)} from applications a
          where ${matching(workspace, f)}) a where true ${page.clause}`,
    f.reader,
    page.sort,
  )

/** The rows of certain applications, in no order. */
export const candidatesById = (workspace: string, ids: readonly string[], reader?: LimitedPerson): Sql<CandidateRow> =>
  withDetails(
    workspace,
    sql`select ${COLUMNS} from applications a where a.workspace_id = ${workspace} and a.id = any(${ids}::text[])
      ${seenBy(reader, 'a')}`,
    reader,
    none,
  )
