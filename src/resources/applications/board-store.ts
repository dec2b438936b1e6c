import type { ApplicationStatus } from '../../contract/application-status.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { type LimitedPerson, reachesCandidate } from '../../kernel/access/reach.ts'
import { none, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { workspaceNow } from '../../kernel/db/workspace-time.ts'
import type { Order, Page } from '../../kernel/http/list.ts'
import type { AccessState } from '../resumes/shape.ts'
import { resumeAccess } from '../resumes/shape.ts'
import { newestOrder } from '../shared/newest-order.ts'
import type { ApplicationRow } from './shape.ts'
import { BY_SCORE } from './store.ts'

/** What else a board is sorted by: the best score first, the longest in its stage first. */
export const SORTED_BY = {
  // a card shows null where none may be used
  score: { ...BY_SCORE, by: 'score', withoutValue: -1 },
  time_in_stage: { by: 'in_stage_since', tiebreaker: 'id', direction: 'asc', table: 'a' },
} as const satisfies Record<string, Order>

export type BoardSort = keyof typeof SORTED_BY

/** What a board is narrowed by. The caller has checked that the reader may read what is compared. */
export interface BoardFilter {
  statuses: readonly ApplicationStatus[]
  /** match score, at least */
  scoreFrom?: number | undefined
  source?: string | undefined
  /** all of them are in the parsed résumé; case is ignored */
  skills?: readonly string[] | undefined
  appliedAfter?: string | undefined
  appliedBefore?: string | undefined
  hasResume?: boolean | undefined
  /** all of these words are in the name */
  nameWords?: readonly string[] | undefined
  /** statuses of the latest test or check; `none`: nothing was ordered */
  checkStates?: readonly string[] | undefined
  /** the member who is responsible; null: no one */
  ownerUserId?: string | null | undefined
  /** only candidates whom this person sees */
  seenBy?: LimitedPerson | undefined
}

const escapeLike = (word: string) => word.replace(/[\\%_]/g, '\\$&')

/**
 * Conditions on the applications row `a` besides stage, status and source. Scalar subqueries, not joins: each is a lookup
 * by primary key for a row that was found in the index, whatever the planner expects of the other table.
 */
function conditions(workspace: string, f: BoardFilter): Sql {
  const after = f.appliedAfter ? sql`and a.applied_at >= ${f.appliedAfter}::timestamptz` : none
  const before = f.appliedBefore ? sql`and a.applied_at < ${f.appliedBefore}::timestamptz` : none
  // a résumé of a person whose processing was stopped cannot be had, so it counts as none
  const resume =
    f.hasResume === undefined
      ? none
      : sql`and (a.has_resume and (select p.suppressed_at is null from applicants p
          where p.workspace_id = ${workspace} and p.id = a.applicant_id) is not false) = ${f.hasResume}`
  const name = f.nameWords?.length
    ? sql`and (select p.full_name ilike all(${f.nameWords.map(word => `%${escapeLike(word)}%`)}::text[])
        from applicants p where p.workspace_id = ${workspace} and p.id = a.applicant_id)`
    : none
  const score = f.scoreFrom === undefined ? none : sql`and a.usable_score >= ${f.scoreFrom}`
  const skills = f.skills?.length
    ? sql`and (select ${f.skills.map(skill => skill.toLowerCase())}::text[] <@ array(
          select lower(skill) from jsonb_array_elements_text(
            case when jsonb_typeof(r.parsed -> 'skills') = 'array' then r.parsed -> 'skills' else '[]' end) skill)
        from resumes r where r.workspace_id = ${workspace} and r.application_id = a.id)
      and (a.resume_unlocked_at is not null
        or a.applied_at > ${workspaceNow(workspace)} - ${API_LIMITS.resumeViewDays}::integer * interval '1 day')`
    : none
  const check = f.checkStates?.length
    ? sql`and coalesce((select o.status ${newestOrder(workspace, sql`a.id`)}), 'none') = any(${f.checkStates}::text[])`
    : none
  const owner = f.ownerUserId === undefined ? none : sql`and a.owner_user_id is not distinct from ${f.ownerUserId}`
  // what was read in a résumé is not used for a person whose processing was stopped
  const processed = !f.skills?.length
    ? none
    : sql`and (select p.suppressed_at is null from applicants p
        where p.workspace_id = ${workspace} and p.id = a.applicant_id)`
  const seen = f.seenBy?.interviews
    ? sql`and ${reachesCandidate(f.seenBy, { job: sql`a.job_id`, application: sql`a.id` })}`
    : none
  return sql`${after} ${before} ${resume} ${name} ${score} ${skills} ${check} ${owner} ${processed} ${seen}`
}

const sourceIs = (f: BoardFilter) => (f.source === undefined ? none : sql`and a.source = ${f.source}`)

interface StoredCard
  extends Pick<
    ApplicationRow,
    | 'id'
    | 'job_id'
    | 'stage_id'
    | 'status'
    | 'source'
    | 'applied_at'
    | 'updated_at'
    | 'has_resume'
    | 'parse_status'
    | 'owner_user_id'
  > {
  resume_unlocked_at: string | null
  now: string
  full_name: string | null
  match_pct: number | null
  in_stage_since: string
  /** the person asked that processing stop */
  stopped: boolean
}

const CARD = sql`a.id, a.job_id, a.stage_id, a.status, a.source, a.applied_at, a.updated_at, a.has_resume, a.parse_status,
  a.owner_user_id, a.resume_unlocked_at`

/** What else a card shows, for the few rows of a page: each a lookup by primary key. */
const withCardDetails = (workspace: string, found: Sql, end: Sql): Sql<StoredCard> =>
  sql<StoredCard>`
    select a.*, ${workspaceNow(workspace)} as now, p.full_name, case when p.stopped then null else s.match_pct end as match_pct,
      coalesce(t.at, a.applied_at) as in_stage_since, coalesce(p.stopped, false) as stopped
    from (${found}) a
    left join lateral (select full_name, suppressed_at is not null as stopped from applicants
      where workspace_id = ${workspace} and id = a.applicant_id limit 1) p on true
    left join lateral (select match_pct from application_scores
      where workspace_id = ${workspace} and application_id = a.id limit 1) s on true
    left join lateral (select at from stage_transitions
      where workspace_id = ${workspace} and application_id = a.id order by id desc limit 1) t on true
    ${end}`

/**
 * A page of cards of these stages. Each stage and status is read in the order of its index up to the size of a page, and
 * the parts are merged: rejected applications, which stay in their stage, cost nothing where they are not shown.
 */
export const boardCards = (workspace: string, stages: readonly string[], f: BoardFilter, page: Page): Sql<StoredCard> =>
  withCardDetails(
    workspace,
    sql`select a.* from unnest(${stages}::text[]) stage(id) cross join unnest(${f.statuses}::text[]) state(name)
      cross join lateral (
        select ${CARD}, a.applicant_id from applications a
        where a.workspace_id = ${workspace} and a.stage_id = stage.id and a.status = state.name ${sourceIs(f)}
          ${conditions(workspace, f)} ${page.clause}
      ) a ${page.sort} limit ${page.limit + 1}`,
    page.sort,
  )

/** The value of the row `a` by which it is sorted. */
const sortValue = (workspace: string, sort: BoardSort): Sql =>
  sort === 'score'
    ? sql`a.usable_score`
    : sql`coalesce((select t.at from stage_transitions t
        where t.workspace_id = ${workspace} and t.application_id = a.id order by t.id desc limit 1), a.applied_at)`

const matching = (workspace: string, stages: readonly string[], f: BoardFilter): Sql =>
  sql`a.workspace_id = ${workspace} and a.stage_id = any(${stages}::text[]) and a.status = any(${f.statuses}::text[])
    ${sourceIs(f)} ${conditions(workspace, f)}`

/**
 * A page of cards in another order than that of the index: each page costs a lookup for every application that matches,
 * which is tens of milliseconds for a job with thousands.
 */
export const sortedBoardCards = (
  workspace: string,
  stages: readonly string[],
  f: BoardFilter,
  sort: BoardSort,
  page: Page,
): Sql<StoredCard> =>
  withCardDetails(
    workspace,
    sql`select a.* from (
        select ${CARD}, a.applicant_id, ${sortValue(workspace, sort)} as ${raw(SORTED_BY[sort].by)}
        from applications a where ${matching(workspace, stages, f)}
      ) a where true ${page.clause}`,
    page.sort,
  )

/** Every application that matches, for a change of all of them; `limit` bounds what one response has. */
export const boardSelection = (workspace: string, stages: readonly string[], f: BoardFilter, limit: number) =>
  sql<Pick<StoredCard, 'id' | 'stage_id' | 'status' | 'stopped'>>`
    select a.id, a.stage_id, a.status, exists (select from applicants p where p.workspace_id = ${workspace}
      and p.id = a.applicant_id and p.suppressed_at is not null) as stopped
    from applications a where ${matching(workspace, stages, f)}
    order by a.applied_at desc, a.id desc limit ${limit}`

/** The cards of certain applications, as far as they belong to the stages and pass the filter. */
export const boardCardsById = (workspace: string, stages: readonly string[], f: BoardFilter, ids: readonly string[]) =>
  withCardDetails(
    workspace,
    sql`select ${CARD}, a.applicant_id from applications a
      where a.workspace_id = ${workspace} and a.id = any(${ids}::text[]) and a.stage_id = any(${stages}::text[])
        and a.status = any(${f.statuses}::text[]) ${sourceIs(f)} ${conditions(workspace, f)}`,
    none,
  )

/** The applications directly before and after one in the order of the board. */
export const boardNeighbors = (workspace: string, stages: readonly string[], f: BoardFilter, id: string) => {
  const nearest = (comparison: '<' | '>') => {
    const bounds =
      comparison === '<'
        ? sql`and (a.applied_at, a.id) < (here.applied_at, here.id) order by a.applied_at desc, a.id desc limit 1`
        : sql`and (a.applied_at, a.id) > (here.applied_at, here.id) order by a.applied_at, a.id limit 1`
    const end = comparison === '<' ? sql`order by c.applied_at desc, c.id desc` : sql`order by c.applied_at, c.id`
    return sql`(select c.id from unnest(${stages}::text[]) stage(id) cross join unnest(${f.statuses}::text[]) state(name)
      cross join lateral (
        select a.id, a.applied_at from applications a
        where a.workspace_id = ${workspace} and a.stage_id = stage.id and a.status = state.name ${sourceIs(f)}
          ${conditions(workspace, f)} ${bounds}
      ) c ${end} limit 1)`
  }
  return sql<{ previous: string | null; next: string | null }>`
    select ${nearest('>')} as previous, ${nearest('<')} as next
    from applications here where here.workspace_id = ${workspace} and here.id = ${id}`
}

/** The same in another order. */
export const sortedBoardNeighbors = (
  workspace: string,
  stages: readonly string[],
  f: BoardFilter,
  sort: BoardSort,
  id: string,
) => {
  const nearest = (comparison: '<' | '>') => {
    const direction = raw(comparison === '<' ? 'desc' : 'asc')
    return sql`(select c.id from (
        select a.id, ${sortValue(workspace, sort)} as value from applications a where ${matching(workspace, stages, f)}
      ) c where (c.value, c.id) ${raw(comparison)} (here.value, here.id)
      order by c.value ${direction}, c.id ${direction} limit 1)`
  }
  const [before, after] = SORTED_BY[sort].direction === 'desc' ? (['>', '<'] as const) : (['<', '>'] as const)
  return sql<{ previous: string | null; next: string | null }>`
    select ${nearest(before)} as previous, ${nearest(after)} as next
    from (select a.id, ${sortValue(workspace, sort)} as value from applications a
      where a.workspace_id = ${workspace} and a.id = ${id}) here`
}

/** Exact counts. Costs as much as the job has applications; without a filter they are read from the index alone. */
export const boardCounts = (workspace: string, stages: readonly string[], f: BoardFilter) =>
  sql<{ stage_id: string; status: ApplicationStatus; source: string; n: number }>`
    select stage.id as stage_id, c.status, c.source, c.n from unnest(${stages}::text[]) stage(id) cross join lateral (
      select a.status, a.source, count(*)::integer as n from applications a
      where a.workspace_id = ${workspace} and a.stage_id = stage.id ${conditions(workspace, f)}
      group by a.status, a.source
    ) c`

export const boardJob = (workspace: string, id: string) =>
  sql<{ id: string; title: string; status: string }>`
    select id, title, status from jobs where workspace_id = ${workspace} and id = ${id}`

export interface BoardStage {
  id: string
  name: string
  type: string
  is_terminal: boolean
}

export const boardStages = (workspace: string, jobId: string) =>
  sql<BoardStage>`
    select id, name, type, is_terminal from pipeline_stages
    where workspace_id = ${workspace} and job_id = ${jobId} order by position`

/** What may be done with the résumé now; null without one that can be had. */
export const judgeResumeAccess = (card: StoredCard): AccessState | null =>
  card.has_resume && !card.stopped ? resumeAccess(card.applied_at, card.resume_unlocked_at, card.now).state : null
