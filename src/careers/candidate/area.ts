import { join } from 'node:path'
import type { Services } from '../../kernel/services/services.ts'
import { asset } from '../../pages/assets.ts'
import type { Html } from '../../pages/html.ts'
import { createPageBuilder, type Page, type PageArea, pageRoutes, type Shown } from '../../programs/page.ts'
import { NOINDEX } from '../head.ts'
import { shell } from '../shell.ts'
import { openSite, SITE_PATH, type SiteVisit, siteLink } from '../visit.ts'
import { type OwnVisit, refusedRequestPage, tooManyLinksPage } from './pages.ts'
import { type CandidateSession, candidateSession, endedCandidateCookie, readSessionToken } from './session.ts'

const STYLES = asset(join(import.meta.dirname, '../assets/candidate.css'))

export interface Titled {
  title: string
  body: Html
  scripts?: readonly string[]
}

/** The side of a careers site for people who opened a mailed link. Never stored, never found by search engines. */
const candidateArea: PageArea<CandidateSession, SiteVisit, Titled> = {
  name: 'candidate',
  path: SITE_PATH,
  session: candidateSession,
  open: openSite,
  frame: (visit, { title, body, scripts = [] }) =>
    shell({ ...visit, title, body, head: NOINDEX, styles: [STYLES], scripts, current: 'applications' }),
  headers: { 'X-Robots-Tag': 'noindex', Vary: 'Accept-Language' },
  refuse(visit, { code, wait }) {
    const { candidate } = visit.texts
    if (code === 'sign_in_required') return askAgain(visit)
    if (code === 'rate_limit_exceeded') {
      const body = tooManyLinksPage(visit as OwnVisit, Math.ceil(wait / 60))
      return { show: { title: candidate.tooMany.title, body }, status: 429, headers: { 'Retry-After': String(wait) } }
    }
    return { show: { title: candidate.refusedTitle, body: refusedRequestPage(visit) }, status: 403 }
  },
}

/** To the form that asks for a link. */
function askAgain(visit: SiteVisit): Shown<Titled> {
  if (readSessionToken(visit.services, visit.request) === undefined) return { to: siteLink(visit, '/applications') }
  const headers = { 'Set-Cookie': endedCandidateCookie(visit.services, visit.site) }
  return { to: siteLink(visit, '/applications', { ended: 'yes' }), headers }
}

export const page = createPageBuilder<CandidateSession, SiteVisit, Titled>()

export const candidatePageRoutes = (services: Services, pages: readonly Page<SiteVisit, Titled>[]) =>
  pageRoutes(services, candidateArea, pages)
