import { type Sql, sql } from '../kernel/db/sql.ts'
import type { Condition } from './conditions.ts'
import type { QueryTerm } from './query-parser.ts'
import type { RankingCandidate } from './rank.ts'
import type { SimilarWord } from './spelling.ts'

/*
 * Three tables belong to the engine: pool_terms (the terms of each profile, and the transaction that wrote them last),
 * pool_vocabulary (how many profiles have each word of a field) and pool_counting (a marker while words are counted).
 */

// Searching

/**
 * For this transaction: the planner prefers indexes, and no statement takes longer than a second; the p99 of a whole
 * search is far below.
 */
export const searchSettings = () =>
  sql`select set_config('statement_timeout', '1000', true), set_config('enable_seqscan', 'off', true)`

/** The number of profiles that have each word, and under '' the size of the pool as the database last estimated it. */
export const selectFrequencies = (terms: readonly QueryTerm[]): Sql<{ term: string; profiles: number }> =>
  sql<{ term: string; profiles: number }>`
    select v.field || ':' || v.word as term, v.profiles from pool_vocabulary v
    where v.word = any(${terms.map(t => t.word)}::text[]) and v.field = any('{t,s,c,l,w}'::text[])
    union all
    select '', greatest(reltuples, 1)::bigint from pg_class where oid = 'pool_terms'::regclass`

/** The most similar words of each spelling. Short words share few trigrams with their misspellings, hence the threshold. */
export const similarWords = (spellings: readonly string[]): Sql<SimilarWord> =>
  sql<SimilarWord>`
    select a.word as spelling, s.field, s.word, s.profiles
    from unnest(${spellings}::text[]) as a (word),
      lateral (
        select v.field, v.word, v.profiles from pool_vocabulary v
        where v.word % a.word and abs(length(v.word) - length(a.word)) <= 2
        order by similarity(v.word, a.word) desc, v.profiles desc limit 12
      ) as s`

export const similarityThreshold = () => sql`select set_config('pg_trgm.similarity_threshold', '0.2', true)`

/** Up to `limit` profiles that meet the condition, each with the features that it meets. */
export const selectCandidates = (
  condition: Condition,
  features: readonly Condition[],
  limit: number,
): Sql<RankingCandidate> =>
  sql<RankingCandidate>`
    select c.profile_id, c.title_words, array(select c.terms @@ f from unnest(${features.map(f => f.text)}::tsquery[]) as f) as matched
    from (
      select profile_id, title_words, terms from pool_terms where terms @@ ${condition.text}::tsquery limit ${limit}
    ) as c`

/** Those of the given profiles that meet the condition now, as above. */
export const selectAmong = (
  ids: readonly string[],
  condition: Condition,
  features: readonly Condition[],
): Sql<RankingCandidate> =>
  sql<RankingCandidate>`
    select c.profile_id, c.title_words, array(select c.terms @@ f from unnest(${features.map(f => f.text)}::tsquery[]) as f) as matched
    from pool_terms c where c.profile_id = any(${ids}::text[]) and c.terms @@ ${condition.text}::tsquery`

// Writing

export interface ProfileTerms {
  id: string
  title_words: number
  terms: readonly string[]
}

/** Terms are sent as one text for each profile, to be split: a term has no blanks. */
export const insertTerms = (profiles: readonly ProfileTerms[]) => sql`
  insert into pool_terms as t (profile_id, title_words, terms)
  select n.id, n.title_words, coalesce(array_to_tsvector(string_to_array(n.terms, ' ')), '')
  from unnest(string_to_array(${profiles.map(p => p.id).join(' ')}, ' '),
    string_to_array(${profiles.map(p => p.title_words).join(' ')}, ' ')::smallint[],
    string_to_array(${profiles.map(p => p.terms.join(' ')).join('\n')}, E'\\n')) as n (id, title_words, terms)`

/** Writes and returns only those that differ: every process with an index in memory reads them again. */
export const replaceTerms = (profiles: readonly ProfileTerms[]) => sql<{ profile_id: string }>`
  ${insertTerms(profiles)}
  on conflict (profile_id) do update
    set title_words = excluded.title_words, terms = excluded.terms, changed = excluded.changed
    where t.terms is distinct from excluded.terms or t.title_words <> excluded.title_words
  returning profile_id`

// The vocabulary

export interface WordCount {
  field: string
  word: string
  profiles: number
}

const insertWords = (words: readonly WordCount[]) => sql`
  insert into pool_vocabulary as v (field, word, profiles)
  select field, word, profiles from unnest(${words.map(w => w.field)}::text[], ${words.map(w => w.word)}::text[],
    ${words.map(w => w.profiles)}::bigint[]) as n (field, word, profiles)`

export const countWords = (words: readonly WordCount[]) =>
  sql`${insertWords(words)} on conflict (field, word) do update set profiles = v.profiles + excluded.profiles`

export const addUnknownWords = (words: readonly WordCount[]) => sql`${insertWords(words)} on conflict do nothing`

/** Sets the marker that words are being counted. `interrupted`: a marker was left, so its counts are lost. */
export const beginCounting = (): Sql<{ since: string; interrupted: boolean }> =>
  sql<{ since: string; interrupted: boolean }>`
    with before as (
      select begun_at from pool_counting
    ), noted as (
      insert into pool_counting select app_now() where not exists (select from before) returning begun_at
    )
    select begun_at as since, true as interrupted from before union all select begun_at, false from noted`

export const endCounting = () => sql`delete from pool_counting`

