import { join } from 'node:path'
import { asset } from './assets.ts'
import { document, skipLink } from './document.ts'
import { type Html, html, type Part } from './html.ts'

const ours = (name: string) => asset(join(import.meta.dirname, 'assets', name))

/** Loaded by every page: the design's values, what is built from them, and the choice of light or dark. */
export const STYLES = [ours('tokens.css'), ours('pages.css')] as const
export const THEME = ours('theme.js')
export const ICON = ours('icon.svg')

/** The bar on every page of a test workspace. */
export const TEST_MARK = 'Test workspace: no email is sent, and no one here is real.'

export interface PageParts {
  title: string
  /** a page about a test workspace */
  isTest?: boolean
  body: Part
  /**
   * `card`: one narrow card in the middle, for forms such as sign-in and consent. `text`: a column of text. `bare`: the
   * body brings its own frame.
   */
  layout?: 'card' | 'text' | 'bare'
  /** right side of the top bar */
  nav?: Part
  /** addresses made by `asset` */
  styles?: readonly string[]
  scripts?: readonly string[]
  /** what search engines and link previews show */
  description?: string
  /** path of an Atom feed of this page */
  feed?: string
}

/** A whole page. */
export function page({
  title,
  isTest = false,
  body,
  layout = 'text',
  nav,
  styles = [],
  scripts = [],
  description,
  feed,
}: PageParts): Html {
  return document({
    title: title === PRODUCT ? PRODUCT : `${title} · ${PRODUCT}`,
    mark: isTest ? TEST_MARK : undefined,
    head: html`${description && html`<meta name="description" content="${description}">`}
${feed && html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${feed}">`}
<link rel="icon" href="${ICON}" type="image/svg+xml">
${[...STYLES, ...styles].map(href => html`<link rel="stylesheet" href="${href}">`)}
<script src="${THEME}"></script>
${scripts.map(src => html`<script src="${src}" defer></script>`)}`,
    bodyClass: `layout-${layout}`,
    body: html`
${skipLink('Skip to content')}
<header class="top">
  <a class="brand" href="/docs">${MARK}<span>${PRODUCT}</span></a>
  <div class="top-side">${nav}<button class="icon-button" type="button" data-theme-toggle hidden aria-label="Switch between light and dark">${THEME_SIGN}</button></div>
</header>
${layout === 'bare' ? body : html`<main id="content" class="${layout}">${body}</main>`}
`,
  })
}

export const PRODUCT = 'Hiring Partner API'

const MARK = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="currentColor"/><path d="M7 6v12M7 12h7a3 3 0 0 1 3 3v3M17 6v3" fill="none" stroke="var(--paper)" stroke-width="2.4" stroke-linecap="round"/></svg>`

export const THEME_SIGN = html`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M10 3a7 7 0 1 0 0 14z" fill="currentColor"/><circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.6"/></svg>`

/** A highlighted note. `warn` and `bad` are announced as alerts when they respond to an action of the reader. */
export const notice = (kind: 'info' | 'good' | 'warn' | 'bad', body: Part, opts: { alert?: boolean } = {}): Html =>
  html`<div class="notice ${kind}"${opts.alert && html` role="alert"`}>${body}</div>`
