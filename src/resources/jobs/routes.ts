import { JOB_STATUSES } from '../../contract/job-status.ts'
import { publishBlockers, publishHints } from '../../contract/publish-readiness.ts'
import { present } from '../../kernel/errors/present.ts'
import { closed } from '../../kernel/http/closed.ts'
import { bodyInstant, bodyTime } from '../../kernel/http/formats.ts'
import { BY_UPDATED } from '../../kernel/http/list.ts'
import { booleanParam, listParam, oneOfParam, textParam, timeParam } from '../../kernel/http/params.ts'
import { HandlerResponse, type Route, readAll, readOne, readPage, writeOne } from '../../kernel/http/route.ts'
import type { WriteTool } from '../../kernel/http/tool.ts'
import { BEST_FIRST } from '../../kernel/http/tool.ts'
import { Type } from '../../kernel/schema/types.ts'
import { authorOf } from '../shared/author.ts'
import { moveJob, pushJob } from './actions.ts'
import { pushBody } from './fields.ts'
import { shownStatuses, statusFaults, type TransitionName } from './lifecycle.ts'
import { readJob, readSiteUrl, readStoredJob } from './read-job.ts'
import { stagesRelation } from './relations.ts'
import { searchByWords } from './search.ts'
import {
  EMPLOYMENT_TYPES,
  formShape,
  jobRowShape,
  jobShape,
  LOCATION_TYPES,
  questionsShape,
  readinessShape,
  sectionsShape,
  stageShape,
} from './shape.ts'
import {
  formOfJob,
  jobBySlug,
  listJobs,
  questionsOfJob,
  type StageRow,
  sectionsOfJob,
  stageRows,
  toJob,
  toJobRow,
  toJobSections,
} from './store.ts'

const group = 'Jobs'
const params = { job_handle: 'job' } as const

