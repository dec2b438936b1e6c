import type {
  ApiRequestPage,
  Credential,
  PersonalDataReadPage,
  ResourceAccess,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointPage,
} from '../../packages/sdk/src/generated.ts'
import { DOWNLOADS_PATH } from '../downloads/downloads.ts'
import type { NewerSdk } from '../downloads/newer.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { present } from '../kernel/errors/present.ts'
import { timeInWords } from '../kernel/text/dates.ts'
import { type Html, html, type Part } from '../pages/html.ts'
import { notice } from '../pages/page.ts'
import { csrfField } from '../sign-in/pages.ts'
import { count, meter } from './layout.ts'
import type { HourOfRequests } from './store.ts'

// Usage

export const newerSdkNotice = ({ title, used, offered }: NewerSdk): Html =>
  notice(
    'info',
    html`<p>This service has a newer ${title}: ${offered.version}. This key last used ${used}. <a href="${DOWNLOADS_PATH}">Downloads</a> has the command that installs it.</p>`,
  )

export function usageBody(me: Credential, names: ReadonlyMap<string, string>, hours: readonly HourOfRequests[]): Html {
  const { rate_limits: limits } = me
  const expires = me.expires_at && html`${timeInWords(me.expires_at)}`
  const facts: readonly (readonly [string, Part])[] = [
    ['Workspaces', me.workspace_ids.slice(0, SHOWN_WORKSPACES).map(id => html`<div>${workspace(id, names)}</div>`)],
    ['Plan', me.plan?.name ?? 'none'],
    [
      'Writes',
      me.owner_user_id === null ? 'No: the key belongs to no user' : html`Yes, as <code>${me.owner_user_id}</code>`,
    ],
    ['Created', timeInWords(me.created_at)],
    ['Expires', expires || 'never'],
    me.previous_secret_expires_at
      ? ['Previous secret valid until', timeInWords(me.previous_secret_expires_at)]
      : ['', ''],
    ['IP allowlist', me.ip_allowlist_active ? 'active' : 'none'],
  ]
  return html`<div class="columns">
<section class="panel"><h2>Quota and budget</h2>
${meter('Requests this month', limits.requests_used_this_month, limits.requests_per_month, `Shared by all keys of the workspace. Resets ${timeInWords(me.quota_resets_at)}.`)}
${meter('Personal values today', limits.personal_data_reads_used_today, limits.personal_data_reads_per_day, 'Of this key. Resets at midnight UTC.')}
${meter('Messages today', limits.messages_used_today, limits.messages_per_day, 'Resets at midnight UTC.')}
</section>
<section class="panel"><h2>Rate limits</h2>
<table><thead><tr><th scope="col">Tier</th><th scope="col">Calls per minute</th></tr></thead><tbody>
${(
  [
    ['General', limits.general_per_minute],
    ['Expensive', limits.expensive_per_minute],
    ['Download', limits.download_per_minute],
  ] as const
).map(([name, most]) => html`<tr><td>${name}</td><td>${count(most)}</td></tr>`)}
</tbody></table>
<p class="small soft"><a href="/docs/guides/limits">How to stay below them</a></p>
</section>
<section class="panel wide"><h2>Requests in the last 24 hours</h2>${chart(hours)}</section>
<section class="panel wide"><h2>Key</h2><dl class="facts">${facts
    .filter(([name]) => name !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${me.workspace_ids.length > SHOWN_WORKSPACES && html`<p class="small soft">And ${count(me.workspace_ids.length - SHOWN_WORKSPACES)} more workspaces.</p>`}</section>
</div>`
}

const SHOWN_WORKSPACES = 20

const workspace = (id: string, names: ReadonlyMap<string, string>): Part =>
  names.has(id) ? html`${names.get(id)} <code>${id}</code>` : html`<code>${id}</code>`

const SERIES = [
  ['ok', 'Successful', (h: HourOfRequests) => h.requests - h.errors - h.limited],
  ['errors', 'Errors', (h: HourOfRequests) => h.errors],
  ['limited', '429', (h: HourOfRequests) => h.limited],
] as const

const HEIGHT = 60
const STEP = 10

