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
export async function searchByWords(db: Queryable, workspace: string, q: string, filters: JobFilters, page: Page) {
  const words = await db.query(searchWords(workspace, q))
  const matching = async (misspelt: readonly string[]) => {
    const similar = misspelt.length === 0 ? [] : await db.query(similarJobWords(workspace, misspelt))
    const query = searchQuery(
      words,
      Map.groupBy(similar, row => row.misspelt),
    )
    return query === undefined ? [] : db.query(searchJobs(workspace, query, filters, page))
  }
  const unknown = words.filter(isUnknown).map(({ word }) => word)
  const rows = await matching(unknown)
  if (rows.length > 0) return rows
  const known = significantWords(words).filter(word => mayBeMisspelt(word) && !isUnknown(word))
  const withoutMatch = await db.query(
    termsWithoutMatch(
      workspace,
      known.map(({ word }) => word),
      known.map(word => wordQuery(word)),
    ),
  )
  return withoutMatch.length === 0 ? rows : matching([...unknown, ...withoutMatch.map(({ word }) => word)])
}
