import { createHash } from 'node:crypto'
import { ERROR_CODES, ERRORS } from '../contract/errors.ts'
import { EVENT_TYPES, EVENTS } from '../contract/events.ts'
import { ALL_SCOPES, SCOPES } from '../contract/scopes.ts'
import { API_PREFIX } from '../contract/version.ts'
import type { RawRoute } from '../kernel/http/server.ts'
import { escapeHtml, page, prose } from './page.ts'

/** Reference pages that come from the catalogues; `doc_url` of every error leads here. */
export function docsRoutes(): RawRoute[] {
  return [
    html('/docs', page('Hiring Partner API', start())),
    html('/docs/errors', page('Errors', errors())),
    html('/docs/events', page('Events', events())),
    html('/docs/scopes', page('Scopes', scopes())),
  ]
}

function html(path: string, text: string): RawRoute {
  const style = /<style>([\s\S]*)<\/style>/.exec(text)![1]!
  const hash = createHash('sha256').update(style).digest('base64')
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
  return { methods: ['GET', 'HEAD'], path, handler: (_, response) => void response.writeHead(200, headers).end(text) }
}

const start = () => `
<p>A JSON interface to the data of a hiring workspace. Every path below begins with <code>${API_PREFIX}</code>.</p>
<h2>First call</h2>
<p>The service prints a demo key when it starts. Keys are made with <code>npx hiring keys create</code>.</p>
<pre><code>curl -s "$BASE_URL/me" -H "Authorization: Bearer $API_KEY"</code></pre>
<p>The answer says who the key is, what it may read and how often it may call.</p>
<h2>Reading lists</h2>
<p>A list answers <code>data</code>, <code>has_more</code> and <code>next_cursor</code>. Send <code>next_cursor</code> back as <code>cursor</code>, with the same filters, until <code>has_more</code> is false. Cursors last one hour.</p>
<h2>Fields a key may not read</h2>
<p>Such a field is left out and named in <code>restricted</code>, with the scope it needs in <code>restricted_reason</code>. <code>GET /me/access</code> lists them all.</p>
<h2>Limits</h2>
<p>Every answer carries <code>RateLimit-Limit</code> and <code>RateLimit-Policy</code>; one that was counted also <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code>. On 429 wait <code>Retry-After</code> seconds.</p>
<h2>When something fails</h2>
<p>Branch on <code>detail.code</code>; <a href="/docs/errors">the error reference</a> gives cause and remedy. <code>detail.request_id</code> finds the call in our log.</p>`

const RETRY = { no: 'Do not retry as it is.', after_wait: 'Retry after the stated wait.', once: 'Retry once.' }

const errors = () =>
  `<p>The body of an error is <code>{"detail": {"code", "type", "message", …}}</code>. Branch on <code>code</code>.</p>` +
  ERROR_CODES.map(code => {
    const row = ERRORS[code]
    return `<section><h2 id="${code}"><code>${code}</code></h2><p class="soft">${row.status} · ${row.type}</p><p>${prose(row.message)}</p><p>${prose(row.fix)} ${RETRY[row.retry]}</p></section>`
  }).join('')

const events = () =>
  `<p>Every event needs <code>events:read</code> and the scope beside it. Unknown types must be ignored: new ones are added without a new version.</p><div class="scroll"><table><thead><tr><th>Type</th><th>Meaning</th><th>Scope</th><th>Carries</th></tr></thead><tbody>` +
  EVENT_TYPES.map(type => {
    const row = EVENTS[type]
    return `<tr id="${type}"><td><code>${type}</code></td><td>${prose(row.about)}</td><td><code>${row.scope}</code></td><td>${escapeHtml(row.values.join(', ')) || '–'}</td></tr>`
  }).join('') +
  '</tbody></table></div>'

const scopes = () =>
  `<p>Scopes are fixed when a key is made. Those marked metered cost a unit of the daily budget for each value and leave an audit row.</p><div class="scroll"><table><thead><tr><th>Scope</th><th>Opens</th><th>Kind</th></tr></thead><tbody>` +
  ALL_SCOPES.map(scope => {
    const row = SCOPES[scope]
    const kind = [
      row.access,
      row.personal && 'personal data',
      row.metered && 'metered',
      row.paid && 'needs a plan',
    ].filter(Boolean)
    return `<tr id="${scope}"><td><code>${scope}</code></td><td>${prose(row.about)}</td><td>${kind.join(', ')}</td></tr>`
  }).join('') +
  '</tbody></table></div>'
