import { DatastoreUnavailable } from '../kernel/db/database.ts'
import { readBody } from '../kernel/http/body.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { type Html, html } from '../pages/html.ts'
import { notice } from '../pages/page.ts'
import { sendPage } from '../pages/send.ts'
import { type SiteRow, siteOf } from '../resources/careers/index.ts'
import {
  readUnsubscribeToken,
  resubscribe,
  type Subscription,
  subscription,
  unsubscribe,
} from '../resources/messages/index.ts'
import { languageOf } from './language.ts'
import { companyOf, plainShell, shell } from './shell.ts'
import type { Texts } from './texts/en.ts'
import { siteLink } from './visit.ts'

const RETRY_SECONDS = 5

/**
 * Where the unsubscribe link of an email leads, in the frame of the company and the language of the email (`?lang=`). A GET
 * only asks: mail programs and virus scanners follow links by themselves. A POST unsubscribes, with nothing but the link:
 * the button of the page, or a mail program's own (RFC 8058). It may be repeated, and shows the same page for a person
 * whose record no longer exists.
 */
export const unsubscribeRoutes = (services: Services): RawRoute[] => [
  {
    methods: ['GET', 'HEAD', 'POST'],
    path: '/unsubscribe/*',
    handler: async arrived => {
      const query = new URLSearchParams(arrived.search)
      const opened = { ...arrived, query, texts: languageOf(arrived.request, query), site: undefined }
      try {
        await respond(services, opened)
      } catch (error) {
        if (!(error instanceof DatastoreUnavailable)) throw error
        const { retryTitle, retryText } = opened.texts.unsubscribe
        const body = html`<h1>${retryTitle}</h1>${notice('warn', retryText, { alert: true })}`
        send(opened, retryTitle, body, 429, { 'Retry-After': String(RETRY_SECONDS) })
      }
    },
  },
]

interface Opened extends Arrived {
  query: URLSearchParams
  texts: Texts
  /** undefined: it is not known, or switched off */
  site: SiteRow | undefined
}

async function respond(services: Services, opened: Opened): Promise<void> {
  const { db, keyring } = services
  const { request, rest, texts } = opened
  const who = readUnsubscribeToken(keyring, rest)
  if (!who) {
    const { incompleteTitle, incompleteText } = texts.unsubscribe
    return send(opened, incompleteTitle, html`<h1>${incompleteTitle}</h1><p>${incompleteText}</p>`, 404)
  }
  const site = await db.one(siteOf(who.workspace))
  const inFrame = { ...opened, site: site?.enabled ? site : undefined }
  const show = (known: Subscription, status = 200, isAgain = false) => {
    const company = site ? companyOf(site) : (known.workspaceName ?? texts.unsubscribe.thisCompany)
    const [title, body] = known.subscribed ? (isAgain ? subscribed : question)(texts, company) : done(texts, company)
    send(inFrame, title, html`${body}${wayBack(inFrame)}`, status)
  }
  if (request.method !== 'POST') return show(await subscription(db, who))
  const wish = wishIn((await readBody(request)).toString('latin1'))
  if (wish === undefined) return show(await subscription(db, who), 400)
  if (wish === 'subscribe') return show(await resubscribe(db, who), 200, true)
  show(await unsubscribe(db, who, wish))
}

/** A form of either encoding: the one field of a mail program's one-click request, or that of a button of the page. */
function wishIn(form: string): 'one_click' | 'link' | 'subscribe' | undefined {
  if (form.includes('List-Unsubscribe') && form.includes('One-Click')) return 'one_click'
  const wish = new URLSearchParams(form).get('confirm')
  return wish === 'unsubscribe' ? 'link' : wish === 'subscribe' ? 'subscribe' : undefined
}

const button = (value: 'unsubscribe' | 'subscribe', text: string, kind = ''): Html =>
  html`<form method="post"><input type="hidden" name="confirm" value="${value}"><p class="actions"><button class="button${kind}" type="submit">${text}</button></p></form>`

type Shown = [title: string, body: Html]

const question = ({ unsubscribe: t }: Texts, company: string): Shown => [
  t.title,
  html`<h1>${t.question}</h1><p>${t.text(company)}</p>${button('unsubscribe', t.button)}`,
]

const done = ({ unsubscribe: t }: Texts, company: string): Shown => [
  t.doneTitle,
  html`<h1>${t.doneTitle}</h1>${notice('good', t.done(company))}<p>${t.onItsWay}</p>${button('subscribe', t.again, ' secondary')}`,
]

const subscribed = ({ unsubscribe: t }: Texts, company: string): Shown => [
  t.subscribedTitle,
  html`<h1>${t.subscribedTitle}</h1>${notice('good', t.subscribed(company))}`,
]

const wayBack = ({ site, query, texts }: Opened): Html | undefined =>
  site &&
  html`<p><a href="${siteLink({ site, query })}">${texts.frame.allJobs}</a> · <a href="${siteLink({ site, query }, '/applications')}">${texts.frame.yourApplications}</a></p>`

function send(
  { response, path, query, texts, site }: Opened,
  title: string,
  body: Html,
  status: number,
  headers: Record<string, string> = {},
): void {
  const parts = { texts, path, query, title, body: html`<div class="narrow">${body}</div>` }
  sendPage(response, site ? shell({ ...parts, site }) : plainShell(parts), {
    status,
    headers: { Vary: 'Accept-Language', 'X-Robots-Tag': 'noindex', ...headers },
  })
}
