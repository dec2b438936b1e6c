import type { Html } from '../pages/html.ts'
import { type PageArea, pagesOf } from '../programs/page.ts'
import type { Visit } from '../programs/policy.ts'
import { REFUSED_FORM } from './page-route.ts'
import type { UserSession } from './sessions.ts'
import { userSession } from './user-session.ts'

export interface AccountVisit extends Visit {
  session: UserSession
}

/** The pages of a person's own account. Who is not signed in, or must set up a factor first, is led there and back. */
export const accountArea: PageArea<UserSession, Visit, Html> = {
  name: 'account',
  path: '',
  session: userSession,
  open: async (services, arrived) => ({ ...arrived, services }),
  frame: (_, shown) => shown,
  refuse: (_, { code }) =>
    code === 'csrf_token_invalid' ? { show: REFUSED_FORM, status: 403 } : { to: '/sign-in?return_to=/account' },
}

export const page = pagesOf<UserSession, Visit, Html>()