/** Rebuilds the vocabulary from the terms of all profiles. */
export const recountVocabulary = () => sql`
  with found as materialized (
    select left(word, 1) as field, substr(word, 3) as word, ndoc as profiles from ts_stat('select terms from pool_terms')
  ), gone as (
    delete from pool_vocabulary v where not exists (select from found f where f.field = v.field and f.word = v.word)
  )
  insert into pool_vocabulary as v (field, word, profiles) select field, word, profiles from found
  on conflict (field, word) do update set profiles = excluded.profiles where v.profiles <> excluded.profiles`

// Loading the index and following changes

export interface TermsRow {
  profile_id: string
  title_words: number
  terms: string
  changed: number
}

const TERMS = sql`profile_id, title_words, array_to_string(tsvector_to_array(terms), ' ') as terms, changed::text::bigint as changed`

/** Every change of a transaction with a lower number is visible to statements that start after this one. */
export const oldestOpenTransaction = (): Sql<{ oldest_open: number }> =>
  sql<{ oldest_open: number }>`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest_open`

export const hasMoreProfiles = (than: number) =>
  sql<{ more: boolean }>`select exists (select from pool_terms offset ${than}) as more`

export const termsFrom = (afterId: string, limit: number): Sql<TermsRow> =>
  sql<TermsRow>`select ${TERMS} from pool_terms where profile_id > ${afterId} order by profile_id limit ${limit}`

/** Position in the order of changes: transaction number, then profile. */
export interface ChangeCursor {
  changed: number
  id: string
}

/**
 * Rows written after a position. Transaction numbers that this server has not given out yet were restored from another
 * server and are not changes. The position must stay the only lower bound: with a second one PostgreSQL reads the index
 * from its beginning.
 */
export const termsChanged = (after: ChangeCursor, limit: number): Sql<TermsRow> =>
  sql<TermsRow>`
    select ${TERMS} from pool_terms
    where (changed, profile_id) > (${String(after.changed)}::xid8, ${after.id})
      and changed < pg_snapshot_xmax(pg_current_snapshot())
    order by changed, profile_id limit ${limit}`

/**
 * Which server and which of its histories the numbers of transactions belong to: after a restore they are others, and so they
 * may be after a recovery to a point in time or the promotion of a replica that had not received the last transactions. Both
 * begin a timeline, which is known after the first checkpoint.
 */
export const selectHistory = (): Sql<{ installation: string; history: string }> =>
  sql<{ installation: string; history: string }>`
    select i.id::text as installation,
      concat_ws(' ', s.system_identifier, c.timeline_id,
        (select oid from pg_database where datname = current_database()), i.restored_at) as history
    from installation i, pg_control_system() s, pg_control_checkpoint() c`

/** The profiles of the pool, as the database last estimated them. */
export const estimatedProfiles = (): Sql<{ profiles: number }> =>
  sql<{ profiles: number }>`
    select greatest(reltuples, 0)::bigint as profiles from pg_class where oid = 'pool_terms'::regclass`

/** A row with its version in an index outside of the database. */
export interface VersionedRow extends Pick<TermsRow, 'profile_id' | 'title_words' | 'terms'> {
  version: number
}

/**
 * The version is the number of the transaction that wrote the row. One that this server has not given out yet was restored
 * from another server and comes before all of its own.
 */
const VERSIONED = sql`profile_id, title_words, array_to_string(tsvector_to_array(terms), ' ') as terms,
  case when changed < pg_snapshot_xmax(pg_current_snapshot()) then changed::text::bigint else 0 end as version`

export const versionedFrom = (afterId: string, limit: number): Sql<VersionedRow> =>
  sql<VersionedRow>`select ${VERSIONED} from pool_terms where profile_id > ${afterId} order by profile_id limit ${limit}`

export const versionedById = (ids: readonly string[]): Sql<VersionedRow> =>
  sql<VersionedRow>`select ${VERSIONED} from pool_terms where profile_id = any(${ids}::text[])`

// Erasing

export const lockTerms = (id: string): Sql<{ terms: string[] }> =>
  sql<{ terms: string[] }>`select tsvector_to_array(terms) as terms from pool_terms where profile_id = ${id} for update`

/** Not deleted: the changed row without terms makes every process remove the profile from its index. */
export const emptyTerms = (id: string) => sql`
  update pool_terms set terms = '', title_words = 0, changed = pg_current_xact_id() where profile_id = ${id}`

/** For this transaction: words are looked up in the index, whatever the planner estimates. */
export const preferIndexes = () => sql`select set_config('enable_seqscan', 'off', true)`

/** Words that no other profile has leave the vocabulary; the count of the others goes down by one. */
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

/**
 * Reads the next `limit` words of the vocabulary and deletes those that at most `rare` profiles had and none has now.
 * Returns the last word read; no row at the end of the vocabulary.
 */
export const deleteUnusedWords = (after: { field: string; word: string }, limit: number, rare: number) =>
  sql<{ field: string; word: string }>`
    with looked as materialized (
      select field, word, profiles from pool_vocabulary
      where (field, word) > (${after.field}, ${after.word}) order by field, word limit ${limit}
    ), gone as (
      delete from pool_vocabulary v using looked l
      where v.field = l.field and v.word = l.word and l.profiles <= ${rare}::integer and not exists (
        select from pool_terms p
        where p.terms @@ ('''' || replace(l.field || ':' || l.word, '''', '') || '''')::tsquery)
    )
    select field, word from looked order by field desc, word desc limit 1`
