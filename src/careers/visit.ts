import type { IncomingMessage } from 'node:http'
import { fail } from '../kernel/errors/api-error.ts'
import { present } from '../kernel/errors/present.ts'
import { noteRequest } from '../kernel/http/request-line.ts'
import type { Arrived } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { sendRedirect } from '../pages/send.ts'
import type { Page } from '../programs/page.ts'
import type { Visit as PageVisit } from '../programs/policy.ts'
import { type SiteRow, siteBySlug, sitePathOf } from '../resources/careers/index.ts'
import { chooseTexts, textsIn } from './language.ts'
import type { Texts } from './texts/en.ts'

/** A request for a page of the candidates' side. */
export interface PlainVisit extends PageVisit {
  texts: Texts
  query: URLSearchParams
}

/** A request for a page of one careers site. */
export interface SiteVisit extends PlainVisit {
  site: SiteRow
}

export const SITE_PATH = '/careers/{slug}'

/** The path of a page of this site, such as `/jobs/…`. */
export const sitePath = (site: Pick<SiteRow, 'slug'>, below = ''): string => sitePathOf(site.slug) + below

/** A link to a page of this site that keeps the language which was chosen. `below` has no query; `more` is added to it. */
export function siteLink(
  { site, query }: Pick<SiteVisit, 'query'> & { site: Pick<SiteRow, 'slug'> },
  below = '',
  more: Readonly<Record<string, string>> = {},
): string {
  const chosen = textsIn(query.get('lang'))
  const all = new URLSearchParams({ ...(chosen && { lang: chosen.language.code }), ...more }).toString()
  return sitePath(site, below) + (all && `?${all}`)
}

/** The workspaces of slugs, as they were last seen. */
const lastSeen = new Map<string, string>()
const MAX_SEEN = 10_000

/**
 * The site that a request is about, and the row that its page shows besides. The two are not joined, because they are on
 * different servers when the store is a cluster. Both are read in one round trip where the slug was seen before: the site
 * that is read tells whether the workspace is still the same one. undefined: the slug is an earlier one, and the browser
 * was sent to the current one; with a form, an earlier slug is as good as the current one.
 */
export async function openSite(
  services: Services,
  arrived: Arrived,
  { row: rowOf }: Pick<Page, 'row'>,
): Promise<SiteVisit | undefined> {
  const { db } = services
  const params = Object.fromEntries(Object.entries(arrived.params).map(([name, text]) => [name, withoutNul(text)]))
  const asked = present(arrived.params['slug'], 'the slug of the site')
  const slug = withoutNul(asked)
  const read = rowOf && ((workspace: string) => db.one(rowOf(workspace, params as never)))
  const guess = read && lastSeen.get(slug)
  const [site, guessed] = await Promise.all([db.one(siteBySlug(slug)), guess === undefined ? undefined : read?.(guess)])
  // one that is switched off does not exist, like one that never was
  if (!site?.enabled) return fail('not_found')
  if (site.slug !== asked && arrived.request.method !== 'POST') {
    const rest = arrived.path.slice(sitePathOf(asked).length)
    sendRedirect(arrived.response, sitePath(site, rest) + (arrived.search ? `?${arrived.search}` : ''))
    return undefined
  }
  const { workspace_id: workspace } = site
  if (read && guess !== workspace) {
    if (lastSeen.size >= MAX_SEEN) lastSeen.clear()
    lastSeen.set(slug, workspace)
  }
  const row = guess === workspace ? guessed : await read?.(workspace)
  if (site.environment === 'test') arrived.response.setHeader('X-Robots-Tag', 'noindex')
  const visit = { ...buildPlainVisit(services, arrived), params, site, row }
  visits.set(arrived.request, visit)
  noteRequest(arrived.request, { workspace })
  return visit
}

/** The store's text cannot hold that character, and nothing is named by the other. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd')

/** Visits whose response is not sent yet: a failure is shown in the frame of their site. */
const visits = new WeakMap<IncomingMessage, SiteVisit>()

export const visitBehind = (request: IncomingMessage): SiteVisit | undefined => visits.get(request)

/** A request for a page in the visitor's language, of no site so far. */
export function buildPlainVisit(services: Services, arrived: Arrived): PlainVisit {
  const query = new URLSearchParams(arrived.search)
  return { ...arrived, services, query, texts: chooseTexts(arrived.request, query) }
}
