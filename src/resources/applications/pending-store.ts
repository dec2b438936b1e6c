import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { OPEN } from './shape.ts'
import { type StoredApplication, WRITTEN_COLUMNS } from './store.ts'

// Forms of people who had applied before, which wait until the person has proved the address and chosen.

/** Forms that wait with one application. Beyond it those of the networks that sent most give way, the oldest first. */
const MAX_PENDING = 20
/** A network that sends more replaces its own: no one pushes out the form of someone else. */
const MAX_PENDING_OF_NETWORK = 2

export interface SubmittedDetails {
  first_name: string | null
  last_name: string | null
  phone: string | null
  linkedin_url: string | null
}

export interface SubmittedContent {
  answers: object
  equal_opportunity: object
  consents: object
  prescreen: object
  voice_screening_opted_out: boolean
  screening_phone: string | null
}

export interface SubmittedFile {
  id: string
  /** null: the résumé */
  field_id: string | null
  filename: string
  mime: string
  bytes: number
  blob_key: string
}

export interface NewSubmission {
  details: SubmittedDetails
  /** null: the application has it, and only the details wait */
  content: SubmittedContent | null
  files: readonly SubmittedFile[]
}

/** Who sent a form: a keyed hash. */
type Network = string | null

export const insertSubmission = (
  workspace: string,
  applicationId: string,
  network: Network,
  s: NewSubmission,
): Sql<{ id: string }> =>
  sql<{ id: string }>`
    insert into pending_submissions (workspace_id, application_id, network, details, content, files)
    values (${workspace}, ${applicationId}, ${network}, ${JSON.stringify(s.details)}::jsonb,
      ${s.content === null ? null : JSON.stringify(s.content)}::jsonb, ${JSON.stringify(s.files)}::jsonb)
    returning id`

/** Submissions with their files, which are removed from the file store. */
const dropWhere = (workspace: string, which: Sql): Sql<{ id: string; details: SubmittedDetails }> =>
  sql<{ id: string; details: SubmittedDetails }>`
    with gone as (
      delete from pending_submissions s
      where s.workspace_id = ${workspace} and ${which} returning s.id, s.details, s.files
    ), files as (
      insert into file_deletions (workspace_id, blob_key)
      select ${workspace}, f ->> 'blob_key' from gone, jsonb_array_elements(gone.files) f
      on conflict do nothing
    )
    select id, details from gone`

export const dropSurplusSubmissions = (workspace: string, applicationId: string): Sql<{ id: string }> =>
  dropWhere(
    workspace,
    sql`s.id in (
      select id from (
        select id, of_network, row_number() over (order by of_network, submitted_at desc, id desc) as place from (
          select o.id, o.submitted_at, row_number() over (
            partition by coalesce(o.network, o.id::text) order by o.submitted_at desc, o.id desc) as of_network
          from pending_submissions o
          where o.workspace_id = ${workspace} and o.application_id = ${applicationId}) as counted) as placed
      where of_network > ${MAX_PENDING_OF_NETWORK} or place > ${MAX_PENDING})`,
  )

export const dropSubmissions = (workspace: string, applicationId: string): Sql<{ id: string }> =>
  dropWhere(workspace, sql`s.application_id = ${applicationId}`)

const isOf = (workspace: string, applicantId: string) => sql`
  exists (select from applications a
    where a.workspace_id = ${workspace} and a.id = s.application_id and a.applicant_id = ${applicantId})`

export const dropSubmission = (workspace: string, applicantId: string, id: string) =>
  dropWhere(workspace, sql`s.id = ${id}::uuid and ${isOf(workspace, applicantId)}`)

/** Those that would change nothing: the application has their content, and the record their details. */
export const dropSettledSubmissions = (workspace: string, applicantId: string): Sql<{ id: string }> =>
  dropWhere(
    workspace,
    sql`s.content is null and ${isOf(workspace, applicantId)} and exists (select from applicants p
      where p.workspace_id = ${workspace} and p.id = ${applicantId}
        and jsonb_strip_nulls(s.details) <@ to_jsonb(p))`,
  )

/** What waits for the choice of a person. */
export interface WaitingSubmission extends Pick<NewSubmission, 'details' | 'files'> {
  id: string
  application_id: string
  job_title: string
  submitted_at: string
  /** what it would replace besides the details */
  content: SubmittedContent | null
  /** labels of the questions that it answers, by their ids, as far as the form still has them */
  questions: Readonly<Record<string, string>>
}

export const waitingSubmissions = (workspace: string, applicantId: string): Sql<WaitingSubmission> =>
  sql<WaitingSubmission>`
    select s.id, s.application_id, s.submitted_at, s.details, s.content, s.files, j.title as job_title, coalesce((
      select json_object_agg(q.id, q.label) from form_fields q
      where q.workspace_id = ${workspace} and (s.content -> 'answers' ? q.id or s.files @> jsonb_build_array(
        jsonb_build_object('field_id', q.id)))), '{}') as questions
    from applications a
    join pending_submissions s on s.workspace_id = a.workspace_id and s.application_id = a.id
    join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId}
    order by s.submitted_at desc, s.id`

export interface PendingSubmission extends NewSubmission {
  id: string
  application_id: string
}

