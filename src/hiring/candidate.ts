import { ERRORS } from '../contract/errors.ts'
import { isLimited } from '../contract/scopes.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { bodyTime } from '../kernel/http/formats.ts'
import { callRoute, type Person } from '../kernel/http/pipeline.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import { Type } from '../kernel/schema/types.ts'
import type { Services } from '../kernel/services/services.ts'
import {
  applicationById,
  hasUnprovedDetails,
  reopenApplication,
  setApplicationStatus,
  withdrawApplication,
} from '../resources/applications/index.ts'
import { type Endpoint, post } from '../sign-in/endpoints/endpoint.ts'
import { requireSession, respond } from '../sign-in/endpoints/serve.ts'
import type { ApplicationStateResponse, CandidateResponse, Part } from './api-types.ts'
import { readHistory } from './authors.ts'
import { personOf } from './person.ts'

/** Jobs of the person's other applications whose titles are looked up. */
const MOST_OTHERS = 25

const expected_updated_at = Type.Optional(bodyTime())

/** What the page does besides the endpoints of the API. */
export const candidateEndpoints: readonly Endpoint[] = [
  post({
    path: '/applications/{id}/withdraw',
    scope: 'applications:write',
    // required here: the team must be able to say later why it did this for someone
    body: Type.Object(
      { reason: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }), expected_updated_at },
      closed,
    ),
    handler: async ({ db, session, params, body }): Promise<ApplicationStateResponse> =>
      stateOf(
        await db.transaction(tx =>
          withdrawApplication(tx, session.workspaceId, params['id']!, {
            reason: body.reason,
            expectedUpdatedAt: body.expected_updated_at,
            userId: session.userId,
          }),
        ),
      ),
  }),
  post({
    path: '/applications/{id}/status',
    scope: 'applications:write',
    // of a rejected one it takes the rejection back; nothing else becomes new again
    body: Type.Object({ status: Type.Enum(['new', 'in_review', 'advanced']), expected_updated_at }, closed),
    handler: async ({ db, session, params, body }): Promise<ApplicationStateResponse | undefined> => {
      const { workspaceId: workspace, userId } = session
      const id = params['id']!
      const change = { workspace, id, expectedUpdatedAt: body.expected_updated_at, originKeyId: null, userId }
      return db.transaction(async tx => {
        const found = await tx.one(applicationById(workspace, id))
        if (!found) return undefined
        if (found.status !== 'rejected' && body.status !== 'new')
          return stateOf(await setApplicationStatus(tx, change, body.status))
        const reopened = await reopenApplication(tx, change, body.status)
        return reopened && stateOf(reopened)
      })
    },
  }),
]

const stateOf = ({ status, stage_id, updated_at }: ApplicationStateResponse): ApplicationStateResponse => ({
  status,
  stage_id,
  updated_at,
})

/**
 * Everything that the page shows of a candidate without a click, in one response. Each part is a read of the API, made as
 * the person who is signed in: what the role may not read is refused there, and the refusal is the part. Nothing that
 * costs units is among them.
 */
