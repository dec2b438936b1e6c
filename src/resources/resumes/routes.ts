import { API_LIMITS } from '../../contract/limits.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { booleanParam } from '../../kernel/http/params.ts'
import { type Call, type Route, readFile, readOne, readPage } from '../../kernel/http/route.ts'
import { buildResolveContext, exactMatches } from '../people/index.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import {
  type ResumeAccess,
  type ResumeListRow,
  type ResumeRow,
  resumeAccess,
  resumeDownloadShape,
  resumeRowShape,
  resumeShape,
} from './shape.ts'
import {
  type ListedResume,
  resumesOfApplicants,
  type StoredResume,
  type StoredResumeProfile,
  selectResume,
  selectResumeProfile,
} from './store.ts'

const accessOf = (row: StoredResume): ResumeAccess => resumeAccess(row.applied_at, row.resume_unlocked_at, row.now)

function refuseLocked(access: ResumeAccess, allowed: boolean): void {
  if (!allowed) fail('resume_locked', { state: access.state, unlock_credits: access.unlock_credits })
}

const parsedOf = (profile: StoredResumeProfile): NonNullable<ResumeListRow['parsed']> => ({
  ...profile,
  structured: { experience: profile.experience, education: profile.education },
})

/** A locked résumé is listed without anything of its content. */
function toListed(row: ListedResume): ResumeListRow {
  const resume_access = accessOf(row)
  const parsed = row.has_profile && resume_access.can_view ? parsedOf(row) : null
  return { ...row, resume_access, has_parsed_profile: row.has_profile, parsed }
}

// biome-ignore lint/suspicious/noExplicitAny: the query of either read of one résumé
const readableResume = (call: Call<{ application_handle: string }, any>) => {
  const id = call.params.application_handle
  return readUnlessStopped(call, 'application', id, () => call.db.one(selectResume(call.workspace, id)), undefined)
}

const NEWEST = { by: 'created_at', tiebreaker: 'id', direction: 'desc', table: 'r' } as const

export const resumeRoutes: readonly Route[] = [
  readOne({
    path: '/applications/{application_handle}/resume',
    operationId: 'getApplicationResume',
    limited: 'record',
    jobRight: 'see',
    tool: {
      note: 'Pass raw_text=false unless you need the full text: it costs a unit, and the parsed profile is usually enough.',
    },
    summary: 'Get the résumé of an application',
    description:
      'The résumé with its parsed profile. The full text costs one personal-data unit; `raw_text=false` leaves it out.',
    group: 'Applications',
    scope: 'resume:read',
    params: { application_handle: 'application' },
    query: {
      raw_text: booleanParam(
        'If false, the full text is left out, is not listed in `restricted` and costs nothing. Default true.',
      ),
    },
    shape: resumeShape,
    errors: ['resume_locked', 'personal_data_quota_exceeded'],
    handler: async call => {
      const { db, workspace, query, caller } = call
      const row = await readableResume(call)
      if (!row) return undefined
      const resume_access = accessOf(row)
      refuseLocked(resume_access, resume_access.can_view)
      const withoutText = query.raw_text === false
      const profile = await db.one(
        selectResumeProfile(workspace, row.id, !withoutText && caller.scopes.has('resume:raw_text:read')),
      )
      const resume: ResumeRow & { withoutText: boolean } = {
        ...row,
        resume_access,
        parsed: profile ? { raw_text: null, ...parsedOf(profile) } : null,
        withoutText,
      }
      return resume
    },
  }),
  readOne({
    path: '/applications/{application_handle}/resume/download',
    operationId: 'getResumeDownload',
    limited: 'record',
    jobRight: 'see',
    tool: {
      leftOut: 'returns a URL that opens a personal file without a key; text in a résumé could make a model pass it on',
    },
    summary: 'Get a download URL of a résumé',
    description: 'A signed URL of the résumé file, valid for 300 seconds. Each call costs one personal-data unit.',
    group: 'Applications',
    scope: 'resume:download',
    tier: 'download',
    params: { application_handle: 'application' },
    shape: resumeDownloadShape,
    errors: ['resume_locked', 'personal_data_quota_exceeded'],
    handler: async call => {
      const row = await readableResume(call)
      if (!row) return undefined
      const access = accessOf(row)
      refuseLocked(access, access.can_download)
      const { filename, mime, bytes } = row
      const url = await call.services.blobs.signedGet(row.blob_key, {
        expiresInSeconds: API_LIMITS.downloadUrlSeconds,
        filename,
        contentType: mime,
      })
      return {
        resume_id: row.id,
        application_id: row.application_id,
        url,
        expires_in: API_LIMITS.downloadUrlSeconds,
        filename,
        mime,
        bytes,
      }
    },
  }),
  readPage({
    path: '/applicants/{applicant_handle}/resumes',
    operationId: 'listApplicantResumes',
    limited: 'closed',
    jobRight: 'browse',
    summary: 'List the résumés of an applicant',
    description: 'One per application, newest first.',
    group: 'Applicants',
    scope: 'resume:read',
    params: { applicant_handle: 'applicant' },
    shape: resumeRowShape,
    order: NEWEST,
    handler: async call => {
      const id = call.params.applicant_handle
      const read = () => call.db.query(resumesOfApplicants(call.workspace, [id], call.page))
      return (await readUnlessStopped(call, 'applicant', id, read, [])).map(toListed)
    },
  }),
  readPage({
    path: '/people/{person_handle}/resumes',
    operationId: 'listPersonResumes',
    limited: 'closed',
    jobRight: 'browse',
    summary: 'List the résumés of a person',
    description: 'From applicants that are an exact match, one per application, newest first.',
    group: 'People',
    scope: 'resume:read',
    params: { person_handle: 'person' },
    shape: resumeRowShape,
    order: NEWEST,
    handler: async call => {
      const { applicants } =
        (await exactMatches(buildResolveContext(call), call.params.person_handle)) ?? fail('not_found')
      return (await call.db.query(resumesOfApplicants(call.workspace, applicants, call.page))).map(toListed)
    },
  }),
]

/**
 * For the pages of the team alone, which must not send a reader's browser to the file store: the file itself, with the
 * scope, price and audit row of a download URL.
 */
export const resumeFileRoutes: readonly Route[] = [
  readFile({
    path: '/applications/{application_handle}/resume/file',
    operationId: 'readResumeFile',
    limited: 'record',
    jobRight: 'see',
    summary: 'Read the file of a résumé',
    group: 'Applications',
    scope: 'resume:download',
    tier: 'download',
    params: { application_handle: 'application' },
    returns: 'The file.',
    contentTypes: ['application/octet-stream'],
    errors: ['resume_locked', 'personal_data_quota_exceeded'],
    handler: async call => {
      const row = await readableResume(call)
      if (!row) return undefined
      const access = accessOf(row)
      refuseLocked(access, access.can_download)
      const blob = await call.services.blobs.get(row.blob_key)
      if (!blob) throw new Error(`résumé file missing: ${row.blob_key}`)
      return {
        stream: blob.stream,
        bytes: blob.stat.bytes,
        contentType: row.mime,
        filename: row.filename,
        reads: [{ object: 'resume', id: row.id, field: 'resume_file' }],
      }
    },
  }),
]
