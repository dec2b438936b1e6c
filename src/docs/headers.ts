import { API_LIMITS } from '../contract/limits.ts'
import { TIER_POLICY_NAMES } from '../contract/plans.ts'
import { html, prose } from '../pages/html.ts'
import type { DocPage } from './layout.ts'
import { slug } from './markdown.ts'

export interface HeaderGroup {
  title: string
  about: string
  rows: readonly (readonly [name: string, description: string])[]
}

/** Every header with a meaning of its own, by where it occurs. */
export const HEADERS: readonly HeaderGroup[] = [
  {
    title: 'Requests',
    about: 'What you send.',
    rows: [
      [
        'Authorization',
        '`Bearer <API_KEY>`, or `Bearer <access token>` of the sign-in flow. Without a valid key, calls return 401 `unauthenticated`.',
      ],
      ['Content-Type', '`application/json` with every body. Uploads use exactly the headers in `upload.headers`.'],
      [
        'Idempotency-Key',
        `8 to 255 characters. A retry with the same key and body returns the first response for ${API_LIMITS.idempotencyLifetimeSeconds / 3600} hours and does nothing again. Required on \`POST /messages\`.`,
      ],
      ['Service-Api-Version', 'Pins the API version. An unknown version is rejected.'],
    ],
  },
  {
    title: 'Responses',
    about: 'What the API returns.',
    rows: [
      [
        'Service-Request-Id',
        'The id of the request, also `request_id` of an error. Log it, and include it when you ask for support.',
      ],
      ['Service-Api-Version', 'The API version of the response.'],
      ['Service-Partner-Api-Version', 'An older name of `Service-Api-Version`.'],
      ['Service-Environment', 'The kind of the workspace: `live` or `test`. Absent if the key is not valid.'],
      ['RateLimit-Limit', 'Calls per minute in the tier of this endpoint.'],
      ['X-RateLimit-Limit', 'A copy of `RateLimit-Limit`.'],
      [
        'RateLimit-Policy',
        `All three tiers, each with quota \`q\` and window \`w\` in seconds. The general tier is called \`${TIER_POLICY_NAMES.general}\` there.`,
      ],
      ['RateLimit-Remaining', 'Calls left in this window.'],
      ['RateLimit-Reset', 'Seconds until the window ends.'],
      [
        'Retry-After',
        'Seconds to wait before a retry; on 429 only. It can be hours for a daily budget, and weeks for the monthly quota.',
      ],
      ['Service-Personal-Data-Cost', 'Units of the daily personal-data budget charged for this response.'],
      ['Service-Personal-Data-Remaining', 'Units left in today’s budget.'],
      [
        'Idempotent-Replayed',
        '`true` if the response repeats that of an earlier request with the same Idempotency-Key.',
      ],
    ],
  },
  {
    title: 'Webhooks',
    about: 'What your receiver gets with every delivery.',
    rows: [
      [
        'Service-Signature',
        '`t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `{t}.{raw_body}`, with a second `v1` during a rotation.',
      ],
      ['Service-Event-Id', 'The event. Skip ids that you have already processed.'],
      ['Service-Delivery-Id', 'The delivery in the delivery log.'],
      ['Service-Delivery-Attempt', 'The number of the attempt, from 1.'],
      ['Service-Environment', 'The kind of the workspace: `live` or `test`.'],
      ['Service-Api-Version', 'The API version of the event.'],
    ],
  },
]

/** The same header can occur in several groups; the first has the plain name. */
export function headerAnchor(group: string, name: string): string {
  const first = HEADERS.find(({ rows }) => rows.some(([row]) => row === name))
  return first?.title === group ? slug(name) : `${slug(group)}-${slug(name)}`
}

export const headersPage = (): DocPage => ({
  path: '/docs/headers',
  title: 'Headers',
  description: 'Every header of requests, responses and webhook deliveries.',
  headings: HEADERS.map(({ title }) => ({ level: 2, id: slug(title), text: title })),
  body: html`<h1>Headers</h1>
<p class="lead">The headers with a meaning of their own in this API. Names are case-insensitive.</p>
${HEADERS.map(
  ({ title, about, rows }) => html`<h2 id="${slug(title)}">${title}</h2><p>${about}</p>
<dl class="entries">${rows.map(
    ([name, description]) =>
      html`<div id="${headerAnchor(title, name)}"><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`,
  )}</dl>`,
)}
<p class="small soft"><a href="/docs/guides/limits">Rate limits</a> · <a href="/docs/guides/idempotency">Idempotency</a> · <a href="/docs/guides/webhooks">Webhooks</a> · <a href="/docs/guides/versions">Versions</a></p>`,
})
