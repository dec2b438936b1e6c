import type pg from 'pg'
import { applicantRecord } from '../../src/resources/applicants/shape.ts'
import { applicationRecord } from '../../src/resources/applications/shape.ts'
import type { Dataset } from '../kit/scenario.ts'
import { inBulk } from './bulk.ts'
import { fillColumns } from './fill-columns.ts'
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
    await inBulk(db, ['applicants', 'applications', 'application_scores', 'contact_values'], () => fill(db, workspace))
    await db.query('reset session_replication_role')
  },
}

const tail = (number: string) => `lpad(to_hex(${number}), 9, '0') || substr(md5((${number})::text), 1, 11)`

const APPLICANT = fillColumns(applicantRecord, 'i', {
  workspace_id: '$1',
  id: `'apl_' || ${tail('i')}`,
  first_name: `'Person'`,
  last_name: 'i::text',
  full_name: `'Person ' || i`,
  email: `'p' || i || '@people.example'`,
  email_key: `'p' || i || '@people.example'`,
  application_count: '1',
})

const SCORE = 'i * 31 % 101'

const APPLICATION = fillColumns(applicationRecord, 'i', {
  workspace_id: '$1',
  id: `'app_' || ${tail('i')}`,
  job_id: `'job_' || ${tail(`i % ${JOBS}`)}`,
  applicant_id: `'apl_' || ${tail('i')}`,
  stage_id: `'stg_' || ${tail(`i % ${JOBS} * 8 + 1`)}`,
  status: `(array['new', 'new', 'in_review', 'rejected'])[1 + i / 100 % 4]`,
  source: `'public_board'`,
  source_external_id: 'null',
  rejection_reason: 'null',
  withdrawal_reason: 'null',
  usable_score: SCORE,
  applied_at: 'at',
  updated_at: `at + (i * 7919::bigint % 1000003) * interval '1 second'`,
})

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
    `insert into applicants (${APPLICANT.columns}) select ${APPLICANT.values}
     from generate_series(1, $2::integer) as i`,
    [workspace, APPLICATIONS],
  )
  await db.query(
    `insert into applications (${APPLICATION.columns}) select ${APPLICATION.values}
     from generate_series(1, $2::integer) as i,
       lateral (select timestamptz '2025-01-01' + i * (interval '300 days' / $2) as at)`,
    [workspace, APPLICATIONS],
  )
  await db.query(
    `insert into application_scores (workspace_id, application_id, match_pct, gaps, model_version)
     select $1, 'app_' || ${tail('i')}, ${SCORE}, '[]', 'rules-1' from generate_series(1, $2::integer) as i`,
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
