import { BY_UPDATED, makePage } from '../../kernel/http/list.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { renderMarkdown } from '../../pages/markdown.ts'
import { searchNear } from '../../resources/jobs/index.ts'
import { sendSitePage } from '../send.ts'
import { sitePage, type Visit } from '../visit.ts'
import { isFirstPage, PAGE_SIZE, readListQuery } from './filters.ts'
import { listPage } from './page.ts'
import { type FoundJobs, openJobs } from './store.ts'

/** Matches of a search, the most recently changed first. */
const MOST_FOUND = 2000

export const listRoutes = (services: Services): RawRoute[] => [sitePage(services, '', showList)]

async function showList(visit: Visit): Promise<void> {
  const { services, site } = visit
  const wanted = readListQuery(visit.query)
  const found = wanted.q === undefined ? undefined : await matching(services, site.workspace_id, wanted.q)
  const read = (page: number) =>
    services.db.one(
      openJobs(site.workspace_id, found, wanted.filters, { size: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }),
    )
  const list = (await read(wanted.page))!
  // a page after the last, of a list that has become shorter
  const shown =
    list.jobs.length === 0 && wanted.page > 1 ? { list: (await read(1))!, page: 1 } : { list, page: wanted.page }
  const query = { ...wanted, page: shown.page }
  const introduction =
    site.introduction_md === null || !isFirstPage(query)
      ? undefined
      : await renderMarkdown(site.workspace_id, site.introduction_md)
  sendSitePage(visit, listPage(visit, query, { ...shown.list, isNear: found?.some === true }, introduction), {
    cache: 'public',
  })
}

/** The jobs that a search finds, and what ranks them. */
async function matching({ db }: Services, workspace: string, q: string): Promise<FoundJobs> {
  const page = makePage(BY_UPDATED, { limit: MOST_FOUND }, undefined)
  const { rows, some, rankQueries } = await searchNear(db, workspace, q, { statuses: ['published'] }, page)
  return { ids: rows.map(({ id }) => id), some, rankQueries }
}
