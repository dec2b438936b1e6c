import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import { accountKey, emailKey } from '../../kernel/text/person-keys.ts'
import type { Shown } from '../../programs/page.ts'
import {
  beginCandidateSession,
  confirmEmailChange,
  endCandidateSession,
  isLandingPage,
  LANDING_PAGES,
  type LandingPage,
  readCandidate,
  readLink,
  requestAccess,
} from '../../resources/candidates/index.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import { page, type Titled } from './area.ts'
import { attempt, countAttemptOf, resetAttempts } from './limits.ts'
import { byMailbox, NO_REFERRER, shown } from './own-pages.ts'
import { askPage, changedPage, changeFailedPage, expiredPage, linkPage, proofSentPage, sentPage } from './pages.ts'
import { candidateCookie, endedCandidateCookie } from './session.ts'

type Posted = SiteVisit & { form: URLSearchParams }

const emailIn = (form: URLSearchParams): string => (form.get('email') ?? '').slice(0, DETAIL_LENGTHS.email).trim()

/** The page that a link leads to, one of a few; none for anything else. */
const landingIn = (fields: URLSearchParams): LandingPage | undefined => {
  const opens = fields.get('opens')
  return isLandingPage(opens) ? opens : undefined
}

const expired = (visit: SiteVisit, headers = {}): Shown<Titled> =>
  shown(visit.texts.candidate.link.expiredTitle, expiredPage(visit), { status: 410, headers })

/** Mailed links: how they are asked for and opened, and how the session that begins with one ends. */
export const linkPages = [
  page({
    path: '/applications',
    session: 'optional',
    csrf: 'origin',
    limit: attempt('candidate link', ({ site, form, address }: Posted) => ({
      account: `${site.workspace_id} ${accountKey(emailIn(form))}`,
      address,
    })),
    show: visit => {
      if (visit.session) return { to: siteLink(visit, '/me') }
      const { ask } = visit.texts.candidate
      const note = visit.query.has('ended') ? ask.ended : visit.query.has('signed_out') ? ask.signedOut : undefined
      return shown(ask.title, askPage(visit, { note }))
    },
    submit: async visit => {
      const { services, site, texts, form } = visit
      const { ask } = texts.candidate
      const email = emailIn(form)
      if (emailKey(email) === undefined)
        return shown(ask.title, askPage(visit, { email, fault: ask.fault }), { status: 422 })
      // the mailbox has links that still work
      if (!(await countAttemptOf(services, 'candidate mail', byMailbox(visit, email)))) {
        await requestAccess(services.db, { workspace: site.workspace_id, email, language: texts.language.code })
      }
      return shown(ask.sentTitle, sentPage(visit))
    },
    refuse: (visit, { wait }) => {
      if (wait === 0) return undefined
      const { ask } = visit.texts.candidate
      const form = askPage(visit, { email: emailIn(visit.form), fault: ask.tooMany(Math.ceil(wait / 60)) })
      return shown(ask.title, form, { status: 429, headers: { 'Retry-After': String(wait) } })
    },
  }),

  page({
    path: '/link',
    session: 'optional',
    csrf: 'link',
    show: async visit => {
      const { link } = visit.texts.candidate
      const token = visit.query.get('token') ?? ''
      const found = await readLink(visit.services.db, visit.site.workspace_id, token)
      if (!found) return expired(visit, NO_REFERRER)
      const title = found.purpose === 'email_change' ? link.changeTitle : link.openTitle
      const body = linkPage(visit, { token, newAddress: found.new_address, opens: landingIn(visit.query) })
      return shown(title, body, { headers: NO_REFERRER })
    },
    submit: async visit => {
      const { services, site, form, session } = visit
      const { workspace_id: workspace } = site
      const token = await beginCandidateSession(services.db, workspace, form.get('token') ?? '')
      if (token === undefined) return expired(visit)
      if (session) await endCandidateSession(services.db, workspace, session.person.session_id)
      // a used link is no longer valid, so the person may ask for a new one
      const { email } = (await readCandidate(services.db, workspace, token)) ?? {}
      await resetAttempts(services, 'candidate mail', byMailbox(visit, email ?? ''))
      const opens = landingIn(visit.query)
      const headers = { ...NO_REFERRER, 'Set-Cookie': candidateCookie(services, site, token) }
      return { to: siteLink(visit, opens === undefined ? '/me' : `/me/${opens}`), headers }
    },
  }),
  page({
    path: '/link/email',
    session: 'none',
    csrf: 'link',
    submit: async visit => {
      const { services, site, texts, form } = visit
      const { link } = texts.candidate
      const token = form.get('token') ?? ''
      const outcome = await confirmEmailChange(services.db, site.workspace_id, token, texts.language.code)
      if (outcome === undefined) return expired(visit)
      if (outcome === 'unavailable')
        return shown(link.failedTitle, changeFailedPage(visit), { status: 409, headers: NO_REFERRER })
      return shown(link.changedTitle, changedPage(visit), { headers: NO_REFERRER })
    },
  }),

  page({
    path: '/me/sign-out',
    session: 'needed',
    csrf: 'session',
    submit: async visit => {
      const { services, site, session } = visit
      await endCandidateSession(services.db, site.workspace_id, session.person.session_id)
      // a page from the back button would still show the person's data
      const headers = { 'Set-Cookie': endedCandidateCookie(services, site), 'Clear-Site-Data': '"cache"' }
      return { to: siteLink(visit, '/applications', { signed_out: 'yes' }), headers }
    },
  }),
  page({
    path: '/me/link',
    session: 'needed',
    csrf: 'session',
    submit: async visit => {
      const { services, session, texts, form } = visit
      const { workspace, person } = session
      const email = person.email ?? ''
      // beyond the limit the mailbox has links that still work
      if (!(await countAttemptOf(services, 'candidate mail', byMailbox(visit, email)))) {
        const language = texts.language.code
        const opens = LANDING_PAGES.find(landing => landing === form.get('opens'))
        await requestAccess(services.db, { workspace, email, language, opens })
      }
      return shown(texts.candidate.ask.sentTitle, proofSentPage(visit))
    },
  }),
]
