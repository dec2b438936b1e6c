import { join } from 'node:path'
import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { accountKey, emailKey, mailboxKey } from '../../kernel/text/person-keys.ts'
import { asset } from '../../pages/assets.ts'
import { readForm } from '../../pages/form.ts'
import type { Html } from '../../pages/html.ts'
import { SECURITY_HEADERS, sendPage, sendRedirect } from '../../pages/send.ts'
import {
  beginSession,
  candidateOf,
  confirmEmailChange,
  correctDetails,
  endSession,
  LANDING_PAGES,
  type LandingPage,
  ownApplication,
  ownApplications,
  ownConsents,
  ownFiles,
  ownFileUrl,
  ownSubmissions,
  personalData,
  readLink,
  requestAccess,
  requestEmailChange,
  requestOwnErasure,
  setSubscription,
  settleSubmission,
  withdrawConsent,
  withdrawOwn,
} from '../../resources/candidates/index.ts'
import { countAttemptOf, resetAttempts } from '../../sign-in/attempts.ts'
import { isOwnPost } from '../../sign-in/sessions.ts'
import { NOINDEX } from '../head.ts'
import { companyOf, shell } from '../shell.ts'
import { siteLink, sitePage, sitePost, type Visit } from '../visit.ts'
import { dataPage } from './data-page.ts'
import { asDetails, detailFaults, readDetails } from './details.ts'
import {
  askPage,
  changedPage,
  changeFailedPage,
  type DetailsState,
  detailsPage,
  erasureBegunPage,
  erasurePage,
  expiredPage,
  isProved,
  linkPage,
  notWithdrawnPage,
  type OwnVisit,
  overviewPage,
  proofSentPage,
  provePage,
  refusedRequestPage,
  sentPage,
  tooManyPage,
  withdrawPage,
} from './pages.ts'
import { pendingPart } from './pending-part.ts'
import { candidateCookie, endedCookie, sessionIn, tokenOf } from './session.ts'

const STYLES = asset(join(import.meta.dirname, '../assets/candidate.css'))

const REASON_LENGTH = 2_000

interface SendOptions {
  status?: number
  headers?: Record<string, string | readonly string[]>
}

/** What emails to a mailbox are counted by. */
const mailboxOf = ({ site, address }: Visit, email: string) => ({
  account: `${site.workspace_id} ${mailboxKey(email)}`,
  address,
})

/** Never stored, never found by search engines. */
function send(visit: Visit, title: string, body: Html, { status, headers }: SendOptions = {}): void {
  const shown = shell({ ...visit, title, body, head: NOINDEX, styles: [STYLES], current: 'applications' })
  sendPage(visit.response, shown, {
    ...(status !== undefined && { status }),
    headers: { 'X-Robots-Tag': 'noindex', Vary: 'Accept-Language', ...headers },
  })
}

/** For the page whose address has a token: no request of it names that address elsewhere. */
const NO_REFERRER = { 'Referrer-Policy': 'no-referrer' }

