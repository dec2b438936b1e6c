import type pg from 'pg'
import { listRecord } from '../../src/resources/lists/shape.ts'
import { POOL_NUMBERS, POOL_TEXTS } from '../../src/resources/pool/rules.ts'
import { poolProfileRecord } from '../../src/resources/pool/shape.ts'
import { sourcedProfileRecord } from '../../src/resources/sourced-profiles/shape.ts'
import { documentTerms } from '../../src/search/document-terms.ts'
import type { Dataset } from '../kit/scenario.ts'
import { inBulk } from './bulk.ts'
import { fillColumns } from './fill-columns.ts'
import { sized } from './size.ts'
import { FIELDS, JOB_ROLES } from './words.ts'

export const POOL = sized(1_000_000, 2_000)
/** The first of the pool, whom the workspace has saved too. */
export const SOURCED = sized(100_000, 500)
/** Profiles whose handle is known, as after a first resolution. */
export const RESOLVED = sized(20_000, 200)
/** Lists for the service, and as many for each baseline. */
export const LISTS = sized(200, 10)

/** So many have the words of all. */
const PART = sized(10_000, POOL)

const LEVELS = ['Senior', 'Junior', 'Lead', 'Principal', 'Associate']
export const TITLES = LEVELS.flatMap(level =>
  FIELDS.flatMap(field => JOB_ROLES.map(role => `${level} ${field} ${role}`)),
)
/** Two in five profiles have each of the first ones, ever fewer the later ones. */
export const SKILLS =
  `Python,SQL,TypeScript,Kubernetes,Terraform,PostgreSQL,Kafka,Salesforce,Figma,Excel,Rust,Photoshop,Jira,Negotiation,
  Copywriting,Bookkeeping,Forecasting,Onboarding,Mentoring,Procurement,Compliance,Tableau,Looker,Snowflake,Airflow,
  Spark,Ansible,Jenkins,Grafana,Prometheus,Redis,Elasticsearch,GraphQL,React,Angular,Swift,Kotlin,Django,Rails,Laravel`
    .split(',')
    .map(name => name.trim())
export const PLACES = [
  'Berlin, Germany',
  'Munich, Germany',
  'Paris, France',
  'Lyon, France',
  'London, United Kingdom',
  'Leeds, United Kingdom',
  'Toronto, Canada',
  'Austin, United States',
  'Denver, United States',
  'Nairobi, Kenya',
]

type Fields = Parameters<typeof documentTerms>[0]
const EMPTY = {
  ...Object.fromEntries([...POOL_TEXTS, ...POOL_NUMBERS].map(name => [name, null])),
  skills: [],
  languages: [],
} as unknown as Fields
const termsIn = (fields: Partial<Fields>) => documentTerms({ ...EMPTY, ...fields }).terms.join(' ')

/** A pool of public profiles, a workspace that saved some of them, and lists to put these into. */
export const sourcing: Dataset = {
  name: `sourcing_${POOL}`,
  seed: (db, workspace) =>
    inBulk(db, ['pool_profiles', 'pool_terms', 'pool_vocabulary', 'sourced_profiles'], () => fill(db, workspace)),
}

const SUMMARY = 'Works in a small team that owns its part of the product.'

const tail = `lpad(to_hex(i), 9, '0') || substr(md5(i::text), 1, 11)`

