import { ERROR_CODES, ERRORS, type ErrorCode } from '../contract/errors.ts'
import { EVENT_TYPES, EVENTS } from '../contract/events.ts'
import { API_LIMITS, ON_DEMAND_PER_MINUTE } from '../contract/limits.ts'
import { type Allowances, NO_PLAN, PLANS, TIER_POLICY_NAMES, TIERS } from '../contract/plans.ts'
import { EVERY_SCOPE, ROLE_SCOPES, ROLES, SCOPES, type Scope } from '../contract/scopes.ts'
import { type Route, scopesOf } from '../kernel/http/route.ts'
import { type Html, html, type Part, prose } from '../pages/html.ts'
import { codeBlock } from './highlight.ts'
import type { DocPage } from './layout.ts'
import { type Heading, slug } from './markdown.ts'
import { buildAnchor, methodMark, type ReferenceArea } from './reference.ts'
import { sampleEvent } from './samples.ts'

const table = (heads: readonly string[], rows: readonly Part[]): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`

const anchor = (id: string) => html`<a class="anchor" href="#${id}" aria-label="Link to this entry"></a>`

const RETRY = {
  no: 'No. Retrying the same request will fail again.',
  after_wait: 'Yes, after a short wait.',
  once: 'Yes, once.',
  with_new_key: 'Only with a new `Idempotency-Key`, after `Retry-After` seconds.',
}

/** A sentence that says whether to retry a code. */
export const describeRetry = (code: ErrorCode): string =>
  ERRORS[code].retry === 'after_wait' && ERRORS[code].needs?.includes('retry_after_seconds')
    ? 'Yes, after `Retry-After` seconds.'
    : RETRY[ERRORS[code].retry]

export function errorsPage(): DocPage {
  const types = Map.groupBy(ERROR_CODES, code => ERRORS[code].type)
  return {
    path: '/docs/errors',
    title: 'Errors',
    names: ['error codes', 'status codes', 'error reference'],
    description: 'Every error code with its cause, its remedy and whether to retry.',
    headings: [...types.keys()].map(type => ({ level: 2, id: `type-${type}`, text: type })),
    body: html`<h1>Errors</h1>
<p class="lead">Every error has the same body. Branch on <code>detail.code</code>: codes are stable, messages are for people. <a href="/docs/guides/errors">The guide</a> shows how to handle them.</p>
${[...types].map(
  ([type, codes]) => html`<h2 id="type-${type}">${anchor(`type-${type}`)}${type}</h2>
<p class="soft">${TYPE_WORDS[type]}</p>
${codes.map(
  code => html`<section class="entry" id="${code}"><h3>${anchor(code)}${code} <span class="tag">${ERRORS[code].status}</span></h3>
<p>${prose(ERRORS[code].message)}</p>
<dl><dt>Cause</dt><dd>${prose(ERRORS[code].cause)}</dd><dt>Remedy</dt><dd>${prose(ERRORS[code].remedy)}</dd><dt>Retry</dt><dd>${prose(describeRetry(code))}</dd></dl></section>`,
)}`,
)}`,
  }
}

const TYPE_WORDS: Readonly<Record<(typeof ERRORS)[ErrorCode]['type'], string>> = {
  invalid_request: 'The request is invalid. Fix it before you send it again.',
  authentication: 'The key was not accepted.',
  permission: 'The key is valid but does not allow this.',
  payment_required: 'The workspace must pay first.',
  not_found: 'The object does not exist, or this key has no access to it.',
  conflict: 'The request is valid but conflicts with the current state.',
  rate_limit: 'You reached a limit. Slow down.',
  unavailable:
    'A part of the service is temporarily unavailable. The request was not processed; your request rate is not the cause.',
  server: 'An error in the service.',
}

export function eventsPage(): DocPage {
  const groups = Map.groupBy(EVENT_TYPES, type => type.split('.')[0] ?? type)
  const headings: Heading[] = [...groups.keys()].map(name => ({ level: 2, id: `on-${name}`, text: words(name) }))
  return {
    path: '/docs/events',
    title: 'Events',
    names: ['event types', 'webhook events', 'event catalogue'],
    description: 'Every event type with its scope and a sample payload.',
    headings,
    body: html`<h1>Events</h1>
