import { none, plannedEachTime, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { LICENCE } from '../provenance/shape.ts'
import type { Condition } from './conditions.ts'
import type { Candidate } from './plan.ts'
import { POOL_NUMBERS, POOL_TEXTS, type PoolLine } from './rules.ts'
import type { Asked, Similar } from './search.ts'
import type { PoolProfileRow } from './shape.ts'

type StoredPoolProfile = Omit<PoolProfileRow, 'provenance' | 'workspace_id'> & { provider: string | null }

const FIELDS = raw([...POOL_TEXTS, ...POOL_NUMBERS].map(name => `p.${name}`).join(', '))
const PROFILE = sql`p.id, ${FIELDS}, p.skills::text as skills, p.languages::text as languages, p.first_seen_at, p.last_seen_at`

export const toPoolProfile = (row: StoredPoolProfile): PoolProfileRow => ({
  ...row,
  workspace_id: null,
  provenance: {
    origin: 'shared_pool',
    acquisition: 'public_profile',
    provider: row.provider,
    owner_workspace_id: null,
    first_seen_at: row.first_seen_at,
    last_seen_at: row.last_seen_at,
    consent: { basis: 'public_profile', candidate_facing_notice: false, unsubscribed: false, suppressed: false },
    licence: LICENCE,
    contact_info_available: false,
  },
})

export interface PoolFilter {
  country?: string
  company?: string
  title?: string
}

const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Profiles whose processing was stopped are not there for anybody. A rare part is looked up in its index, a frequent one
 * is met soon on the walk from the most recently seen: which it is, only the value tells.
 */
export const poolProfiles = (filter: PoolFilter, page: Page): Sql<StoredPoolProfile> => {
  const { country, company, title } = filter
  const statement = sql<StoredPoolProfile>`
    select ${PROFILE} from pool_profiles p
    where p.suppressed_at is null
      ${country === undefined ? none : sql`and lower(p.location_country) = lower(${country})`}
      ${company === undefined ? none : sql`and p.company_name ilike ${containing(company)}`}
      ${title === undefined ? none : sql`and p.job_title ilike ${containing(title)}`}
      ${page.rest}`
  return company === undefined && title === undefined ? statement : plannedEachTime(statement)
}

export const poolProfilesById = (ids: readonly string[]): Sql<StoredPoolProfile> =>
  sql<StoredPoolProfile>`
    select ${PROFILE} from pool_profiles p where p.id = any(${ids}::text[]) and p.suppressed_at is null`

/** For this transaction: the index is used whatever the planner thinks of it, and nothing takes longer than this. */
export const searchSettings = (timeoutMs: number) =>
  sql`select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('enable_seqscan', 'off', true)`

/** Words with the number of profiles that have them, and the size of the pool as the database last estimated it. */
export const frequencies = (asked: readonly Asked[]): Sql<{ term: string; profiles: number }> =>
  sql<{ term: string; profiles: number }>`
    select v.field || ':' || v.word as term, v.profiles from pool_vocabulary v
    where v.word = any(${asked.map(a => a.word)}::text[]) and v.field = any('{t,s,c,l,w}'::text[])
    union all
    select '', greatest(reltuples, 1)::bigint from pg_class where oid = 'pool_terms'::regclass`

/** The words most like each of these. Short words share few letter triples with their misspellings, hence the limit. */
export const similarWords = (words: readonly string[]): Sql<Similar> =>
  sql<Similar>`
    select a.word as asked, s.field, s.word, s.profiles
    from unnest(${words}::text[]) as a (word),
      lateral (
        select v.field, v.word, v.profiles from pool_vocabulary v
        where v.word % a.word and abs(length(v.word) - length(a.word)) <= 2
        order by similarity(v.word, a.word) desc, v.profiles desc limit 12
      ) as s`

export const similarityLimit = () => sql`select set_config('pg_trgm.similarity_threshold', '0.2', true)`

/** Up to `most` profiles that meet the condition, each with what it meets of the features. */
export const candidates = (condition: Condition, features: readonly Condition[], most: number): Sql<Candidate> =>
  sql<Candidate>`
    select c.profile_id, c.title_words, array(select c.terms @@ f from unnest(${features.map(f => f.text)}::tsquery[]) as f) as matched
    from (
      select profile_id, title_words, terms from pool_terms where terms @@ ${condition.text}::tsquery limit ${most}
    ) as c`

const LINE = raw(
  [
    'id text',
    'linkedin_key text',
    'external_id text',
    'skills jsonb',
    'languages jsonb',
    'title_words smallint',
    'terms text',
    ...POOL_TEXTS.map(name => `${name} text`),
    ...POOL_NUMBERS.map(name => `${name} integer`),
  ].join(', '),
)
const STORED = ['linkedin_key', 'external_id', 'skills', 'languages', ...POOL_TEXTS, ...POOL_NUMBERS]
const NAMES = raw(STORED.join(', '))
const VALUES = raw(STORED.map(name => `n.${name}`).join(', '))
const REPLACED = raw(STORED.map(name => `${name} = excluded.${name}`).join(', '))
const BY_LINKEDIN = raw('(linkedin_key) where linkedin_key is not null')
const BY_EXTERNAL = raw('(external_id) where external_id is not null')

/**
 * Adds profiles or replaces them, and what the search looks at where it changed. Answers which lines were new. People
 * whose processing was stopped do not come back.
 */
export const upsertPoolProfiles = (
  lines: readonly (PoolLine & { id: string })[],
  by: 'linkedin_key' | 'external_id',
): Sql<{ key: string; added: boolean }> =>
  sql<{ key: string; added: boolean }>`
    with lines as (
      select * from json_to_recordset(${JSON.stringify(lines)}::json) as l (${LINE})
    ), allowed as (
      select * from lines n
      where (n.linkedin_key is null or not exists (
          select from suppressed_identifiers s
          where s.kind = 'linkedin_url' and s.sha256 = sha256(convert_to(n.linkedin_key, 'UTF8'))))
        and (n.external_id is null or not exists (
          select from suppressed_external_ids s where s.workspace_id = '' and s.object = 'pool_profile'
            and s.sha256 = sha256(convert_to(n.external_id, 'UTF8'))))
    ), stored as (
      insert into pool_profiles (id, ${NAMES}) select n.id, ${VALUES} from allowed n
      on conflict ${by === 'linkedin_key' ? BY_LINKEDIN : BY_EXTERNAL}
        do update set ${REPLACED}, last_seen_at = excluded.last_seen_at
      returning id, linkedin_key, external_id, xmax = 0 as added
    ), searched as (
      insert into pool_terms as t (profile_id, title_words, terms)
      select s.id, n.title_words, array_to_tsvector(string_to_array(n.terms, ' '))
      from stored s join allowed n on n.${raw(by)} = s.${raw(by)}
      on conflict (profile_id) do update
        set title_words = excluded.title_words, terms = excluded.terms, changed = excluded.changed
        where t.terms is distinct from excluded.terms or t.title_words <> excluded.title_words
    )
    select ${raw(by)} as key, added from stored`

export const insertTerms = (rows: readonly { profile_id: string; title_words: number; terms: string }[]) => sql`
  insert into pool_terms (profile_id, title_words, terms)
  select profile_id, title_words, array_to_tsvector(string_to_array(terms, ' '))
  from json_to_recordset(${JSON.stringify(rows)}::json) as r (profile_id text, title_words smallint, terms text)`

export const countWords = (words: readonly { field: string; word: string; profiles: number }[]) =>
  sql`
    insert into pool_vocabulary as v (field, word, profiles)
    select field, word, profiles from unnest(${words.map(w => w.field)}::text[], ${words.map(w => w.word)}::text[],
      ${words.map(w => w.profiles)}::bigint[]) as n (field, word, profiles)
    on conflict (field, word) do update set profiles = v.profiles + excluded.profiles`

export const refreshStatistics = () => sql`analyze pool_terms, pool_profiles`

export const nowIs = (): Sql<{ now: string }> => sql<{ now: string }>`select app_now() as now`

export interface TermsRow {
  profile_id: string
  title_words: number
  terms: string
  changed: number
}

const TERMS = sql`profile_id, title_words, array_to_string(tsvector_to_array(terms), ' ') as terms, changed::text::bigint as changed`

/** Every change of a transaction with a lower number is visible to whoever asks after this. */
export const settledBefore = (): Sql<{ settled: number }> =>
  sql<{ settled: number }>`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as settled`

export const termsFrom = (after: string, most: number): Sql<TermsRow> =>
  sql<TermsRow>`select ${TERMS} from pool_terms where profile_id > ${after} order by profile_id limit ${most}`

/** Numbers that this server has not given out yet come from another one, whose copy it is: they are no news. */
export const termsChanged = (from: number, after: { changed: number; id: string }, most: number): Sql<TermsRow> =>
  sql<TermsRow>`
    select ${TERMS} from pool_terms
    where changed >= ${String(from)}::xid8 and changed < pg_snapshot_xmax(pg_current_snapshot())
      and (changed, profile_id) > (${String(after.changed)}::xid8, ${after.id})
    order by changed, profile_id limit ${most}`

// Erasing

export const lockTerms = (id: string): Sql<{ terms: string[] }> =>
  sql<{ terms: string[] }>`select tsvector_to_array(terms) as terms from pool_terms where profile_id = ${id} for update`

const EMPTIED = raw(
  [...POOL_TEXTS, ...POOL_NUMBERS, 'linkedin_key', 'external_id'].map(name => `${name} = null`).join(', '),
)

/** Nothing but the handle and its times stays. */
export const emptyProfile = (id: string) => sql`
  update pool_profiles set ${EMPTIED}, skills = '[]', languages = '[]', suppressed_at = coalesce(suppressed_at, app_now())
  where id = ${id}`

/** Not deleted: a row without terms tells every process that holds them in memory to forget the profile. */
export const emptyTerms = (id: string) => sql`
  update pool_terms set terms = '', title_words = 0, changed = pg_current_xact_id() where profile_id = ${id}`

/** For this transaction: a word is looked up in the index, however the planner sees it. */
export const preferIndexes = () => sql`select set_config('enable_seqscan', 'off', true)`

/** Words that no other profile has leave the vocabulary; the others are counted once less. */
export const uncountWords = (words: readonly { field: string; word: string; condition: Condition }[]) => sql`
  with used as (
    select field, word, exists (select from pool_terms p where p.terms @@ condition) as still
    from unnest(${words.map(w => w.field)}::text[], ${words.map(w => w.word)}::text[],
      ${words.map(w => w.condition.text)}::tsquery[]) as w (field, word, condition)
  ), gone as (
    delete from pool_vocabulary v using used u where v.field = u.field and v.word = u.word and not u.still
  )
  update pool_vocabulary v set profiles = greatest(v.profiles - 1, 1) from used u
  where v.field = u.field and v.word = u.word and u.still`

/** Looks at the next rare words of the vocabulary and removes those that no profile has; no row at the end. */
export const forgetUnused = (after: { field: string; word: string }, most: number, rare: number) =>
  sql<{ field: string; word: string }>`
    with looked as materialized (
      select field, word, profiles from pool_vocabulary
      where (field, word) > (${after.field}, ${after.word}) order by field, word limit ${most}
    ), gone as (
      delete from pool_vocabulary v using looked l
      where v.field = l.field and v.word = l.word and l.profiles <= ${rare}::integer and not exists (
        select from pool_terms p
        where p.terms @@ ('''' || replace(l.field || ':' || l.word, '''', '') || '''')::tsquery)
    )
    select field, word from looked order by field desc, word desc limit 1`
