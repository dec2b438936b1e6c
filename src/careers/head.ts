import { type Html, html } from '../pages/html.ts'
import { publicJobPath, type SiteRow } from '../resources/careers/index.ts'
import { LANGUAGE_CODES, textsIn } from './language.ts'
import { companyOf } from './shell.ts'
import type { Texts } from './texts/en.ts'
import { sitePath, type Visit } from './visit.ts'

/** What link previews and search results show of a job. */
export interface HeadJob {
  slug: string
  status: 'draft' | 'published' | 'closed'
  title: string
  summary: string | null
  description_md?: string | null
  locations: readonly string[]
  location_type: 'remote' | 'hybrid' | 'onsite' | null
  updated_at: string
}

/** Search engines show about this many characters. */
const DESCRIPTION_LENGTH = 160

/**
 * The part of a page's head for search engines, link previews and feed readers: of the list, or of a job. A page that was
 * opened in a chosen language is canonical under `?lang=`; the one without it follows the browser. Filters of a list are
 * no pages of their own. A closed job is not indexed.
 */
export function headOf(
  { services, site, texts, query }: Pick<Visit, 'services' | 'site' | 'texts' | 'query'>,
  job: HeadJob | null,
): Html {
  const { publicUrl } = services
  const page = publicUrl + (job ? publicJobPath(site.slug, job.slug) : sitePath(site))
  const chosen = textsIn(query.get('lang'))
  const canonical = chosen ? inLanguage(page, chosen) : page
  const indexed = !job || job.status === 'published'
  const company = companyOf(site)
  const title = job?.title ?? texts.frame.careersAt(company)
  const description = job ? jobDescription(job, company, texts) : siteDescription(site, texts)
  const image = `${page}/og.png?v=${versionOf(site.updated_at, job?.updated_at)}`
  return html`<meta name="description" content="${description}">
${!indexed && html`<meta name="robots" content="noindex">`}
<link rel="canonical" href="${canonical}">
${
  indexed && [
    ...LANGUAGE_CODES.map(
      code => html`<link rel="alternate" hreflang="${code}" href="${inLanguage(page, textsIn(code)!)}">\n`,
    ),
    html`<link rel="alternate" hreflang="x-default" href="${page}">`,
  ]
}
<link rel="alternate" type="application/atom+xml" title="${texts.feeds.title(company)}" href="${sitePath(site, '/feed.atom')}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${company}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${canonical}">
<meta property="og:locale" content="${texts.language.locale.replace('-', '_')}">
<meta property="og:image" content="${image}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${job ? texts.feeds.jobAt(title, company) : title}">
<meta name="twitter:card" content="summary_large_image">`
  // title, description and image of the card are read from the tags of Open Graph
}

const inLanguage = (page: string, texts: Texts): string => `${page}?lang=${texts.language.code}`

/** Another URL whenever the picture can be another one: networks cache pictures by their URL. */
const versionOf = (...times: readonly (string | undefined)[]): string =>
  times.flatMap(time => (time === undefined ? [] : [Date.parse(time).toString(36)])).join('-')

function jobDescription(job: HeadJob, company: string, texts: Texts): string {
  const written = plainStart(job.summary ?? '') || plainStart(job.description_md ?? '')
  return written || texts.feeds.jobDescription(job.title, company, placeOf(job, texts))
}

const siteDescription = (site: SiteRow, texts: Texts): string =>
  plainStart(site.headline ?? '') ||
  plainStart(site.introduction_md ?? '') ||
  texts.feeds.siteDescription(companyOf(site))

/** Where the work is done, in a few words; empty where the job does not say. */
export function placeOf(job: Pick<HeadJob, 'locations' | 'location_type'>, texts: Texts): string {
  const remote = job.location_type === 'remote' ? [texts.feeds.remote] : []
  const [first, ...others] = job.locations
  if (first === undefined) return remote.join('')
  const places = others.length > 1 ? [first, texts.feeds.morePlaces(others.length)] : job.locations
  return [...places, ...remote].join(', ')
}

/** The beginning of a Markdown text without its marks, cut between words. */
export function plainStart(markdown: string, length = DESCRIPTION_LENGTH): string {
  const text = markdown
    // more than enough for the result; the rest is not looked at
    .slice(0, length * 10)
    .replaceAll(/!?\[([^[\]\n]*)\]\([^()\n]*\)?/g, '$1')
    .replaceAll(/<[^<>\n]*>/g, ' ')
    .replaceAll(/^[ \t]*(#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+/gm, '')
    .replaceAll(/(\*\*|__|[*`~])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (text.length <= length) return text
  const cut = text.slice(0, length - 1)
  const space = cut.lastIndexOf(' ')
  const words = space > length / 2 ? cut.slice(0, space) : cut
  let end = words.length
  // no sign before the dots, and no half of a character
  while (end > 0 && /[\s,;:.–\ud800-\udbff-]/.test(words[end - 1]!)) end--
  return `${words.slice(0, end)}…`
}
