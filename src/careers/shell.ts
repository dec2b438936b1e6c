import { type Html, html, type Part } from '../pages/html.ts'
import { ICON, STYLES, THEME } from '../pages/page.ts'
import type { SiteRow } from '../resources/careers/index.ts'
import type { Texts } from './texts/en.ts'
import { sitePath } from './visit.ts'

export interface ShellParts {
  site: SiteRow
  texts: Texts
  title: string
  body: Part
  /** more of the head: description, canonical URL, structured data */
  head?: Part
  /** addresses made by `asset` */
  styles?: readonly string[]
  scripts?: readonly string[]
}

export const companyOf = ({ display_name, workspace_name }: Pick<SiteRow, 'display_name' | 'workspace_name'>): string =>
  display_name ?? workspace_name

/** A whole page of a careers site, in the company's name. Nothing inline, nothing from another host. */
export function shell({ site, texts, title, body, head, styles = [], scripts = [] }: ShellParts): Html {
  const company = companyOf(site)
  return html`<!doctype html>
<html lang="${texts.language.code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === company ? company : `${title} · ${company}`}</title>
${head}
<link rel="icon" href="${ICON}" type="image/svg+xml">
${[...STYLES, ...styles].map(href => html`<link rel="stylesheet" href="${href}">`)}
<script src="${THEME}"></script>
${scripts.map(src => html`<script src="${src}" defer></script>`)}
</head>
<body class="careers">
<a class="skip" href="#content">${texts.frame.skip}</a>
<header class="site-top"><a class="site-name" href="${sitePath(site)}">${company}</a></header>
<main id="content">${body}</main>
</body>
</html>
`
}
