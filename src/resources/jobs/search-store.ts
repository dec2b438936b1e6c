import { asPattern, type Sql, sql } from '../../kernel/db/sql.ts'
import { MAX_RANKED, type Page, type RankedPage } from '../../kernel/http/list.ts'
import { type KnownWord, MAX_STEMS, MAX_WORDS, type SearchWord } from './search-query.ts'
import { filterClause, type JobFilters, selectJobRows } from './store.ts'

/**
 * The words of a search, each with the stems that the workspace's jobs have of it: first those that do not begin with
 * the word itself ("citi" of "city"), which are few, so that the limit never cuts them off.
 */
export const searchWords = (workspace: string, q: string): Sql<SearchWord> => sql<SearchWord>`
  select w.word, s.lexeme, w.stop, w.word ~ '^[0-9]+$' as number,
    case when length(w.word) < 3 or w.word ~ '^[0-9]+$' then array[s.lexeme] else array(
      select k.lexeme from (
        select k.lexeme::text from job_words k
        where k.workspace_id = ${workspace} and k.word >= w.word and k.word < w.word || chr(1114111)
        union
        select k.lexeme::text from job_words k where k.workspace_id = ${workspace} and k.lexeme = s.lexeme
      ) k order by starts_with(k.lexeme, w.word), k.lexeme limit ${MAX_STEMS + 1}) end as stems
  from (
    select w.lexeme as word, ts_lexize('english_stem', w.lexeme) = '{}' as stop
    from unnest(to_tsvector('job_plain', job_search_text(${q}))) as w
    order by stop, w.positions[1], w.lexeme limit ${MAX_WORDS}
  ) w, lateral (select (ts_lexize('job_stem', w.word))[1] as lexeme) s`

/** The query for each phrase: all of its words must occur. */
export const phraseQueries = (phrases: readonly string[]): Sql<{ phrase: string; query: string }> => sql<{
  phrase: string
  query: string
}>`
  select phrase, plainto_tsquery('job_stems', job_search_text(phrase))::text as query from unnest(${phrases}::text[]) as phrase
  where plainto_tsquery('job_stems', job_search_text(phrase))::text <> ''`

/** Known words of the workspace that are spelt like a misspelt one. */
export const similarJobWords = (workspace: string, misspelt: readonly string[]) => sql<
  KnownWord & { misspelt: string }
>`
  select misspelt, k.word, k.lexeme from unnest(${misspelt}::text[]) as misspelt, job_words_like(${workspace}, misspelt) k
  where k.word <> misspelt`

/** Words whose query no job of the workspace matches. A frequent word is found among the newest jobs. */
export const termsWithoutMatch = (workspace: string, words: readonly string[], queries: readonly string[]) => sql<{
  word: string
}>`
  select word from unnest(${words}::text[], ${queries}::text[]) as w (word, query)
  where not case
    when exists (
      select 1 from (
        select terms from job_search where workspace_id = ${workspace} order by updated_at desc, id desc limit 100
      ) newest where terms @@ w.query::tsquery
    ) then true
    else exists (select 1 from job_search where workspace_id = ${workspace} and terms @@ w.query::tsquery) end`

/** Newest jobs that are checked one by one before the word index is used: enough for a word of every thirtieth job. */
const RECENT_SCAN_LIMIT = { plain: 800, filtered: 2000 }

/**
 * A page of a search, in the order of change, in two steps. A frequent word occurs among the newest jobs, so a fixed
 * number of these is checked first. If they neither fill the page nor are all jobs, the matches come from the word index
 * and are sorted; they are few then, unless a frequent word occurs in old jobs only. The second step gets the query as a
 * value that is unknown when the statement is planned: planned by its frequency it would scan all rows.
 */
