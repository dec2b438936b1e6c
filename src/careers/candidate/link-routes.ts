import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { accountKey, emailKey } from '../../kernel/text/person-keys.ts'
import { sendRedirect } from '../../pages/send.ts'
import {
  beginSession,
  candidateOf,
  confirmEmailChange,
  endSession,
  LANDING_PAGES,
  type LandingPage,
  readLink,
  requestAccess,
} from '../../resources/candidates/index.ts'
import { countAttemptOf, resetAttempts } from '../../sign-in/attempts.ts'
import { isOwnPost } from '../../sign-in/sessions.ts'
import { siteLink, sitePage, type Visit } from '../visit.ts'
import { formPost, mailboxOf, NO_REFERRER, ownPost, refuse, send } from './own-routes.ts'
import { askPage, changedPage, changeFailedPage, expiredPage, linkPage, proofSentPage, sentPage } from './pages.ts'
import { candidateCookie, endedCookie, sessionIn } from './session.ts'

/** Mailed links: how they are asked for and opened, and how the session that begins with one ends. */
export const linkRoutes = (services: Services): RawRoute[] => [
  sitePage(services, '/applications', async visit => {
    if (await sessionIn(services, visit.site, visit.request)) {
      return sendRedirect(visit.response, siteLink(visit, '/me'))
    }
    const { ask } = visit.texts.candidate
    const note = visit.query.has('ended') ? ask.ended : visit.query.has('signed_out') ? ask.signedOut : undefined
    send(visit, ask.title, askPage(visit, { note }))
  }),
  formPost(services, '/applications', async (visit, form) => {
    const { ask } = visit.texts.candidate
    if (!isOwnPost(services, visit.request)) return refuse(visit)
    const email = (form.get('email') ?? '').slice(0, DETAIL_LENGTHS.email).trim()
    const show = (fault: string, status: number, wait?: number) =>
      send(visit, ask.title, askPage(visit, { email, fault }), {
        status,
        ...(wait !== undefined && { headers: { 'Retry-After': String(wait) } }),
      })
    const { workspace_id: workspace } = visit.site
    const source = { account: `${workspace} ${accountKey(email)}`, address: visit.address }
    const wait = await countAttemptOf(services, 'candidate link', source)
    if (wait) return show(ask.tooMany(Math.ceil(wait / 60)), 429, wait)
    if (emailKey(email) === undefined) return show(ask.fault, 422)
    // the mailbox has links that still work
    if (!(await countAttemptOf(services, 'candidate mail', mailboxOf(visit, email)))) {
      await requestAccess(services.db, { workspace, email, language: visit.texts.language.code })
    }
    send(visit, ask.sentTitle, sentPage(visit))
  }),

  sitePage(services, '/link', async visit => {
    const { link } = visit.texts.candidate
    const token = visit.query.get('token') ?? ''
    const opens = landingIn(visit.query)
    const found = await readLink(services.db, visit.site.workspace_id, token)
    if (!found) return send(visit, link.expiredTitle, expiredPage(visit), { status: 410, headers: NO_REFERRER })
    const title = found.purpose === 'email_change' ? link.changeTitle : link.openTitle
    send(visit, title, linkPage(visit, { token, newAddress: found.new_address, opens }), { headers: NO_REFERRER })
  }),
  formPost(services, '/link', async (visit, form) => {
    if (!isOwnLinkPost(services, visit)) return refuse(visit)
    const { workspace_id: workspace } = visit.site
    const token = await beginSession(services.db, workspace, form.get('token') ?? '')
    const { link } = visit.texts.candidate
    if (token === undefined) return send(visit, link.expiredTitle, expiredPage(visit), { status: 410 })
    const before = await sessionIn(services, visit.site, visit.request)
    if (before) await endSession(services.db, workspace, before.person.session_id)
    // a used link is no longer valid, so the person may ask for a new one
    const { email } = (await candidateOf(services.db, workspace, token)) ?? {}
    await resetAttempts(services, 'candidate mail', mailboxOf(visit, email ?? ''))
    const opens = landingIn(visit.query)
    sendRedirect(visit.response, siteLink(visit, opens === undefined ? '/me' : `/me/${opens}`), {
      ...NO_REFERRER,
      'Set-Cookie': candidateCookie(services, visit.site, token),
    })
  }),
  formPost(services, '/link/email', async (visit, form) => {
    if (!isOwnLinkPost(services, visit)) return refuse(visit)
    const outcome = await confirmEmailChange(
      services.db,
      visit.site.workspace_id,
      form.get('token') ?? '',
      visit.texts.language.code,
    )
    const { link } = visit.texts.candidate
    if (outcome === undefined) return send(visit, link.expiredTitle, expiredPage(visit), { status: 410 })
    if (outcome === 'unavailable')
      return send(visit, link.failedTitle, changeFailedPage(visit), { status: 409, headers: NO_REFERRER })
    send(visit, link.changedTitle, changedPage(visit), { headers: NO_REFERRER })
  }),

  ownPost(services, '/sign-out', async visit => {
    await endSession(services.db, visit.site.workspace_id, visit.session.person.session_id)
    sendRedirect(visit.response, siteLink(visit, '/applications', { signed_out: 'yes' }), {
      'Set-Cookie': endedCookie(services, visit.site),
      // a page from the back button would still show the person's data
      'Clear-Site-Data': '"cache"',
    })
  }),

  ownPost(services, '/link', async (visit, form) => {
    const { workspace, person } = visit.session
    const email = person.email ?? ''
    // beyond the limit the mailbox has links that still work
    if (!(await countAttemptOf(services, 'candidate mail', mailboxOf(visit, email)))) {
      await requestAccess(services.db, {
        workspace,
        email,
        language: visit.texts.language.code,
        opens: landingIn(form),
      })
    }
    send(visit, visit.texts.candidate.ask.sentTitle, proofSentPage(visit))
  }),
]

/** The page that a link leads to, one of a few; none for anything else. */
const landingIn = (fields: URLSearchParams): LandingPage | undefined =>
  LANDING_PAGES.find(page => page === fields.get('opens'))

/**
 * The form of a mailed link. Its page sends no referrer, and then browsers send no origin with a form either; they say
 * instead whether it came from a page of the same origin.
 */
const isOwnLinkPost = (services: Services, { request }: Visit): boolean =>
  isOwnPost(services, request) ||
  (request.headers.origin === 'null' && request.headers['sec-fetch-site'] === 'same-origin')