/** Stacked bars, and the same as a table. */
function chart(hours: readonly HourOfRequests[]): Html {
  const highest = Math.max(1, ...hours.map(hour => hour.requests))
  const total = hours.reduce((sum, hour) => sum + hour.requests, 0)
  const hourOf = (at: string) => `${at.slice(11, 16)}`
  const [first, last] = [present(hours[0], 'an hour'), present(hours.at(-1), 'an hour')]
  return html`<p class="legend">${SERIES.map(
    ([tone, name, value]) =>
      html`<span class="key ${tone}"></span>${name} <strong>${count(hours.reduce((sum, hour) => sum + value(hour), 0))}</strong> `,
  )}</p>
<svg class="chart" viewBox="0 0 ${hours.length * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${count(total)} requests in the last 24 hours, at most ${count(Math.max(...hours.map(hour => hour.requests)))} in an hour">
${hours.map((hour, i) => {
  let top = HEIGHT
  return SERIES.map(([tone, , value]) => {
    const height = (value(hour) / highest) * HEIGHT
    top -= height
    return (
      height > 0 &&
      html`<rect class="${tone}" x="${i * STEP + 1}" y="${top.toFixed(2)}" width="${STEP - 2}" height="${height.toFixed(2)}"/>`
    )
  })
})}</svg>
<p class="axis small soft"><span>${hourOf(first.at)}</span><span>${hourOf(last.at)} UTC</span></p>
<details><summary>As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Requests by hour"><table><thead><tr><th scope="col">Hour (UTC)</th>${SERIES.map(([, name]) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>
${hours.map(hour => html`<tr><td>${hourOf(hour.at)}</td>${SERIES.map(([, , value]) => html`<td>${count(value(hour))}</td>`)}</tr>`)}
</tbody></table></div></details>`
}

// Webhooks

export interface WebhookFilters {
  endpoint: string
  status: string
  /** the workspace that the key must name; empty if it has only one */
  workspace: string
}

const TONES: Readonly<Record<string, string>> = { delivered: 'good', retrying: 'warn', pending: 'info', failed: 'bad' }
const STATUSES = ['delivered', 'retrying', 'pending', 'failed', 'canceled']

const statusTag = (status: string): Html => html`<span class="tag ${TONES[status] ?? ''}">${status}</span>`

const hidden = (name: string, value: string): Part =>
  value !== '' && html`<input type="hidden" name="${name}" value="${value}">`