export function searchJobs(workspace: string, query: string, filters: JobFilters, page: Page) {
  const { statuses: _, ...others } = filters
  const scanned = Object.values(others).some(value => value !== undefined)
    ? RECENT_SCAN_LIMIT.filtered
    : RECENT_SCAN_LIMIT.plain
  const { published_after, published_before } = filters
  const indexQuery =
    published_after === undefined && published_before === undefined
      ? sql`${query}::tsquery`
      : sql`${query}::tsquery && job_published_query(${published_after ?? null}, ${published_before ?? null})`
  const rows = selectJobRows(
    sql`(select id as found_id from found) f
    join jobs j on j.workspace_id = ${workspace} and j.id = f.found_id ${page.sort}`,
  )
  type Row = typeof rows extends Sql<infer R> ? R : never
  return sql<Row>`
    -- matches among the newest jobs
    with near as materialized (
      select id, updated_at from (
        select id, updated_at, status, department, location_type, employment_type, published_at, source_system,
          source_external_id, terms
        from job_search where workspace_id = ${workspace} ${page.bounds} ${page.sort} limit ${scanned}
      ) newest where true ${filterClause(filters)} and terms @@ ${query}::tsquery
      ${page.sort} limit ${page.limit + 1}
    -- whether they fill the page or all jobs were checked
    ), enough as materialized (
      select case when (select count(*) from near) > ${page.limit}::integer then true else (
        select count(*) < ${scanned}::integer from (
          select 1 from job_search where workspace_id = ${workspace} ${page.bounds} ${page.sort} limit ${scanned}
        ) newest) end as yes
    -- these, or else the matches of the word index
    ), found as (
      select id, updated_at from near where (select yes from enough)
      union all
      select id, updated_at from (
        select id, updated_at from (
          select id, updated_at from job_search
          where workspace_id = ${workspace} and not (select yes from enough)
            and terms @@ (select ${indexQuery})
            ${page.bounds} ${filterClause(filters)}
          offset 0
        ) matches ${page.sort} limit ${page.limit + 1}
      ) far
    )
    ${rows}`
}

/** The stems of a job's title, of the row `j`. */
const TITLE = sql`to_tsvector('job_stems', job_search_text(j.title))`

/** A word of the title counts most, then one of the facts, then one of the skills. Columns are those of the row `j`. */
export const jobRank = (query: string, skills: Sql, title = TITLE): Sql => sql`ts_rank(
  setweight(${title}, 'A')
    || setweight(to_tsvector('job_stems', job_search_text(concat_ws(' ', j.department, j.locations::text,
      job_fact_words(j.location_type, j.employment_type)))), 'B')
    || setweight(to_tsvector('job_stems', job_search_text(${skills})), 'C'), ${query}::tsquery)`

/**
 * A page of a search, best match first: jobs with exactly this title, then those with all words in it, then by rank, then
 * the newest. A ranking reads the texts of each match, so only the newest matches are compared.
 */
export function rankJobs(
  workspace: string,
  query: string,
  q: string,
  filters: JobFilters,
  { limit, offset, bounds }: RankedPage,
) {
  const order = sql`order by exact desc, in_title desc, rank desc, changed desc, found_id desc`
  return selectJobRows(sql`(
    select j.id as found_id, j.updated_at as changed, j.title ilike ${asPattern(q.trim())} as exact,
      words.title @@ ${query}::tsquery as in_title,
      ${jobRank(query, sql`j.skills_required::text || j.skills_preferred::text`, sql`words.title`)} as rank
    from (
      select id as match_id from job_search
      where workspace_id = ${workspace} and terms @@ (select ${query}::tsquery) ${bounds} ${filterClause(filters)}
      order by updated_at desc, id desc limit ${MAX_RANKED + 1}
    ) matches
    join jobs j on j.workspace_id = ${workspace} and j.id = match_id
    cross join lateral (select ${TITLE} as title offset 0) words
    ${order} limit ${limit + 1} offset ${offset}
  ) found join jobs j on j.workspace_id = ${workspace} and j.id = found_id ${order}`)
}
