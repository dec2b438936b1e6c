import { none, sql } from '../../kernel/db/sql.ts'

/** The function `phone_key` of the database has none for a number with fewer digits. */
const PHONE_KEY_DIGITS = 9

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

/**
 * The applications of a job whose people have the same name and number; `place`: of the given ones, from 0. Numbers that are
 * too short for a key, such as those without an area code, are compared with the people of the job.
 */
export const applicationsByPhone = (
  workspace: string,
  jobId: string,
  people: readonly { number: string; name: string }[],
) =>
  sql<{ id: string; place: number }>`
    with given as (
      select number, lower(name) as name, place::integer - 1 as place
      from unnest(${people.map(({ number }) => number)}::text[], ${people.map(({ name }) => name)}::text[])
        with ordinality as g (number, name, place)
    )
    select id, place from (
      select a.id, a.status, a.applied_at, g.place from given g
      join applicants p on p.workspace_id = ${workspace} and phone_key(p.phone) = phone_key(g.number)
        and lower(p.full_name) = g.name
      join applications a on a.workspace_id = ${workspace} and a.applicant_id = p.id and a.job_id = ${jobId}
      ${
        people.some(({ number }) => number.replace(/\D/g, '').length < PHONE_KEY_DIGITS)
          ? sql`union all
      select a.id, a.status, a.applied_at, g.place from applications a
      join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id
      join given g on phone_key(g.number) is null and g.name = lower(p.full_name)
        and regexp_replace(g.number, '\\D', '', 'g') = regexp_replace(p.phone, '\\D', '', 'g')
      where a.workspace_id = ${workspace} and a.job_id = ${jobId}`
          : none
      }
    ) found order by status = 'withdrawn', applied_at desc, id desc`

/** A résumé that was paid for stays so in another application of the person. */
export const keepUnlocked = (workspace: string, id: string, at: string) => sql`
  update applications set resume_unlocked_at = ${at}::timestamptz where workspace_id = ${workspace} and id = ${id}`
