import { type Sql, sql } from '../../kernel/db/sql.ts'

// What members do with all data of a person: the link to it, and a copy of it.

export interface Reachable {
  email_key: string | null
  suppressed: boolean
}

/** Locked: an erasure that comes in between finds the email. */
export const selectReachable = (workspace: string, applicantId: string): Sql<Reachable> =>
  sql<Reachable>`
    select email_key, suppressed_at is not null as suppressed from applicants
    where workspace_id = ${workspace} and id = ${applicantId} for key share`

/** The email with the link that has not left yet. */
export const waitingCopyMail = (workspace: string, applicantId: string): Sql<{ id: string; due_at: string }> =>
  sql<{ id: string; due_at: string }>`
    select id, due_at from candidate_mails
    where workspace_id = ${workspace} and applicant_id = ${applicantId} and kind = 'data_copy' and due_at is not null
    order by created_at desc limit 1`

/** In the language of the last email to the person, else of the job of their last application. */
export const queueCopyMail = (workspace: string, applicantId: string, delaySeconds: number) =>
  sql<{ id: string; due_at: string }>`
    insert into candidate_mails (workspace_id, kind, address, applicant_id, language, due_at)
    select ${workspace}, 'data_copy', '', p.id, coalesce(
      (select c.language from candidate_mails c where c.workspace_id = ${workspace} and c.applicant_id = ${applicantId}
        order by c.created_at desc limit 1),
      (select j.language from applications a join jobs j on j.workspace_id = ${workspace} and j.id = a.job_id
        where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId} order by a.applied_at desc limit 1), 'en'),
      app_now() + ${delaySeconds}::integer * interval '1 second'
    from applicants p where p.workspace_id = ${workspace} and p.id = ${applicantId}
    returning id, due_at`

/** No row: it has left, or there is none. */
export const dropCopyMailAhead = (workspace: string, applicantId: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    delete from candidate_mails
    where workspace_id = ${workspace} and applicant_id = ${applicantId} and kind = 'data_copy' and due_at > app_now()
      and attempt = 0
    returning id`

export interface CopyRequest {
  workspace: string
  applicantId: string
  kind: 'data_sent' | 'data_downloaded'
  userId: string
}

/** `id`: of the email that was sent, so that both are taken back together. */
export const insertCopyRequest = ({ workspace, applicantId, kind, userId }: CopyRequest, id: string) => sql`
  insert into applicant_requests (workspace_id, id, applicant_id, kind, user_id)
  values (${workspace}, ${id}::uuid, ${applicantId}, ${kind}, ${userId})`

export const dropCopyRequest = (workspace: string, id: string) => sql`
  delete from applicant_requests where workspace_id = ${workspace} and id = ${id}::uuid`

// The copy

export interface CopiedFile {
  kind: 'resume' | 'file' | 'report'
  id: string
  application_id: string
  filename: string
  blob_key: string
  bytes: number
  /** decides with the next field whether the file of a résumé may be opened */
  applied_at: string
  resume_unlocked_at: string | null
}

/** Files of the person's applications, without those of forms that wait for the person's choice: the team sees none of them. */
export const selectCopiedFiles = (workspace: string, applicantId: string): Sql<CopiedFile> =>
  sql<CopiedFile>`
    with theirs as (
      select id, applied_at, resume_unlocked_at from applications
      where workspace_id = ${workspace} and applicant_id = ${applicantId}
    )
    select 'resume' as kind, r.id::text, t.id as application_id, r.filename, r.blob_key, r.bytes, t.applied_at,
      t.resume_unlocked_at
    from theirs t join resumes r on r.workspace_id = ${workspace} and r.application_id = t.id
    union all
    select 'file', f.id::text, t.id, f.filename, f.blob_key, f.bytes, t.applied_at, t.resume_unlocked_at
    from theirs t join application_files f on f.workspace_id = ${workspace} and f.application_id = t.id
    union all
    select 'report', p.id::text, t.id, p.filename, p.blob_key, p.bytes, t.applied_at, t.resume_unlocked_at
    from theirs t join orders o on o.workspace_id = ${workspace} and o.application_id = t.id
    join order_reports p on p.workspace_id = ${workspace} and p.order_id = o.id
    order by application_id, kind, id`

type Json = Record<string, unknown>

/** What the team wrote and decided, by application: it can be about other people, too. */
export const selectOpinions = (workspace: string, applicantId: string) =>
  sql<{ notes: Json[]; scorecards: Json[]; decisions: Json[] }>`
    with theirs as (
      select * from applications where workspace_id = ${workspace} and applicant_id = ${applicantId}
    )
    select
      (select coalesce(jsonb_agg(jsonb_build_object('application_id', n.application_id, 'at', n.created_at, 'edited_at',
          n.edited_at, 'author_user_id', n.author_user_id, 'visibility', n.visibility, 'body', n.body)
          order by n.created_at, n.id), '[]')
        from theirs t join notes n on n.workspace_id = ${workspace} and n.application_id = t.id) as notes,
      (select coalesce(jsonb_agg(to_jsonb(c) - array['workspace_id'] || jsonb_build_object('remarks',
          (select coalesce(jsonb_agg(jsonb_build_object('at', m.created_at, 'body', m.body) order by m.created_at, m.id), '[]')
            from scorecard_remarks m where m.workspace_id = ${workspace} and m.scorecard_id = c.id))
          order by c.created_at, c.id), '[]')
        from theirs t join scorecards c on c.workspace_id = ${workspace} and c.application_id = t.id) as scorecards,
      (select coalesce(jsonb_agg(jsonb_build_object('application_id', t.id, 'status', t.status,
          'rejection_reason', t.rejection_reason, 'withdrawal_reason', t.withdrawal_reason,
          'stage', (select s.name from pipeline_stages s where s.workspace_id = ${workspace} and s.id = t.stage_id),
          'tags', (select coalesce(jsonb_agg(g.name order by g.name), '[]') from application_tags g
            where g.workspace_id = ${workspace} and g.application_id = t.id)) order by t.applied_at, t.id), '[]')
        from theirs t) as decisions`