/** What candidates see after a mailed link: their applications and data in one workspace. */
export const candidateRoutes = (services: Services): RawRoute[] => {
  const { db, keyring } = services

  const post = (below: string, handle: (visit: Visit, form: URLSearchParams) => Promise<void>): RawRoute =>
    sitePost(services, below, async visit => handle(visit, await readForm(visit.request)))

  /** The visit of the person; without a session the browser is led to the form that asks for a link. */
  const owned = async (visit: Visit): Promise<OwnVisit | undefined> => {
    const session = await sessionIn(services, visit.site, visit.request)
    if (session) return { ...visit, session }
    const ended = tokenOf(services, visit.request) !== undefined
    sendRedirect(visit.response, siteLink(visit, '/applications', ended ? { ended: 'yes' } : {}), {
      ...(ended && { 'Set-Cookie': endedCookie(services, visit.site) }),
    })
    return undefined
  }

  const ownPage = (below: string, show: (visit: OwnVisit) => Promise<void>): RawRoute =>
    sitePage(services, `/me${below}`, async visit => {
      const own = await owned(visit)
      if (own) await show(own)
    })

  const ownPost = (below: string, handle: (visit: OwnVisit, form: URLSearchParams) => Promise<void>): RawRoute =>
    post(`/me${below}`, async (visit, form) => {
      const own = await owned(visit)
      if (!own) return
      if (!isOwnPost(services, visit.request, own.session, form)) return refuse(visit)
      await handle(own, form)
    })

  /** A change, or a download of everything: false if the person had too many, and then the page says so. */
  const mayChange = async (visit: OwnVisit): Promise<boolean> => {
    const { workspace, applicantId } = visit.session
    const source = { account: `${workspace} ${applicantId}`, address: visit.address }
    const wait = await countAttemptOf(services, 'candidate change', source)
    if (wait === undefined) return true
    const { title } = visit.texts.candidate.tooMany
    const headers = { 'Retry-After': String(wait) }
    send(visit, title, tooManyPage(visit, Math.ceil(wait / 60)), { status: 429, headers })
    return false
  }

  const ownChange: typeof ownPost = (below, handle) =>
    ownPost(below, async (visit, form) => {
      if (await mayChange(visit)) await handle(visit, form)
    })

  const refuse = (visit: Visit): void =>
    send(visit, visit.texts.candidate.refusedTitle, refusedRequestPage(visit), { status: 403 })

  /** To the overview, which says what was done. */
  const done = (visit: Visit, what: string): void =>
    sendRedirect(visit.response, siteLink(visit, '/me', { done: what }))

  const doneTexts = ({ candidate }: Visit['texts']): Record<string, string> => ({
    withdrawn: candidate.withdraw.done,
    consent: candidate.consents.done,
    unsubscribed: candidate.emails.unsubscribed,
    subscribed: candidate.emails.subscribed,
    details: candidate.details.saved,
    used: candidate.pending.used,
    discarded: candidate.pending.discarded,
  })

  /** So that no one can make the page say another date. */
  const erasedText = ({ site }: Visit, deleteBy: string) => `candidate erased ${site.workspace_id} ${deleteBy}`

  const showDetails = (visit: OwnVisit, state: DetailsState = {}, sent: SendOptions = {}): void =>
    send(visit, visit.texts.candidate.details.title, detailsPage(visit, state), sent)

  /** What needs a link that was asked for; otherwise the page explains it and offers to mail one. */
  const ownProvedChange: typeof ownPost = (below, handle) =>
    ownChange(below, (visit, form) => {
      if (isProved(visit)) return handle(visit, form)
      send(visit, visit.texts.candidate.prove.title, provePage(visit, below === '/erasure' ? 'erasure' : 'details'), {
        status: 403,
      })
      return Promise.resolve()
    })

  return [
    sitePage(services, '/applications', async visit => {
      if (await sessionIn(services, visit.site, visit.request)) {
        return sendRedirect(visit.response, siteLink(visit, '/me'))
      }
      const { ask } = visit.texts.candidate
      const note = visit.query.has('ended') ? ask.ended : visit.query.has('signed_out') ? ask.signedOut : undefined
      send(visit, ask.title, askPage(visit, { note }))
    }),
    post('/applications', async (visit, form) => {
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
        await requestAccess(db, { workspace, email, language: visit.texts.language.code })
      }
      send(visit, ask.sentTitle, sentPage(visit))
    }),

    sitePage(services, '/link', async visit => {
      const { link } = visit.texts.candidate
      const token = visit.query.get('token') ?? ''
      const opens = landingIn(visit.query)
      const found = await readLink(db, visit.site.workspace_id, token)
      if (!found) return send(visit, link.expiredTitle, expiredPage(visit), { status: 410, headers: NO_REFERRER })
      const title = found.purpose === 'email_change' ? link.changeTitle : link.openTitle
      send(visit, title, linkPage(visit, { token, newAddress: found.new_address, opens }), { headers: NO_REFERRER })
    }),
    post('/link', async (visit, form) => {
      if (!isOwnLinkPost(services, visit)) return refuse(visit)
      const { workspace_id: workspace } = visit.site
      const token = await beginSession(db, workspace, form.get('token') ?? '')
      const { link } = visit.texts.candidate
      if (token === undefined) return send(visit, link.expiredTitle, expiredPage(visit), { status: 410 })
      const before = await sessionIn(services, visit.site, visit.request)
      if (before) await endSession(db, workspace, before.person.session_id)
      // a used link is no longer valid, so the person may ask for a new one
      const { email } = (await candidateOf(db, workspace, token)) ?? {}
      await resetAttempts(services, 'candidate mail', mailboxOf(visit, email ?? ''))
      const opens = landingIn(visit.query)
      sendRedirect(visit.response, siteLink(visit, opens === undefined ? '/me' : `/me/${opens}`), {
        ...NO_REFERRER,
        'Set-Cookie': candidateCookie(services, visit.site, token),
      })
    }),
    post('/link/email', async (visit, form) => {
      if (!isOwnLinkPost(services, visit)) return refuse(visit)
      const outcome = await confirmEmailChange(
        db,
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

    ownPage('', async visit => {
      const { session } = visit
      const [applications, files, consents, waiting] = await Promise.all([
        ownApplications(db, session),
        ownFiles(db, session),
        ownConsents(db, session),
        ownSubmissions(db, session),
      ])
      const said = doneTexts(visit.texts)
      const what = visit.query.get('done') ?? ''
      const done = Object.hasOwn(said, what) ? said[what] : undefined
      const sent = files.filter(({ kind }) => kind !== 'pending')
      const pending = pendingPart(visit, waiting)
      send(
        visit,
        visit.texts.candidate.title,
        overviewPage(visit, { applications, files: sent, consents, pending, done }),
      )
    }),
    ...(['use', 'discard'] as const).map(choice =>
      ownChange(`/submissions/{id}/${choice}`, async visit => {
        // one that another tab has settled is no error: the overview shows what is left
        const settled = await settleSubmission(db, visit.session, visit.params['id']!, choice)
        if (settled) done(visit, choice === 'use' ? 'used' : 'discarded')
        else sendRedirect(visit.response, siteLink(visit, '/me'))
      }),
    ),
    ownPost('/sign-out', async visit => {
      await endSession(db, visit.site.workspace_id, visit.session.person.session_id)
      sendRedirect(visit.response, siteLink(visit, '/applications', { signed_out: 'yes' }), {
        'Set-Cookie': endedCookie(services, visit.site),
        // a page from the back button would still show the person's data
        'Clear-Site-Data': '"cache"',
      })
    }),

    ownPost('/link', async (visit, form) => {
      const { workspace, person } = visit.session
      const email = person.email ?? ''
      // beyond the limit the mailbox has links that still work
      if (!(await countAttemptOf(services, 'candidate mail', mailboxOf(visit, email)))) {
        await requestAccess(db, { workspace, email, language: visit.texts.language.code, opens: landingIn(form) })
      }
      send(visit, visit.texts.candidate.ask.sentTitle, proofSentPage(visit))
    }),

    ownPage('/applications/{id}/withdraw', async visit => {
      const application = (await ownApplication(db, visit.session, visit.params['id']!)) ?? fail('not_found')
      send(visit, visit.texts.candidate.withdraw.title, withdrawPage(visit, application))
    }),
    ownChange('/applications/{id}/withdraw', async (visit, form) => {
      const { withdraw } = visit.texts.candidate
      const application = (await ownApplication(db, visit.session, visit.params['id']!)) ?? fail('not_found')
      const reason = (form.get('reason') ?? '').replaceAll('\r\n', '\n').trim()
      if ([...reason].length > REASON_LENGTH) {
        const page = withdrawPage(visit, application, reason, withdraw.tooLong)
        return send(visit, withdraw.title, page, { status: 422 })
      }
      const withdrawn = await withdrawOwn(db, visit.session, application.id, reason || null)
      if (withdrawn) return done(visit, 'withdrawn')
      send(visit, withdraw.title, notWithdrawnPage(visit), { status: 409 })
    }),

    ownPage('/files/{kind}/{id}', async visit => {
      const { kind, id } = visit.params
      const url = (await ownFileUrl(services, visit.session, kind!, id!)) ?? fail('not_found')
      sendRedirect(visit.response, url, NO_REFERRER)
    }),

    ownPage('/details', async visit => {
      const done = visit.query.get('done') === 'email' ? visit.texts.candidate.details.emailSent : undefined
      showDetails(visit, { done })
    }),
    ownChange('/details', async (visit, form) => {
      const typed = readDetails(form)
      const faults = detailFaults(typed, visit.texts)
      if (Object.keys(faults).length > 0) return showDetails(visit, { typed, faults }, { status: 422 })
      await correctDetails(db, visit.session, asDetails(typed))
      done(visit, 'details')
    }),
    ownProvedChange('/email', async (visit, form) => {
      const { details } = visit.texts.candidate
      const email = (form.get('email') ?? '').slice(0, DETAIL_LENGTHS.email).trim()
      const { workspace, applicantId, person } = visit.session
      const key = emailKey(email)
      const fault = key === undefined ? details.emailFault : email === person.email ? details.emailSame : undefined
      if (fault !== undefined) return showDetails(visit, { email, emailFault: fault }, { status: 422 })
      const source = { account: `${workspace} ${applicantId}`, address: visit.address }
      const wait =
        (await countAttemptOf(services, 'candidate address', source)) ??
        (await countAttemptOf(services, 'candidate new address', mailboxOf(visit, email)))
      if (wait !== undefined) return showDetails(visit, { email, emailFault: details.emailTooMany }, { status: 429 })
      await requestEmailChange(db, visit.session, email, visit.texts.language.code)
      sendRedirect(visit.response, siteLink(visit, '/me/details', { done: 'email' }))
    }),

    ownChange('/consents', async (visit, form) => {
      const { session } = visit
      if (!(await withdrawConsent(db, session, form.get('application') ?? '', form.get('consent') ?? '')))
        return fail('not_found')
      done(visit, 'consent')
    }),

    ownChange('/emails', async (visit, form) => {
      const subscribed = form.get('subscribed') === 'yes'
      await setSubscription(db, visit.session, subscribed)
      done(visit, subscribed ? 'subscribed' : 'unsubscribed')
    }),

    ownPage('/data', async visit => {
      if (!(await mayChange(visit))) return
      const data = (await personalData(db, visit.session, companyOf(visit.site))) ?? fail('not_found')
      send(visit, visit.texts.candidate.data.title, dataPage(visit, data))
    }),
    ownPage('/data.json', async visit => {
      if (!(await mayChange(visit))) return
      const { response, session, site } = visit
      const data = (await personalData(db, session, companyOf(site))) ?? fail('not_found')
      const body = Buffer.from(`${JSON.stringify(data, null, 2)}\n`)
      response
        .writeHead(200, {
          ...SECURITY_HEADERS,
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': body.length,
          'Content-Disposition': `attachment; filename="${site.slug}-data.json"`,
          'Cache-Control': 'no-store',
          'X-Robots-Tag': 'noindex',
        })
        .end(body)
    }),

    ownPage('/erasure', async visit => {
      const { erasure, prove } = visit.texts.candidate
      if (!isProved(visit)) return send(visit, prove.title, provePage(visit, 'erasure'))
      send(visit, erasure.pageTitle, erasurePage(visit))
    }),
    ownProvedChange('/erasure', async (visit, form) => {
      const { erasure } = visit.texts.candidate
      if (form.get('confirm') !== 'yes') {
        const page = erasurePage(visit, { fault: erasure.confirmFault })
        return send(visit, erasure.pageTitle, page, { status: 422 })
      }
      const { email } = visit.session.person
      const begun = email === null ? undefined : await requestOwnErasure(services, { ...visit.session, email })
      if (!begun) return send(visit, erasure.pageTitle, erasurePage(visit, { failed: true }), { status: 409 })
      const query = { by: begun.deleteBy, proof: keyring.signText('session', erasedText(visit, begun.deleteBy)) }
      sendRedirect(visit.response, siteLink(visit, '/erased', query), {
        'Set-Cookie': endedCookie(services, visit.site),
        'Clear-Site-Data': '"cache"',
      })
    }),
    // a page of its own, without a session: the back button sends no form again, and nothing here names the person
    sitePage(services, '/erased', visit => {
      const by = visit.query.get('by') ?? ''
      if (!keyring.verifyText('session', erasedText(visit, by), visit.query.get('proof') ?? ''))
        return sendRedirect(visit.response, siteLink(visit, '/applications'))
      send(visit, visit.texts.candidate.erasure.begunTitle, erasureBegunPage(visit, by))
    }),
  ]
}

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
