import type { Queryable } from '../../kernel/db/database.ts'
import type { Page } from '../../kernel/http/list.ts'
import { isUnknown, mayBeMisspelt, searchQuery, significantWords, wordQuery } from './search-query.ts'
import { searchJobs, searchWords, similarJobWords, termsWithoutMatch } from './search-store.ts'
import type { JobFilters } from './store.ts'

/**
 * Jobs that match the words of `q`. The words are looked up first: what they match depends on the words of the
 * workspace's jobs. Unknown words are replaced by similar ones; if nothing matches, so are known words that no job has
 * any more, such as a misspelling that was corrected since.
 */
export const searchByWords = async (db: Queryable, workspace: string, q: string, filters: JobFilters, page: Page) =>
  (await findByWords(db, workspace, q, filters, page)).rows

/** The same, with the query of any of the words: what the matches can be ranked by. */
export async function findByWords(db: Queryable, workspace: string, q: string, filters: JobFilters, page: Page) {
  const words = await db.query(searchWords(workspace, q))
  const matching = async (misspelt: readonly string[]) => {
    const similar = misspelt.length === 0 ? [] : await db.query(similarJobWords(workspace, misspelt))
    const nearest = Map.groupBy(similar, row => row.misspelt)
    const query = searchQuery(words, nearest)
    const rows = query === undefined ? [] : await db.query(searchJobs(workspace, query, filters, page))
    return { rows, rankQuery: searchQuery(words, nearest, 'any word') }
  }
  const unknown = words.filter(isUnknown).map(({ word }) => word)
  const found = await matching(unknown)
  if (found.rows.length > 0) return found
  const known = significantWords(words).filter(word => mayBeMisspelt(word) && !isUnknown(word))
  const withoutMatch = await db.query(
    termsWithoutMatch(
      workspace,
      known.map(({ word }) => word),
      known.map(word => wordQuery(word)),
    ),
  )
  return withoutMatch.length === 0 ? found : matching([...unknown, ...withoutMatch.map(({ word }) => word)])
}
