import { BY_UPDATED, makePage } from '../../kernel/http/list.ts'
import type { Services } from '../../kernel/services/services.ts'
import type { Html } from '../../pages/html.ts'
import { renderMarkdown } from '../../pages/markdown.ts'
import type { Shown } from '../../programs/page.ts'
import { searchNear } from '../../resources/jobs/index.ts'
import { page } from '../area.ts'
import { openLocations } from '../store.ts'
import { type SiteVisit, sitePath } from '../visit.ts'
import { isFirstPage, type ListQuery, PAGE_SIZE, readListQuery } from './filters.ts'
import { asPlaceValue, kindValues, NO_PLACE, placeValues } from './locations.ts'
import { listPage } from './page.ts'
import { type FoundJobs, openJobs } from './store.ts'

/** Matches of a search, the most recently changed first. */
const MAX_FOUND = 2000

export const listRoute = page({ path: '', session: 'none', cache: 'public', show: showList })

async function showList(visit: SiteVisit): Promise<Shown<Html>> {
  const { services, site } = visit
  const clean = withoutBlanks(visit.query)
  if (clean !== undefined) return { to: sitePath(site) + (clean && `?${clean}`) }
  const asked = readListQuery(visit.query)
  const { location } = asked.filters
  const wanted: ListQuery =
    location === undefined
      ? asked
      : { ...asked, filters: { ...asked.filters, location: asPlaceValue(location, site.country) } }
  const places = await locationsOf(services, site, wanted.filters.location)
  const found = wanted.q === undefined ? undefined : await matching(services, site.workspace_id, wanted.q)
  const read = (page: number) =>
    services.db.only(
      openJobs(site.workspace_id, found, wanted.filters, places, { size: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }),
    )
  const list = await read(wanted.page)
  // a page after the last, of a list that has become shorter
  const shown =
    list.jobs.length === 0 && wanted.page > 1 ? { list: await read(1), page: 1 } : { list, page: wanted.page }
  const query = { ...wanted, page: shown.page }
  const shownList = {
    ...shown.list,
    kinds: shown.list.kinds.map(kind => ({ ...kind, places: kindValues(kind.locations, site.country) })),
    isNear: found?.some === true,
  }
  const introduction =
    site.introduction_md === null || !isFirstPage(query)
      ? undefined
      : await renderMarkdown(site.workspace_id, site.introduction_md)
  return { show: listPage(visit, query, shownList, introduction) }
}

/** The query without the fields of the form that were left blank, so that the address can be shared; undefined: it has none. */
function withoutBlanks(query: URLSearchParams): string | undefined {
  const given = [...query].filter(([, value]) => value !== '')
  return given.length === query.size ? undefined : new URLSearchParams(given).toString()
}

/** The locations that a value of the filter means, as jobs spell them. */
async function locationsOf(
  { db }: Services,
  { workspace_id, country }: SiteVisit['site'],
  value: string | undefined,
): Promise<'any' | 'none' | readonly string[]> {
  if (value === undefined) return 'any'
  if (value === NO_PLACE) return 'none'
  const rows = await db.query(openLocations(workspace_id))
  return rows.map(row => row.location).filter(location => placeValues(location, country).includes(value))
}

/** The jobs that a search finds, and what ranks them. */
async function matching({ db }: Services, workspace: string, q: string): Promise<FoundJobs> {
  const page = makePage(BY_UPDATED, { limit: MAX_FOUND }, undefined)
  const { rows, some, rankQueries } = await searchNear(db, workspace, q, { statuses: ['published'] }, page)
  return { ids: rows.map(({ id }) => id), some, rankQueries }
}