<p class="lead">The ${EVENT_TYPES.length} event types of the change feed. Webhooks deliver the same events. To read an event you need <code>events:read</code> and the scope shown with it. New types are added without a new version, so ignore types that you do not know.</p>
<p>An event says that a record changed and has a few simple values. Read the record for the rest. <a href="/docs/guides/paging-and-syncing">Following the feed</a> · <a href="/docs/guides/webhooks">Receiving webhooks</a></p>
${[...groups].map(
  ([name, types]) =>
    html`<h2 id="on-${name}">${anchor(`on-${name}`)}${words(name)}</h2>${types.map(type => {
      const row = EVENTS[type]
      return html`<section class="entry" id="${type}"><h3>${anchor(type)}${type}</h3>
<p>${prose(row.description)}</p>
<p class="facts"><a class="tag ${SCOPES[row.scope].personal ? 'warn' : 'accent'}" href="/docs/scopes#${row.scope}">${row.scope}</a></p>
${row.record === null ? '' : html`<p><code>links.record</code> is the path of <code>GET ${row.record}</code>.</p>`}
<details><summary>Sample payload</summary>${codeBlock(JSON.stringify(sampleEvent(type), null, 2), 'json', type)}</details></section>`
    })}`,
)}`,
  }
}

const words = (name: string) => {
  const text = name.replaceAll('_', ' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

export function scopesPage(areas: readonly ReferenceArea[]): DocPage {
  const opens = new Map<Scope, { route: Route; area: ReferenceArea }[]>()
  for (const area of areas) {
    for (const route of area.routes) {
      for (const scope of scopesOf(route.access)) opens.set(scope, [...(opens.get(scope) ?? []), { route, area }])
    }
  }
  const section = (scope: Scope) => {
    const row = SCOPES[scope]
    return html`<section class="entry" id="${scope}"><h3>${anchor(scope)}${scope}</h3>
<p>${prose(row.description)}</p>
<p class="facts">${row.personal && html`<span class="tag warn">personal data</span>`}${row.metered && html`<a class="tag info" href="/docs/guides/personal-data">charged and audited</a>`}${row.paid && html`<span class="tag">needs a plan</span>`}${ROLES.filter(role => ROLE_SCOPES[role].includes(scope)).map(role => html`<span class="tag">${role}</span>`)}</p>
${opens.has(scope) && html`<details><summary>Endpoints</summary><ul class="codes">${opens.get(scope)?.map(({ route, area }) => html`<li><a href="${area.path}#${buildAnchor(route)}">${methodMark(route)} <code>${route.path}</code></a></li>`)}</ul></details>`}</section>`
  }
  const of = (access: 'read' | 'write') => EVERY_SCOPE.filter(scope => SCOPES[scope].access === access)
  return {
    path: '/docs/scopes',
    title: 'Scopes',
    names: ['permissions', 'all scopes'],
    description: 'What each scope gives access to, and what is charged.',
    headings: [
      { level: 2, id: 'read', text: 'Read scopes' },
      { level: 2, id: 'write', text: 'Write scopes' },
    ],
    body: html`<h1>Scopes</h1>
