import { isLimited } from '../contract/scopes.ts'
import { checkReach, LIMITED_MESSAGE, type LimitedRule } from '../kernel/access/reach.ts'
import type { Database } from '../kernel/db/database.ts'
import { fail } from '../kernel/errors/api-error.ts'
import type { Person } from '../kernel/http/pipeline.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Endpoint } from '../sign-in/endpoints/endpoint.ts'
import { SessionError } from '../sign-in/endpoints/errors.ts'
import type { ProgramApi } from '../sign-in/endpoints/serve.ts'
import type { UserSession } from '../sign-in/sessions.ts'

/*
 * What people who are limited to jobs may call. Every endpoint of the pages has a row, also those that only owners and
 * admins may call; one without a row is closed to them.
 */

/** Endpoints of the API, by their operation. */
export const LIMITED_OPERATIONS: Readonly<Record<string, LimitedRule>> = {
  listWorkspaces: 'open',
  getWorkspace: 'open',
  listWorkspaceUsers: 'open',
  getUser: 'open',

  listJobs: 'filtered',
  pushJob: 'closed',
  getJob: 'record',
  // names a job by other means than its handle
  getJobBySlug: 'closed',
  getJobSections: 'record',
  listPipelineStages: 'record',
  getApplicationForm: 'record',
  getPrescreenQuestions: 'record',
  getPublishReadiness: 'record',
  publishJob: 'record',
  unpublishJob: 'record',
  closeJob: 'record',
  reopenJob: 'record',

  listApplications: 'job',
  // finds the person by email address, and an earlier application by the id of another system
  createApplication: 'closed',
  createUpload: 'closed',
  listJobApplications: 'record',
  getApplication: 'record',
  getApplicationAnswers: 'record',
  getApplicationScore: 'record',
  getApplicationScreening: 'record',
  listStageTransitions: 'record',
  listNotes: 'record',
  createNote: 'record',
  createScorecard: 'record',
  moveApplication: 'record',
  rejectApplication: 'record',
  hireApplication: 'record',
  reopenApplication: 'record',
  getApplicationResume: 'record',
  getResumeDownload: 'record',
  readResumeFile: 'record',
  listAnswerFiles: 'record',
  readAnswerFile: 'record',

  listApplicants: 'closed',
  getApplicant: 'record',
  getApplicantContactInfo: 'record',
  // also those for other jobs
  listApplicantApplications: 'closed',
  listApplicantResumes: 'closed',
  sendMessage: 'record',
  getHiringFunnel: 'job',

  listProjects: 'closed',
  getProject: 'closed',
  listProjectLists: 'closed',
  listCandidateLists: 'closed',
  createCandidateList: 'closed',
  getCandidateList: 'closed',
  listCandidateListMembers: 'closed',
  addCandidateListMembers: 'closed',
  setCandidateListMemberStage: 'closed',
  listSourcedProfiles: 'closed',
  getSourcedProfile: 'closed',
  listSourcedProfileMemberships: 'closed',
  getSourcedProfileContactInfo: 'closed',
  listAttachments: 'closed',
  downloadAttachment: 'closed',
  resolvePerson: 'closed',
  resolvePeople: 'closed',
  getPerson: 'closed',
  listPersonProfiles: 'closed',
  listPersonApplications: 'closed',
  listPersonResumes: 'closed',
  getPersonContactInfo: 'closed',
  listPoolProfiles: 'closed',
  getPoolProfile: 'closed',
  searchPool: 'closed',
}

