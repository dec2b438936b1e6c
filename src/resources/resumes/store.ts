import type { Profile } from '../../../packages/resume-parser/src/index.ts'
import { none, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { workspaceNow } from '../../kernel/db/workspace-time.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { AccessState, PARSE_STATUSES, ParseError } from './shape.ts'

/** A résumé with what decides access to it, and the time of the workspace to decide it by. */
export interface StoredResume {
  id: string
  application_id: string
  job_id: string
  filename: string
  mime: string
  bytes: number
  blob_key: string
  created_at: string
  parse_status: (typeof PARSE_STATUSES)[number]
  parse_error: ParseError | null
  applied_at: string
  resume_unlocked_at: string | null
  now: string
}

const resumeColumns = (workspace: string): Sql => sql`
  r.id, r.application_id, a.job_id, r.filename, r.mime, r.bytes, r.blob_key, r.created_at, r.parse_status,
  r.parse_error, a.applied_at, a.resume_unlocked_at, ${workspaceNow(workspace)} as now`

const JOINED = sql`
  from resumes r join applications a on a.workspace_id = r.workspace_id and a.id = r.application_id`

export const selectResume = (workspace: string, applicationId: string): Sql<StoredResume> =>
  sql<StoredResume>`
    select ${resumeColumns(workspace)} ${JOINED} where r.workspace_id = ${workspace} and r.application_id = ${applicationId}`

/** The parsed profile is read separately: a locked résumé is refused before anything of its content is read. */
export interface StoredResumeProfile extends Omit<Profile, ProfileList>, Record<ProfileList, string> {
  parsed_at: string
  raw_text?: string | null
}

/** Lists are JSON text, as they are returned. */
type ProfileList = 'skills' | 'languages' | 'experience' | 'education'

/** A list of the parsed profile, whatever an older parser or an import stored there. */
const list = (name: string) =>
  raw(`case when jsonb_typeof(r.parsed -> '${name}') = 'array' then (r.parsed -> '${name}')::text else '[]' end`)

const PROFILE = sql`
  r.parsed ->> 'current_title' as current_title, r.parsed ->> 'current_company' as current_company,
  r.parsed ->> 'seniority' as seniority, (r.parsed ->> 'total_years_experience')::numeric as total_years_experience,
  r.parsed ->> 'city' as city, r.parsed ->> 'country' as country, (r.parsed ->> 'remote_ok')::boolean as remote_ok,
  r.parsed ->> 'education_level' as education_level, ${list('skills')} as skills, ${list('languages')} as languages,
  coalesce((r.parsed ->> 'extraction_confidence')::numeric, 0) as extraction_confidence,
  coalesce(r.parsed_at, r.created_at) as parsed_at, ${list('experience')} as experience,
  ${list('education')} as education, r.parsed ->> 'work_authorization' as work_authorization,
  (r.parsed ->> 'visa_required')::boolean as visa_required`

export const selectResumeProfile = (workspace: string, id: string, withText: boolean): Sql<StoredResumeProfile> =>
  sql<StoredResumeProfile>`
    select ${PROFILE} ${withText ? sql`, r.raw_text` : none}
    from resumes r where r.workspace_id = ${workspace} and r.id = ${id} and r.parsed is not null`

export type ListedResume = StoredResume & StoredResumeProfile & { has_profile: boolean }

export const resumesOfApplicants = (workspace: string, ids: readonly string[], page: Page): Sql<ListedResume> =>
  sql<ListedResume>`
    select ${resumeColumns(workspace)}, ${PROFILE}, r.parsed is not null as has_profile ${JOINED}
    where r.workspace_id = ${workspace} and r.applicant_id = any(${ids}::text[]) ${page.clause}`

export interface NewResume {
  workspace: string
  id: string
  applicationId: string
  applicantId: string | null
  filename: string
  mime: string
  bytes: number
  blobKey: string
}

export const insertResume = (r: NewResume) => sql`
  insert into resumes (workspace_id, id, application_id, applicant_id, filename, mime, bytes, blob_key)
  values (${r.workspace}, ${r.id}, ${r.applicationId}, ${r.applicantId}, ${r.filename}, ${r.mime}, ${r.bytes},
    ${r.blobKey})`

export interface AgingRow {
  workspace_id: string
  application_id: string
  resume_id: string
  applied_at: string
  resume_unlocked_at: string | null
  resume_access_state: AccessState
  resume_access_changes_at: string | null
  now: string
}

const aging = (workspace: string): Sql => sql`
  select a.workspace_id, a.id as application_id, r.id as resume_id, a.applied_at, a.resume_unlocked_at,
    a.resume_access_state, a.resume_access_changes_at,
    ${workspaceNow(workspace)} as now
  from applications a join resumes r on r.workspace_id = a.workspace_id and r.application_id = a.id`

/** Applications whose résumé is due for its next access state. */
export const dueForAging = (limit: number) =>
  sql<{ workspace_id: string; id: string }>`
    select workspace_id, id from applications where resume_access_changes_at <= app_now()
    order by resume_access_changes_at limit ${limit}`

/** When the access to résumés of a workspace changes, up to a time. */
export const accessDeadlines = (workspace: string, until: Sql): Sql<{ id: string; at: string }> =>
  sql<{ id: string; at: string }>`
    select id, resume_access_changes_at as at from applications
    where workspace_id = ${workspace} and resume_access_changes_at <= ${until}`

/** Those of a workspace that are due by its clock. */
export const dueForAgingIn = (workspace: string, limit: number): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id from (${accessDeadlines(workspace, workspaceNow(workspace))}) d order by at, id limit ${limit}`

/** No row where another process holds it, or where it is no longer due. */
export const lockDueAccess = (workspace: string, applicationId: string): Sql<AgingRow> =>
  sql<AgingRow>`
    ${aging(workspace)} where a.workspace_id = ${workspace} and a.id = ${applicationId} and a.resume_access_changes_at <= ${workspaceNow(workspace)}
    for update of a skip locked`

export const lockAccess = (workspace: string, applicationId: string): Sql<AgingRow> =>
  sql<AgingRow>`${aging(workspace)} where a.workspace_id = ${workspace} and a.id = ${applicationId} for update of a`

export const markUnlocked = (workspace: string, applicationId: string) => sql`
  update applications set resume_unlocked_at = ${workspaceNow(workspace)}
  where workspace_id = ${workspace} and id = ${applicationId}`

export const noteAccess = (
  workspace: string,
  applicationId: string,
  state: AccessState,
  changesAt: string | null,
) => sql`
  update applications set resume_access_state = ${state}, resume_access_changes_at = ${changesAt}::timestamptz
  where workspace_id = ${workspace} and id = ${applicationId}`