<p class="lead">Scopes are fixed when a key is created. <a href="/docs/guides/choosing-scopes">Choosing scopes</a> helps you request only what you need.</p>
<p>The role badges show who can grant each scope to a connected app. A connected app sees only what it requested and the signed-in person can see.</p>
<h2 id="read">${anchor('read')}Read scopes</h2>${of('read').map(section)}
<h2 id="write">${anchor('write')}Write scopes</h2>
<p class="soft">Every write needs a key that belongs to a user; the change is attributed to that user.</p>${of('write').map(section)}`,
  }
}

const figure = (value: number | null) => (value === null ? 'unlimited' : grouped(value))

/** With a comma for thousands. Not toLocaleString, which loads the data of languages at the start of the service. */
const grouped = (value: number): string =>
  value < 1000 ? String(value) : `${grouped(Math.floor(value / 1000))},${String(value % 1000).padStart(3, '0')}`

/** Sizes and lifetimes. */
export const LIMIT_ROWS: readonly (readonly [what: string, limit: string])[] = [
  ['Rows per page', `${API_LIMITS.defaultPageSize}, at most ${API_LIMITS.maxPageSize}`],
  ['Rows of one list', figure(API_LIMITS.maxResultWindow)],
  ['Cursor', 'one hour'],
  ['Request body', `${figure(API_LIMITS.requestBodyBytes)} bytes (256 KB)`],
  ['Résumé file', `1 to ${figure(API_LIMITS.resumeFileBytes)} bytes (5 MB)`],
  ['Uploads that are not attached', `${API_LIMITS.pendingUploadsPerWorkspace} per workspace`],
  [
    'Uploads of public application forms that are not attached',
    `${API_LIMITS.pendingFormUploadsPerWorkspace} per workspace, counted apart`,
  ],
  [
    'Reports of orders that are not attached',
    `${API_LIMITS.pendingReportsPerOrder} per order, ${API_LIMITS.pendingReportsPerVendor} per vendor, counted apart`,
  ],
  ['Upload URL', '15 minutes; the upload id is valid for one hour and can be used once'],
  ['Download URL', `${API_LIMITS.downloadUrlSeconds} seconds`],
  ['Answers per application', figure(API_LIMITS.answersPerApplication)],
  ['Identifiers in one batch', figure(API_LIMITS.resolveBatchKeys)],
  ['Members added in one call', figure(API_LIMITS.listMembersPerCall)],
  ['Messages', `${API_LIMITS.messagesPerDay} per key and day (UTC)`],
  [
    'Webhook endpoints',
    `${API_LIMITS.webhookEndpointsEnabledPerKey} enabled per key, ${API_LIMITS.webhookEndpointsEnabledPerWorkspace} enabled per workspace; ${API_LIMITS.webhookEndpointsPerKey} per key in total`,
  ],
  ['Event types per endpoint', `1 to ${API_LIMITS.eventTypesPerEndpoint}`],
  [
    'Webhook attempt',
    `${API_LIMITS.webhookTimeoutSeconds} seconds; ${API_LIMITS.webhookAttempts} attempts in about 2.8 days`,
  ],
  ['Webhook tests', `${ON_DEMAND_PER_MINUTE.test} per minute and workspace, in the console and by all keys`],
  ['Redeliveries', `${ON_DEMAND_PER_MINUTE.redelivery} per minute and workspace, in the console and by all keys`],
  ['Recoveries', `${ON_DEMAND_PER_MINUTE.recovery} per minute and workspace, in the console and by all keys`],
  ['Events', `retained for ${API_LIMITS.eventRetentionDays} days`],
  ['Idempotency record', '24 hours'],
]

export function limitsPage(areas: readonly ReferenceArea[]): DocPage {
  const plans: [string, Allowances][] = [
    ['No plan', NO_PLAN],
    ...Object.values(PLANS).map(plan => [plan.name, plan] as [string, Allowances]),
  ]
  const inTier = (tier: (typeof TIERS)[number]) =>
    areas.flatMap(area => area.routes.filter(route => route.tier === tier).map(route => ({ area, route })))
  return {
    path: '/docs/limits',
    title: 'Limits',
    names: ['plans', 'maximum size'],
    description: 'Rates, budgets, sizes and lifetimes.',
    headings: [
      { level: 2, id: 'tiers', text: 'Calls per minute' },
      { level: 2, id: 'plans', text: 'Plans' },
      { level: 2, id: 'headers', text: 'Headers' },
      { level: 2, id: 'sizes', text: 'Sizes and lifetimes' },
    ],
    body: html`<h1>Limits</h1>
