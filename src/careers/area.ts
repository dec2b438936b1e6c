import type { Html } from '../pages/html.ts'
import { createPageBuilder, type PageArea, type Shown } from '../programs/page.ts'
import { refusedFormPage } from './apply/pages.ts'
import { type CandidateSession, candidateSession } from './candidate/session.ts'
import { sendSitePage } from './send.ts'
import { buildPlainVisit, openSite, type PlainVisit, SITE_PATH, type SiteVisit } from './visit.ts'

const common = {
  frame: (_: unknown, page: Html) => page,
  send: sendSitePage,
}

/** What everyone sees of a careers site: its handlers return whole pages. */
export const siteArea: PageArea<CandidateSession, SiteVisit, Html> = {
  name: 'site',
  path: SITE_PATH,
  session: candidateSession,
  open: openSite,
  refuse: (visit, { code }) =>
    code === 'rate_limit_exceeded' ? undefined : { show: refusedFormPage(visit), status: 403 },
  ...common,
}
export const page = createPageBuilder<CandidateSession, SiteVisit, Html>()

/** Addresses of the candidates' side that belong to no site. */
export const plainArea: PageArea<never, PlainVisit, Html> = {
  name: 'careers',
  path: '',
  session: { name: 'candidate', find: async () => undefined },
  open: async (services, arrived) => buildPlainVisit(services, arrived),
  ...common,
}
export const plainPage = createPageBuilder<never, PlainVisit, Html>()

/** For what writes its response itself, such as a file that is made while it is sent. */
export const writesItself =
  <V>(write: (visit: V) => Promise<void> | void) =>
  (visit: V): Shown<Html> => ({ write: () => write(visit) })
