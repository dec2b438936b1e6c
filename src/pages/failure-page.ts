import type { IncomingMessage, ServerResponse } from 'node:http'
import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import type { ApiError } from '../kernel/errors/api-error.ts'
import { type Html, html } from './html.ts'
import { page } from './page.ts'
import { sendPage } from './send.ts'

/** What went wrong and what to do, for people who opened a page. */
const WORDS: Partial<Record<ErrorCode, readonly [title: string, text: string]>> = {
  not_found: ['There is no such page', 'Check the URL, or start here:'],
  method_not_allowed: ['This page cannot be used like that', 'Open it from a link or by its URL.'],
  request_timeout: ['The request timed out', 'Nothing was changed. Go back and send it again.'],
  payload_too_large: ['The request is too large', 'Go back, shorten your input and send it again.'],
}
const UNAVAILABLE = ['Temporarily unavailable', 'Nothing was changed. Try again in a moment.'] as const
const BROKEN = [
  'Something failed on our side',
  'Try again. If it fails again, send the request id below to the operator of this service.',
] as const

/** A client that prefers HTML is a browser. */
export const wantsPage = (request: IncomingMessage): boolean =>
  /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(request.headers.accept ?? '')

/** The page for a failed request. */
export function failurePage(failure: ApiError, requestId: string, opts: { repeatable: boolean }): Html {
  const unavailable = isUnavailable(failure)
  const [title, text] =
    WORDS[failure.code] ??
    (unavailable ? UNAVAILABLE : failure.status >= 500 ? BROKEN : ['Invalid request', failure.message])
  const again = opts.repeatable && (unavailable || failure.status >= 500)
  return page({
    title,
    layout: 'card',
    body: html`<h1>${title}</h1>
<p>${text}</p>
<div class="actions">${again && html`<a class="button" href="">Try again</a>`}<a class="button secondary" href="/console">Console</a><a class="button secondary" href="/docs">Documentation</a></div>
<p class="soft small">Request id <code>${requestId}</code></p>`,
  })
}

const isUnavailable = ({ code }: ApiError): boolean => ERRORS[code].type === 'unavailable'

export function sendFailurePage(
  request: IncomingMessage,
  response: ServerResponse,
  failure: ApiError,
  requestId: string,
): void {
  const { retry_after_seconds: wait } = failure.details
  sendPage(response, failurePage(failure, requestId, { repeatable: request.method === 'GET' }), {
    // the API uses the statuses of its specification; a browser gets the usual HTTP status
    status: isUnavailable(failure) ? 503 : failure.status,
    headers: {
      ...failure.headers,
      ...(wait === undefined ? {} : { 'Retry-After': String(wait) }),
      'Service-Request-Id': requestId,
    },
  })
}