const addressOf = (path: string, query: Readonly<Record<string, string>>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** A button that posts. */
const action = (path: string, label: string, csrf: string, workspaceId: string): Html =>
  html`<form method="post" action="${path}">${csrfField(csrf)}${hidden('workspace_id', workspaceId)}<button class="button small secondary" type="submit">${label}</button></form>`

interface WebhookParts {
  endpoints: WebhookEndpointPage | ApiError
  deliveries: WebhookDeliveryPage | ApiError
  filters: WebhookFilters
  csrf: string
  mayWrite: boolean
  cursor: string
}

export function webhooksBody({ endpoints, deliveries, filters, csrf, mayWrite, cursor }: WebhookParts): Html {
  if (endpoints instanceof ApiError) return notice('info', endpoints.message)
  const hosts = new Map(endpoints.data.map(endpoint => [endpoint.id, shortUrl(endpoint.url)]))
  return html`<section><h2>Endpoints</h2>
${endpoints.data.length === 0 && html`<p class="soft">None yet. <a href="/docs/guides/webhooks">Register one</a> to receive events within seconds.</p>`}
<ul class="records">${endpoints.data.toSorted((a, b) => Number(b.enabled) - Number(a.enabled)).map(endpoint => endpointItem(endpoint, filters, csrf, mayWrite))}</ul>
${!mayWrite && endpoints.data.length > 0 && html`<p class="small soft">The key lacks <code>webhooks:write</code> or belongs to no user, so it can change nothing here.</p>`}
</section>
<section><h2>Deliveries</h2>
<form class="filters" method="get" action="/partner/webhooks">${hidden('workspace_id', filters.workspace)}
<div class="field"><label for="endpoint">Endpoint</label><select id="endpoint" name="endpoint_id"><option value="">All</option>${[
    ...hosts,
  ].map(
    ([id, name]) => html`<option value="${id}"${id === filters.endpoint && html` selected`}>${name}</option>`,
  )}</select></div>
<div class="field"><label for="status">State</label><select id="status" name="status"><option value="">All</option>${STATUSES.map(
    status => html`<option value="${status}"${status === filters.status && html` selected`}>${status}</option>`,
  )}</select></div>
<button class="button secondary" type="submit">Filter</button></form>
${deliveries instanceof ApiError ? notice('info', deliveries.message) : deliveryTable(deliveries, hosts, filters, cursor)}
</section>`
}

const shortUrl = (url: string): string => url.replace(/^https?:\/\//, '')

const typesOf = (types: readonly string[]): string =>
  types.length === 0 ? 'all event types' : types.length === 1 ? types.join() : `${types.length} event types`

function endpointItem(endpoint: WebhookEndpoint, { workspace }: WebhookFilters, csrf: string, mayWrite: boolean): Html {
  const { id, url, enabled, disabled_reason, consecutive_failures: failures, event_types } = endpoint
  const state = !enabled
    ? html`<span class="tag ${disabled_reason !== 'manual' && 'bad'}">disabled${disabled_reason && `: ${disabled_reason}`}</span>`
    : failures > 0
      ? html`<span class="tag warn">failing: ${count(failures)} in a row</span>`
      : html`<span class="tag good">enabled</span>`
  const path = `/partner/endpoints/${id}`
  return html`<li class="panel">
<p class="record-title"><strong>${shortUrl(url)}</strong> ${state}</p>
<p class="small soft">${endpoint.description && html`${endpoint.description} · `}${typesOf(event_types)} · last success ${endpoint.last_success_at ? timeInWords(endpoint.last_success_at) : 'never'}${endpoint.last_failure_at && html` · last failure ${timeInWords(endpoint.last_failure_at)}`}</p>
${mayWrite && html`<div class="actions">${enabled ? [action(`${path}/test`, 'Send a ping', csrf, workspace), action(`${path}/disable`, 'Disable', csrf, workspace)] : action(`${path}/enable`, 'Enable', csrf, workspace)}</div>`}
</li>`
}

function deliveryTable(
  { data, next_cursor }: WebhookDeliveryPage,
  hosts: ReadonlyMap<string, string>,
  filters: WebhookFilters,
  cursor: string,
): Html {
  const query = { workspace_id: filters.workspace, endpoint_id: filters.endpoint, status: filters.status }
  const detail = (id: string) => addressOf(`/partner/deliveries/${id}`, { workspace_id: filters.workspace })
  return html`${
    data.length === 0
      ? html`<p class="soft">No deliveries.</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="Deliveries"><table><thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col">Attempts</th><th scope="col">Response</th><th scope="col">Endpoint</th><th scope="col">Queued</th></tr></thead><tbody>
${data.map(
  delivery =>
    html`<tr><td><a href="${detail(delivery.id)}">${delivery.event_type}</a></td><td>${statusTag(delivery.status)}</td><td>${delivery.attempt}</td><td>${delivery.response_status ?? delivery.error ?? '–'}</td><td>${hosts.get(delivery.endpoint_id) ?? delivery.endpoint_id}</td><td class="time">${timeInWords(delivery.created_at)}</td></tr>`,
)}
</tbody></table></div>`
  }
${pager('/partner/webhooks', query, cursor, next_cursor)}`
}

const pager = (path: string, query: Readonly<Record<string, string>>, cursor: string, next: string | null): Part =>
  (cursor !== '' || next) &&
  html`<p class="pager">${cursor !== '' && html`<a href="${addressOf(path, query)}">Newest</a>`} ${next && html`<a href="${addressOf(path, { ...query, cursor: next })}">Older</a>`}</p>`

export function deliveryBody(
  delivery: WebhookDelivery,
  endpoint: WebhookEndpoint,
  workspaceId: string,
  csrf: string,
  mayWrite: boolean,
): Html {
  const facts: readonly (readonly [string, Part])[] = [
    ['State', statusTag(delivery.status)],
    ['Event', html`${delivery.event_type} <code>${delivery.event_id}</code>`],
    ['Endpoint', shortUrl(endpoint.url)],
    ['Queued', timeInWords(delivery.created_at)],
    ['Delivered', delivery.delivered_at ? timeInWords(delivery.delivered_at) : 'not yet'],
    ['Next attempt', delivery.next_attempt_at ? timeInWords(delivery.next_attempt_at) : 'none'],
    ['Error', delivery.error ?? 'none'],
  ]
  return html`<p><a href="${addressOf('/partner/webhooks', { workspace_id: workspaceId })}">All deliveries</a></p>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${mayWrite && html`<div class="actions">${action(`/partner/deliveries/${delivery.id}/redeliver`, 'Send again', csrf, workspaceId)}</div>`}
<h2>Attempts</h2>
${(delivery.attempts ?? []).length === 0 && html`<p class="soft">None yet.</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="Attempts"><table><thead><tr><th scope="col">Attempt</th><th scope="col">Sent</th><th scope="col">Response</th><th scope="col">Error</th><th scope="col">Duration</th></tr></thead><tbody>
${(delivery.attempts ?? []).map(
  one =>
    html`<tr><td>${one.attempt}</td><td class="time">${timeInWords(one.sent_at)}</td><td>${one.response_status ?? '–'}</td><td>${one.error ?? '–'}</td><td>${one.duration_ms === null ? '–' : `${count(one.duration_ms)} ms`}</td></tr>`,
)}
</tbody></table></div>`
}

// Audit

export const auditBody = ({ data, next_cursor }: PersonalDataReadPage, workspaceId: string, cursor: string): Html =>
  data.length === 0
    ? html`<p class="soft">This key has read no personal values.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Personal-data reads"><table><thead><tr><th scope="col">Time</th><th scope="col">Field</th><th scope="col">Record</th><th scope="col">Units</th><th scope="col">Request</th></tr></thead><tbody>
${data.map(
  row =>
    html`<tr><td class="time">${timeInWords(row.at)}</td><td>${row.field}</td><td>${row.subject.object} <code>${row.subject.id}</code></td><td>${row.units}</td><td><a href="${addressOf('/partner/requests', { workspace_id: workspaceId, request_id: row.request_id })}"><code>${row.request_id}</code></a></td></tr>`,
)}
</tbody></table></div>
${pager('/partner/audit', { workspace_id: workspaceId }, cursor, next_cursor)}`

// Requests

export interface RequestFilters {
  status: string
  /** a request id, as errors and headers show it */
  requestId: string
  workspace: string
}

const STATUS_CLASSES = [
  ['2xx', 'Successful'],
  ['4xx', 'Refused'],
  ['429', 'Over a limit'],
  ['5xx', 'Failed'],
] as const

const toneOfStatus = (status: number): string => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')

export const requestsBody = (found: ApiRequestPage | ApiError, filters: RequestFilters, cursor: string): Html => html`
<form class="filters" method="get" action="/partner/requests">${hidden('workspace_id', filters.workspace)}
<div class="field"><label for="status">Status</label><select id="status" name="status"><option value="">All</option>${STATUS_CLASSES.map(
  ([value, name]) =>
    html`<option value="${value}"${value === filters.status && html` selected`}>${name} (${value})</option>`,
)}</select></div>
<div class="field"><label for="request-id">Request id</label><input id="request-id" name="request_id" value="${filters.requestId}" placeholder="req_…" autocomplete="off" spellcheck="false"></div>
<button class="button secondary" type="submit">Filter</button></form>
${found instanceof ApiError ? notice('bad', found.message, { alert: true }) : requestTable(found, filters, cursor)}`

const requestTable = ({ data, next_cursor }: ApiRequestPage, filters: RequestFilters, cursor: string): Html =>
  html`${
    data.length === 0
      ? html`<p class="soft">No calls.</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="Requests"><table><thead><tr><th scope="col">Time</th><th scope="col">Call</th><th scope="col">Status</th><th scope="col">Milliseconds</th><th scope="col">Request</th></tr></thead><tbody>
${data.map(
  call =>
    html`<tr><td class="time">${timeInWords(call.created_at)}</td><td>${call.method} <code>${call.route ?? 'no endpoint'}</code>${call.params.did_you_mean && html` near <code>${call.params.did_you_mean}</code>`}</td><td><span class="tag ${toneOfStatus(call.status)}">${call.status}</span> ${call.code && html`<a href="/docs/errors#${call.code}">${call.code}</a>`}${call.param && html` <code>${call.param}</code>`}</td><td>${count(call.duration_ms)}</td><td><code>${call.id}</code></td></tr>`,
)}
</tbody></table></div>`
  }
${pager('/partner/requests', { workspace_id: filters.workspace, status: filters.status }, cursor, next_cursor)}`

// Access

export const accessBody = (me: Credential, access: readonly ResourceAccess[]): Html => html`
<section><h2>Scopes</h2><ul class="scopes">${me.scopes.map(scope => html`<li><code>${scope}</code> <span class="soft">${me.scope_descriptions[scope]}</span></li>`)}</ul></section>
<section><h2>Fields</h2>
<p class="soft">A restricted field is left out of every response and listed in its <code>restricted</code>, with the reason.</p>
${access.map(resource => {
  const visible = resource.fields.filter(field => field.state === 'visible')
  const restricted = resource.fields.filter(field => field.state === 'restricted')
  return html`<details class="panel resource"><summary><strong>${resource.resource}</strong> ${
    resource.readable
      ? html`<span class="tag good">readable</span>`
      : html`<span class="tag bad">needs ${resource.scope}</span>`
  } ${restricted.length > 0 && html`<span class="tag warn">${restricted.length} restricted</span>`}</summary>
${restricted.length > 0 && html`<h3>Restricted</h3><ul>${restricted.map(field => html`<li><code>${field.name}</code> <span class="soft">${field.reason}</span></li>`)}</ul>`}
${visible.length > 0 && html`<h3>Visible</h3><p class="names">${visible.map(field => html`<code>${field.name}</code> `)}</p>`}
</details>`
})}</section>`

/** The choice of a workspace, for a key that reaches several. */
export const workspaceChoice = (
  path: string,
  me: Credential,
  names: ReadonlyMap<string, string>,
  chosen: string,
): Part =>
  me.workspace_id_required &&
  html`<form class="filters" method="get" action="${path}"><div class="field"><label for="workspace">Workspace</label><select id="workspace" name="workspace_id">${me.workspace_ids.map(
    id => html`<option value="${id}"${id === chosen && html` selected`}>${names.get(id) ?? id}</option>`,
  )}</select></div><button class="button secondary" type="submit">Show</button></form>`