export const candidateRoutes = (services: Services, routes: readonly Route[]): RawRoute[] => {
  const byName = new Map(routes.map(route => [route.operationId, route]))
  const show = async (arrived: Arrived): Promise<CandidateResponse> => {
    // one call of the person, who is shown one page: the parts are not counted
    const [session, now] = await Promise.all([requireSession(services, arrived, 'general'), services.db.now()])
    const person = personOf(services.db, session, now)
    const read = reader(services, byName, arrived, person)

    const id = arrived.params['id']!
    const application = await read<Application>('getApplication', { application_handle: id })
    if (!('data' in application)) throw new ApiError('not_found')
    const { job_id: jobId, applicant_id: applicantId, has_resume: hasResume } = application.data
    const ofApplication = { application_handle: id }
    const ofApplicant = { applicant_handle: applicantId ?? '' }
    // those of other jobs are not for people who are limited to theirs
    const limited = isLimited(session)
    const ofOthers = <T>(name: string): Part<List<T> | null> | Promise<Part<List<T> | null>> =>
      limited ? { data: { data: [] } } : ofPerson<List<T>>(name, { limit: String(MOST_OTHERS + 1) })
    const ofPerson = <T>(name: string, query?: Record<string, string>) =>
      applicantId === null ? { data: null } : read<T>(name, ofApplicant, query)
    const { job, applications, resumes, history, details, ...parts } = await allOf({
      job: read<JobSections>('getJobSections', { job_handle: jobId }),
      applicant: ofPerson('getApplicant'),
      answers: read('getApplicationAnswers', ofApplication),
      files: read<List>('listAnswerFiles', ofApplication).then(listed),
      score: read('getApplicationScore', ofApplication),
      screening: read('getApplicationScreening', ofApplication),
      history: readHistory(services.db, session, id),
      applications: ofOthers<Application>('listApplicantApplications'),
      resumes: ofOthers<ListedResume>('listApplicantResumes'),
      details: services.db.one(hasUnprovedDetails(session.workspaceId, id)),
    })
    // the list costs nothing, so it needs no transaction, and has all but the text; what is not in it is asked for alone
    const own = rowsOf(resumes).find(resume => resume.application_id === id)
    const resume = !hasResume
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
        const found = await read<{ title: string }>('getJob', { job_handle: other })
        return [other, 'data' in found ? found.data.title : null] as const
      }),
    )
    const sections = 'data' in job ? job.data : undefined
    const titleOf = new Map([[jobId, sections?.title ?? null], ...titles])
    return {
      application: application.data,
      job: sections
        ? {
            id: jobId,
            title: sections.title,
            status: sections.status,
            stages: sections.pipeline_stages,
            fields: sections.application_form.fields,
          }
        : null,
      ...parts,
      ...history,
      unproved: details?.unproved ?? false,
      resume,
      others: others.map(other => ({ ...other, job_title: titleOf.get(other.job_id) ?? null })),
      // those of other applications, which are files of the person, too
      resumes: 'data' in resumes ? { data: rowsOf(resumes).filter(row => row.application_id !== id) } : resumes,
    }
  }
  return [
    {
      methods: ['GET'],
      path: '/hiring/api/candidates/{id}',
      handler: arrived => respond(services, arrived.response, () => show(arrived)),
    },
  ]
}

/** Waits for all of them, and gives each under its name. */
async function allOf<T extends object>(reads: T): Promise<{ [Name in keyof T]: Awaited<T[Name]> }> {
  const done = Object.entries(reads).map(async ([name, read]) => [name, await read] as const)
  return Object.fromEntries(await Promise.all(done)) as { [Name in keyof T]: Awaited<T[Name]> }
}

interface Application {
  id: string
  job_id: string
  applicant_id: string | null
  has_resume: boolean
}

interface ListedResume {
  application_id: string
  resume_access: { state: string; unlock_credits: number; can_view: boolean }
}

/** A locked résumé is listed without its content; asked for alone, it is refused. */
function readable(resume: ListedResume): Part<ListedResume> {
  const { state, unlock_credits, can_view } = resume.resume_access
  if (can_view) return { data: resume }
  const { status, message } = ERRORS.resume_locked
  return { refused: { status, code: 'resume_locked', message, state, unlock_credits } }
}

interface JobSections {
  title: string
  status: string
  pipeline_stages: unknown[]
  application_form: { fields: unknown[] }
}

interface List<T = unknown> {
  data: T[]
}

const rowsOf = <T>(part: Part<List<T> | null>): T[] => ('data' in part ? (part.data?.data ?? []) : [])

const listed = <T>(part: Part<List<T>>): Part<T[]> => ('data' in part ? { data: part.data.data } : part)

const reader =
  (services: Services, routes: ReadonlyMap<string, Route>, arrived: Arrived, person: Person) =>
  async <T>(name: string, params: Record<string, string>, query: Record<string, string> = {}): Promise<Part<T>> => {
    const { status, body } = await callRoute(routes.get(name)!, services, {
      headers: {},
      address: arrived.address,
      audience: 'pages',
      params,
      query: new URLSearchParams(query),
      person,
    })
    const parsed = JSON.parse(body)
    // nothing that a part is refused for is a failure of the page, except what no page can do anything about
    if (status === 429 || status >= 500) throw new ApiError(parsed.detail.code, parsed.detail)
    return status === 200 ? { data: parsed as T } : { refused: { status, ...parsed.detail } }
  }
