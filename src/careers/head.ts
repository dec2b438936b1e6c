import { type Html, html, type Part } from '../pages/html.ts'
import { companyOf } from './shell.ts'
import { sitePath, type Visit } from './visit.ts'

/** What search engines and link previews read about a page. The language of the frame is not part of its address. */
export function pageHead(
  { services, site }: Pick<Visit, 'services' | 'site'>,
  page: { below: string; title: string; description: string; more?: Part },
): Html {
  const address = services.publicUrl + sitePath(site, page.below)
  return html`<meta name="description" content="${page.description}">
<link rel="canonical" href="${address}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${companyOf(site)}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${address}">
${page.more}`
}

export const NOINDEX = html`<meta name="robots" content="noindex">`
