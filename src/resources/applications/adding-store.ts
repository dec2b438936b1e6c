import { sql } from '../../kernel/db/sql.ts'

/** The applications of these people for a job: of each one that is not withdrawn first, then the last. */
export const applicationsInJob = (workspace: string, jobId: string, applicants: readonly string[]) =>
  sql<{ id: string; applicant_id: string }>`
    select id, applicant_id from applications
    where workspace_id = ${workspace} and job_id = ${jobId} and applicant_id = any(${applicants}::text[])
    order by status = 'withdrawn', applied_at desc, id desc`

/** The applications of a job with these ids of another system. */
export const applicationsByExternalId = (
  workspace: string,
  jobId: string,
  externalIds: readonly string[],
  system: string,
) =>
  sql<{ id: string; external_id: string }>`
    select id, source_external_id as external_id from applications
    where workspace_id = ${workspace} and job_id = ${jobId} and source_system = ${system}
      and source_external_id = any(${externalIds}::text[])`

/** The applications of a job whose people have the same name and number; `place`: of the given ones, from 0. */
export const applicationsByPhone = (
  workspace: string,
  jobId: string,
  people: readonly { number: string; name: string }[],
) =>
  sql<{ id: string; place: number }>`
    select a.id, g.place::integer - 1 as place
    from unnest(${people.map(({ number }) => number)}::text[], ${people.map(({ name }) => name)}::text[])
      with ordinality as g (number, name, place)
    join applicants p on p.workspace_id = ${workspace} and phone_key(p.phone) = phone_key(g.number)
      and lower(p.full_name) = lower(g.name)
    join applications a on a.workspace_id = ${workspace} and a.applicant_id = p.id and a.job_id = ${jobId}
    order by a.status = 'withdrawn', a.applied_at desc, a.id desc`

/** A résumé that was paid for stays so in another application of the person. */
export const keepUnlocked = (workspace: string, id: string, at: string) => sql`
  update applications set resume_unlocked_at = ${at}::timestamptz where workspace_id = ${workspace} and id = ${id}`
