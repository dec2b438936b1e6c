import { APPLICATION_STATUSES } from '../../contract/application-status.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { Relations } from '../../kernel/http/include.ts'
import { BY_UPDATED, PAGING, type Page } from '../../kernel/http/list.ts'
import { handleParam, integerParam, listParam, type QueryOf, textParam, timeParam } from '../../kernel/http/params.ts'
import { type Call, type Route, readOne, readPage } from '../../kernel/http/route.ts'
import type { PresetTool } from '../../kernel/http/tool.ts'
import { buildResolveContext, exactMatches } from '../people/index.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import { hideStopped, showApplication } from './hide-stopped.ts'
import { selectTransitions } from './history-store.ts'
import { selectNotes, selectScorecards } from './notes-store.ts'
import { ownRelations } from './relations.ts'
import {
  type ApplicationRow,
  answersShape,
  applicationShape,
  noteShape,
  scorecardShape,
  scoreShape,
  screeningShape,
  stageTransitionShape,
} from './shape.ts'
import {
  type ApplicationFilter,
  applicationById,
  applicationsPage,
  BY_APPLIED,
  BY_SCORE,
  filterHandles,
  selectAnswers,
  selectScore,
  selectScreening,
  withResumeAccess,
} from './store.ts'

const group = 'Applications'
const params = { application_handle: 'application' } as const

const FILTERS = {
  status: listParam('Only these statuses.', APPLICATION_STATUSES),
  stage_id: handleParam('Only applications in this stage.', 'pipeline_stage'),
  applied_after: timeParam('Only applications submitted after this time.'),
  source_system: textParam('Only applications from this system: `<system>` of `partner_api:<system>`.'),
  external_id: textParam('Only applications with this external id. Combine it with source_system to match one system.'),
  min_score: integerParam('At least this match score; for one job.', 0, 100),
}

/** Scores of different jobs do not compare. */
const SORTS = { applied_at: { order: BY_APPLIED }, score: { order: BY_SCORE } } as const
const needsJob = <S extends object>(sort: S) => ({ ...sort, needs: 'job_id' })

/** One call for each page of what would otherwise be three calls for each applicant. */
const RANK_APPLICANTS: PresetTool = {
  name: 'rank_applicants',
  summary: 'Rank the applicants of a job by match score',
  description:
    'Best first, with person, score and stage. Scores compare the résumé with the stated requirements. Do not reject by score alone.',
  query: {
    limit: integerParam('Rows per page.', 1, 25, 10),
    cursor: PAGING.cursor,
    min_score: FILTERS.min_score,
    status: FILTERS.status,
  },
  fixed: { sort: 'score', include: 'applicant,score,stage' },
  omit: [
    'application_id',
    'external_id',
    'external_refs',
    'github_url',
    'has_resume',
    'job_id',
    'model_version',
    'parse_status',
    'portfolio_url',
    'provenance',
    'rejection_reason',
    'resume_access',
    'source',
    'stage_id',
    'voice_screening_opted_out',
    'withdrawal_reason',
  ],
}

// biome-ignore lint/suspicious/noExplicitAny: the query of either list that takes FILTERS
const filtersOf = ({ query }: Call<any, QueryOf<typeof FILTERS>>): ApplicationFilter => ({
  stageId: query.stage_id,
  status: query.status,
  appliedAfter: query.applied_after,
  sourceSystem: query.source_system,
  externalId: query.external_id,
  minScore: query.min_score,
})

/**
 * A handle that is not there, or is another workspace's, is a 404 also where it filters. Where there are applications, so
 * is what they refer to: it is looked for if there are none.
 */
async function filteredPage(
  { db, workspace, page }: Pick<Call, 'db' | 'workspace'> & { page: Page },
  filter: ApplicationFilter,
): Promise<ApplicationRow[]> {
  const rows = await db.query(applicationsPage(workspace, filter, page))
  if (rows.length > 0) return hideStopped(db, workspace, rows)
  const found = await Promise.all(filterHandles(workspace, filter).map(statement => db.one(statement)))
  return found.includes(undefined) ? fail('not_found') : rows
}

