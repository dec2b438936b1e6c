import type { ReadDownloads } from '../downloads/downloads.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Html } from '../pages/html.ts'
import { createPageBuilder, type PageArea, type Shown } from '../programs/page.ts'
import { messagePage } from '../sign-in/pages.ts'
import type { PartnerVisit } from './api.ts'
import { keySignInPage } from './layout.ts'
import { endedPartnerCookie, hasPartnerCookie, type PartnerSession, partnerSession } from './sessions.ts'

/** The pages for someone who has an API key. Who is not signed in sees the form for the key at every address. */
export const partnerArea = (
  routes: readonly Route[],
  readDownloads: ReadDownloads | undefined,
): PageArea<PartnerSession, PartnerVisit, Html> => ({
  name: 'partner',
  path: '/partner',
  session: partnerSession,
  counted: true,
  open: async (services, arrived) => ({
    ...arrived,
    services,
    routes,
    readDownloads,
    query: new URLSearchParams(arrived.search),
  }),
  frame: (_, shown) => shown,
  refuse(visit, { code, wait }): Shown<Html> {
    if (code === 'rate_limit_exceeded') return { show: TOO_MANY, status: 429, headers: { 'Retry-After': String(wait) } }
    if (code !== 'sign_in_required') return { show: REFUSED, status: 403 }
    const ended = hasPartnerCookie(visit)
    return {
      show: keySignInPage({ ended }),
      headers: ended ? { 'Set-Cookie': endedPartnerCookie(visit.services) } : {},
    }
  },
})

export const page = createPageBuilder<PartnerSession, PartnerVisit, Html>()

const REFUSED = messagePage(
  'This form cannot be used',
  'The form was not sent from a page of this service, or it has expired. Open the page again and retry.',
  { href: '/partner', label: 'Start again' },
)

const TOO_MANY = messagePage(
  'Too many pages',
  'This key has opened too many pages in a minute. Wait a moment, then reload.',
  { href: '/partner', label: 'Try again' },
)
