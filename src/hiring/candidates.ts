import { APPLICATION_STATUSES } from '../contract/application-status.ts'
import { rightsInJob } from '../contract/job-rights.ts'
import { ROLE_SCOPES, type Scope } from '../contract/scopes.ts'
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
import { isHandle } from '../kernel/ids/handles.ts'
import { SessionError } from '../programs/errors.ts'
import { fields } from '../programs/fields.ts'
import {
  CANDIDATE_ORDERS,
  type CandidateFilter,
  type CandidateRow,
  type CandidateSort,
  candidatesPage,
  selectRebuild,
} from '../resources/candidate-search/index.ts'
import { type CardSummary, membersNamed, readCardSummaries, tagName } from '../resources/hiring-team/index.ts'
import { STAGE_TYPES } from '../resources/jobs/shape.ts'
import { NO_OWNER } from './board.ts'
import { findCandidates } from './find-candidates.ts'
import { type Call, get, list } from './program.ts'
import { type HiringSession, limitedTo } from './reach.ts'
import { textsParam } from './texts-param.ts'

const MAX_VALUES = 20
const SORTS = Object.keys(CANDIDATE_ORDERS) as CandidateSort[]

const FILTERS = {
  q: textParam('Words, or a whole email address or phone number.', 100),
  job_id: textsParam('Only applications for these jobs.', ',', MAX_VALUES),
  stage_type: listParam('Only in stages of these kinds.', STAGE_TYPES),
  status: listParam('Only these statuses; all if nothing is given.', APPLICATION_STATUSES),
  source: textParam('Only from this source.'),
  skills: textsParam('Only with all of these skills.', ',', MAX_VALUES),
  tag: textParam('Only with this tag.'),
  applied_after: timeParam('Only those who applied at this time or later.'),
  applied_before: timeParam('Only those who applied before this time.'),
  score_from: integerParam('Only with at least this match score.', 0, 100),
  owner: textParam('Only those for whom this member is responsible; `none`: no one is.', 100),
  has_resume: booleanParam('Only with, or without, a résumé.'),
}

/** A role must not learn by a filter or an order what it may not read. */
const FILTER_SCOPES: readonly (readonly [keyof typeof FILTERS, Scope])[] = [
  ['q', 'applicants:read'],
  ['skills', 'resume:read'],
]

const may = (session: HiringSession, scope: Scope) => ROLE_SCOPES[session.role].includes(scope)

type Query = QueryOf<typeof FILTERS> & { sort?: CandidateSort }

async function filterOf(call: Call & { query: Query }): Promise<CandidateFilter> {
  const { session, query } = call
  for (const [name, scope] of FILTER_SCOPES)
    if (query[name] !== undefined && !may(session, scope)) throw new SessionError('role_required')
  if (query.sort === 'name' && !may(session, 'applicants:read')) throw new SessionError('role_required')
  if (query.job_id && !query.job_id.every(id => isHandle('job', id))) fail('not_found')
  const found = query.q === undefined ? undefined : (await findCandidates(call, query.q)).found
  return {
    found: found?.map(row => row.application_id),
    jobs: query.job_id,
    stageTypes: query.stage_type,
    statuses: query.status,
    source: query.source,
    skills: query.skills,
    tagKey: query.tag === undefined ? undefined : tagName(query.tag).key,
    appliedAfter: query.applied_after,
    appliedBefore: query.applied_before,
    scoreFrom: query.score_from,
    hasResume: query.has_resume,
    ownerUserId: query.owner === NO_OWNER ? null : query.owner,
    reader: limitedTo(session),
  }
}

/** The average of scorecards of a page of candidates, of whom the reader may see them all. It orders nothing. */
async function averagesOf({ db, session }: Call, rows: readonly CandidateRow[]) {
  if (!may(session, 'scorecards:write')) return new Map<string, CardSummary>()
  const read = rows.filter(({ stopped, job_id }) => !stopped && rightsInJob(session, job_id).has('discuss'))
  const ids = read.map(({ id }) => id)
  return readCardSummaries(db, session.workspaceId, ids, { userId: session.userId, team: true })
}

const toCandidate = (session: HiringSession) => (row: CandidateRow) => {
  const { id, full_name, title, company, skills: _, ...shown } = row
  return {
    ...shown,
    id,
    application_id: id,
    /** null: the role does not read names, or there is none */
    name: may(session, 'applicants:read') ? full_name : null,
    ...(may(session, 'resume:read') ? { title, company } : { title: null, company: null }),
  }
}

export const candidatesEndpoints = [
  list({
    path: '/candidates',
    limited: 'filtered',
    scope: 'applications:read',
    query: { ...FILTERS, sort: oneOfParam('The order; the latest application first by default.', SORTS) },
    order: ({ sort }) => CANDIDATE_ORDERS[sort ?? 'applied'],
    returns: {
      ...fields('application_id', 'applicant_id', 'job_id', 'job_title', 'stage_id', 'stage_name', 'status', 'source'),
      ...fields('applied_at', 'updated_at', 'in_stage_since', 'match_pct', 'stopped', 'name', 'title', 'company'),
      ...fields('tags', 'others', 'scorecard_average'),
      owner: fields('id', 'name'),
    },
    handler: async call => {
      const { db, session, page } = call
      const filter = await filterOf(call)
      if (filter.found?.length === 0) return []
      const rows = await db.query(candidatesPage(session.workspaceId, filter, page))
      const [owners, averages] = await Promise.all([
        membersNamed(
          db,
          session.workspaceId,
          rows.map(row => row.owner_user_id),
        ),
        averagesOf(call, rows),
      ])
      /** `owner`: the member who is responsible */
      return rows.map(row => ({
        ...toCandidate(session)(row),
        owner: owners.get(row.owner_user_id) ?? null,
        scorecard_average: averages.get(row.id)?.average ?? null,
      }))
    },
  }),
  get({
    path: '/search/state',
    limited: 'open',
    scope: 'applications:read',
    returns: fields('rebuilding'),
    handler: async ({ db, session }) => ({
      // while the index is rebuilt, some people may be missing from a search
      rebuilding: (await db.one(selectRebuild(session.workspaceId))) !== undefined,
    }),
  }),
]
