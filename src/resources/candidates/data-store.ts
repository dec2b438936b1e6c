import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { SealedText } from '../messages/index.ts'

// What is stored about one person in a workspace. Every statement names the applicant of a session.

export interface OwnApplication {
  id: string
  status: string
  /** null: the application is not withdrawn, or was before this was stored */
  withdrawn_by: 'person' | 'team' | null
  applied_at: string
  updated_at: string
  job_title: string
  /** null: the job has no page */
  job_slug: string | null
  has_resume: boolean
  /** its file could not be parsed, because of the file itself */
  is_resume_unreadable: boolean
  /** forms wait with it for the person's choice */
  has_pending: boolean
}

const HAS_PENDING = (workspace: string) => sql`
  exists (select from pending_submissions s where s.workspace_id = ${workspace} and s.application_id = a.id) as has_pending`

const IS_RESUME_UNREADABLE = (workspace: string) => sql`
  exists (select from resumes r where r.workspace_id = ${workspace} and r.application_id = a.id
    and r.parse_status = 'failed' and r.parse_error <> 'internal') as is_resume_unreadable`

export const selectOwnApplications = (workspace: string, applicantId: string): Sql<OwnApplication> =>
  sql<OwnApplication>`
    select a.id, a.status, a.withdrawn_by, a.applied_at, a.updated_at, j.title as job_title,
      case when j.status in ('published', 'closed') then j.slug end as job_slug, a.has_resume,
      ${IS_RESUME_UNREADABLE(workspace)}, ${HAS_PENDING(workspace)}
    from applications a join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}
    order by a.applied_at desc, a.id desc`

export interface OwnFile {
  /** `pending`: of a form that waits for the person's choice */
  kind: 'resume' | 'file' | 'pending'
  id: string
  application_id: string
  /** the question that it answers; null for a résumé, or where the form has changed since */
  question: string | null
  filename: string
  mime: string
  bytes: number
  created_at: string
}

const FILES = (workspace: string, applicantId: string) => sql`
  select 'resume' as kind, r.id::text, r.application_id, null::text as question, r.filename, r.mime, r.bytes, r.blob_key,
    r.created_at
  from applications a join resumes r on r.workspace_id = a.workspace_id and r.application_id = a.id
  where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}
  union all
  select 'file', f.id::text, f.application_id,
    (select q.label from form_fields q where q.workspace_id = ${workspace} and q.id = f.field_id limit 1),
    f.filename, f.mime, f.bytes, f.blob_key, f.created_at
  from applications a join application_files f on f.workspace_id = a.workspace_id and f.application_id = a.id
  where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}
  union all
  select 'pending', f.id, s.application_id,
    (select q.label from form_fields q where q.workspace_id = ${workspace} and q.id = f.field_id limit 1),
    f.filename, f.mime, f.bytes, f.blob_key, s.submitted_at
  from applications a join pending_submissions s on s.workspace_id = a.workspace_id and s.application_id = a.id,
    jsonb_to_recordset(s.files) as f (id text, field_id text, filename text, mime text, bytes integer, blob_key text)
  where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}`

export const selectOwnFiles = (workspace: string, applicantId: string): Sql<OwnFile> =>
  sql<OwnFile>`
    select kind, id, application_id, question, filename, mime, bytes, created_at
    from (${FILES(workspace, applicantId)}) as own order by created_at desc, id`

export const selectOwnFile = (workspace: string, applicantId: string, kind: string, id: string) =>
  sql<Pick<OwnFile, 'filename' | 'mime'> & { blob_key: string }>`
    select filename, mime, blob_key from (${FILES(workspace, applicantId)}) as own where kind = ${kind} and id = ${id}`

export const ownsApplication = (workspace: string, applicantId: string, id: string): Sql<OwnApplication> =>
  sql<OwnApplication>`
    select a.id, a.status, a.withdrawn_by, a.applied_at, a.updated_at, j.title as job_title, null as job_slug, a.has_resume,
      ${IS_RESUME_UNREADABLE(workspace)}, ${HAS_PENDING(workspace)}
    from applications a join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId} and a.id = ${id}`

/** A test or check that was ordered for an application. */
export interface OwnCheck {
  id: string
  application_id: string
  name: string
  vendor: string
  status: string
  waiting_on: string | null
  due_at: string | null
  /** the vendor's page for it is there, and it is open */
  can_start: boolean
}

