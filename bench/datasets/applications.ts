import type pg from 'pg'
import type { Dataset } from '../kit/scenario.ts'
import { inBulk } from './bulk.ts'
import { sized } from './size.ts'

export const APPLICATIONS = sized(1_000_000, 5_000)
/** Application i is for job i modulo this, and in its first stage. */
export const JOBS = sized(100, 10)
const STAGES = ['applied', 'screen', 'interview', 'offer', 'hired', 'rejected']
/** Applicants whose contact details are there: the first ones. */
export const REACHABLE = sized(50_000, 500)

/** One workspace, as many applicants as applications, changed in another order than they were made in. */
export const applications: Dataset = {
  name: `applications_${APPLICATIONS}`,
  seed: async (db, workspace) => {
    await db.query('set session_replication_role = replica') // the rows refer to each other by construction
    await inBulk(db, ['applicants', 'applications', 'contact_values'], () => fill(db, workspace))
    await db.query('reset session_replication_role')
  },
}

const tail = (number: string) => `lpad(to_hex(${number}), 9, '0') || substr(md5((${number})::text), 1, 11)`

async function fill(db: pg.Client, workspace: string): Promise<void> {
  await db.query(
    `insert into jobs (workspace_id, id, slug, status, title, source_system, accept_applications, published_at)
     select $1, 'job_' || ${tail('j')}, 'job-' || j, 'published', 'Engineer ' || j, 'tahoe_native', true, now()
     from generate_series(0, $2::integer - 1) as j`,
    [workspace, JOBS],
  )
  await db.query(
    `insert into pipeline_stages (workspace_id, id, job_id, name, position, type, is_terminal)
     select $1, 'stg_' || ${tail('j * 8 + position')}, 'job_' || ${tail('j')}, initcap(type), position, type, position > 4
     from generate_series(0, $2::integer - 1) as j, unnest($3::text[]) with ordinality as s (type, place),
       lateral (select place::integer as position)`,
    [workspace, JOBS, STAGES],
  )
  await db.query(
    `insert into applicants (workspace_id, id, first_name, last_name, full_name, email, email_key, application_count)
     select $1, 'apl_' || ${tail('i')}, 'Person', i::text, 'Person ' || i, 'p' || i || '@people.example',
       'p' || i || '@people.example', 1
     from generate_series(1, $2::integer) as i`,
    [workspace, APPLICATIONS],
  )
  await db.query(
    `insert into applications (workspace_id, id, job_id, applicant_id, stage_id, status, source, applied_at, updated_at)
     select $1, 'app_' || ${tail('i')}, 'job_' || ${tail('i % $3')}, 'apl_' || ${tail('i')},
       'stg_' || ${tail('i % $3 * 8 + 1')}, (array['new', 'new', 'in_review', 'rejected'])[1 + i / 100 % 4],
       'public_board', at, at + (i * 7919::bigint % 1000003) * interval '1 second'
     from generate_series(1, $2::integer) as i,
       lateral (select timestamptz '2025-01-01' + i * (interval '300 days' / $2) as at)`.replaceAll('$3', String(JOBS)),
    [workspace, APPLICATIONS],
  )
  await db.query(
    `insert into contact_values (workspace_id, subject_object, subject_id, field, value, email_key, kind)
     select $1, 'applicant', 'apl_' || ${tail('i')}, field, value, case field when 'email' then value end, 'submitted'
     from generate_series(1, $2::integer) as i,
       lateral (values ('email', 'p' || i || '@people.example'), ('phone', '+44 20 7946 0' || i % 1000)) as v (field, value)`,
    [workspace, REACHABLE],
  )
}
