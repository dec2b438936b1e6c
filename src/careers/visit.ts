import type { IncomingMessage } from 'node:http'
import type { Sql } from '../kernel/db/sql.ts'
import { fail } from '../kernel/errors/api-error.ts'
import { noteRequest } from '../kernel/http/request-line.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { sendRedirect } from '../pages/send.ts'
import { type SiteRow, siteBySlug, sitePathOf } from '../resources/careers/index.ts'
import { languageOf, textsIn } from './language.ts'
import type { Texts } from './texts/en.ts'

/** A request for a page of one careers site. */
export interface Visit extends Arrived {
  services: Services
  site: SiteRow
  texts: Texts
  query: URLSearchParams
}

const SITE_PATH = '/careers/{slug}'

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
export const sitePage = (services: Services, below: string, show: (visit: Visit) => Promise<void> | void): RawRoute =>
  siteRead(services, below, ({ slug }) => siteBySlug(slug!), show)

/**
 * A page whose statement reads the site together with what the page shows, in one round trip. A site that is switched
 * off does not exist, like one that never was; an earlier slug leads to the same page under the current one.
 */
export const siteRead = <Row extends SiteRow>(
  services: Services,
  below: string,
  read: (params: Record<string, string>) => Sql<Row>,
  show: (visit: Visit & { site: Row }) => Promise<void> | void,
): RawRoute => ({
  methods: ['GET', 'HEAD'],
  path: SITE_PATH + below,
  handler: async arrived => {
    const site = await services.db.one(read(withoutNul(arrived.params)))
    if (!site?.enabled) return fail('not_found')
    if (site.slug !== arrived.params['slug']) {
      const rest = arrived.path.slice(sitePathOf(arrived.params['slug']!).length)
      return sendRedirect(arrived.response, sitePath(site, rest) + (arrived.search ? `?${arrived.search}` : ''))
    }
    await show(visitOf(services, arrived, site))
  },
})

/** A form or a request of a page. An earlier slug of the site is as good as the current one. */
export const sitePost = (services: Services, below: string, run: (visit: Visit) => Promise<void>): RawRoute => ({
  methods: ['POST'],
  path: SITE_PATH + below,
  handler: async arrived => {
    const params = withoutNul(arrived.params)
    const site = await services.db.one(siteBySlug(params['slug']!))
    if (!site?.enabled) return fail('not_found')
    await run(visitOf(services, { ...arrived, params }, site))
  },
})

/** The store's text cannot hold that character, and nothing is named by the other. */
const withoutNul = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, text]) => [name, text.replaceAll('\0', '\ufffd')]))

/** Visits whose response is not sent yet: a failure is shown in the frame of their site. */
const visits = new WeakMap<IncomingMessage, Visit>()

export const visitBehind = (request: IncomingMessage): Visit | undefined => visits.get(request)

export function visitOf<Row extends SiteRow>(services: Services, arrived: Arrived, site: Row): Visit & { site: Row } {
  const query = new URLSearchParams(arrived.search)
  const visit = { ...arrived, services, site, query, texts: languageOf(arrived.request, query) }
  visits.set(arrived.request, visit)
  noteRequest(arrived.request, { workspace: site.workspace_id })
  return visit
}
