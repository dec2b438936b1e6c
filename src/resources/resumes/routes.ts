import { LIMITS } from '../../contract/limits.ts'
import { fail } from '../../kernel/failure.ts'
import { type Route, readOne, readPage } from '../../kernel/http/route.ts'
import { applicantConsent } from '../applicants/store.ts'
import { askingOf, exactMatches } from '../people/actions.ts'
import { type ResumeAccess, type ResumeRow, resumeAccess, resumeDownloadShape, resumeShape } from './shape.ts'
import { profileOf, resumeOf, resumesOfApplicants, type StoredProfile, type StoredResume } from './store.ts'

const accessOf = (row: StoredResume): ResumeAccess => resumeAccess(row.applied_at, row.resume_unlocked_at, row.now)

function refuseLocked(access: ResumeAccess, allowed: boolean): void {
  if (!allowed) fail('resume_locked', { state: access.state, unlock_credits: access.unlock_credits })
}

const withProfile = (row: StoredResume, access: ResumeAccess, profile: StoredProfile | undefined): ResumeRow => ({
  id: row.id,
  application_id: row.application_id,
  filename: row.filename,
  mime: row.mime,
  bytes: row.bytes,
  parse_status: row.parse_status,
  resume_access: access,
  parsed: profile ? { ...profile, structured: { experience: profile.experience, education: profile.education } } : null,
})

const toListed = (row: StoredResume): ResumeRow => ({
  ...row,
  resume_access: accessOf(row),
  has_parsed_profile: row.parse_status === 'parsed',
})

const NEWEST = { by: 'created_at', tie: 'id', direction: 'desc', table: 'r' } as const

export const resumeRoutes: readonly Route[] = [
  readOne({
    path: '/applications/{application_handle}/resume',
    about: 'The résumé of an application with its parsed profile. The full text, where shown, costs one unit.',
    group: 'Applications',
    scope: 'resume:read',
    params: { application_handle: 'application' },
    shape: resumeShape,
    errors: ['resume_locked', 'personal_data_quota_exceeded'],
    handler: async ({ db, workspace, params, caller }) => {
      const row = await db.one(resumeOf(workspace, params.application_handle))
      if (!row) return undefined
      const access = accessOf(row)
      refuseLocked(access, access.can_view)
      const profile = await db.one(profileOf(workspace, row.id, caller.scopes.has('resume:raw_text:read')))
      return withProfile(row, access, profile)
    },
  }),
  readOne({
    path: '/applications/{application_handle}/resume/download',
    about: 'A signed address of the résumé file, valid for 300 seconds. One personal-data unit for each call.',
    group: 'Applications',
    scope: 'resume:download',
    tier: 'download',
    params: { application_handle: 'application' },
    shape: resumeDownloadShape,
    errors: ['resume_locked', 'personal_data_quota_exceeded'],
    handler: async ({ db, workspace, params, services }) => {
      const row = await db.one(resumeOf(workspace, params.application_handle))
      if (!row) return undefined
      const access = accessOf(row)
      refuseLocked(access, access.can_download)
      const { filename, mime, bytes } = row
      const url = await services.blobs.signedGet(row.blob_key, {
        expiresInSeconds: LIMITS.downloadUrlSeconds,
        filename,
        contentType: mime,
      })
      return {
        resume_id: row.id,
        application_id: row.application_id,
        url,
        expires_in: LIMITS.downloadUrlSeconds,
        filename,
        mime,
        bytes,
      }
    },
  }),
  readPage({
    path: '/applicants/{applicant_handle}/resumes',
    about: 'The résumés of an applicant, one for each application, newest first.',
    group: 'Applicants',
    scope: 'resume:read',
    params: { applicant_handle: 'applicant' },
    shape: resumeShape,
    order: NEWEST,
    handler: async ({ db, workspace, params, page }) => {
      if (!(await db.one(applicantConsent(workspace, params.applicant_handle)))) fail('not_found')
      return (await db.query(resumesOfApplicants(workspace, [params.applicant_handle], page))).map(toListed)
    },
  }),
  readPage({
    path: '/people/{person_handle}/resumes',
    about: 'The résumés of the applicants that exactly are this person, one for each application, newest first.',
    group: 'People',
    scope: 'resume:read',
    params: { person_handle: 'person' },
    shape: resumeShape,
    order: NEWEST,
    handler: async call => {
      const { applicants } = (await exactMatches(askingOf(call), call.params.person_handle)) ?? fail('not_found')
      return (await call.db.query(resumesOfApplicants(call.workspace, applicants, call.page))).map(toListed)
    },
  }),
]
