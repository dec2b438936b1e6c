import type { Applicant, Operations, Resume, ResumeSummary } from '../../packages/sdk/src/generated.ts'
import { ERRORS } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { present } from '../kernel/errors/present.ts'
import { callRoute } from '../kernel/http/pipeline.ts'
import type { RowOf } from '../kernel/http/shape.ts'
import { fields } from '../programs/fields.ts'
import type { NamesIn } from '../programs/policy.ts'
import { applicantRoutes } from '../resources/applicants/index.ts'
import { answerFileRoutes, applicationReads, hasUnprovedDetails } from '../resources/applications/index.ts'
import type { answerFileShape } from '../resources/applications/shape.ts'
import { erasureAbout, planOf } from '../resources/erasures/index.ts'
import { membersNamed, readCardSummaries } from '../resources/hiring-team/index.ts'
import { jobRoutes } from '../resources/jobs/index.ts'
import { selectNotice } from '../resources/orders/index.ts'
import { resumeRoutes } from '../resources/resumes/index.ts'
import { readUnlessStopped } from '../resources/suppressions/index.ts'
import { LATEST_STEP_FIELDS, readHistory } from './authors.ts'
import { hasScope } from './decisions.ts'
import { callerFor, type PartOrRefusal } from './person.ts'
import { type Call, get } from './program.ts'
import { limitedTo } from './reach.ts'

/** Jobs of the person's other applications whose titles are looked up. */
const MAX_OTHERS = 25

const REFUSED = { refused: fields('status', 'code', 'message', 'required_scope', 'state', 'unlock_credits') }
/** Parts that are responses of the API are sent as they are: their shapes name their fields. */
const CANDIDATE = {
  ...fields(
    'application',
    'may',
    'applicant',
    'unproved',
    'notice_given_on',
    'resume',
    'answers',
    'score',
    'screening',
  ),
  ...fields('others', 'resumes'),
  erasure: fields('state', 'reason', 'due_at', 'delete_by', 'suppression_id'),
  job: fields('id', 'title', 'status', 'stages', 'fields'),
  files: { ...REFUSED, data: fields('id', 'field_id', 'filename', 'mime', 'bytes', 'created_at') },
  history: {
    ...REFUSED,
    data: { ...LATEST_STEP_FIELDS, ...fields('from_stage_id', 'to_stage_id', 'from_status', 'to_status') },
  },
  latest_step: LATEST_STEP_FIELDS,
  owner: fields('id', 'name'),
  scorecards: fields('cards', 'hidden', 'average', 'recommendations'),
}

/** What the page does besides the endpoints of the API. */
export const candidateEndpoints = [
  /**
   * Everything that the page shows of a candidate without a click, in one response. Each part is a read of the API, made as
   * the person who is signed in: what the role may not read is refused there, and the refusal is the part. Nothing that
   * costs units is among them.
   */
  get({
    path: '/candidates/{id}',
    limited: 'record',
    jobRight: 'see',
    returns: CANDIDATE,
    handler: async call => {
      const { id } = call.params
      const read = reader(call)
      const readsReasons = call.rights.has('discuss')
      const application = await reader(call, readsReasons ? REASONS : [])('getApplication', { application_handle: id })
      if (!('data' in application)) return undefined
      const { job_id: jobId, applicant_id: applicantId, has_resume: hasResume } = application.data
      const ofApplication = { application_handle: id }
      const ofApplicant = { applicant_handle: applicantId ?? '' }
      // those of other jobs are not for people who are limited to theirs, nor for interviewers
      const some = limitedTo(call.session) === undefined && applicantId !== null
      const most = { limit: String(MAX_OTHERS + 1) }
      const { owner_user_id: ownerUserId } = application.data
      const [
        owners,
        job,
        known,
        answers,
        files,
        score,
        screening,
        history,
        applications,
        resumes,
        details,
        notice,
        erasure,
      ] = await Promise.all([
        membersNamed(call.db, call.session.workspaceId, [ownerUserId]),
        read('getJobSections', { job_handle: jobId }),
        applicantId === null ? { data: null } : read('getApplicant', ofApplicant),
        read('getApplicationAnswers', ofApplication),
        read('listAnswerFiles', ofApplication),
        read('getApplicationScore', ofApplication),
        read('getApplicationScreening', ofApplication),
        readHistory(call.db, call.session, call.rights, id),
        some ? read('listApplicantApplications', ofApplicant, most) : { data: null },
        some ? read('listApplicantResumes', ofApplicant, most) : { data: null },
        call.db.one(hasUnprovedDetails(call.session.workspaceId, id)),
        readsReasons ? call.db.one(selectNotice(call.session.workspaceId, id)) : undefined,
        readErasure(call.db, call.session.workspaceId, applicantId),
      ])
      // the list costs nothing, so it needs no transaction, and has all but the text; what is not in it is asked for alone
      const own = rowsOf(resumes).find(resume => resume.application_id === id)
      const resume: PartOrRefusal<Resume | ResumeSummary | null> = !hasResume
        ? { data: null }
        : own
          ? readable(own)
          : 'refused' in resumes
            ? resumes
            : await read('getApplicationResume', ofApplication, { raw_text: 'false' })
      const others = rowsOf(applications).filter(other => other.id !== id)
      const otherJobs = [...new Set(others.map(other => other.job_id))].filter(other => other !== jobId)
      const titles = await Promise.all(
        otherJobs.map(async other => {
          const found = await read('getJob', { job_handle: other })
          return [other, 'data' in found ? found.data.title : null] as const
        }),
      )
      const applicant: PartOrRefusal<Applicant | null> = known
      const sections = 'data' in job ? job.data : undefined
      const titleOf = new Map([[jobId, sections?.title ?? null], ...titles])
      return {
        application: application.data,
        /** what the reader may do in this job, in the words of `contract/job-rights.ts` */
        may: [...call.rights],
        /** null: the role may not read jobs */
        job: sections
          ? {
              id: jobId,
              title: sections.title,
              status: sections.status,
              stages: sections.pipeline_stages,
              fields: sections.application_form.fields,
            }
          : null,
        /** `data` is null if the person is not known */
        applicant,
        /** the details and files came with an email address of which no one has opened a mailed link yet */
        unproved: details?.unproved ?? false,
        /** when the candidate was notified of an adverse result, for roles that read reasons */
        notice_given_on: notice?.notice_given_on ?? null,
        /** `data` is null if there is no résumé; never with its text */
        resume,
        answers,
        files: listed(files),
        score,
        screening,
        /** null: the role does not read them, or there are none */
        scorecards: await readScorecardSummary(call, id),
        ...history,
        /** the member who is responsible; null: the team of the job is */
        owner: owners.get(ownerUserId) ?? null,
        /** an erasure or a stop that is planned, runs or is done; null: there is none */
        erasure,
        others: others.map(other => ({ ...other, job_title: titleOf.get(other.job_id) ?? null })),
        /** the résumés are those of the person's other applications */
        resumes: 'data' in resumes ? { data: rowsOf(resumes).filter(row => row.application_id !== id) } : resumes,
      }
    },
  }),
]