export const jobRoutes: readonly Route[] = [
  readPage({
    path: '/jobs',
    operationId: 'listJobs',
    limited: 'filtered',
    tool: { omit: ['slug', 'source'], ...BEST_FIRST },
    summary: 'List jobs',
    description: 'Most recently updated first. By default only published and closed jobs.',
    group,
    scope: 'jobs:read',
    query: {
      status: listParam('Default published,closed; draft needs include_unpublished=true.', JOB_STATUSES),
      include_unpublished: booleanParam('Include jobs that are not public.'),
      department: textParam('The exact name of a department.'),
      location_type: oneOfParam('The workplace type.', LOCATION_TYPES),
      employment_type: oneOfParam('The employment type.', EMPLOYMENT_TYPES),
      q: textParam(
        'Only jobs with these words in their texts (title, summary, description, lists, skills) or facts (department, team, locations, workplace and employment type, these two in English and German). Every word must match: in any grammatical form, as a prefix, or, if there is no prefix match, in a similar spelling. Only the first eight words are used. The best match is first with sort=relevance only.',
      ),
      published_after: timeParam('Only jobs published after this time.'),
      published_before: timeParam('Only jobs published before this time.'),
      source_system: textParam('Only jobs with this `source.system`.'),
      external_id: textParam('Only jobs with this `source.external_id`.'),
    },
    errors: ['unpublished_requires_opt_in'],
    rules: ({ query }) => statusFaults(query.status, query.include_unpublished ?? false),
    shape: jobRowShape,
    include: { pipeline_stages: stagesRelation },
    order: BY_UPDATED,
    sorts: { relevance: { order: 'ranked', needs: 'q' } },
    handler: async ({ db, workspace, caller, query, page, services }) => {
      const { status, include_unpublished, q, ...filters } = query
      const onTeam = caller.limitedTo
      const statuses = shownStatuses(status, include_unpublished ?? false)
      const wanted = { ...filters, statuses, ...(onTeam ? { onTeam } : {}) }
      const [rows, siteUrl] = await Promise.all([
        q === undefined ? db.query(listJobs(workspace, wanted, page)) : searchByWords(db, workspace, q, wanted, page),
        readSiteUrl(db, workspace, services.publicUrl),
      ])
      return rows.map(row => toJobRow(row, siteUrl))
    },
  }),
  readOne({
    path: '/jobs/{job_handle}',
    operationId: 'getJob',
    limited: 'record',
    jobRight: 'see',
    summary: 'Get a job',
    description: 'With its content.',
    group,
    scope: 'jobs:read',
    params,
    shape: jobShape,
    handler: ({ db, workspace, params, services }) => readJob(db, workspace, params.job_handle, services.publicUrl),
  }),
  readOne({
    path: '/jobs/by-slug/{slug}',
    operationId: 'getJobBySlug',
    // names a job by other means than its handle
    limited: 'closed',
    summary: 'Get a job by its slug',
    description: 'With its content.',
    group,
    scope: 'jobs:read',
    params: { slug: 'text' },
    shape: jobShape,
    handler: async ({ db, workspace, params, services }) => {
      const [job, siteUrl] = await Promise.all([
        db.one(jobBySlug(workspace, params.slug)),
        readSiteUrl(db, workspace, services.publicUrl),
      ])
      return job && toJob(job, siteUrl)
    },
  }),
  readOne({
    path: '/jobs/{job_handle}/sections',
    operationId: 'getJobSections',
    limited: 'record',
    jobRight: 'see',
    summary: 'Get a job with all of its sections',
    description: 'The job with its stages, application form and pre-screen questions.',
    group,
    scope: 'jobs:read',
    params,
    shape: sectionsShape,
    handler: async ({ db, workspace, params, services }) => {
      const [job, siteUrl] = await Promise.all([
        db.one(sectionsOfJob(workspace, params.job_handle)),
        readSiteUrl(db, workspace, services.publicUrl),
      ])
      return job && toJobSections(job, siteUrl)
    },
  }),
  readAll({
    path: '/jobs/{job_handle}/pipeline-stages',
    operationId: 'listPipelineStages',
    limited: 'record',
    jobRight: 'see',
    summary: 'List the stages of a job',
    description: 'In pipeline order.',
    group,
    scope: 'jobs:read',
    params,
    shape: stageShape,
    handler: async ({ db, workspace, params }) => {
      const rows = await db.query(stageRows(workspace, params.job_handle))
      return rows.length === 0 ? undefined : rows.filter((row): row is StageRow => row.id !== null)
    },
  }),
  readOne({
    path: '/jobs/{job_handle}/application-form',
    operationId: 'getApplicationForm',
    limited: 'record',
    jobRight: 'read_setup',
    summary: 'Get the application form of a job',
    group,
    scope: 'jobs:read',
    params,
    shape: formShape,
    handler: ({ db, workspace, params }) => db.one(formOfJob(workspace, params.job_handle)),
  }),
  readOne({
    path: '/jobs/{job_handle}/prescreen-questions',
    operationId: 'getPrescreenQuestions',
    limited: 'record',
    jobRight: 'read_setup',
    summary: 'Get the phone pre-screen questions of a job',
    group,
    scope: 'jobs:screening:read',
    params,
    shape: questionsShape,
    handler: ({ db, workspace, params }) => db.one(questionsOfJob(workspace, params.job_handle)),
  }),
  readOne({
    path: '/jobs/{job_handle}/publish-readiness',
    operationId: 'getPublishReadiness',
    limited: 'record',
    jobRight: 'read_setup',
    summary: 'Check whether a job can be published',
    description: 'What is missing, and suggestions for improvement.',
    group,
    scope: 'jobs:read',
    params,
    shape: readinessShape,
    handler: async ({ db, workspace, params }) => {
      const job = await readStoredJob(db, workspace, params.job_handle)
      if (!job) return undefined
      const errors = publishBlockers(job)
      return { job_id: job.id, ready: errors.length === 0, errors, hints: publishHints(job) }
    },
  }),
  writeOne({
    path: '/jobs',
    operationId: 'pushJob',
    limited: 'closed',
    tool: { effect: 'overwrites', openWorld: true },
    summary: 'Create or update a job of your system',
    description:
      'Your `source.external_id` identifies it. Omitted fields keep their values; null clears a field. The fields are stored even if the requested publishing or closing fails.',
    group,
    scope: 'jobs:write',
    tier: 'expensive',
    status: 201,
    orStatus: 200,
    shape: jobShape,
    body: pushBody,
    errors: ['unsupported_source_system', 'invalid_job_transition', 'job_modified_concurrently', 'job_not_publishable'],
    handler: async ({ tx, workspace, body, caller, services }) => {
      const { id, created, failure } = await pushJob(tx, workspace, body, authorOf(caller))
      if (failure) return failure
      const job = await readJob(tx, workspace, id, services.publicUrl)
      return new HandlerResponse(present(job, id), created ? 201 : 200)
    },
  }),
  lifecycle('publish', {
    operationId: 'publishJob',
    effect: 'changes',
    summary: 'Publish a draft',
    description: 'A job that is already published does not change.',
    checked: true,
  }),
  lifecycle('unpublish', {
    operationId: 'unpublishJob',
    effect: 'overwrites',
    summary: 'Unpublish a job',
    description: 'The job becomes a draft again.',
    checked: false,
  }),
  lifecycle('close', {
    operationId: 'closeJob',
    effect: 'overwrites',
    summary: 'Close a published job',
    checked: false,
  }),
  lifecycle('reopen', {
    operationId: 'reopenJob',
    effect: 'changes',
    summary: 'Publish a closed job again',
    checked: true,
  }),
]

interface Lifecycle {
  operationId: string
  effect: WriteTool['effect']
  summary: string
  description?: string
  checked: boolean
}

function lifecycle(name: TransitionName, { checked, effect, ...named }: Lifecycle): Route {
  return writeOne({
    path: `/jobs/{job_handle}/${name}`,
    ...named,
    limited: 'record',
    jobRight: 'setup',
    tool: { effect, openWorld: true },
    group,
    scope: 'jobs:manage',
    params,
    shape: jobShape,
    body: Type.Object({ expected_updated_at: Type.Optional(bodyTime()) }, closed),
    bodyOptional: true,
    errors: ['invalid_job_transition', 'stale_resource', ...(checked ? (['job_not_publishable'] as const) : [])],
    handler: async ({ tx, workspace, params, body, caller, services }) => {
      const expected = body.expected_updated_at
      await moveJob(tx, workspace, params.job_handle, name, {
        ...(expected === undefined ? {} : { expectedUpdatedAt: bodyInstant(expected) }),
        by: authorOf(caller),
      })
      return readJob(tx, workspace, params.job_handle, services.publicUrl)
    },
  })
}
