import type { Queryable } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { present } from '../../kernel/errors/present.ts'
import type { Page } from '../../kernel/http/list.ts'
import { alternativesTo, namesIn, withoutPay } from './search-alternatives.ts'
import {
  isUnknown,
  mayBeMisspelt,
  type SearchWord,
  searchQuery,
  significantWords,
  type WordReadings,
  wordQuery,
} from './search-query.ts'
import { phraseQueries, rankJobs, searchJobs, searchWords, similarJobWords, termsWithoutMatch } from './search-store.ts'
import type { JobFilters } from './store.ts'

/**
 * Jobs that match the words of `q`. The words are looked up first: what they match depends on the words of the
 * workspace's jobs. Unknown words are replaced by similar ones; if nothing matches, so are known words that no job has
 * any more, such as a misspelling that was corrected since.
 */
export async function searchByWords(db: Queryable, workspace: string, q: string, filters: JobFilters, page: Page) {
  const words = await db.query(searchWords(workspace, q))
  const find: Find = query =>
    page.offset === undefined
      ? searchJobs(workspace, query, filters, page)
      : rankJobs(workspace, query, q, filters, { ...page, offset: page.offset })
  return (await matchWords(db, workspace, words, NO_OTHER_NAMES, find)).rows
}

/** The statement for the jobs that match a query. */
type Find = (query: string) => Sql<JobRow>

/** What a search for candidates found: the API takes words as they are, candidates get near matches. */
export interface NearMatches<Row> {
  rows: readonly Row[]
  /** whether the rows match some of the words only */
  some: boolean
  /** queries of any of the words that the matches are ranked by: as they were typed first, then with other names */
  rankQueries: readonly string[]
}

/**
 * The same for people who do not know the words of the company: a word and a name of several words also find other names
 * of the place or the kind of work. Where no job has every word, those are found that have every word but those of pay, and
 * then those that have some.
 */
export async function searchNear(
  db: Queryable,
  workspace: string,
  q: string,
  filters: JobFilters,
  page: Page,
): Promise<NearMatches<JobRow>> {
  const words = await db.query(searchWords(workspace, q))
  const others = await readAlternatives(db, q, significantWords(words))
  const find: Find = query => searchJobs(workspace, query, filters, page)
  const { rows, readings } = await matchWords(db, workspace, words, others, find)
  const any = searchQuery(words, readings, 'any word')
  if (any === undefined) return { rows, some: false, rankQueries: [] }
  const names = readings.names?.map(name => ({ ...name, queries: [] }))
  const typed = searchQuery(words, { similar: readings.similar, ...(names && { names }) }, 'any word')
  const rankQueries = [...new Set([present(typed, 'a query'), any])]
  if (rows.length > 0) return { rows, some: false, rankQueries }
  const rest = withoutPay(q)
  if (rest !== q && rest !== '') {
    const found = await searchNear(db, workspace, rest, filters, page)
    if (found.rows.length > 0) return { ...found, some: true }
  }
  return { rows: await db.query(find(any)), some: true, rankQueries }
}

type JobRow = ReturnType<typeof searchJobs> extends Sql<infer Row> ? Row : never

type OtherNames = Required<Pick<WordReadings, 'alternatives' | 'names'>>
const NO_OTHER_NAMES: OtherNames = { alternatives: new Map(), names: [] }

/** Queries of other names of the words and of the names in a search. */
async function readAlternatives(db: Queryable, q: string, words: readonly SearchWord[]): Promise<OtherNames> {
  const single = words
    .map(({ word }) => ({ word, phrases: alternativesTo(word) }))
    .filter(row => row.phrases.length > 0)
  const names = namesIn(q)
  const phrases = new Set([...single.flatMap(row => row.phrases), ...names.flatMap(name => name.alternatives)])
  const found = phrases.size === 0 ? [] : await db.query(phraseQueries([...phrases]))
  const queries = new Map(found.map(({ phrase, query }) => [phrase, query]))
  const queriesOf = (list: readonly string[]) => list.flatMap(phrase => queries.get(phrase) ?? [])
  return {
    alternatives: new Map(single.map(({ word, phrases }) => [word, queriesOf(phrases)])),
    names: names.map(({ words, alternatives }) => ({ words, queries: queriesOf(alternatives) })),
  }
}

async function matchWords(
  db: Queryable,
  workspace: string,
  words: readonly SearchWord[],
  others: OtherNames,
  find: Find,
): Promise<{ rows: readonly JobRow[]; readings: WordReadings }> {
  const matching = async (misspelt: readonly string[]) => {
    const similar = misspelt.length === 0 ? [] : await db.query(similarJobWords(workspace, misspelt))
    const readings = { similar: Map.groupBy(similar, row => row.misspelt), ...others }
    const query = searchQuery(words, readings)
    return { rows: query === undefined ? [] : await db.query(find(query)), readings }
  }
  const { alternatives, names } = others
  // a word with other names is not misspelt, nor is one of a known name
  const isNamed = (word: string) => alternatives.has(word) || names.some(name => name.words.includes(word))
  const unknown = words.filter(word => isUnknown(word) && !isNamed(word.word)).map(({ word }) => word)
  const found = await matching(unknown)
  if (found.rows.length > 0) return found
  const known = significantWords(words).filter(word => mayBeMisspelt(word) && !isUnknown(word))
  const withoutMatch = await db.query(
    termsWithoutMatch(
      workspace,
      known.map(({ word }) => word),
      known.map(word => wordQuery(word, [], alternatives.get(word.word))),
    ),
  )
  return withoutMatch.length === 0 ? found : matching([...unknown, ...withoutMatch.map(({ word }) => word)])
}