/** How many scorecards there are, and their average where none is hidden from the reader. */
async function readScorecardSummary({ db, session, rights }: Call, id: string) {
  if (!rights.has('feedback') || !hasScope(session, 'scorecards:write')) return null
  const { workspaceId: workspace, userId } = session
  const read = () => readCardSummaries(db, workspace, [id], { userId, team: rights.has('discuss') })
  return (await readUnlessStopped({ db, workspace }, 'application', id, read, new Map())).get(id) ?? null
}

/** What happens to the person's data, for everyone who sees the candidate; never who asked for it. */
async function readErasure(db: Queryable, workspace: string, applicantId: string | null) {
  if (applicantId === null) return null
  const planned = await db.one(planOf(workspace, applicantId))
  if (planned) {
    const { reason, due_at } = planned
    return { state: 'planned' as const, reason, due_at, delete_by: null, suppression_id: null }
  }
  const begun = await db.one(erasureAbout(workspace, applicantId))
  if (!begun) return null
  const { reason, delete_by, suppression_id } = begun
  return { state: 'begun' as const, reason, due_at: null, delete_by, suppression_id }
}

/** A locked résumé is listed without its content; asked for alone, it is refused. */
function readable(resume: ResumeSummary): PartOrRefusal<ResumeSummary> {
  const { state, unlock_credits, can_view } = resume.resume_access
  if (can_view) return { data: resume }
  const { status, message } = ERRORS.resume_locked
  return { refused: { status, code: 'resume_locked', message, state, unlock_credits } }
}

const rowsOf = <T>(part: PartOrRefusal<{ data: T[] } | null>): T[] => ('data' in part ? (part.data?.data ?? []) : [])

const listed = <T>(part: PartOrRefusal<{ data: T[] }>): PartOrRefusal<T[]> =>
  'data' in part ? { data: part.data.data } : part

/** Reads of the API, and of what it does not show to partners. */
interface Reads extends Operations {
  listAnswerFiles: {
    path: '/applications/{application_handle}/files'
    response: { data: RowOf<(typeof answerFileShape)['fields']>[] }
  }
}

const READS = new Map(
  [...jobRoutes, ...applicantRoutes({}), ...applicationReads({}), ...answerFileRoutes, ...resumeRoutes].map(route => [
    route.operationId,
    route,
  ]),
)

/** People of a job read the reasons of decisions about it, whatever their scopes are. */
const REASONS: readonly Scope[] = ['applications:internal:read']

/** Parts of one call, which was counted: they are not counted again. */
const reader =
  ({ services, db, session, now, arrived }: Call, more: readonly Scope[] = []) =>
  async <O extends keyof Reads>(
    name: O,
    params: Readonly<Record<NamesIn<Reads[O]['path']>, string>>,
    query: Record<string, string> = {},
  ): Promise<PartOrRefusal<Reads[O]['response']>> => {
    const { status, body } = await callRoute(present(READS.get(name), name), services, {
      headers: {},
      address: arrived.address,
      audience: 'pages',
      params,
      query: new URLSearchParams(query),
      person: callerFor(db, session, now, more),
    })
    const parsed = JSON.parse(body)
    // nothing that a part is refused for is a failure of the page, except what no page can do anything about
    if (status === 429 || status >= 500) throw new ApiError(parsed.detail.code, parsed.detail)
    return status === 200 ? { data: parsed } : { refused: { status, ...parsed.detail } }
  }
