import { type Html, html, type Part } from '../pages/html.ts'
import { companyOf } from './shell.ts'
import { type SiteVisit, sitePath } from './visit.ts'

export interface HeadParts {
  /** the path of the page below that of the site: the list, or a job. Both have a picture, `og.png`. */
  below: string
  title: string
  description: string
  /** when what the picture shows last changed, besides the site itself */
  changed?: string
  more?: Part
}

/**
 * What search engines, link previews and feed readers read about a page. Only the frame is translated, not what the
 * company wrote, so every language and every filter of a list is the same page for search engines.
 */
export function pageHead({ services, site, texts }: HeadVisit, parts: HeadParts): Html {
  const company = companyOf(site)
  const page = services.publicUrl + sitePath(site, parts.below)
  const description = parts.description || texts.feeds.description(parts.title)
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${page}">
<link rel="alternate" type="application/atom+xml" title="${texts.feeds.title(company)}" href="${sitePath(site, '/feed.atom')}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${company}">
<meta property="og:title" content="${parts.title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${page}">
<meta property="og:locale" content="${texts.language.locale.replace('-', '_')}">
<meta property="og:image" content="${page}/og.png?v=${versionOf(site.updated_at, parts.changed)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${parts.title}">
<meta name="twitter:card" content="summary_large_image">
${parts.more}`
  // title, description and picture of the card are read from the tags of Open Graph
}

type HeadVisit = Pick<SiteVisit, 'services' | 'site' | 'texts'>

/** Another URL whenever the picture can be another one: networks cache pictures by their URL. */
const versionOf = (...times: readonly (string | undefined)[]): string =>
  times.flatMap(time => (time === undefined ? [] : [Date.parse(time).toString(36)])).join('-')

export const NOINDEX = html`<meta name="robots" content="noindex">`
