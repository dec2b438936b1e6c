import { JOB_STATUSES } from '../contract/job-status.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { BY_UPDATED, makePage } from '../kernel/http/list.ts'
import { booleanParam, listParam, oneOfParam, type QueryOf, textParam } from '../kernel/http/params.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { fields } from '../programs/fields.ts'
import { membersNamed, membersWithAccess } from '../resources/hiring-team/index.ts'
import {
  countJobs,
  JOB_ORDERS,
  type JobSort,
  jobStageCounts,
  jobsOverview,
  type LeadingRole,
  leadersOf,
  noteVisit,
  type OverviewFilters,
  searchByWords,
} from '../resources/jobs/index.ts'
import { EMPLOYMENT_TYPES, LOCATION_TYPES } from '../resources/jobs/shape.ts'
import { type Call, get, list, post } from './program.ts'
import { type HiringSession, limitedTo } from './reach.ts'

const FILTERS = {
  department: textParam('The exact name of a department.'),
  location_type: oneOfParam('The workplace type.', LOCATION_TYPES),
  employment_type: oneOfParam('The employment type.', EMPLOYMENT_TYPES),
  q: textParam('Words to search for.'),
}
type Filters = QueryOf<typeof FILTERS>

const SORTS = Object.keys(JOB_ORDERS) as JobSort[]

/** Matches of a search, which are then filtered and sorted like all jobs. */
const MAX_FOUND = 500

async function filtersOf(
  { db, session }: Call,
  { department, location_type, employment_type, q }: Filters,
): Promise<OverviewFilters> {
  const onTeam = limitedTo(session)
  const filters = {
    statuses: JOB_STATUSES,
    ...(department === undefined ? {} : { department }),
    ...(location_type === undefined ? {} : { location_type }),
    ...(employment_type === undefined ? {} : { employment_type }),
    ...(onTeam === undefined ? {} : { onTeam }),
  }
  if (q === undefined) return filters
  const best = makePage(BY_UPDATED, { limit: MAX_FOUND }, undefined)
  const rows = await searchByWords(db, session.workspaceId, q, filters, best)
  return { ...filters, found: rows.slice(0, MAX_FOUND).map(({ id }) => id) }
}

const readerOf = (session: HiringSession) => ({ userId: session.userId, limit: limitedTo(session) })

/** Recruiters and hiring managers of the jobs of a page. */
async function readLeaders(db: Queryable, workspace: string, jobs: readonly string[]) {
  const rows = jobs.length === 0 ? [] : await db.query(leadersOf(workspace, jobs))
  const names = await membersNamed(
    db,
    workspace,
    rows.map(row => row.user_id),
  )
  return (job: string, role: LeadingRole) =>
    rows.filter(row => row.job_id === job && row.role === role).flatMap(row => names.get(row.user_id) ?? [])
}

/** The list of jobs with its figures, in as many statements however many jobs there are. */
export const jobListEndpoints = [
  list({
    path: '/jobs',
    limited: 'filtered',
    scope: 'jobs:read',
    query: {
      ...FILTERS,
      status: listParam('Default all.', JOB_STATUSES),
      mine: booleanParam('`true`: only jobs whose team the reader is on.'),
      sort: oneOfParam('What the jobs are sorted by; the latest change of the job by default.', SORTS),
      order: oneOfParam('The direction, if not that of the order.', ['asc', 'desc']),
    },
    order: ({ sort = 'updated', order }) => ({
      ...JOB_ORDERS[sort],
      direction: order ?? JOB_ORDERS[sort].direction,
    }),
    returns: {
      ...fields('id', 'title', 'status', 'department', 'location_type', 'locations'),
      ...fields('created_at', 'published_at', 'close_at', 'updated_at'),
      ...fields('open_count', 'new_count', 'visited_at', 'open_since', 'last_activity_at'),
      recruiters: fields('id', 'name'),
      hiring_managers: fields('id', 'name'),
      stages: fields('id', 'name', 'type', 'is_terminal', 'active'),
    },
    handler: async call => {
      const { db, session, query, page } = call
      const { sort = 'updated', status, mine } = query
      const workspace = session.workspaceId
      const filters = {
        ...(await filtersOf(call, query)),
        ...(status === undefined ? {} : { statuses: status }),
        mine: mine === true,
      }
      if (filters.found?.length === 0) return []
      const isByMember = sort === 'recruiter' || sort === 'hiring_manager'
      const members = isByMember ? (await membersWithAccess(db, workspace)).map(({ id }) => id) : []
      const direction = query.order ?? JOB_ORDERS[sort].direction
      const rows = await db.query(
        jobsOverview({ workspace, reader: readerOf(session), members }, { filters, sort, direction, page }),
      )
      const ids = rows.map(({ id }) => id)
      const [counts, leaders] = await Promise.all([
        db.query(jobStageCounts(workspace, ids, limitedTo(session))),
        readLeaders(db, workspace, ids),
      ])
      const stages = Map.groupBy(counts, stage => stage.job_id)
      return rows.map(row => ({
        ...row,
        recruiters: leaders(row.id, 'recruiter'),
        hiring_managers: leaders(row.id, 'hiring_manager'),
        /** in the order of the pipeline; `active`: applications that wait for a decision */
        stages: (stages.get(row.id) ?? []).map(({ job_id: _, ...stage }) => stage),
      }))
    },
  }),
  get({
    path: '/job-counts',
    limited: 'filtered',
    scope: 'jobs:read',
    query: FILTERS,
    returns: { statuses: fields('status', 'all', 'mine') },
    handler: async call => {
      const { db, session, query } = call
      const rows = await db.query(countJobs(session.workspaceId, readerOf(session), await filtersOf(call, query)))
      const found = new Map(rows.map(row => [row.status, row]))
      /** `mine`: those whose team the reader is on */
      return { statuses: JOB_STATUSES.map(status => found.get(status) ?? { status, all: 0, mine: 0 }) }
    },
  }),
  post({
    path: '/jobs/{job}/visits',
    limited: 'record',
    jobRight: 'see',
    scope: 'jobs:read',
    returns: fields('job_id'),
    handler: async ({ db, session, params }) =>
      isHandle('job', params.job) ? db.one(noteVisit(session.workspaceId, session.userId, params.job)) : undefined,
  }),
]
