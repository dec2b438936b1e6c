import { join } from 'node:path'
import { API_PREFIX } from '../contract/version.ts'
import { asset } from '../pages/assets.ts'
import { COPY } from '../pages/code-figure.ts'
import { type Html, html, type Part } from '../pages/html.ts'
import { page } from '../pages/page.ts'
import type { Heading } from './markdown.ts'

const ours = (name: string) => asset(join(import.meta.dirname, 'assets', name))
const STYLES = [ours('docs.css'), ours('reference.css'), ours('narrow.css')]
/** imported by try.js */
const SAMPLES = ours('samples.js')
const PAGE_SCRIPTS = [COPY, ours('docs.js')]
const SCRIPTS = [...PAGE_SCRIPTS, ours('search.js'), ours('try.js')]

export interface NavGroup {
  title: string
  links: readonly { path: string; title: string }[]
}

export interface DocPage {
  path: string
  title: string
  description: string
  /** a function: made when the page is rendered */
  body: Part | (() => Part)
  /** headings listed in the right-hand column */
  headings?: readonly Heading[]
  /** scripts of this page alone; the page then sends no request, so those that do are left out */
  isolatedScripts?: readonly string[]
  /** path of an Atom feed of this page */
  feed?: string
  /** other names of the page, under which it is found */
  names?: readonly string[]
  /** endpoints use the whole width for text and code side by side */
  wide?: boolean
}

/** The layout of a documentation page: navigation, content, and the headings of the page. */
export function docPage(doc: DocPage, nav: readonly NavGroup[]): Html {
  const toc = doc.wide ? [] : (doc.headings ?? []).filter(heading => heading.level === 2)
  const all = nav.flatMap(group => group.links)
  const at = all.findIndex(link => link.path === doc.path)
  const side = html`<nav class="side-nav" aria-label="Documentation">${nav.map(
    group =>
      html`<div class="side-group"><h2>${group.title}</h2><ul>${group.links.map(
        link =>
          html`<li><a href="${link.path}"${link.path === doc.path && html` aria-current="page"`}>${link.title}</a></li>`,
      )}</ul></div>`,
  )}</nav>`
  return page({
    title: doc.title,
    description: doc.description,
    layout: 'bare',
    styles: STYLES,
    scripts: doc.isolatedScripts ? [...PAGE_SCRIPTS, ...doc.isolatedScripts] : SCRIPTS,
    ...(doc.feed ? { feed: doc.feed } : {}),
    nav: html`<a class="search-button" href="/docs/search" data-search><span>Search</span><kbd>/</kbd></a><button class="button secondary small" type="button" data-key data-samples="${SAMPLES}" hidden>API key</button><a class="top-link" href="${API_PREFIX}/openapi.json">OpenAPI</a><a class="top-link" href="/console">Console</a>`,
    body: html`<div class="docs${doc.wide && ' wide'}">
<div class="side"><details class="side-small"><summary>Contents</summary>${side}</details><div class="side-large">${side}</div></div>
<main id="content" tabindex="-1"><div class="doc">${typeof doc.body === 'function' ? doc.body() : doc.body}</div>
${at >= 0 && turnPages(all[at - 1], all[at + 1])}
</main>
${toc.length > 1 && html`<div class="toc"><nav aria-label="On this page"><h2>On this page</h2><ul>${toc.map(heading => html`<li><a href="#${heading.id}">${heading.text}</a></li>`)}</ul></nav></div>`}
</div>`,
  })
}

type Link = NavGroup['links'][number] | undefined

const turnPages = (before: Link, after: Link): Html =>
  html`<nav class="turn" aria-label="Previous and next page">${before ? html`<a href="${before.path}"><span>Previous</span>${before.title}</a>` : html`<span></span>`}${after && html`<a class="next" href="${after.path}"><span>Next</span>${after.title}</a>`}</nav>`
