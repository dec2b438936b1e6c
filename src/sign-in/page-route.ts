import { isOwnPost } from '../kernel/http/browser-session.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { readForm } from '../pages/form.ts'
import { sendPage } from '../pages/send.ts'
import { messagePage } from './pages.ts'
import { anySessionOf, type UserSession } from './sessions.ts'

/** A request for a page. */
export interface Visit extends Arrived {
  services: Services
  query: URLSearchParams
}

export const getPage = (services: Services, path: string, handler: (visit: Visit) => Promise<void>): RawRoute => ({
  methods: ['GET', 'HEAD'],
  path,
  handler: arrived => handler(visitOf(services, arrived)),
})

/** A form that was sent. */
export interface Posted extends Visit {
  form: URLSearchParams
  session: UserSession | undefined
  /** also one that may only set up a second factor (`mustEnrol`) */
  anySession: UserSession | undefined
}

/** A form. It is rejected unless a page of this origin sent it, with the token of the session if there is one. */
export const postPage = (services: Services, path: string, handler: (visit: Posted) => Promise<void>): RawRoute => ({
  methods: ['POST'],
  path,
  handler: async arrived => {
    const { request, response } = arrived
    const form = await readForm(request)
    const anySession = await anySessionOf(services, request)
    const signingIn = path.startsWith('/sign-in')
    if (!isOwnPost(services, request, signingIn ? undefined : anySession, form))
      return sendPage(response, REFUSED_FORM, { status: 403 })
    const session = anySession?.mustEnrol ? undefined : anySession
    await handler({ ...visitOf(services, arrived), form, session, anySession })
  },
})

const visitOf = (services: Services, arrived: Arrived): Visit => ({
  ...arrived,
  services,
  query: new URLSearchParams(arrived.search),
})

export const REFUSED_FORM = messagePage(
  'This form cannot be used',
  'The form was not sent from a page of this service, or it has expired. Open the page again and retry.',
  { href: '/sign-in', label: 'Start again' },
)