/** Endpoints of the pages. */
export const LIMITED_ENDPOINTS: Readonly<Record<string, LimitedRule>> = {
  'GET /session': 'open',
  'GET /search': 'filtered',
  'GET /insight/applications': 'job',
  'GET /jobs/{job_id}/board': 'record',
  'GET /jobs/{job_id}/board/cards': 'record',
  'GET /jobs/{job_id}/board/neighbors/{application_id}': 'record',
  'GET /jobs/{job_id}/board/selection': 'record',
  'POST /applications/changes': 'record',

  'GET /jobs': 'filtered',
  'GET /job-words': 'filtered',
  // a new job would have no team
  'POST /jobs': 'closed',
  'POST /jobs/{id}': 'record',
  'POST /jobs/{id}/duplicate': 'closed',
  'POST /jobs/{id}/delete': 'closed',
  'GET /jobs/{id}/history': 'record',
  'GET /jobs/{id}/description': 'record',
  'POST /markdown-preview': 'open',
  'POST /job-currency': 'open',
  'GET /jobs/{job_id}/stages': 'record',
  'POST /jobs/{job_id}/stages': 'record',
  'GET /jobs/{job_id}/form': 'record',
  'POST /jobs/{job_id}/form': 'record',
  'POST /jobs/{job_id}/form/use-template': 'record',
  'GET /jobs/{job_id}/questions': 'record',
  'POST /jobs/{job_id}/questions': 'record',
  // names the jobs that have forms of their own
  'GET /template-form': 'closed',
  'POST /template-form': 'closed',
  'GET /jobs/{job}/criteria': 'record',
  'POST /jobs/{job}/criteria': 'record',
  'GET /jobs/{job}/team': 'record',
  'POST /jobs/{job}/team': 'closed',

  'POST /applications/{id}/withdraw': 'record',
  'POST /applications/{id}/status': 'record',
  // spends credits of the whole workspace
  'POST /applications/{id}/unlock-resume': 'closed',
  'GET /members': 'open',
  'GET /applications/{application}/notes': 'record',
  'POST /applications/{application}/notes': 'record',
  // only notes that name the reader
  'POST /mentions/{note}/done': 'open',
  'GET /applications/{application}/scorecards': 'record',
  'POST /applications/{application}/scorecard-requests': 'record',
  'POST /applications/{application}/scorecard-requests/{user}/withdraw': 'record',
  'GET /tags': 'filtered',
  'GET /tags/of-applications': 'record',
  'POST /applications/{application}/tags': 'record',
  'GET /message-templates': 'open',
  'POST /message-templates': 'closed',
  'POST /message-templates/{template}': 'closed',
  'POST /message-templates/{template}/delete': 'closed',
  // of the whole person: the handler leaves out what was written about other jobs
  'GET /applications/{application}/messages': 'record',
  'GET /applications/{application}/message-facts': 'record',
  'POST /messages/{message}/template': 'record',
  'GET /tasks': 'filtered',
  'GET /tasks/waiting': 'filtered',
  'GET /tasks/count': 'filtered',
  'GET /hiring-settings': 'closed',
  'POST /hiring-settings': 'closed',
  'GET /credits': 'closed',
  'GET /credits/entries': 'closed',

  'GET /sourcing/projects': 'closed',
  'POST /sourcing/projects': 'closed',
  'POST /sourcing/projects/{project_id}': 'closed',
  'GET /sourcing/lists': 'closed',
  'GET /sourcing/lists/{list_id}': 'closed',
  'POST /sourcing/lists/{list_id}': 'closed',
  'GET /sourcing/lists/{list_id}/members': 'closed',
  'GET /sourcing/lists/{list_id}/members.csv': 'closed',
  'POST /sourcing/lists/{list_id}/delete': 'closed',
  'POST /sourcing/lists/{list_id}/remove': 'closed',
  'POST /sourcing/lists/{list_id}/restore': 'closed',
  'POST /sourcing/lists/{list_id}/stage': 'closed',
  'POST /sourcing/lists/{list_id}/import': 'closed',
  'GET /sourcing/profiles.csv': 'closed',
  'GET /sourcing/profiles/{profile_id}/lists': 'closed',
  'POST /sourcing/profiles/{profile_id}/reveal': 'closed',
  'GET /sourcing/pool.csv': 'closed',
  'POST /sourcing/pool/saved': 'closed',
  'POST /sourcing/pool/save': 'closed',
  'GET /sourcing/import/columns.csv': 'closed',
  'POST /sourcing/import/check': 'closed',
  'POST /sourcing/import': 'closed',
}

/** The person whose jobs a list is filtered by; undefined for people with access to all jobs. */
export const limitedTo = (session: UserSession) =>
  isLimited(session) ? { workspace: session.workspaceId, userId: session.userId } : undefined

/** For calls of the API. */
export function reachOf(db: Database, session: UserSession): Person['reach'] {
  const person = limitedTo(session)
  if (!person) return undefined
  return (route, naming, complete) => {
    const rule = LIMITED_OPERATIONS[route.operationId] ?? 'closed'
    return checkReach(db, person, rule, naming, { complete, refuse: () => refuseRoute(route) })
  }
}

function refuseRoute({ access }: Route): never {
  const required_scope = typeof access === 'string' ? '' : access.scope
  return fail('insufficient_scope', { required_scope, message: LIMITED_MESSAGE })
}

/** For calls of the pages' own endpoints. */
export const checkEndpointReach: NonNullable<ProgramApi['checkReach']> = async (
  db,
  session,
  { method, path }: Endpoint,
  naming,
  complete,
) => {
  const person = limitedTo(session)
  if (!person) return
  const rule = LIMITED_ENDPOINTS[`${method} ${path}`] ?? 'closed'
  const refuse = () => {
    throw new SessionError('role_required', LIMITED_MESSAGE)
  }
  await checkReach(db, person, rule, naming, { complete, refuse })
}
