import type { Html } from '../pages/html.ts'
import { createPageBuilder, type PageArea, type Shown } from '../programs/page.ts'
import type { Visit } from '../programs/policy.ts'
import { messagePage } from './pages.ts'
import { localPath } from './return-to.ts'
import type { UserSession } from './sessions.ts'
import { enrollingSession, userSession } from './user-session.ts'

export interface SignInVisit extends Visit {
  query: URLSearchParams
}

/** What the handlers of these pages return. */
export type ShownPage = Shown<Html>

/** A visit of a person who is signed in. */
export type SignedInVisit = SignInVisit & { session: UserSession }

/** A form before or after a sign-in. The session is that of the browser, also one that may only set up a second factor. */
export type Posted = SignInVisit & { form: URLSearchParams; session?: UserSession | undefined }

const REFUSED_FORM = messagePage(
  'This form cannot be used',
  'The form was not sent from a page of this service, or it has expired. Open the page again and retry.',
  { href: '/sign-in', label: 'Start again' },
)

/** Sign-in, and what is open to sessions that must first set up a second factor. */
export const signInArea: PageArea<UserSession, SignInVisit, Html> = {
  name: 'sign-in',
  path: '',
  session: enrollingSession,
  originFirst: true,
  open: async (services, arrived) => ({ ...arrived, services, query: new URLSearchParams(arrived.search) }),
  frame: (_, shown) => shown,
  refuse(_, { code }) {
    if (code === 'rate_limit_exceeded') return undefined
    return code === 'csrf_token_invalid' ? { show: REFUSED_FORM, status: 403 } : { to: '/sign-in?return_to=/account' }
  },
}

/** The pages of a person's own account. Who is not signed in, or must set up a factor first, is led there and back. */
export const accountArea: typeof signInArea = { ...signInArea, name: 'account', session: userSession }

export const page = createPageBuilder<UserSession, SignInVisit, Html>()

/** Where the browser goes when the form or page of this visit is done. */
export const readReturnTo = ({ form, query }: SignInVisit): string | undefined =>
  localPath((form ?? query).get('return_to'))