/** Profile `i`, with the skills `a`, `b` and `c`. */
const POOL_PROFILE = fillColumns(poolProfileRecord, 'i', {
  id: `'pool_' || ${tail}`,
  full_name: `'Person ' || i`,
  headline: `($2::text[])[1 + i * 7 % 400] || ' at Company ' || i % 50000`,
  job_title: '($2::text[])[1 + i * 7 % 400]',
  company_name: `'Company ' || i % 50000`,
  company_industry: `'Software'`,
  location_full: '($4::text[])[1 + i % 10]',
  location_country: '($5::text[])[1 + i % 10]',
  linkedin_url: `'https://www.linkedin.com/in/p' || i`,
  linkedin_key: `'linkedin.com/in/p' || i`,
  summary: `'${SUMMARY}'`,
  skills: 'jsonb_build_array(($3::text[])[1 + a], ($3::text[])[1 + b], ($3::text[])[1 + c])',
  languages: `'["English"]'`,
  total_experience_months: 'i % 300',
  connections_count: 'i % 500',
  provider: `'public_web'`,
  last_seen_at: `timestamptz '2026-01-01' + (i * 7919::bigint % $1) * interval '1 second'`,
})

const SOURCED_PROFILE = fillColumns(sourcedProfileRecord, 'i', {
  workspace_id: '$1',
  id: `'cnd_' || ${tail}`,
  full_name: `'Person ' || i`,
  headline: `'At work'`,
  job_title: `'Engineer'`,
  company_name: `'Company ' || i % 5000`,
  linkedin_url: `'https://www.linkedin.com/in/p' || i`,
  linkedin_key: `'linkedin.com/in/p' || i`,
  origin: `'xray'`,
  acquisition: `'xray_search'`,
  provider: `'xray'`,
})

const LIST = fillColumns(listRecord, 'i', { workspace_id: '$1', id: `'lst_' || ${tail}`, name: `'List ' || i` })

async function fill(db: pg.Client, workspace: string): Promise<void> {
  const countries = PLACES.map(place => place.split(', ')[1]!)
  await db.query('alter table pool_terms disable trigger all')
  await db.query(
    `insert into pool_profiles (${POOL_PROFILE.columns}) select ${POOL_PROFILE.values}
     from generate_series(1, $1::integer) as i,
       lateral (select i % 5 as a, 5 + i / 5 % 10 as b, 15 + i / 3 % 25 as c)`,
    [POOL, TITLES, SKILLS, PLACES, countries],
  )
  await db.query(
    `insert into pool_terms (profile_id, title_words, terms)
     select 'pool_' || ${tail}, 3, array_to_tsvector(string_to_array(concat_ws(' ', ($2::text[])[1 + i * 7 % 400],
       ($3::text[])[1 + i % 5], ($3::text[])[6 + i / 5 % 10], ($3::text[])[16 + i / 3 % 25], ($4::text[])[1 + i % 10],
       'c:company', 'c:' || i % 50000, $5::text), ' '))
     from generate_series(1, $1::integer) as i`,
    [
      POOL,
      TITLES.map(job_title => termsIn({ job_title })),
      SKILLS.map(skill => termsIn({ skills: [skill] })),
      PLACES.map((location_full, i) => termsIn({ location_full, location_country: countries[i]! })),
      termsIn({ summary: SUMMARY }),
    ],
  )
  await db.query('alter table pool_terms enable trigger all')
  // the words of a part are counted and multiplied: each is as frequent as in the whole
  await db.query(
    `insert into pool_vocabulary (field, word, profiles)
     select substr(word, 1, 1), substr(word, 3), ndoc * $1::integer from ts_stat('select terms from pool_terms limit ${PART}')`,
    [POOL / PART],
  )
  await db.query(
    `insert into sourced_profiles (${SOURCED_PROFILE.columns}) select ${SOURCED_PROFILE.values}
     from generate_series(1, $2::integer) as i`,
    [workspace, SOURCED],
  )
  await db.query(
    `insert into identities (workspace_id, kind, value, person_id, canonical_id)
     select $1, 'linkedin_url', 'linkedin.com/in/p' || i, 'per_' || ${tail}, 'per_' || ${tail}
     from generate_series(1, $2::integer) as i`,
    [workspace, RESOLVED],
  )
  await db.query(
    `insert into lists (${LIST.columns}) select ${LIST.values}
     from generate_series(1, $2::integer) as i`,
    [workspace, 2 * LISTS],
  )
}