/** Takes a submission out, locked until the transaction ends; its files are now the caller's. */
export const takeSubmission = (workspace: string, applicantId: string, id: string): Sql<PendingSubmission> =>
  sql<PendingSubmission>`
    delete from pending_submissions s
    where s.workspace_id = ${workspace} and s.id = ${id}::uuid and ${isOf(workspace, applicantId)}
    returning s.id, s.application_id, s.details, s.content, s.files`

/** Whether the details of the record are unproved, and its number to call. Locks the record. */
export const lockProof = (workspace: string, applicantId: string) =>
  sql<{ unproved: boolean; phone: string | null; suppressed: boolean }>`
    select unproved, phone, suppressed_at is not null as suppressed from applicants where workspace_id = ${workspace} and id = ${applicantId} for update`

/** A number that only an unproved form gave is not called for other applications either. */
export const replaceScreeningPhone = (
  workspace: string,
  applicantId: string,
  from: string,
  to: string | null,
): Sql => sql`
  update applications set screening_phone = ${to}
  where workspace_id = ${workspace} and applicant_id = ${applicantId} and screening_phone = ${from}`

/** Removes what the application has from its form, with the files. */
export const dropContent = (workspace: string, id: string): Sql => sql`
  with resume as (
    delete from resumes where workspace_id = ${workspace} and application_id = ${id} returning blob_key
  ), files as (
    delete from application_files where workspace_id = ${workspace} and application_id = ${id} returning blob_key
  ), score as (
    delete from application_scores where workspace_id = ${workspace} and application_id = ${id}
  )
  insert into file_deletions (workspace_id, blob_key)
  select ${workspace}, blob_key from (select blob_key from resume union select blob_key from files) f
  on conflict do nothing`

/** Removes the résumé with what was computed from it. */
export const dropResume = (workspace: string, id: string): Sql => sql`
  with resume as (
    delete from resumes where workspace_id = ${workspace} and application_id = ${id} returning blob_key
  ), score as (
    delete from application_scores where workspace_id = ${workspace} and application_id = ${id}
  )
  insert into file_deletions (workspace_id, blob_key)
  select ${workspace}, blob_key from resume on conflict do nothing`

/** The application with another résumé, which is to be parsed. */
export const setHasResume = (workspace: string, id: string): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set has_resume = true, parse_status = 'pending', updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`

export const putAnswers = (workspace: string, id: string, c: SubmittedContent): Sql[] => [
  sql`
    insert into application_answers (workspace_id, application_id, answers)
    values (${workspace}, ${id}, ${JSON.stringify(c.answers)}::jsonb)
    on conflict (workspace_id, application_id) do update set answers = excluded.answers`,
  sql`
    insert into application_private_answers (workspace_id, application_id, equal_opportunity, consents, prescreen)
    values (${workspace}, ${id}, ${JSON.stringify(c.equal_opportunity)}::jsonb, ${JSON.stringify(c.consents)}::jsonb,
      ${JSON.stringify(c.prescreen)}::jsonb)
    on conflict (workspace_id, application_id) do update set equal_opportunity = excluded.equal_opportunity,
      consents = excluded.consents, prescreen = excluded.prescreen`,
]

/** The application with the content of another form. The person who chose it has proved the address. */
export const setContent = (
  workspace: string,
  id: string,
  c: SubmittedContent,
  hasResume: boolean,
): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set has_resume = ${hasResume}, parse_status = ${hasResume ? 'pending' : null},
      ${hasResume ? none : sql`resume_access_state = null, resume_access_changes_at = null,`}
      voice_screening_opted_out = ${c.voice_screening_opted_out}, screening_phone = ${c.screening_phone}, unproved = false,
      updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`

export const selectUnproved = (workspace: string, id: string) =>
  sql<{ unproved: boolean }>`select unproved from applications where workspace_id = ${workspace} and id = ${id}`

/**
 * Whether what the team sees of a candidate came with an address that no one has proved yet. A decided application keeps
 * its own mark after that, which says only that the person may still replace it.
 */
export const hasUnprovedDetails = (workspace: string, id: string) => sql<{ unproved: boolean }>`
  select p.unproved or (a.unproved and a.status in ${OPEN}) as unproved
  from applications a join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id
  where a.workspace_id = ${workspace} and a.id = ${id}`

/**
 * A link that was mailed to the address was used: it works, and what came with it is the person's, except where another
 * form waits for a choice. An application that was decided before stays unproved: the person may still replace it.
 */
export const markProved = (workspace: string, applicantId: string): Sql[] => [
  sql`
    update applicants p set unproved = false
    where p.workspace_id = ${workspace} and p.id = ${applicantId} and p.unproved and not exists (
      select from pending_submissions s where s.workspace_id = ${workspace} and ${isOf(workspace, applicantId)})`,
  sql`
    update applications a set unproved = false
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId} and a.unproved
      and a.status in ${OPEN} and not exists (
      select from pending_submissions s where s.workspace_id = ${workspace} and s.application_id = a.id)`,
  sql`
    update contact_values c set status = 'verified', verified_at = app_now()
    from applicants p
    where p.workspace_id = ${workspace} and p.id = ${applicantId} and c.workspace_id = ${workspace}
      and c.subject_object = 'applicant' and c.subject_id = ${applicantId} and c.field = 'email'
      and c.email_key = p.email_key and c.status = 'unverified'`,
]
