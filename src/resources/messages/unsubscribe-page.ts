import type { IncomingMessage, ServerResponse } from 'node:http'
import { DatastoreUnavailable } from '../../kernel/db/database.ts'
import { readBody } from '../../kernel/http/body.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { type Html, html } from '../../pages/html.ts'
import { notice, page } from '../../pages/page.ts'
import { sendPage } from '../../pages/send.ts'
import { type Subscription, subscription, unsubscribe } from './actions.ts'
import { readUnsubscribeToken } from './unsubscribe-link.ts'

type Needs = Pick<Services, 'db' | 'keyring'>

const RETRY_SECONDS = 5

/**
 * Where the unsubscribe link of an email leads. A GET only asks: mail programs and virus scanners follow links by
 * themselves. A POST unsubscribes, with nothing but the link: the button of the page, or a mail program's own (RFC 8058).
 * It may be repeated, and shows the same page for a person whose record no longer exists.
 */
export const unsubscribeRoutes = (services: Needs): RawRoute[] => [
  {
    methods: ['GET', 'HEAD', 'POST'],
    path: '/unsubscribe/*',
    handler: async ({ request, response, rest }) => {
      try {
        await respond(services, request, response, rest)
      } catch (error) {
        if (!(error instanceof DatastoreUnavailable)) throw error
        send(response, 429, TRY_AGAIN, { 'Retry-After': String(RETRY_SECONDS) })
      }
    },
  },
]

async function respond(services: Needs, request: IncomingMessage, response: ServerResponse, token: string) {
  const who = readUnsubscribeToken(services.keyring, token)
  if (!who) return send(response, 404, UNKNOWN_LINK)
  if (request.method !== 'POST') {
    const known = await subscription(services.db, who)
    return send(response, 200, known.subscribed ? question(known) : done(known))
  }
  const source = sourceOf((await readBody(request)).toString('latin1'))
  if (!source) return send(response, 400, question(await subscription(services.db, who)))
  send(response, 200, done(await unsubscribe(services.db, who, source)))
}

/** A form of either encoding: the one field of a mail program's one-click request, or that of the page's button. */
function sourceOf(form: string): 'one_click' | 'link' | undefined {
  if (form.includes('List-Unsubscribe') && form.includes('One-Click')) return 'one_click'
  return new URLSearchParams(form).get('confirm') === 'unsubscribe' ? 'link' : undefined
}

const by = ({ workspaceName }: Subscription) => workspaceName ?? 'this company'

const question = (known: Subscription): Html =>
  card(
    'Unsubscribe',
    html`<h1>Unsubscribe?</h1>
<p>You will not get any more email from <strong>${by(known)}</strong> about your applications. The applications themselves stay as they are.</p>
<form method="post"><input type="hidden" name="confirm" value="unsubscribe"><div class="actions"><button class="button" type="submit">Unsubscribe</button></div></form>`,
  )

const done = (known: Subscription): Html =>
  card(
    'You are unsubscribed',
    html`<h1>You are unsubscribed</h1>
${notice('good', html`You will not get any more email from <strong>${by(known)}</strong> about your applications.`)}
<p>A message that was on its way may still arrive. You can close this page.</p>`,
  )

const card = (title: string, body: Html): Html => page({ title, body, layout: 'card' })

const UNKNOWN_LINK = card(
  'Incomplete link',
  html`<h1>This link is not complete</h1>
<p>Part of the unsubscribe link got lost on its way here. Copy the whole link from the email, use the unsubscribe button of your mail program, or reply to the email and ask to be unsubscribed.</p>`,
)

const TRY_AGAIN = card(
  'Please try again',
  html`<h1>Please try again</h1>
${notice('warn', 'We could not save your request. Nothing was changed. Please try again in a minute.', { alert: true })}`,
)

const send = (response: ServerResponse, status: number, body: Html, headers: Record<string, string> = {}) =>
  sendPage(response, body, { status, headers: { 'X-Robots-Tag': 'noindex', ...headers } })
