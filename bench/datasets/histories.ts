import type pg from 'pg'
import { applicantRecord } from '../../src/resources/applicants/shape.ts'
import { applicationRecord } from '../../src/resources/applications/shape.ts'
import type { Dataset } from '../kit/scenario.ts'
import { inBulk } from './bulk.ts'
import { fillColumns } from './fill-columns.ts'

export const histories = (count: number): Dataset => ({
  name: `histories_${count}`,
  seed: (db, workspace) =>
    inBulk(db, ['applicants', 'applications', 'stage_transitions', 'application_funnel'], () =>
      fillApplications(db, workspace, count),
    ),
})

const APPLICANT = fillColumns(applicantRecord, 'n', {
  workspace_id: '$1',
  id: `'apl_' || lpad(n::text, 20, '0')`,
  first_name: `'First' || n`,
  last_name: `'Last'`,
  full_name: `'First' || n || ' Last'`,
  email: `n || '@example.org'`,
  email_key: `n || '@example.org'`,
  location: `'Zürich'`,
  linkedin_url: `'https://www.linkedin.com/in/p' || n`,
})

const APPLICATION = fillColumns(applicationRecord, 'n', {
  workspace_id: '$1',
  id: 'id',
  job_id: `'job_' || lpad(job::text, 20, '0')`,
  applicant_id: `'apl_' || lpad(n::text, 20, '0')`,
  stage_id: `'stg_' || lpad((job * 8 + depth)::text, 20, '0')`,
  status: `case when depth = 5 then 'hired' when fate < 0.5 then 'rejected' when fate < 0.6 then 'withdrawn'
    when fate < 0.8 then 'in_review' else 'new' end`,
  source: `case floor(random() * 5) when 0 then 'partner_api:acme' when 1 then 'referral' else 'public_board' end`,
  source_external_id: 'null',
  rejection_reason: 'null',
  withdrawal_reason: 'null',
  applied_at: 'applied_at',
  updated_at: 'applied_at',
  hired_at: `case when depth = 5 then applied_at + random() * interval '60 days' end`,
})

/**
 * A million applications of one workspace for a thousand jobs within a year, each with its way through the stages:
 * half stay in the first, a quarter reach the second, and so on. Written past the triggers, which the service's own
 * statements fire, and summed up for the funnel at the end.
 */
async function fillApplications(db: pg.Client, workspace: string, count: number, jobs = 1_000): Promise<void> {
  await db.query(`set session_replication_role = replica`)
  await db.query(
    `insert into jobs (workspace_id, id, slug, status, title, department, source_system)
     select $1, 'job_' || lpad(j::text, 20, '0'), 'job-' || j, 'published', 'Job ' || j, 'Department ' || j % 12, 'acme'
     from generate_series(1, $2::integer) j`,
    [workspace, jobs],
  )
  await db.query(
    `insert into pipeline_stages (workspace_id, id, job_id, name, position, type, is_terminal)
     select $1, 'stg_' || lpad((j * 8 + s.place)::text, 20, '0'), 'job_' || lpad(j::text, 20, '0'), s.type, s.place, s.type,
       s.place > 3
     from generate_series(1, $2::integer) j,
       unnest(array['applied', 'screen', 'interview', 'offer', 'hired', 'rejected']) with ordinality s (type, place)`,
    [workspace, jobs],
  )
  await db.query(
    `create temporary table plan as
     select n, 'app_' || lpad(n::text, 20, '0') as id, 1 + n % $1::integer as job,
       least(5, 1 + floor(-ln(1 - random()) / ln(2)))::integer as depth, random() as fate,
       app_now() - random() * interval '365 days' as applied_at
     from generate_series(1, $2::integer) n`,
    [jobs, count],
  )
  await db.query(`insert into applicants (${APPLICANT.columns}) select ${APPLICANT.values} from plan`, [workspace])
  await db.query(
    `insert into applications (${APPLICATION.columns}) select ${APPLICATION.values} from plan order by applied_at`,
    [workspace],
  )
  await db.query(
    `insert into stage_transitions (workspace_id, application_id, from_stage_id, to_stage_id, to_stage_type, at)
     select $1, id, case when step > 1 then 'stg_' || lpad((job * 8 + step - 1)::text, 20, '0') end,
       'stg_' || lpad((job * 8 + step)::text, 20, '0'),
       (array['applied', 'screen', 'interview', 'offer', 'hired'])[step],
       applied_at + (step - 1) * (1 + fate) * interval '3 days'
     from plan, generate_series(1, depth) step order by applied_at, step`,
    [workspace],
  )
  await db.query('analyze')
  await db.query(
    `insert into application_funnel
       (applied_at, code, lot, job, days_to_hire, workspace_id, application_id, source, hours, stages, stays)
     select applied_at, code, lot, job, days_to_hire, workspace_id, application_id, source, hours, stages, stays
     from application_funnel_counted order by applied_at`,
  )
  await db.query(
    `insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
     select workspace_id, (applied_at at time zone 'UTC')::date, job, source, code, count(*)::smallint
     from application_funnel group by 1, 2, 3, 4, 5`,
  )
  await db.query(`set session_replication_role = origin`)
}