<p class="lead"><code>GET /me</code> returns the limits of your key. <a href="/docs/guides/limits">The guide</a> shows how to stay below them.</p>
<h2 id="tiers">${anchor('tiers')}Calls per minute</h2>
<p>Each key has three rate limits, counted separately. A window starts with its first call and lasts one minute. The numbers are those of the starter plan.</p>
${table(
  ['Tier', 'Calls', 'Endpoints'],
  TIERS.map(
    tier =>
      html`<tr><th scope="row">${tier}</th><td>${PLANS.starter.perMinute[tier]}</td><td>${tier === 'general' ? 'All endpoints that are not listed below.' : inTier(tier).map(({ area, route }) => html`<a href="${area.path}#${buildAnchor(route)}"><code>${route.method} ${route.path}</code></a> `)}</td></tr>`,
  ),
)}
<h2 id="plans">${anchor('plans')}Plans</h2>
<p>The plan of the workspace sets the rate limits and the daily personal-data budget of each key, and the monthly quota that all keys of the workspace share.</p>
${table(
  ['Plan', 'General', 'Expensive', 'Download', 'Personal-data reads per day', 'Calls per month'],
  plans.map(
    ([name, plan]) =>
      html`<tr><th scope="row">${name}</th>${TIERS.map(tier => html`<td>${figure(plan.perMinute[tier])}</td>`)}<td>${figure(plan.personalDataReadsPerDay)}</td><td>${figure(plan.requestsPerMonth)}</td></tr>`,
  ),
)}
<h2 id="headers">${anchor('headers')}Headers</h2>
${table(
  ['Header', 'Meaning'],
  (
    [
      ['RateLimit-Limit', 'Calls per minute in the tier of this endpoint. X-RateLimit-Limit is a copy.'],
      [
        'RateLimit-Policy',
        `All three tiers, each with quota \`q\` and window \`w\` in seconds. The general tier is called \`${TIER_POLICY_NAMES.general}\` there.`,
      ],
      ['RateLimit-Remaining', 'Calls left in this window.'],
      ['RateLimit-Reset', 'Seconds until the window ends.'],
      ['Retry-After', 'Seconds to wait; on 429 only.'],
      ['Service-Personal-Data-Cost', 'Units charged for this response.'],
      ['Service-Personal-Data-Remaining', 'Units left in today’s budget.'],
    ] as const
  ).map(
    ([name, description]) => html`<tr><th scope="row"><code>${name}</code></th><td>${prose(description)}</td></tr>`,
  ),
)}
<h2 id="sizes">${anchor('sizes')}Sizes and lifetimes</h2>
${table(
  ['What', 'Limit'],
  LIMIT_ROWS.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`),
)}`,
  }
}

export const NEVER_EXPOSED: readonly (readonly [string, string])[] = [
  [
    'Recordings, transcripts and answers of phone pre-screens',
    'Candidates consented to a conversation with one employer. `GET /applications/{application_handle}/screening` returns whether it took place and how it ended. `responses`, `transcript` and `audio` are listed in `restricted` with `never_exposed:consent_scope`.',
  ],
  [
    'Equal-opportunity answers',
    'They are collected for statistics only. No response, export or event contains them, and the API does not accept them.',
  ],
  ['Consent texts and signatures', 'Only the candidate can submit a form with a required consent box.'],
  [
    'Contact details that the workspace has not revealed',
    'Reading never reveals anything new and never spends credits.',
  ],
  ['Credit balances and billing', 'They are not part of the API. Only the price of unlocking a résumé is returned.'],
  ['Passwords, sessions and secrets', 'API keys and webhook secrets are shown once, when they are created.'],
  ['The text of sent messages', '`POST /messages` confirms that a message was sent. No endpoint returns its text.'],
  [
    'Plain identifiers of the suppression list',
    'Erasure notices contain SHA-256 hashes of email addresses and LinkedIn URLs. You can find your copies with them, but no one can read who asked to be erased.',
  ],
]

export function neverExposedPage(): DocPage {
  return {
    path: '/docs/never-exposed',
    title: 'Never exposed',
    description: 'Data that no key, scope or plan gives access to.',
    body: html`<h1>Never exposed</h1>
<p class="lead">Some data is never exposed to anyone. No scope or plan gives access to it, and no export contains it.</p>
${NEVER_EXPOSED.map(([what, why]) => html`<section class="entry" id="${slug(what)}"><h2>${what}</h2><p>${prose(why)}</p></section>`)}
<p>A field that a key could read with another scope is different: it is listed in <code>restricted</code>, with the scope in <code>restricted_reason</code>. See <a href="/docs/guides/choosing-scopes">Choosing scopes</a>.</p>`,
  }
}
