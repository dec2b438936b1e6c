import type pg from 'pg'
import { jobRecord } from '../../src/resources/jobs/shape.ts'
import type { Dataset } from '../kit/scenario.ts'
import { inBulk } from './bulk.ts'
import { fillColumns } from './fill-columns.ts'
import { sized } from './size.ts'
import { FIELDS, JOB_ROLES } from './words.ts'

export const JOBS = sized(100_000, 2_000)
/** Jobs that a partner pushed under an id of its own. */
export const PUSHED = sized(10_000, 200)
export const PARTNER = 'bench_ats'

export const DEPARTMENTS = ['Engineering', 'Sales', 'Finance', 'Support', 'Marketing', 'Legal', 'People', 'Design']
const LEVELS = ['Junior', 'Senior', 'Lead', 'Principal', 'Associate']
/** One in forty jobs asks for each. */
export const SKILLS =
  `Kubernetes Terraform TypeScript PostgreSQL Kafka Salesforce Figma Excel Python Rust Photoshop Jira
  Negotiation Copywriting Bookkeeping Forecasting Onboarding Mentoring Procurement Compliance Tableau Looker Snowflake
  Airflow Spark Ansible Jenkins Grafana Prometheus Redis Elasticsearch GraphQL React Angular Swift Kotlin Django Rails
  Laravel Symfony`.split(/\s+/)
/** Each stands in as many jobs as there are for one of them. */
export const RARE = sized(5_000, 100)

const DESCRIPTION = `You join a small team that owns its part of the product from the first idea to the last incident.
  We write down what we decide, review each other's work, and measure before we optimize. You talk to customers, plan
  with designers and sellers, and help colleagues grow. We offer flexible hours, a budget for learning, and a paid
  sabbatical after five years. Experience with `

/** What the search is made of, as the trigger of the jobs writes it. */
const SEARCHED = `job_search_text(concat_ws(' ', title, department, summary, description_md, skills_required::text,
  skills_preferred::text))`

/** Job `i`, made `at`; `$…` are the words that the statement gets. */
const JOB = fillColumns(jobRecord, 'i', {
  workspace_id: '$1',
  id: `'job_' || lpad(to_hex(i), 9, '0') || substr(md5(i::text), 1, 11)`,
  slug: `'job-' || i`,
  status: `(array['published', 'published', 'published', 'closed', 'draft'])[1 + i % 5]`,
  title: `($3::text[])[1 + i % 5] || ' ' || ($4::text[])[1 + i / 7 % 10] || ' ' || ($5::text[])[1 + i / 3 % 8]`,
  department: `($6::text[])[1 + i / 11 % 8]`,
  employment_type: `(array['full_time', 'part_time', 'contract'])[1 + i % 3]`,
  location_type: `(array['remote', 'hybrid', 'onsite'])[1 + i / 2 % 3]`,
  locations: `'["Berlin", "Lisbon"]'`,
  experience_level: `(array['junior', 'mid', 'senior'])[1 + i % 3]`,
  years_min: 'i % 5',
  years_max: '5 + i % 5',
  salary_min: '40000 + i % 1000',
  salary_max: '60000 + i % 1000',
  salary_currency: `'EUR'`,
  salary_interval: `'annual'`,
  salary_commission: 'false',
  source_system: `case when i <= $9 then $10 else 'tahoe_native' end`,
  source_external_id: `case when i <= $9 then 'seed-' || i end`,
  source_company_name: `'Bench'`,
  pushed: 'i <= $9',
  summary: `'Works on ' || ($7::text[])[1 + i % 40] || ' in a small team.'`,
  description_md: `$8 || ($7::text[])[1 + i / 13 % 40] || ' and product line x' || i % $11 || ' helps.'`,
  responsibilities: `'["Own a part of the product", "Review the work of others"]'`,
  requirements: `'["Writes clearly"]'`,
  skills_required: 'jsonb_build_array(($7::text[])[1 + i % 40], ($7::text[])[1 + i / 40 % 40])',
  skills_preferred: `'[]'`,
  language: `(array['en', 'de'])[1 + i % 2]`,
  dial_in_code: `lpad((i % 1000000)::text, 6, '0')`,
  published_at: 'case when i % 5 < 4 then at end',
  created_at: 'at',
  updated_at: `at + random() * interval '300 days'`,
})

/** One workspace with jobs of every kind, changed in another order than they were made in. */
export const jobs: Dataset = {
  name: `jobs_${JOBS}`,
  seed: async (db, workspace) => {
    await inBulk(db, ['jobs', 'job_search'], () => fill(db, workspace, JOBS))
  },
}

/** A large company has so many jobs; 600 of them are open. */
export const CAREERS_JOBS = 1_000

/** The same for a careers site. */
export const careers: Dataset = {
  name: 'careers',
  seed: async (db, workspace) => {
    await inBulk(db, ['jobs', 'job_search'], () => fill(db, workspace, CAREERS_JOBS))
    await db.query(
      `with taken as (insert into career_slugs (slug, workspace_id) values ('bench', $1) on conflict do nothing)
       insert into career_sites (workspace_id, slug) values ($1, 'bench')
       on conflict (workspace_id) do update set slug = 'bench'`,
      [workspace],
    )
  },
}

async function fill(db: pg.Client, workspace: string, count: number): Promise<void> {
  await db.query('select setseed(0.5)')
  // The search rows are made for all jobs in one statement below.
  await db.query('alter table jobs disable trigger job_search_follow')
  await db.query(
    `insert into jobs (${JOB.columns}) select ${JOB.values}
       from generate_series(1, $2::integer) as i,
         lateral (select timestamptz '2025-01-01' + i * (interval '300 days' / $2) as at)`,
    [workspace, count, LEVELS, FIELDS, JOB_ROLES, DEPARTMENTS, SKILLS, DESCRIPTION, PUSHED, PARTNER, RARE],
  )
  await db.query('alter table jobs enable trigger job_search_follow')
  await db.query(
    `insert into job_search (workspace_id, id, updated_at, status, department, location_type, employment_type,
         published_at, terms)
       select workspace_id, id, updated_at, status, department, location_type, employment_type, published_at,
         strip(to_tsvector('job_stems', ${SEARCHED})) || array_to_tsvector(job_published_terms(published_at)) from jobs`,
  )
  await db.query(
    `insert into job_words (workspace_id, word, lexeme)
       select $1, word, (ts_lexize('job_stem', word))[1] from ts_stat($2)
       where length(word) between 3 and 40 and word !~ '^[0-9]+$'`,
    // the words of these: the others repeat them
    [workspace, `select to_tsvector('job_plain', ${SEARCHED}) from jobs limit ${2 * RARE}`],
  )
  await db.query(
    `insert into pipeline_stages (workspace_id, id, job_id, name, position, type, is_terminal)
       select workspace_id, 'stg_' || substr(id, 5, 19) || position, id, initcap(type), position, type, position > 3
       from jobs, unnest(array['applied', 'screen', 'interview', 'offer', 'hired', 'rejected'])
         with ordinality as s (type, position)
       where pushed`,
  )
}
