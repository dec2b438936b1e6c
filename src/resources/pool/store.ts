import { containing, none, plannedEachTime, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf } from '../../kernel/record/record.ts'
import { LICENCE } from '../provenance/shape.ts'
import type { Condition } from './conditions.ts'
import type { RankingCandidate } from './plan.ts'
import { POOL_NUMBERS, POOL_TEXTS, type PoolLine } from './rules.ts'
import type { QueryTerm, Similar } from './search.ts'
import { type PoolProfileRow, poolProfileRecord } from './shape.ts'

const { provider } = poolProfileRecord.stored
const shown = { ...poolProfileRecord.fields, provider }

type StoredPoolProfile = ColumnsOf<typeof shown>

const PROFILE = columnsOf(shown, 'p')

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
      ${page.clause}`
  return company === undefined && title === undefined ? statement : plannedEachTime(statement)
}

export interface ShortPart {
  field: 'company' | 'title'
  part: string
}

/** Of the spellings of each part, one that stands in a profile of the pool. */
export const shortPartsKnown = (parts: readonly ShortPart[]): Sql<ShortPart> =>
  sql<ShortPart>`
    select field, part from pool_short_parts
    where (field, part) in (
      select * from unnest(${parts.map(p => p.field)}::text[], ${parts.map(p => p.part)}::text[]))`

/** In order, so that two imports cannot lock each other out. */
export const insertShortParts = (parts: readonly ShortPart[]) =>
  sql`
    insert into pool_short_parts (field, part)
    select * from unnest(${parts.map(p => p.field)}::text[], ${parts.map(p => p.part)}::text[]) as p (field, part)
    order by 1, 2 on conflict do nothing`

export const poolProfilesById = (ids: readonly string[]): Sql<StoredPoolProfile> =>
  sql<StoredPoolProfile>`
    select ${PROFILE} from pool_profiles p where p.id = any(${ids}::text[]) and p.suppressed_at is null`

/**
 * For this transaction: the index is used whatever the planner thinks of it, and no statement takes longer than a second;
 * the p99 of a whole search is far below.
 */
export const searchSettings = () =>
  sql`select set_config('statement_timeout', '1000', true), set_config('enable_seqscan', 'off', true)`

/** Words with the number of profiles that have them, and the size of the pool as the database last estimated it. */
export const frequencies = (asked: readonly QueryTerm[]): Sql<{ term: string; profiles: number }> =>
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
export const candidates = (condition: Condition, features: readonly Condition[], most: number): Sql<RankingCandidate> =>
  sql<RankingCandidate>`
    select c.profile_id, c.title_words, array(select c.terms @@ f from unnest(${features.map(f => f.text)}::tsquery[]) as f) as matched
    from (
      select profile_id, title_words, terms from pool_terms where terms @@ ${condition.text}::tsquery limit ${most}
    ) as c`

/**
 * Before a batch is stored: what is known is looked up by its keys whatever the planner thinks of a table that has grown
 * since it was last looked at, and the commit need not reach the disk, as an import goes on where the disk says it was.
 */
export const importSettings = (): Sql<{ now: string }> => sql<{ now: string }>`
  select app_now() as now, set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true)`

const IMPORT_LOCK = 4_817_211

/** Until the session ends. */
export const waitForPoolImports = () => sql`select pg_advisory_lock(${IMPORT_LOCK})`

export interface KnownPoolProfile {
  id: string
  linkedin_key: string | null
  external_id: string | null
  suppressed: boolean
}

/** In the order of their ids, so that two imports cannot lock each other out. */
export const knownPoolProfiles = (
  linkedinKeys: readonly string[],
  externalIds: readonly string[],
): Sql<KnownPoolProfile> =>
  sql<KnownPoolProfile>`
    select id, linkedin_key, external_id, suppressed_at is not null as suppressed from pool_profiles
    where linkedin_key = any(${linkedinKeys}::text[]) or external_id = any(${externalIds}::text[])
    order by id for update`

const STORED = ['linkedin_key', 'external_id', 'skills', 'languages', ...POOL_TEXTS, ...POOL_NUMBERS] as const
const LINE = raw(
  [
    'id text',
    'linkedin_key text',
    'external_id text',
    'skills jsonb',
    'languages jsonb',
    ...POOL_TEXTS.map(name => `${name} text`),
    ...POOL_NUMBERS.map(name => `${name} integer`),
  ].join(', '),
)
const NAMES = raw(STORED.join(', '))
const VALUES = raw(STORED.map(name => `n.${name}`).join(', '))
/** By what a profile is known it stays known, also where a later line leaves it out. */
const KEYS: ReadonlySet<string> = new Set(['linkedin_key', 'linkedin_url', 'external_id'])
const REPLACED = raw(
  STORED.map(name => (KEYS.has(name) ? `${name} = coalesce(n.${name}, p.${name})` : `${name} = n.${name}`)).join(', '),
)

const IN_JSON = STORED.map(name => ({ name, key: `,"${name}":` }))

/** What is null is left out: reading the text is a good part of the store's work, as writing it is one of ours. */
function linesJson(lines: readonly StoredLine[]): string {
  let text = ''
  for (const line of lines) {
    text += `${text === '' ? '[' : ','}{"id":"${line.id}"`
    for (const { name, key } of IN_JSON) {
      const value = line[name]
      if (value !== null) text += key + JSON.stringify(value)
    }
    text += '}'
  }
  return `${text}]`
}

export type StoredLine = PoolLine & { id: string }

export const insertPoolProfiles = (lines: readonly StoredLine[]) => sql`
  insert into pool_profiles (id, ${NAMES})
  select n.id, ${VALUES} from json_to_recordset(${linesJson(lines)}::json) as n (${LINE})`

export const updatePoolProfiles = (lines: readonly StoredLine[]) => sql`
  update pool_profiles p set ${REPLACED}, last_seen_at = app_now()
  from json_to_recordset(${linesJson(lines)}::json) as n (${LINE}) where p.id = n.id`

export type ProfileTerms = Pick<StoredLine, 'id' | 'title_words' | 'terms'>

/** What the search looks at, as texts that are cut: a term has no blanks. A single profile without terms is no text at all. */
const insertion = (profiles: readonly ProfileTerms[]) => sql`
  insert into pool_terms as t (profile_id, title_words, terms)
  select n.id, n.title_words, coalesce(array_to_tsvector(string_to_array(n.terms, ' ')), '')
  from unnest(string_to_array(${profiles.map(p => p.id).join(' ')}, ' '),
    string_to_array(${profiles.map(p => p.title_words).join(' ')}, ' ')::smallint[],
    string_to_array(${profiles.map(p => p.terms.join(' ')).join('\n')}, E'\\n')) as n (id, title_words, terms)`

export const insertTerms = insertion

/** Written only where they changed, which is answered: then every process that holds them in memory reads them again. */
export const replaceTerms = (profiles: readonly ProfileTerms[]) => sql<{ profile_id: string }>`
  ${insertion(profiles)}
  on conflict (profile_id) do update
    set title_words = excluded.title_words, terms = excluded.terms, changed = excluded.changed
    where t.terms is distinct from excluded.terms or t.title_words <> excluded.title_words
  returning profile_id`

export interface WordCount {
  field: string
  word: string
  profiles: number
}

const counted = (words: readonly WordCount[]) => sql`
  insert into pool_vocabulary as v (field, word, profiles)
  select field, word, profiles from unnest(${words.map(w => w.field)}::text[], ${words.map(w => w.word)}::text[],
    ${words.map(w => w.profiles)}::bigint[]) as n (field, word, profiles)`

export const countWords = (words: readonly WordCount[]) =>
  sql`${counted(words)} on conflict (field, word) do update set profiles = v.profiles + excluded.profiles`

/** Those that are not there yet. */
export const addUnknownWords = (words: readonly WordCount[]) => sql`${counted(words)} on conflict do nothing`

/** Notes that words are being counted. Of a note that was left the counts are lost. */
export const beginCounting = (): Sql<{ since: string; interrupted: boolean }> =>
  sql<{ since: string; interrupted: boolean }>`
    with before as (
      select begun_at from pool_counting
    ), noted as (
      insert into pool_counting select app_now() where not exists (select from before) returning begun_at
    )
    select begun_at as since, true as interrupted from before union all select begun_at, false from noted`

export const endCounting = () => sql`delete from pool_counting`

/** Whether an erasure is under way, or was since then. */
export const profilesErasedSince = (time: string) =>
  sql`select 1 from erasures where completed_at is null or completed_at >= ${time}::timestamptz limit 1`

/** Every word as often as profiles have it, and no others. */
export const recountVocabulary = () => sql`
  with found as materialized (
    select left(word, 1) as field, substr(word, 3) as word, ndoc as profiles from ts_stat('select terms from pool_terms')
  ), gone as (
    delete from pool_vocabulary v where not exists (select from found f where f.field = v.field and f.word = v.word)
  )
  insert into pool_vocabulary as v (field, word, profiles) select field, word, profiles from found
  on conflict (field, word) do update set profiles = excluded.profiles where v.profiles <> excluded.profiles`

export const refreshStatistics = () => sql`analyze pool_terms, pool_profiles`

/** Entries that wait for their place in the indexes are read by every look-up. */
export const placeEntries = () =>
  sql`select gin_clean_pending_list('pool_terms_search'), gin_clean_pending_list('pool_profiles_parts')`

export interface TermsRow {
  profile_id: string
  title_words: number
  terms: string
  changed: number
}

const TERMS = sql`profile_id, title_words, array_to_string(tsvector_to_array(terms), ' ') as terms, changed::text::bigint as changed`

/** Every change of a transaction with a lower number is visible to whoever asks after this. */
export const oldestOpenTransaction = (): Sql<{ settled: number }> =>
  sql<{ settled: number }>`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as settled`

export const termsFrom = (after: string, most: number): Sql<TermsRow> =>
  sql<TermsRow>`select ${TERMS} from pool_terms where profile_id > ${after} order by profile_id limit ${most}`

/**
 * What was written behind a place. Numbers that this server has not given out yet come from another one, whose copy it
 * is: they are no news. The place is the only lower bound: beside another one the index is read from its beginning.
 */
export const termsChanged = (after: { changed: number; id: string }, most: number): Sql<TermsRow> =>
  sql<TermsRow>`
    select ${TERMS} from pool_terms
    where (changed, profile_id) > (${String(after.changed)}::xid8, ${after.id})
      and changed < pg_snapshot_xmax(pg_current_snapshot())
    order by changed, profile_id limit ${most}`

// Erasing

export const lockTerms = (id: string): Sql<{ terms: string[] }> =>
  sql<{ terms: string[] }>`select tsvector_to_array(terms) as terms from pool_terms where profile_id = ${id} for update`

const LISTS: ReadonlySet<string> = new Set(['skills', 'languages'])
const EMPTIED = raw(poolProfileRecord.erased.map(name => `${name} = ${LISTS.has(name) ? `'[]'` : 'null'}`).join(', '))

/** Nothing but the handle and its times stays. */
export const emptyProfile = (id: string) => sql`
  update pool_profiles set ${EMPTIED}, suppressed_at = coalesce(suppressed_at, app_now())
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
