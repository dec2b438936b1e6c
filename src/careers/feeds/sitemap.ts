import { jobBelow } from '../../resources/careers/index.ts'
import { type SiteVisit, sitePath } from '../visit.ts'
import type { ListedRow } from './store.ts'
import { XML, xmlText } from './xml.ts'

/** The most that the protocol of sitemaps allows, with the list itself. */
export const SITEMAP_JOBS = 49_999

export const sitemapHead = ({ services, site }: SiteVisit, changed: string): string =>
  `${XML}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${url(services.publicUrl + sitePath(site), changed)}`

export const SITEMAP_END = '</urlset>\n'

export const sitemapJob = ({ services, site }: SiteVisit, job: ListedRow): string =>
  url(services.publicUrl + sitePath(site, jobBelow(job.slug)), job.updated_at)

const url = (page: string, changed: string): string =>
  `<url><loc>${xmlText(page)}</loc><lastmod>${changed}</lastmod></url>\n`

export const sitemapIndex = (publicUrl: string, slugs: readonly string[]): string =>
  `${XML}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${slugs.map(slug => `<sitemap><loc>${xmlText(`${publicUrl}${sitePath({ slug }, '/sitemap.xml')}`)}</loc></sitemap>\n`).join('')}</sitemapindex>
`
