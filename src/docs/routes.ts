import { ERROR_CODES, ERRORS } from '../contract/errors.ts'
import { EVENT_TYPES, EVENTS } from '../contract/events.ts'
import { ALL_SCOPES, SCOPES } from '../contract/scopes.ts'
import { API_PREFIX } from '../contract/version.ts'
import type { RawRoute } from '../kernel/http/server.ts'
import { type Html, html, prose } from '../pages/html.ts'
import { page } from '../pages/page.ts'
import { sendPage } from '../pages/send.ts'

/** Reference pages that come from the catalogues; `doc_url` of every error leads here. */
export function docsRoutes(): RawRoute[] {
  return [
    at('/docs', 'Hiring Partner API', start()),
    at('/docs/errors', 'Errors', errors()),
    at('/docs/events', 'Events', events()),
    at('/docs/scopes', 'Scopes', scopes()),
  ]
}

const LINKS = [
  ['/docs', 'Start'],
  ['/docs/errors', 'Errors'],
  ['/docs/events', 'Events'],
  ['/docs/scopes', 'Scopes'],
  [`${API_PREFIX}/openapi.json`, 'OpenAPI'],
] as const

function at(path: string, title: string, body: Html): RawRoute {
  const nav = html`<nav aria-label="Documentation">${LINKS.map(([href, name]) => html`<a href="${href}">${name}</a> `)}</nav>`
  const text = page({ title, body: html`<h1>${title}</h1>${nav}${body}` })
  return { methods: ['GET', 'HEAD'], path, handler: (_, response) => sendPage(response, text, { cache: 'public' }) }
}

const start = () => html`
<p>A JSON interface to the data of a hiring workspace. Every path below begins with <code>${API_PREFIX}</code>.</p>
<h2>First call</h2>
<p>The service prints a demo key when it starts. Keys are made with <code>npx hiring keys create</code>.</p>
<pre><code>curl -s "$BASE_URL/me" -H "Authorization: Bearer $API_KEY"</code></pre>
<p>The answer says who the key is, what it may read and how often it may call.</p>`

const RETRY = { no: 'Do not retry as it is.', after_wait: 'Retry after the stated wait.', once: 'Retry once.' }

const errors = () =>
  html`${ERROR_CODES.map(code => {
    const row = ERRORS[code]
    return html`<section><h2 id="${code}"><code>${code}</code></h2><p class="soft">${row.status} · ${row.type}</p><p>${prose(row.message)}</p><p>${prose(row.fix)} ${RETRY[row.retry]}</p></section>`
  })}`

const events = () =>
  html`<div class="scroll"><table><thead><tr><th>Type</th><th>Meaning</th><th>Scope</th><th>Carries</th></tr></thead><tbody>${EVENT_TYPES.map(
    type => {
      const row = EVENTS[type]
      return html`<tr id="${type}"><td><code>${type}</code></td><td>${prose(row.about)}</td><td><code>${row.scope}</code></td><td>${row.values.join(', ') || '–'}</td></tr>`
    },
  )}</tbody></table></div>`

const scopes = () =>
  html`<div class="scroll"><table><thead><tr><th>Scope</th><th>Opens</th><th>Kind</th></tr></thead><tbody>${ALL_SCOPES.map(
    scope => {
      const row = SCOPES[scope]
      const kind = [
        row.access,
        row.personal && 'personal data',
        row.metered && 'metered',
        row.paid && 'needs a plan',
      ].filter(Boolean)
      return html`<tr id="${scope}"><td><code>${scope}</code></td><td>${prose(row.about)}</td><td>${kind.join(', ')}</td></tr>`
    },
  )}</tbody></table></div>`
