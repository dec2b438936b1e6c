import { type Html, html } from '../../pages/html.ts'
import type { DocPage } from '../layout.ts'
import type { SearchResponse } from './engine.ts'
import type { Marked } from './excerpt.ts'

const marked = (parts: Marked): Html =>
  html`${parts.map((text, i) => (i % 2 === 0 ? text : html`<mark>${text}</mark>`))}`

/** The page of results: for browsers without scripts, and for links to a search. */
export const resultsPage = ({ query, corrected, results }: SearchResponse): DocPage => ({
  path: '/docs/search',
  title: query === '' ? 'Search' : `${query} · Search`,
  description: 'Search guides, endpoints, fields, headers, errors, events, scopes and settings.',
  body: html`<h1>Search</h1>
<form class="search-form" role="search" action="/docs/search"><input type="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Endpoint, field, header, error, guide…" autocomplete="off" spellcheck="false" maxlength="200"${query === '' && html` autofocus`}><button class="button">Search</button></form>
${query !== '' && found(query, corrected, results)}`,
})

const found = (query: string, corrected: string | null, results: SearchResponse['results']): Html =>
  results.length === 0
    ? html`<p role="status">Nothing found for <b>${query}</b>. Try fewer or other words, or look at <a href="/docs/reference">all endpoints</a>, <a href="/docs/errors">all errors</a> and <a href="/docs/events">all events</a>.</p>`
    : html`<p class="soft small" role="status">${results.length} ${results.length === 1 ? 'result' : 'results'} for <b>${corrected ?? query}</b>${corrected !== null && html`; nothing was found for <b>${query}</b>`}</p>
<ol class="found">${results.map(
        ({ kind, path, where, title, excerpt }) =>
          html`<li><a href="${path}">${marked(title)}</a><p class="found-where"><span class="tag">${kind}</span> ${where}</p><p>${marked(excerpt)}</p></li>`,
      )}</ol>`
