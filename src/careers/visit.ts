import type { IncomingMessage } from 'node:http'
import type { Sql } from '../kernel/db/sql.ts'
import { fail } from '../kernel/errors/api-error.ts'
import { noteRequest } from '../kernel/http/request-line.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { sendRedirect } from '../pages/send.ts'
import type { Visit as PageVisit } from '../programs/policy.ts'
import { type SiteRow, siteBySlug, sitePathOf } from '../resources/careers/index.ts'
import { languageOf, textsIn } from './language.ts'
import type { Texts } from './texts/en.ts'

/** A request for a page of one careers site. */
export interface Visit extends PageVisit {
  site: SiteRow
  texts: Texts
  query: URLSearchParams
}

export const SITE_PATH = '/careers/{slug}'

/** The path of a page of this site, such as `/jobs/…`. */
export const sitePath = (site: Pick<SiteRow, 'slug'>, below = ''): string => sitePathOf(site.slug) + below

/** A link to a page of this site that keeps the language which was chosen. `below` has no query; `more` is added to it. */
export function siteLink(
  { site, query }: Pick<Visit, 'query'> & { site: Pick<SiteRow, 'slug'> },
  below = '',
  more: Readonly<Record<string, string>> = {},
): string {
  const chosen = textsIn(query.get('lang'))
  const all = new URLSearchParams({ ...(chosen && { lang: chosen.language.code }), ...more }).toString()
  return sitePath(site, below) + (all && `?${all}`)
}

/** A page of a site. */
export const sitePage = (
  services: Services,
  below: string,
  show: (visit: Visit) => Promise<void> | void,
): RawRoute => ({
  methods: ['GET', 'HEAD'],
  path: SITE_PATH + below,
  handler: async arrived => {
    const visit = await openSite(services, arrived)
    if (visit) await show(visit)
  },
})

/**
 * The site that a request is about. undefined: its slug is an earlier one, and the browser was sent to the current one;
 * with a form, an earlier slug is as good as the current one.
 */
export async function openSite(services: Services, arrived: Arrived): Promise<Visit | undefined> {
  const params = withoutNul(arrived.params)
  const site = await services.db.one(siteBySlug(params['slug']!))
  if (arrived.request.method === 'POST' && site?.enabled) return visitOf(services, { ...arrived, params }, site)
  return isCurrent(arrived, site) ? visitOf(services, { ...arrived, params }, site) : undefined
}

/**
 * A site that is switched off does not exist, like one that never was; an earlier slug leads to the same page under the
 * current one.
 */
function isCurrent(arrived: Arrived, site: SiteRow | undefined): site is SiteRow {
  if (!site?.enabled) return fail('not_found')
  if (site.slug === arrived.params['slug']) return true
  const rest = arrived.path.slice(sitePathOf(arrived.params['slug']!).length)
  sendRedirect(arrived.response, sitePath(site, rest) + (arrived.search ? `?${arrived.search}` : ''))
  return false
}

/** The workspaces of slugs, as they were last seen. */
const lastSeen = new Map<string, string>()
const MOST_SEEN = 10_000

/**
 * A page that shows something besides its site: `shown`. The two are not joined, because they are on different servers
 * when the store is a cluster. Both are read in one round trip where the slug was seen before: the site that is read tells
 * whether the workspace is still the same one.
 */
export const siteRead = <Row>(
  services: Services,
  below: string,
  read: (workspace: string, params: Record<string, string>) => Sql<Row>,
  show: (visit: Visit & { shown: Row | undefined }) => Promise<void> | void,
): RawRoute => ({
  methods: ['GET', 'HEAD'],
  path: SITE_PATH + below,
  handler: async arrived => {
    const { db } = services
    const params = withoutNul(arrived.params)
    const slug = params['slug']!
    const guess = lastSeen.get(slug)
    const [site, guessed] = await Promise.all([
      db.one(siteBySlug(slug)),
      guess === undefined ? undefined : db.one(read(guess, params)),
    ])
    if (!isCurrent(arrived, site)) return
    const { workspace_id: workspace } = site
    if (guess !== workspace) {
      if (lastSeen.size >= MOST_SEEN) lastSeen.clear()
      lastSeen.set(slug, workspace)
    }
    const shown = guess === workspace ? guessed : await db.one(read(workspace, params))
    await show({ ...visitOf(services, arrived, site), shown })
  },
})

/** A form or a request of a page. */
export const sitePost = (services: Services, below: string, run: (visit: Visit) => Promise<void>): RawRoute => ({
  methods: ['POST'],
  path: SITE_PATH + below,
  handler: async arrived => {
    const visit = await openSite(services, arrived)
    if (visit) await run(visit)
  },
})

/** The store's text cannot hold that character, and nothing is named by the other. */
const withoutNul = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, text]) => [name, text.replaceAll('\0', '\ufffd')]))

/** Visits whose response is not sent yet: a failure is shown in the frame of their site. */
const visits = new WeakMap<IncomingMessage, Visit>()

export const visitBehind = (request: IncomingMessage): Visit | undefined => visits.get(request)

export function visitOf(services: Services, arrived: Arrived, site: SiteRow): Visit {
  const query = new URLSearchParams(arrived.search)
  const visit = { ...arrived, services, site, query, texts: languageOf(arrived.request, query) }
  visits.set(arrived.request, visit)
  noteRequest(arrived.request, { workspace: site.workspace_id })
  return visit
}
