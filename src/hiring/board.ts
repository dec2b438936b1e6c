import { APPLICATION_STATUSES, OPEN_STATUSES } from '../contract/application-status.ts'
import type { JobRight } from '../contract/job-rights.ts'
import { API_LIMITS } from '../contract/limits.ts'
import { ROLE_SCOPES, type Scope } from '../contract/scopes.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { fail } from '../kernel/errors/api-error.ts'
import {
  booleanParam,
  integerParam,
  listParam,
  oneOfParam,
  type QueryOf,
  textParam,
  timeParam,
} from '../kernel/http/params.ts'
import { SessionError } from '../programs/errors.ts'
import { fields } from '../programs/fields.ts'
import {
  type BoardFilter,
  BY_APPLIED,
  boardCards,
  boardCardsById,
  boardCounts,
  boardJob,
  boardNeighbors,
  boardSelection,
  boardStages,
  judgeResumeAccess,
  SORTED_BY,
  sortedBoardCards,
  sortedBoardNeighbors,
} from '../resources/applications/index.ts'
import { membersNamed, selectTags } from '../resources/hiring-team/index.ts'
import { selectNextInterviews } from '../resources/interviews/index.ts'
import { type OrderMark, orderMarks } from '../resources/orders/index.ts'
import { ORDER_STATUSES } from '../resources/orders/shape.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { get, list } from './program.ts'
import { type HiringSession, limitedTo } from './reach.ts'
import { textsParam } from './texts-param.ts'

const SORTS = ['score', 'time_in_stage'] as const
const MAX_WORDS = 10
/** A page asks for what changed since; more than this is a reason to read it again. */
const MAX_IDS = 50

/** States of the latest test or check that was ordered and not canceled. */
const CHECK_STATES = ['none', ...ORDER_STATUSES] as const

const FILTERS = {
  status: listParam('Only these statuses; open ones if nothing is given.', APPLICATION_STATUSES),
  score_from: integerParam('Only with at least this match score.', 0, 100),
  source: textParam('Only from this source.'),
  skills: textsParam('Only with all of these skills.', ',', MAX_WORDS),
  applied_after: timeParam('Only those who applied at this time or later.'),
  applied_before: timeParam('Only those who applied before this time.'),
  has_resume: booleanParam('Only with, or without, a résumé.'),
  q: textsParam('Words of the name.', /\s+/, MAX_WORDS),
  owner: textParam('Only those for whom this member is responsible; `none`: no one is.', 100),
  check: listParam('Only where the latest test or check has one of these statuses, or there is none.', CHECK_STATES),
}

/** A board takes it in every request, so that one query names what the page shows. */
const SORTED = { ...FILTERS, sort: oneOfParam('The order; the newest application first by default.', SORTS) }

/** A role must not learn by a filter what it may not read. */
const FILTER_SCOPES: readonly (readonly [keyof typeof FILTERS, Scope])[] = [
  ['q', 'applicants:read'],
  ['skills', 'resume:read'],
]

/** The value of the filter for candidates for whom no member is responsible. */
export const NO_OWNER = 'none'

const may = (session: UserSession, scope: Scope) => ROLE_SCOPES[session.role].includes(scope)

/** The reader of a board, and what they may do in its job. */
interface BoardReader {
  session: HiringSession
  rights: ReadonlySet<JobRight>
}

/** Tests and checks are for people who read results. */
const readsChecks = ({ session, rights }: BoardReader): boolean => may(session, 'orders:read') && rights.has('discuss')

function filterOf(query: QueryOf<typeof FILTERS>, { session, rights }: BoardReader): BoardFilter {
  for (const [name, scope] of FILTER_SCOPES) {
    if (query[name] !== undefined && !may(session, scope)) throw new SessionError('role_required')
  }
  if (query.check !== undefined && !readsChecks({ session, rights })) throw new SessionError('role_required')
  return {
    statuses: query.status ?? OPEN_STATUSES,
    scoreFrom: query.score_from,
    source: query.source,
    skills: query.skills,
    appliedAfter: query.applied_after,
    appliedBefore: query.applied_before,
    hasResume: query.has_resume,
    nameWords: query.q,
    checkStates: query.check,
    ownerUserId: query.owner === NO_OWNER ? null : query.owner,
    seenBy: limitedTo(session),
  }
}

