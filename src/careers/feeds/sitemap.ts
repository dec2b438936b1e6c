import { jobBelow } from '../../resources/careers/index.ts'
import { LANGUAGE_CODES } from '../language.ts'
import { sitePath, type Visit } from '../visit.ts'
import type { ListedRow } from './store.ts'
import { XML, xmlText } from './xml.ts'

/** The most that the protocol of sitemaps allows, with the list itself. */
export const SITEMAP_JOBS = 49_999

export const sitemapHead = ({ services, site }: Visit, changed: string): string =>
  `${XML}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${url(services.publicUrl + sitePath(site), changed)}`

export const SITEMAP_END = '</urlset>\n'

export const sitemapJob = ({ services, site }: Visit, job: ListedRow): string =>
  url(services.publicUrl + sitePath(site, jobBelow(job.slug)), job.updated_at)

/** A page with the same page in each language. */
function url(page: string, changed: string): string {
  const alternates = LANGUAGE_CODES.map(code => alternate(code, `${page}?lang=${code}`))
  return `<url><loc>${xmlText(page)}</loc><lastmod>${changed}</lastmod>${alternates.join('')}${alternate('x-default', page)}</url>\n`
}

const alternate = (code: string, href: string): string =>
  `<xhtml:link rel="alternate" hreflang="${code}" href="${xmlText(href)}"/>`

export const sitemapIndex = (publicUrl: string, slug: string): string =>
  `${XML}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>${xmlText(`${publicUrl}${sitePath({ slug }, '/sitemap.xml')}`)}</loc></sitemap>
</sitemapindex>
`
