import type { IncomingMessage, ServerResponse } from 'node:http'
import { ERRORS } from '../contract/errors.ts'
import type { ApiError } from '../kernel/errors/api-error.ts'
import { html } from '../pages/html.ts'
import { sendPage } from '../pages/send.ts'
import { NOINDEX } from './head.ts'
import { chooseTexts } from './language.ts'
import { plainShell, shell } from './shell.ts'
import type { Texts } from './texts/en.ts'
import { siteLink, visitBehind } from './visit.ts'

/** Whether a request is for the candidates' side: its failures are shown in the visitor's language. */
export const isCareersRequest = (request: IncomingMessage): boolean => /^\/careers(?:[/?]|$)/.test(request.url ?? '')

/**
 * The page for a failed request, in the frame of the site where that is known. A page that is missing says nothing that
 * depends on why it is missing: a draft, another company's job and a slip of the pen look the same.
 */
export function sendCareersFailure(
  request: IncomingMessage,
  response: ServerResponse,
  failure: ApiError,
  requestId: string,
): void {
  const visit = visitBehind(request)
  const [path = '', search = ''] = (request.url ?? '').split('?')
  const query = new URLSearchParams(search)
  const texts = visit?.texts ?? chooseTexts(request, query)
  const { retry_after_seconds: wait } = failure.details
  const unavailable = isUnavailable(failure)
  const status = unavailable ? 503 : failure.status
  const { title, text } = wordsOf(failure, texts.frame, visit !== undefined)
  const body = html`<div class="narrow"><h1>${title}</h1>
<p>${text}</p>
${status >= 500 && !unavailable && html`<p><code>${requestId}</code></p>`}
<p class="actions">${status >= 500 && request.method === 'GET' && html`<a class="button" href="">${texts.frame.again}</a>`}${
    visit && html`<a class="button secondary" href="${siteLink(visit)}">${texts.frame.allJobs}</a>`
  }</p></div>`
  const shown = { texts, path, query, title, body, head: NOINDEX }
  sendPage(response, visit ? shell({ ...shown, site: visit.site }) : plainShell(shown), {
    status,
    headers: {
      ...failure.headers,
      ...(wait === undefined ? {} : { 'Retry-After': String(wait) }),
      Vary: 'Accept-Language',
      'Service-Request-Id': requestId,
    },
  })
}

const isUnavailable = ({ code }: ApiError): boolean => ERRORS[code].type === 'unavailable'

function wordsOf(failure: ApiError, frame: Texts['frame'], siteKnown: boolean): { title: string; text: string } {
  if (failure.code === 'not_found') {
    return siteKnown
      ? { title: frame.notFound, text: frame.notFoundText }
      : { title: frame.noSite, text: frame.noSiteText }
  }
  if (failure.code === 'method_not_allowed') return { title: frame.notUsable, text: frame.notUsableText }
  if (failure.code === 'payload_too_large') return { title: frame.tooLarge, text: frame.tooLargeText }
  if (failure.code === 'request_timeout') return { title: frame.tooLong, text: frame.tooLongText }
  if (isUnavailable(failure)) return { title: frame.unavailable, text: frame.unavailableText }
  if (failure.status >= 500) return { title: frame.broken, text: frame.brokenText }
  return { title: frame.refused, text: frame.refusedText }
}
