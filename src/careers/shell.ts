import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { asset } from '../pages/assets.ts'
import { document, skipLink } from '../pages/document.ts'
import { type Html, html, type Part } from '../pages/html.ts'
import { ICON, STYLES, THEME, THEME_SIGN } from '../pages/page.ts'
import type { SiteRow } from '../resources/careers/index.ts'
import { accentSheet } from './accent.ts'
import { LANGUAGES } from './language.ts'
import type { Texts } from './texts/en.ts'
import { siteLink, sitePath } from './visit.ts'

const CAREERS_STYLES = asset(join(import.meta.dirname, 'assets', 'careers.css'))

/** `shell({ ...visit, title, body })`: a visit has the first four. */
export interface ShellParts {
  site: SiteRow
  texts: Texts
  /** The path of the request, for links to the same page in other languages; without it these lead to the list. */
  path?: string
  query?: URLSearchParams
  title: string
  body: Part
  /** more of the head: description, canonical URL, structured data */
  head?: Part
  /** addresses made by `asset` */
  styles?: readonly string[]
  scripts?: readonly string[]
  /** which link of the frame leads to this page */
  current?: 'jobs' | 'applications'
}

export const companyOf = ({ display_name, workspace_name }: Pick<SiteRow, 'display_name' | 'workspace_name'>): string =>
  display_name ?? workspace_name

/** The address of the logo, another one for each file. */
export const logoPath = (site: Pick<SiteRow, 'slug' | 'logo_blob_key'>): string | undefined =>
  site.logo_blob_key === null
    ? undefined
    : sitePath(site, `/logo?v=${createHash('sha256').update(site.logo_blob_key).digest('hex').slice(0, 12)}`)

/** An address that a link of a page may have; others, such as `javascript:`, are not shown at all. */
export const webAddress = (address: string | null): string | undefined =>
  address !== null && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined

/** RFC 6068: everything but the last @ is escaped. */
const mailtoAddress = (address: string): string => {
  const at = address.lastIndexOf('@')
  return `${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`
}

/** A whole page of a careers site, in the company's name. */
export function shell(parts: ShellParts): Html {
  const { site, texts, title, styles = [], current } = parts
  const company = companyOf(site)
  const logo = logoPath(site)
  const accent = accentSheet(site.accent_color)
  const website = webAddress(site.website_url)
  const privacy = webAddress(site.privacy_url)
  const imprint = webAddress(site.imprint_url)
  const query = parts.query ?? new URLSearchParams()
  const visit = { site, query }
  return frame({
    ...parts,
    query,
    path: parts.path ?? sitePath(site),
    icon: sitePath(site, '/icon.svg'),
    title: title === company ? company : `${title} · ${company}`,
    mark: site.environment === 'test' ? texts.frame.testWorkspace : undefined,
    styles: [...styles, ...(accent ? [accent] : [])],
    top: html`<a class="site-name" href="${siteLink(visit)}">${logo ? html`<img src="${logo}" alt="${company}"${site.logo_width !== null && html` width="${site.logo_width}" height="${site.logo_height}"`}>` : company}</a>
<nav class="site-nav" aria-label="${texts.frame.navigation}">
<a href="${siteLink(visit)}"${current === 'jobs' && html` aria-current="page"`}>${texts.frame.allJobs}</a>
<a href="${siteLink(visit, '/applications')}"${current === 'applications' && html` aria-current="page"`}>${texts.frame.yourApplications}</a>
</nav>`,
    foot: html`<footer class="site-foot"><div class="wide">
<p>${company}</p>
${
  website &&
  html`<a href="${website}">${texts.frame.website(company)}</a>
`
}${
  privacy &&
  html`<a href="${privacy}">${texts.frame.privacy}</a>
`
}${
  imprint &&
  html`<a href="${imprint}">${texts.frame.imprint}</a>
`
}${
  site.contact_email &&
  html`<a href="mailto:${mailtoAddress(site.contact_email)}">${texts.frame.contact(site.contact_email)}</a>
`
}</div></footer>
`,
  })
}

/** A page of the candidates' side that belongs to no company. */
export const plainShell = (parts: Pick<FrameParts, 'texts' | 'title' | 'path' | 'query' | 'head' | 'body'>): Html =>
  frame({ ...parts, top: html`<span class="site-name"></span>` })

interface FrameParts extends Pick<ShellParts, 'texts' | 'title' | 'body' | 'head' | 'styles' | 'scripts'> {
  path: string
  query: URLSearchParams
  top: Html
  foot?: Html
  icon?: string
  mark?: string | undefined
}

const frame = ({
  texts,
  title,
  mark,
  head,
  styles = [],
  scripts = [],
  icon = ICON,
  path,
  query,
  top,
  body,
  foot,
}: FrameParts): Html =>
  document({
    language: texts.language.code,
    title,
    mark,
    head: html`${head}
<link rel="icon" href="${icon}" type="image/svg+xml">
${[...STYLES, CAREERS_STYLES, ...styles].map(
  href => html`<link rel="stylesheet" href="${href}">
`,
)}<script src="${THEME}"></script>${scripts.map(
      src => html`
<script src="${src}" defer></script>`,
    )}`,
    bodyClass: 'careers',
    body: html`
${skipLink(texts.frame.skip)}
<header class="site-top"><div class="wide">
${top}
<div class="site-tools">
<nav aria-label="${texts.language.switch}"><ul class="languages">${LANGUAGES.map(language => languageLink(language, texts, path, query))}</ul></nav>
<button class="icon-button" type="button" data-theme-toggle hidden aria-label="${texts.frame.theme}">${THEME_SIGN}</button>
</div>
</div></header>
<main id="content">${body}</main>
${foot}`,
  })

/** The same page in another language. What was typed or chosen stays. */
function languageLink({ language }: Texts, current: Texts, path: string, query: URLSearchParams): Html {
  const name = html`<span aria-hidden="true">${language.code}</span><span class="visually-hidden">${language.name}</span>`
  if (language.code === current.language.code)
    return html`<li><span class="here" aria-current="true">${name}</span></li>`
  const params = new URLSearchParams(query)
  params.set('lang', language.code)
  return html`<li><a href="${path}?${params.toString()}" lang="${language.code}" hreflang="${language.code}" rel="alternate nofollow">${name}</a></li>`
}