/** Those that a vendor has accepted: before, there is nothing that the person could do. */
export const selectOwnChecks = (workspace: string, applicantId: string): Sql<OwnCheck> =>
  sql<OwnCheck>`
    select o.id, o.application_id, o.package_name as name, o.vendor_name as vendor, o.status, o.waiting_on, o.due_at,
      o.candidate_url is not null and o.status in ('invited', 'in_progress') as can_start
    from applications a join orders o on o.workspace_id = a.workspace_id and o.application_id = a.id
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId} and o.accepted_at is not null
    order by o.requested_at desc, o.id desc`

/** What the page of an invitation shows. */
export interface InvitedCheck extends Omit<OwnCheck, 'application_id' | 'can_start'> {
  job_title: string
  minutes: number | null
  privacy_url: string
  candidate_url: string | null
}

/** Nothing of people whose processing was stopped. The privacy notice is the one that was there when the check was ordered. */
export const invitedCheck = (workspace: string, id: string): Sql<InvitedCheck> =>
  sql<InvitedCheck>`
    select o.id, o.package_name as name, o.vendor_name as vendor, o.status, o.waiting_on, o.due_at, o.candidate_url,
      j.title as job_title, k.duration_minutes as minutes, coalesce(o.privacy_url, k.privacy_url) as privacy_url
    from orders o
    join applications a on a.workspace_id = o.workspace_id and a.id = o.application_id
    join jobs j on j.workspace_id = o.workspace_id and j.id = o.job_id
    join packages k on k.workspace_id = o.workspace_id and k.id = o.package_id
    where o.workspace_id = ${workspace} and o.id = ${id} and not exists (select from applicants p
      where p.workspace_id = ${workspace} and p.id = a.applicant_id and p.suppressed_at is not null)`

/** A consent that the person gave with an application, as they read it. */
export interface OwnConsent {
  application_id: string
  job_title: string
  field_id: string
  label: string
  at: string
  withdrawn_at: string | null
}

export const selectOwnConsents = (workspace: string, applicantId: string): Sql<OwnConsent> => sql<OwnConsent>`
  select a.id as application_id, j.title as job_title, c.key as field_id,
    coalesce(c.value ->> 'label', q.label, '') as label, coalesce(c.value ->> 'at', a.applied_at::text) as at,
    c.value ->> 'withdrawn_at' as withdrawn_at
  from applications a
  join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
  join application_private_answers v on v.workspace_id = a.workspace_id and v.application_id = a.id
  cross join lateral jsonb_each(v.consents) c
  left join form_fields q on q.workspace_id = a.workspace_id and q.id = c.key
  where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId} and (c.value -> 'accepted') = 'true'
  order by a.applied_at desc, a.id, c.key`

/** No row: there is no such consent, or it was withdrawn before. */
export const setConsentWithdrawn = (
  workspace: string,
  application: string,
  field: string,
): Sql<{ done: boolean }> => sql<{
  done: boolean
}>`
  update application_private_answers set consents = jsonb_set(consents, array[${field}::text, 'withdrawn_at'],
    to_jsonb(to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
  where workspace_id = ${workspace} and application_id = ${application} and consents ? ${field}
    and not (consents -> ${field}) ? 'withdrawn_at'
  returning true as done`

type Json = Record<string, unknown>

export const personRow = (workspace: string, applicantId: string) =>
  sql<{ person: Json; contact_values: Json[]; unsubscribes: Json[] }>`
    select to_jsonb(p) - array['workspace_id', 'email_key', 'linkedin_key', 'suppressed_at'] as person,
      (select coalesce(jsonb_agg(jsonb_build_object('field', c.field, 'value', c.value, 'kind', c.kind,
          'status', c.status, 'verified_at', c.verified_at, 'stored_at', c.created_at) order by c.created_at, c.value), '[]')
        from contact_values c where c.workspace_id = ${workspace} and c.subject_object = 'applicant'
          and c.subject_id = p.id) as contact_values,
      (select coalesce(jsonb_agg(jsonb_build_object('source', u.source, 'at', u.at)), '[]')
        from unsubscribes u where u.workspace_id = ${workspace} and u.email_key = p.email_key) as unsubscribes
    from applicants p where p.workspace_id = ${workspace} and p.id = ${applicantId}`

/** An answer with its question. null: a question of which nothing is left. */
export interface Answered {
  question: string | null
  type: string | null
  answer: unknown
}

export interface ApplicationData {
  application: Json & { status: string }
  answers: (Answered & { field_id: string })[]
  consents: Json[]
  equal_opportunity: (Answered & { field_id: string })[]
  prescreen: (Answered & { question_id: string })[]
  score: Json | null
  phone_screening: Json | null
  /** tests and checks of vendors, without what came of them */
  checks: Json[]
  /** when the company did something; what it was is not here */
  stage_changes: string[]
  status_changes: string[]
  notes: string[]
  scorecards: string[]
  /** those that the person was not invited to by the product */
  interviews: string[]
  tags: string[]
  check_results: string[]
}

