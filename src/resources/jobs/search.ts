import type { Queryable } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { alternativesTo } from './search-alternatives.ts'
import {
  isUnknown,
  mayBeMisspelt,
  type SearchWord,
  searchQuery,
  significantWords,
  type WordReadings,
  wordQuery,
} from './search-query.ts'
import { phraseQueries, searchJobs, searchWords, similarJobWords, termsWithoutMatch } from './search-store.ts'
import type { JobFilters } from './store.ts'

/**
 * Jobs that match the words of `q`. The words are looked up first: what they match depends on the words of the
 * workspace's jobs. Unknown words are replaced by similar ones; if nothing matches, so are known words that no job has
 * any more, such as a misspelling that was corrected since.
 */
export async function searchByWords(db: Queryable, workspace: string, q: string, filters: JobFilters, page: Page) {
  const words = await db.query(searchWords(workspace, q))
  return (await matchWords(db, workspace, words, new Map(), filters, page)).rows
}

/** What a search for candidates found: the API takes words as they are, candidates get near matches. */
export interface NearMatches<Row> {
  rows: readonly Row[]
  /** whether the rows match some of the words only */
  some: boolean
  /** queries of any of the words that the matches are ranked by: as they were typed first, then with other names */
  rankQueries: readonly string[]
}

/**
 * The same for people who do not know the words of the company: a word also finds other names of the place or the kind
 * of work, and where no job has every word, those that have some are found.
 */
export async function searchNear(
  db: Queryable,
  workspace: string,
  q: string,
  filters: JobFilters,
  page: Page,
): Promise<NearMatches<JobRow>> {
  const words = await db.query(searchWords(workspace, q))
  const alternatives = await readAlternatives(db, significantWords(words))
  const { rows, readings } = await matchWords(db, workspace, words, alternatives, filters, page)
  const any = searchQuery(words, readings, 'any word')
  if (any === undefined) return { rows, some: false, rankQueries: [] }
  const typed = searchQuery(words, { similar: readings.similar }, 'any word')!
  const rankQueries = [...new Set([typed, any])]
  if (rows.length > 0) return { rows, some: false, rankQueries }
  return { rows: await db.query(searchJobs(workspace, any, filters, page)), some: true, rankQueries }
}

type JobRow = ReturnType<typeof searchJobs> extends Sql<infer Row> ? Row : never

/** Queries of other names of each word that has some. */
async function readAlternatives(db: Queryable, words: readonly SearchWord[]): Promise<Map<string, string[]>> {
  const named = words.map(({ word }) => ({ word, phrases: alternativesTo(word) })).filter(row => row.phrases.length > 0)
  if (named.length === 0) return new Map()
  const rows = await db.query(phraseQueries([...new Set(named.flatMap(({ phrases }) => phrases))]))
  const queries = new Map(rows.map(({ phrase, query }) => [phrase, query]))
  return new Map(named.map(({ word, phrases }) => [word, phrases.flatMap(phrase => queries.get(phrase) ?? [])]))
}

async function matchWords(
  db: Queryable,
  workspace: string,
  words: readonly SearchWord[],
  alternatives: ReadonlyMap<string, readonly string[]>,
  filters: JobFilters,
  page: Page,
): Promise<{ rows: readonly JobRow[]; readings: WordReadings }> {
  const matching = async (misspelt: readonly string[]) => {
    const similar = misspelt.length === 0 ? [] : await db.query(similarJobWords(workspace, misspelt))
    const readings = { similar: Map.groupBy(similar, row => row.misspelt), alternatives }
    const query = searchQuery(words, readings)
    return { rows: query === undefined ? [] : await db.query(searchJobs(workspace, query, filters, page)), readings }
  }
  // a word with other names is not misspelt
  const unknown = words.filter(word => isUnknown(word) && !alternatives.has(word.word)).map(({ word }) => word)
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