/** `relations`: to what slices above this one have. */
export const applicationReads = (relations: Relations<ApplicationRow>): readonly Route[] => {
  const include = { ...ownRelations, ...relations }
  return [
    readPage({
      path: '/applications',
      operationId: 'listApplications',
      limited: 'job',
      jobRight: 'browse',
      summary: 'List applications',
      description: 'Most recently updated first.',
      group,
      scope: 'applications:read',
      query: {
        job_id: handleParam('Only applications for this job.', 'job'),
        applicant_id: handleParam('Only applications of this person.', 'applicant'),
        ...FILTERS,
      },
      shape: applicationShape,
      include,
      order: BY_UPDATED,
      sorts: { applied_at: needsJob(SORTS.applied_at), score: needsJob(SORTS.score) },
      rules: ({ query }) =>
        query.min_score !== undefined && query.job_id === undefined
          ? [{ param: 'min_score', message: 'needs job_id' }]
          : [],
      handler: call => {
        const { job_id, applicant_id } = call.query
        return filteredPage(call, { ...filtersOf(call), jobId: job_id, applicantId: applicant_id })
      },
    }),
    readPage({
      path: '/jobs/{job_handle}/applications',
      operationId: 'listJobApplications',
      limited: 'record',
      jobRight: 'browse',
      tool: { presets: [RANK_APPLICANTS] },
      summary: 'List the applications for a job',
      description: 'Most recently updated first.',
      group: 'Jobs',
      scope: 'applications:read',
      params: { job_handle: 'job' },
      query: FILTERS,
      shape: applicationShape,
      include,
      order: BY_UPDATED,
      sorts: SORTS,
      handler: call => filteredPage(call, { ...filtersOf(call), jobId: call.params.job_handle }),
    }),
    readPage({
      path: '/applicants/{applicant_handle}/applications',
      operationId: 'listApplicantApplications',
      // also those for other jobs
      limited: 'closed',
      jobRight: 'browse',
      summary: 'List the applications of an applicant',
      description: 'Most recently updated first.',
      group: 'Applicants',
      scope: 'applications:read',
      params: { applicant_handle: 'applicant' },
      shape: applicationShape,
      include,
      order: BY_UPDATED,
      handler: call => filteredPage(call, { applicantId: call.params.applicant_handle }),
    }),
    readPage({
      path: '/people/{person_handle}/applications',
      operationId: 'listPersonApplications',
      limited: 'closed',
      jobRight: 'browse',
      summary: 'List the applications of a person',
      description: 'From applicants that are an exact match, most recently updated first.',
      group: 'People',
      scope: 'applications:read',
      params: { person_handle: 'person' },
      shape: applicationShape,
      include,
      order: BY_UPDATED,
      handler: async call => {
        const { applicants } =
          (await exactMatches(buildResolveContext(call), call.params.person_handle)) ?? fail('not_found')
        const rows = await call.db.query(applicationsPage(call.workspace, { applicantIds: applicants }, call.page))
        return hideStopped(call.db, call.workspace, rows)
      },
    }),
    readOne({
      path: '/applications/{application_handle}',
      operationId: 'getApplication',
      limited: 'record',
      jobRight: 'see',
      summary: 'Get an application',
      description: 'With `resume_access` if it has a résumé.',
      group,
      scope: 'applications:read',
      params,
      shape: applicationShape,
      include,
      handler: async ({ db, workspace, params }) => {
        const row = await db.one(applicationById(workspace, params.application_handle))
        return row && showApplication(db, withResumeAccess(row))
      },
    }),
    readOne({
      path: '/applications/{application_handle}/answers',
      operationId: 'getApplicationAnswers',
      limited: 'record',
      jobRight: 'see',
      summary: 'Get the answers of a candidate',
      description: 'The answers to the application form, keyed by field id.',
      group,
      scope: 'applications:answers:read',
      params,
      shape: answersShape,
      handler: call => {
        const id = call.params.application_handle
        return readUnlessStopped(call, 'application', id, () => call.db.one(selectAnswers(call.workspace, id)), {
          application_id: id,
          answers: '{}',
        })
      },
    }),
    readOne({
      path: '/applications/{application_handle}/score',
      operationId: 'getApplicationScore',
      limited: 'record',
      jobRight: 'see',
      summary: 'Get the match score of an application',
      description: 'How well the résumé matches the job; 404 until it is scored.',
      group,
      scope: 'applications:read',
      params,
      shape: scoreShape,
      handler: call => {
        const id = call.params.application_handle
        return readUnlessStopped(call, 'application', id, () => call.db.one(selectScore(call.workspace, id)), undefined)
      },
    }),
    readOne({
      path: '/applications/{application_handle}/screening',
      operationId: 'getApplicationScreening',
      limited: 'record',
      jobRight: 'discuss',
      summary: 'Get the phone pre-screen of an application',
      description: 'Whether a phone pre-screen took place and how it went.',
      group,
      scope: 'screening:metadata:read',
      params,
      shape: screeningShape,
      handler: async call => {
        const id = call.params.application_handle
        const read = () => call.db.one(selectScreening(call.workspace, id))
        const row = await readUnlessStopped(call, 'application', id, read, undefined)
        return row ? { ...row, has_screening: true } : { application_id: id, has_screening: false }
      },
    }),
    readPage({
      path: '/applications/{application_handle}/stage-transitions',
      operationId: 'listStageTransitions',
      limited: 'record',
      jobRight: 'discuss',
      summary: 'List the stage history of an application',
      description: 'Oldest first.',
      group,
      scope: 'applications:internal:read',
      params,
      shape: stageTransitionShape,
      order: { by: 'at', tiebreaker: 'id', direction: 'asc', tiebreakerType: 'bigint' },
      handler: async ({ db, workspace, params, page }) => {
        if (!(await db.one(applicationById(workspace, params.application_handle)))) fail('not_found')
        return db.query(selectTransitions(workspace, params.application_handle, page))
      },
    }),
    readPage({
      path: '/applications/{application_handle}/notes',
      operationId: 'listNotes',
      limited: 'record',
      jobRight: 'discuss',
      tool: { whole: true },
      summary: 'List the notes on an application',
      description: 'Newest first.',
      group,
      scope: 'applications:internal:read',
      params,
      shape: noteShape,
      order: { by: 'created_at', tiebreaker: 'id', direction: 'desc', tiebreakerType: 'uuid' },
      handler: call => {
        const id = call.params.application_handle
        return readUnlessStopped(
          call,
          'application',
          id,
          () => call.db.query(selectNotes(call.workspace, id, call.page)),
          [],
        )
      },
    }),
    readPage({
      path: '/applications/{application_handle}/scorecards',
      operationId: 'listScorecards',
      limited: 'keys',
      tool: { whole: true },
      summary: 'List the scorecards of an application',
      description: 'Newest first.',
      group,
      scope: 'applications:internal:read',
      params,
      shape: scorecardShape,
      order: { by: 'created_at', tiebreaker: 'id', direction: 'desc', tiebreakerType: 'uuid' },
      handler: call => {
        const id = call.params.application_handle
        return readUnlessStopped(
          call,
          'application',
          id,
          () => call.db.query(selectScorecards(call.workspace, id, call.page)),
          [],
        )
      },
    }),
  ]
}