/** Answers by field with the questions as they are asked now: one that was removed keeps its row. */
const answered = (workspace: string, byField: Sql): Sql => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('field_id', e.key, 'question', q.label, 'type', q.type, 'answer', e.value)
      order by q.position, e.key), '[]')
    from jsonb_each(coalesce(${byField}, '{}')) e
    left join form_fields q on q.workspace_id = ${workspace} and q.id = e.key)`

/** A consent and a pre-screen answer are stored with the text that the person read. */
export const selectApplicationData = (workspace: string, applicantId: string): Sql<ApplicationData> =>
  sql<ApplicationData>`
    select jsonb_build_object('id', a.id, 'job', jsonb_build_object('id', j.id, 'title', j.title), 'status', a.status,
        'applied_at', a.applied_at, 'updated_at', a.updated_at, 'source', a.source, 'source_system', a.source_system,
        'source_external_id', a.source_external_id, 'voice_screening_opted_out', a.voice_screening_opted_out,
        'screening_phone', a.screening_phone,
        -- one that the team gave is what the team wrote: it is not in the copy
        'withdrawal_reason', case when a.withdrawn_by is distinct from 'team' then a.withdrawal_reason end) as application,
      ${answered(workspace, sql`w.answers`)} as answers,
      (select coalesce(jsonb_agg(jsonb_build_object('field_id', c.key, 'label', q.label) || c.value
          order by q.position, c.key), '[]')
        from jsonb_each(coalesce(v.consents, '{}')) c
        left join form_fields q on q.workspace_id = ${workspace} and q.id = c.key) as consents,
      ${answered(workspace, sql`v.equal_opportunity`)} as equal_opportunity,
      (select coalesce(jsonb_agg(jsonb_build_object('question_id', s.key) || s.value order by s.key), '[]')
        from jsonb_each(coalesce(v.prescreen, '{}')) s) as prescreen,
      (select to_jsonb(s) - array['workspace_id', 'application_id'] from application_scores s
        where s.workspace_id = ${workspace} and s.application_id = a.id) as score,
      (select to_jsonb(s) - array['workspace_id', 'application_id', 'ambiguous_caller'] from screenings s
        where s.workspace_id = ${workspace} and s.application_id = a.id) as phone_screening,
      (select coalesce(jsonb_agg(jsonb_build_object('name', o.package_name, 'vendor', o.vendor_name,
          'order_status', o.status, 'requested_at', o.requested_at, 'due_at', o.due_at, 'completed_at', o.completed_at)
          order by o.requested_at, o.id), '[]') from orders o
        where o.workspace_id = ${workspace} and o.application_id = a.id) as checks,
      (select coalesce(jsonb_agg(t.at order by t.at, t.id), '[]') from stage_transitions t
        where t.workspace_id = ${workspace} and t.application_id = a.id) as stage_changes,
      (select coalesce(jsonb_agg(t.at order by t.at, t.id), '[]') from status_transitions t
        where t.workspace_id = ${workspace} and t.application_id = a.id) as status_changes,
      (select coalesce(jsonb_agg(n.created_at order by n.created_at, n.id), '[]') from notes n
        where n.workspace_id = ${workspace} and n.application_id = a.id) as notes,
      (select coalesce(jsonb_agg(c.created_at order by c.created_at, c.id), '[]') from scorecards c
        where c.workspace_id = ${workspace} and c.application_id = a.id) as scorecards,
      (select coalesce(jsonb_agg(i.created_at order by i.created_at, i.id), '[]') from interviews i
        where i.workspace_id = ${workspace} and i.application_id = a.id and not i.invites_candidate) as interviews,
      (select coalesce(jsonb_agg(g.created_at order by g.created_at, g.tag_key), '[]') from application_tags g
        where g.workspace_id = ${workspace} and g.application_id = a.id) as tags,
      (select coalesce(jsonb_agg(r.completed_at order by r.completed_at, r.order_id), '[]')
        from orders o join order_results r on r.workspace_id = o.workspace_id and r.order_id = o.id
        where o.workspace_id = ${workspace} and o.application_id = a.id) as check_results
    from applications a
    join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
    left join application_answers w on w.workspace_id = a.workspace_id and w.application_id = a.id
    left join application_private_answers v on v.workspace_id = a.workspace_id and v.application_id = a.id
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}
    order by a.applied_at, a.id`

/** Forms that wait for the person's choice; their files are among `selectOwnFiles`. */
export const selectPendingData = (workspace: string, applicantId: string): Sql<Json> =>
  sql<Json>`
    select s.application_id, j.title as job, s.submitted_at, s.details,
      ${answered(workspace, sql`s.content -> 'answers'`)} as answers,
      ${answered(workspace, sql`s.content -> 'equal_opportunity'`)} as equal_opportunity,
      (select coalesce(jsonb_agg(c.value order by c.key), '[]')
        from jsonb_each(coalesce(s.content -> 'consents', '{}')) c) as consents,
      (select coalesce(jsonb_agg(q.value order by q.key), '[]')
        from jsonb_each(coalesce(s.content -> 'prescreen', '{}')) q) as prescreen,
      s.content -> 'voice_screening_opted_out' as voice_screening_opted_out,
      s.content ->> 'screening_phone' as screening_phone
    from applications a
    join pending_submissions s on s.workspace_id = a.workspace_id and s.application_id = a.id
    join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}
    order by s.submitted_at, s.id`

/** What was read in the résumés. */
export const selectProfileData = (workspace: string, applicantId: string) =>
  sql<{
    resume_id: string
    application_id: string
    parsed_at: string | null
    profile: Json | null
    text: string | null
  }>`
    select r.id as resume_id, r.application_id, r.parsed_at, r.parsed as profile, r.raw_text as text
    from applications a join resumes r on r.workspace_id = a.workspace_id and r.application_id = a.id
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}
    order by r.created_at, r.id`

export interface SentEmail {
  /** a message of the company, or the kind of an email of this site */
  kind: string
  status: string
  at: string
  /** For messages, since their texts are stored */
  subject?: string | null
  text?: string | null
}

export interface SealedEmail extends SentEmail, SealedText {
  id: string | null
}

/** Emails of the site have no text: each is made when it is sent. */
export const emailsTo = (workspace: string, applicantId: string): Sql<SealedEmail> =>
  sql<SealedEmail>`
    select case direction when 'in' then 'reply' else 'message' end as kind,
      case status when 'sending' then 'queued' else status end as status,
      coalesce(sent_at, claimed_at, created_at) as at, id::text as id,
      case when status <> 'failed' then subject_sealed end as subject_sealed,
      case when status <> 'failed' then body_sealed end as body_sealed
    from messages where workspace_id = ${workspace} and applicant_id = ${applicantId}
      -- what has not left is the company's own draft; of one that failed, it is said that it was tried
      and status not in ('scheduled', 'canceled')
    union all
    select kind, case when sent_at is not null then 'sent' when due_at is null then 'failed' else 'queued' end,
      coalesce(sent_at, created_at), null, null, null
    from candidate_mails where workspace_id = ${workspace} and applicant_id = ${applicantId}
    order by at, kind`

/** Records that are about the person, by the address that they proved to be theirs. */
const SUBJECTS = (workspace: string, applicantId: string) => sql`
  select ${applicantId}::text as id
  union select a.id from applications a where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}
  union select c.subject_id from contact_values c join applicants p on p.workspace_id = c.workspace_id
      and p.email_key = c.email_key
    where p.workspace_id = ${workspace} and p.id = ${applicantId} and c.subject_object = 'sourced_profile'`

export interface Reads {
  key_id: string
  field: string
  times: number
  first_at: string
  last_at: string
}

/** Reads of personal values over the API, by the key or the consent with which they were read. */
export const selectReads = (workspace: string, applicantId: string): Sql<Reads> =>
  sql<Reads>`
    select d.key_id, d.field, count(*)::integer as times, min(d.at) as first_at, max(d.at) as last_at
    from personal_data_reads d
    where d.workspace_id = ${workspace} and d.subject_id in (${SUBJECTS(workspace, applicantId)})
    group by d.key_id, d.field`

/** Profiles that the company collected elsewhere with the person's own email address. */
export const selectSourcedProfileData = (workspace: string, applicantId: string) =>
  sql<{ profile: Json; contact_values: Json[] }>`
    select to_jsonb(s) - array['workspace_id', 'linkedin_key', 'suppressed_at'] as profile,
      (select coalesce(jsonb_agg(jsonb_build_object('field', c.field, 'value', c.value, 'kind', c.kind,
          'status', c.status, 'stored_at', c.created_at) order by c.created_at, c.value), '[]')
        from contact_values c where c.workspace_id = ${workspace} and c.subject_object = 'sourced_profile'
          and c.subject_id = s.id) as contact_values
    from sourced_profiles s
    where s.workspace_id = ${workspace} and s.id in (${SUBJECTS(workspace, applicantId)})
    order by s.created_at, s.id`
