import { join } from 'node:path'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { mailboxKey } from '../../kernel/text/person-keys.ts'
import { asset } from '../../pages/assets.ts'
import { readForm } from '../../pages/form.ts'
import type { Html } from '../../pages/html.ts'
import { sendPage, sendRedirect } from '../../pages/send.ts'
import { countAttemptOf } from '../../sign-in/attempts.ts'
import { isOwnPost } from '../../sign-in/sessions.ts'
import { NOINDEX } from '../head.ts'
import { shell } from '../shell.ts'
import { siteLink, sitePage, sitePost, type Visit } from '../visit.ts'
import { isProved, type OwnVisit, provePage, refusedRequestPage, tooManyPage } from './pages.ts'
import { endedCookie, sessionIn, tokenOf } from './session.ts'

/*
 * How a page or form of a candidate is declared: with a session or without one, counted or not. Each returns a route below
 * the path of the site; those of a session are below `/me`.
 */

const STYLES = asset(join(import.meta.dirname, '../assets/candidate.css'))

export interface SendOptions {
  status?: number
  scripts?: readonly string[]
  headers?: Record<string, string | readonly string[]>
}

/** Never stored, never found by search engines. */
export function send(
  visit: Visit,
  title: string,
  body: Html,
  { status, scripts = [], headers }: SendOptions = {},
): void {
  const shown = shell({ ...visit, title, body, head: NOINDEX, styles: [STYLES], scripts, current: 'applications' })
  sendPage(visit.response, shown, {
    ...(status !== undefined && { status }),
    headers: { 'X-Robots-Tag': 'noindex', Vary: 'Accept-Language', ...headers },
  })
}

/** For the page whose address has a token: no request of it names that address elsewhere. */
export const NO_REFERRER = { 'Referrer-Policy': 'no-referrer' }

/** What emails to a mailbox are counted by. */
export const mailboxOf = ({ site, address }: Visit, email: string) => ({
  account: `${site.workspace_id} ${mailboxKey(email)}`,
  address,
})

export const refuse = (visit: Visit): void =>
  send(visit, visit.texts.candidate.refusedTitle, refusedRequestPage(visit), { status: 403 })

/** What the overview says after a change. */
export const doneTexts = ({ candidate }: Visit['texts']) => ({
  withdrawn: candidate.withdraw.done,
  consent: candidate.consents.done,
  unsubscribed: candidate.emails.unsubscribed,
  subscribed: candidate.emails.subscribed,
  details: candidate.details.saved,
  used: candidate.pending.used,
  discarded: candidate.pending.discarded,
  resume: candidate.newResume.done,
})

/** To the overview, which says what was done. */
export const done = (visit: Visit, what: keyof ReturnType<typeof doneTexts>): void =>
  sendRedirect(visit.response, siteLink(visit, '/me', { done: what }))

type Handle<V extends Visit> = (visit: V, form: URLSearchParams) => Promise<void>

/** A form that needs no session. */
export const formPost = (services: Services, below: string, handle: Handle<Visit>): RawRoute =>
  sitePost(services, below, async visit => handle(visit, await readForm(visit.request)))

/** The visit of the person; without a session the browser is led to the form that asks for a link. */
export async function owned(services: Services, visit: Visit): Promise<OwnVisit | undefined> {
  const session = await sessionIn(services, visit.site, visit.request)
  if (session) return { ...visit, session }
  const ended = tokenOf(services, visit.request) !== undefined
  sendRedirect(visit.response, siteLink(visit, '/applications', ended ? { ended: 'yes' } : {}), {
    ...(ended && { 'Set-Cookie': endedCookie(services, visit.site) }),
  })
  return undefined
}

export const ownPage = (services: Services, below: string, show: (visit: OwnVisit) => Promise<void>): RawRoute =>
  sitePage(services, `/me${below}`, async visit => {
    const own = await owned(services, visit)
    if (own) await show(own)
  })

export const ownPost = (services: Services, below: string, handle: Handle<OwnVisit>): RawRoute =>
  formPost(services, `/me${below}`, async (visit, form) => {
    const own = await owned(services, visit)
    if (!own) return
    if (!isOwnPost(services, visit.request, own.session, form)) return refuse(visit)
    await handle(own, form)
  })

/** A change, or a download of everything: false if the person had too many, and then the page says so. */
export async function mayChange(services: Services, visit: OwnVisit): Promise<boolean> {
  const { workspace, applicantId } = visit.session
  const source = { account: `${workspace} ${applicantId}`, address: visit.address }
  const wait = await countAttemptOf(services, 'candidate change', source)
  if (wait === undefined) return true
  const { title } = visit.texts.candidate.tooMany
  const headers = { 'Retry-After': String(wait) }
  send(visit, title, tooManyPage(visit, Math.ceil(wait / 60)), { status: 429, headers })
  return false
}

export const ownChange: typeof ownPost = (services, below, handle) =>
  ownPost(services, below, async (visit, form) => {
    if (await mayChange(services, visit)) await handle(visit, form)
  })

/** What needs a link that was asked for; otherwise the page explains it and offers to mail one. */
export const ownProvedChange: typeof ownPost = (services, below, handle) =>
  ownChange(services, below, (visit, form) => {
    if (isProved(visit)) return handle(visit, form)
    send(visit, visit.texts.candidate.prove.title, provePage(visit, below === '/erasure' ? 'erasure' : 'details'), {
      status: 403,
    })
    return Promise.resolve()
  })