const cardOf = (session: UserSession) => (row: Parameters<typeof judgeResumeAccess>[0] & Owned) => {
  const access = judgeResumeAccess(row)
  return {
    id: row.id,
    stage_id: row.stage_id,
    status: row.status,
    source: row.source,
    applied_at: row.applied_at,
    updated_at: row.updated_at,
    in_stage_since: row.in_stage_since,
    owner_user_id: row.owner_user_id,
    /** null: not scored yet, or the person asked that processing stop */
    score: row.match_pct,
    /** the person asked that processing stop: nothing is decided about them */
    stopped: row.stopped,
    /** null: there is no résumé */
    resume: access && { parse_status: row.parse_status, access },
    /** left out for roles that may not read applicants; null if the person is not known */
    ...(may(session, 'applicants:read') ? { name: row.full_name } : {}),
  }
}

interface Owned {
  owner_user_id: string | null
}

/** Score and outcome only for roles that read results. */
const shownMark = (session: UserSession, { application_id: _, score_pct, outcome, ...mark }: OrderMark) => {
  const reads = may(session, 'orders:results:read')
  return { ...mark, score_pct: reads ? score_pct : null, outcome: reads ? outcome : null }
}

/** The stages of a job, or the one of them that is asked for. A job that is not there is a 404. */
async function stageIds(db: Queryable, workspace: string, jobId: string, wanted?: string): Promise<string[]> {
  const stages = await db.query(boardStages(workspace, jobId))
  if (stages.length === 0 && !(await db.one(boardJob(workspace, jobId)))) fail('not_found')
  if (wanted !== undefined && !stages.some(stage => stage.id === wanted)) fail('not_found')
  return wanted === undefined ? stages.map(stage => stage.id) : [wanted]
}

interface Count {
  n: number
}

function totals<R extends Count, K extends keyof R>(rows: readonly R[], key: K): Map<R[K], number> {
  const sums = new Map<R[K], number>()
  for (const row of rows) sums.set(row[key], (sums.get(row[key]) ?? 0) + row.n)
  return sums
}

const CARD = {
  ...fields('id', 'stage_id', 'status', 'source', 'applied_at', 'updated_at', 'in_stage_since'),
  ...fields('score', 'stopped', 'name', 'tags', 'next_interview_at'),
  resume: fields('parse_status', 'access'),
  owner: fields('id', 'name'),
  check: fields('id', 'package_name', 'kind', 'status', 'score_pct', 'outcome'),
}

