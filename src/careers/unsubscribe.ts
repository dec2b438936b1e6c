import { DatastoreUnavailable } from '../kernel/db/database.ts'
import { readBody } from '../kernel/http/body.ts'
import { type Html, html } from '../pages/html.ts'
import { notice } from '../pages/page.ts'
import type { PageOptions } from '../pages/send.ts'
import type { Shown } from '../programs/page.ts'
import { type SiteRow, selectSite } from '../resources/careers/index.ts'
import {
  readUnsubscribeToken,
  resubscribe,
  type Subscription,
  subscription,
  unsubscribe,
} from '../resources/messages/index.ts'
import { plainPage } from './area.ts'
import { companyOf, plainShell, shell } from './shell.ts'
import type { Texts } from './texts/en.ts'
import { type PlainVisit, siteLink } from './visit.ts'

const RETRY_SECONDS = 5

/**
 * Where the unsubscribe link of an email leads, in the frame of the company and the language of the email (`?lang=`). A GET
 * only asks: mail programs and virus scanners follow links by themselves. A POST unsubscribes, with nothing but the link:
 * the button of the page, or a mail program's own (RFC 8058). It may be repeated, and shows the same page for a person
 * whose record no longer exists.
 */
export const unsubscribePage = plainPage({
  path: '/unsubscribe/*',
  session: 'none',
  csrf: { none: 'mail programs send it with nothing but the link (RFC 8058)' },
  form: 'any',
  headers: { 'X-Robots-Tag': 'noindex' },
  show: respondOrRetry,
  submit: respondOrRetry,
})

async function respondOrRetry(visit: PlainVisit): Promise<Shown<Html>> {
  try {
    return await respond(visit)
  } catch (error) {
    if (!(error instanceof DatastoreUnavailable)) throw error
    const { retryTitle, retryText } = visit.texts.unsubscribe
    const body = html`<h1>${retryTitle}</h1>${notice('warn', retryText, { alert: true })}`
    return framed(visit, retryTitle, body, { status: 429, headers: { 'Retry-After': String(RETRY_SECONDS) } })
  }
}

interface Opened extends PlainVisit {
  /** undefined: it is not known, or switched off */
  site?: SiteRow | undefined
}

async function respond(visit: PlainVisit): Promise<Shown<Html>> {
  const { services, request, rest, texts } = visit
  const { db, keyring } = services
  const who = readUnsubscribeToken(keyring, rest)
  if (!who) {
    const { incompleteTitle, incompleteText } = texts.unsubscribe
    const body = html`<h1>${incompleteTitle}</h1><p>${incompleteText}</p>`
    return framed(visit, incompleteTitle, body, { status: 404 })
  }
  const site = await db.one(selectSite(who.workspace))
  const inFrame = { ...visit, site: site?.enabled ? site : undefined }
  const show = (known: Subscription, status = 200, isAgain = false) => {
    const company = site ? companyOf(site) : (known.workspaceName ?? texts.unsubscribe.thisCompany)
    const [title, body] = known.subscribed ? (isAgain ? subscribed : question)(texts, company) : done(texts, company)
    return framed(inFrame, title, html`${body}${wayBack(inFrame)}`, { status })
  }
  if (request.method !== 'POST') return show(await subscription(db, who))
  const wish = wishIn((await readBody(request)).toString('latin1'))
  if (wish === undefined) return show(await subscription(db, who), 400)
  if (wish === 'subscribe') return show(await resubscribe(db, who), 200, true)
  return show(await unsubscribe(db, who, wish))
}

/** A form of either encoding: the one field of a mail program's one-click request, or that of a button of the page. */
function wishIn(form: string): 'one_click' | 'link' | 'subscribe' | undefined {
  if (form.includes('List-Unsubscribe') && form.includes('One-Click')) return 'one_click'
  const wish = new URLSearchParams(form).get('confirm')
  return wish === 'unsubscribe' ? 'link' : wish === 'subscribe' ? 'subscribe' : undefined
}

const button = (value: 'unsubscribe' | 'subscribe', text: string, kind = ''): Html =>
  html`<form method="post"><input type="hidden" name="confirm" value="${value}"><p class="actions"><button class="button${kind}" type="submit">${text}</button></p></form>`

type Worded = [title: string, body: Html]

const question = ({ unsubscribe: t }: Texts, company: string): Worded => [
  t.title,
  html`<h1>${t.question}</h1><p>${t.text(company)}</p>${button('unsubscribe', t.button)}`,
]

const done = ({ unsubscribe: t }: Texts, company: string): Worded => [
  t.doneTitle,
  html`<h1>${t.doneTitle}</h1>${notice('good', t.done(company))}<p>${t.onItsWay}</p>${button('subscribe', t.again, ' secondary')}`,
]

const subscribed = ({ unsubscribe: t }: Texts, company: string): Worded => [
  t.subscribedTitle,
  html`<h1>${t.subscribedTitle}</h1>${notice('good', t.subscribed(company))}`,
]

const wayBack = ({ site, query, texts }: Opened): Html | undefined =>
  site &&
  html`<p><a href="${siteLink({ site, query })}">${texts.frame.allJobs}</a> · <a href="${siteLink({ site, query }, '/applications')}">${texts.frame.yourApplications}</a></p>`

function framed({ path, query, texts, site }: Opened, title: string, body: Html, options: PageOptions): Shown<Html> {
  const parts = { texts, path, query, title, body: html`<div class="narrow">${body}</div>` }
  return { show: site ? shell({ ...parts, site }) : plainShell(parts), ...options }
}