export const boardEndpoints = [
  get({
    path: '/jobs/{job_id}/board',
    limited: 'record',
    jobRight: 'see',
    scope: 'applications:read',
    query: SORTED,
    returns: {
      job: fields('id', 'title', 'status'),
      stages: fields('id', 'name', 'type', 'is_terminal', 'count'),
      statuses: fields('status', 'count'),
      sources: fields('source', 'count'),
    },
    handler: async ({ db, session, params, query, rights }) => {
      const workspace = session.workspaceId
      const filter = filterOf(query, { session, rights })
      const [job, stages] = await Promise.all([
        db.one(boardJob(workspace, params.job_id)),
        db.query(boardStages(workspace, params.job_id)),
      ])
      if (!job) return undefined
      const ids = stages.map(stage => stage.id)
      const rows = await db.query(boardCounts(workspace, ids, filter))
      const ofSource = rows.filter(row => filter.source === undefined || row.source === filter.source)
      const ofStatus = rows.filter(row => filter.statuses.includes(row.status))
      const both = ofSource.filter(row => filter.statuses.includes(row.status))
      const byStage = totals(both, 'stage_id')
      const byStatus = totals(ofSource, 'status')
      const bySource = totals(ofStatus, 'source')
      return {
        job,
        /** in their order; `count` is exact, with all filters */
        stages: stages.map(stage => ({ ...stage, count: byStage.get(stage.id) ?? 0 })),
        /** with the filters other than the status */
        statuses: APPLICATION_STATUSES.map(status => ({ status, count: byStatus.get(status) ?? 0 })),
        /** with the filters other than the source, the most frequent first */
        sources: [...bySource]
          .map(([source, count]) => ({ source, count }))
          .sort((a, b) => b.count - a.count || (a.source < b.source ? -1 : 1)),
      }
    },
  }),
  list({
    path: '/jobs/{job_id}/board/cards',
    limited: 'record',
    jobRight: 'see',
    scope: 'applications:read',
    query: {
      ...SORTED,
      stage_id: textParam('Only this stage.', 100),
      ids: textsParam('Only these applications, in no order.', ',', MAX_IDS),
    },
    order: ({ sort }) => (sort ? SORTED_BY[sort] : BY_APPLIED),
    returns: CARD,
    handler: async ({ db, session, params, query, page, rights }) => {
      const workspace = session.workspaceId
      const filter = filterOf(query, { session, rights })
      const stages = await stageIds(db, workspace, params.job_id, query.stage_id)
      const statement = query.ids
        ? boardCardsById(workspace, stages, filter, query.ids)
        : query.sort
          ? sortedBoardCards(workspace, stages, filter, query.sort, page)
          : boardCards(workspace, stages, filter, page)
      const cards = (await db.query(statement)).map(cardOf(session))
      const ids = cards.map(({ id }) => id)
      const [owners, tagged, marks, ahead] = await Promise.all([
        membersNamed(
          db,
          workspace,
          cards.map(card => card.owner_user_id),
        ),
        db.query(selectTags(workspace, ids)),
        readsChecks({ session, rights }) ? db.query(orderMarks(workspace, ids)) : [],
        ids.length === 0 ? [] : db.query(selectNextInterviews(workspace, ids)),
      ])
      const tags = new Map(tagged.map(row => [row.application_id, row.tags]))
      const checks = new Map(marks.map(mark => [mark.application_id, shownMark(session, mark)]))
      const next = new Map(ahead.map(row => [row.application_id, row.starts_at]))
      return cards.map(card => ({
        ...card,
        /** the member who is responsible */
        owner: owners.get(card.owner_user_id) ?? null,
        tags: tags.get(card.id) ?? [],
        check: checks.get(card.id) ?? null,
        /** null: none is planned, or the person asked that processing stop */
        next_interview_at: card.stopped ? null : (next.get(card.id) ?? null),
      }))
    },
  }),
  get({
    path: '/jobs/{job_id}/board/neighbors/{application_id}',
    limited: 'record',
    jobRight: 'see',
    scope: 'applications:read',
    query: { ...SORTED, stage_id: textParam('Only this stage.', 100) },
    returns: fields('previous', 'next'),
    handler: async ({ db, session, params, query, rights }) => {
      const workspace = session.workspaceId
      const filter = filterOf(query, { session, rights })
      const stages = await stageIds(db, workspace, params.job_id, query.stage_id)
      const id = params.application_id
      return db.one(
        query.sort
          ? sortedBoardNeighbors(workspace, stages, filter, query.sort, id)
          : boardNeighbors(workspace, stages, filter, id),
      )
    },
  }),
  get({
    path: '/jobs/{job_id}/board/selection',
    limited: 'record',
    jobRight: 'decide',
    scope: 'applications:write',
    query: { ...SORTED, stage_id: textParam('Only this stage.', 100) },
    returns: { applications: fields('id', 'stage_id', 'status', 'stopped') },
    handler: async ({ db, session, params, query, rights }) => {
      const workspace = session.workspaceId
      const filter = filterOf(query, { session, rights })
      const stages = await stageIds(db, workspace, params.job_id, query.stage_id)
      // every application that the filters leave: what a change of all of them is about
      return { applications: await db.query(boardSelection(workspace, stages, filter, API_LIMITS.maxResultWindow)) }
    },
  }),
]
