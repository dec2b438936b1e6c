import type { IncomingMessage, ServerResponse } from 'node:http'
import { hashPassword, samePassword } from '../kernel/access/password.ts'
import { DatastoreUnavailable } from '../kernel/db/database.ts'
import { DATASTORE_RETRY_SECONDS } from '../kernel/http/pipeline.ts'
import type { RawRoute } from '../kernel/http/server.ts'
import type { Services } from '../kernel/services.ts'
import { readForm } from '../pages/form.ts'
import type { Html } from '../pages/html.ts'
import { sendPage, sendRedirect } from '../pages/send.ts'
import { type Attempt, forgive, tooMany } from './attempts.ts'
import { formTargets } from './oidc/form-targets.ts'
import { choicePage, linkPage, messagePage, signInPage, WRONG } from './pages.ts'
import { localPath } from './return-to.ts'
import {
  beginSession,
  clearCookie,
  cookieOf,
  endSession,
  isOwnPost,
  SESSION_COOKIE,
  type Session,
  sessionOf,
  setCookie,
} from './sessions.ts'
import { type MemberRow, membersByEmail } from './store.ts'
import { CHOICE_SECONDS, issueChoice, lookAtTicket, mailLink, type Proof, useTicket } from './tickets.ts'

/** Between the proof and the choice of a workspace. */
const CHOICE_COOKIE = 'hiring_sign_in'

/** A request for a page, with what the pages of this folder need of it. */
export interface Visit {
  services: Services
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  address: string
  /** the last part of the path, on routes that end in `/*` */
  rest: string
}

export const get = (services: Services, path: string, answer: (visit: Visit) => Promise<void>): RawRoute =>
  route(services, ['GET', 'HEAD'], path, answer)

/** A form of ours: refused unless a page of this origin sent it, and with the session's token if there is a session. */
export const post = (
  services: Services,
  path: string,
  answer: (visit: Visit & { form: URLSearchParams; session: Session | undefined }) => Promise<void>,
): RawRoute =>
  route(services, ['POST'], path, async visit => {
    const form = await readForm(visit.request)
    const session = await sessionOf(services, visit.request)
    const signingIn = path.startsWith('/sign-in')
    if (!isOwnPost(services, visit.request, signingIn ? undefined : session, form))
      return sendPage(visit.response, REFUSED, { status: 403 })
    await answer({ ...visit, form, session })
  })

const route = (
  services: Services,
  methods: readonly string[],
  path: string,
  answer: (visit: Visit) => Promise<void>,
): RawRoute => ({
  methods,
  path,
  handler: async (request, response, target, address) => {
    const [rest = '', search = ''] = target.split(/\?(.*)/s)
    const query = new URLSearchParams(path.endsWith('/*') ? search : (request.url ?? '').split(/\?(.*)/s)[1])
    try {
      await answer({ services, request, response, address, query, rest: rest.replace(/^\//, '') })
    } catch (error) {
      if (!(error instanceof DatastoreUnavailable) || response.headersSent) throw error
      services.log.debug({ err: error }, 'database cannot be asked')
      const headers = { 'Retry-After': String(DATASTORE_RETRY_SECONDS) }
      sendPage(response, UNAVAILABLE, { status: 503, headers })
    }
  },
})

const UNAVAILABLE = messagePage('Not available right now', 'Nothing was lost. Try again in a moment.', {
  href: '/sign-in',
  label: 'Try again',
})

const REFUSED = messagePage(
  'This form cannot be used',
  'It did not come from a page of this service, or it is too old. Open the page again and repeat what you did.',
  { href: '/sign-in', label: 'Start again' },
)

const EXPIRED = messagePage('This link no longer works', 'Links work once and for 15 minutes. Ask for a new one.', {
  href: '/sign-in',
  label: 'Sign in',
})

/** Where people land who were on their way nowhere in particular. */
export const homeOf = (role: string): string => (role === 'owner' || role === 'admin' ? '/console' : '/account')

export const signInRoutes = (services: Services): RawRoute[] => [
  get(services, '/sign-in', async ({ request, response, query }) => {
    const returnTo = localPath(query.get('return_to'))
    const session = query.has('again') ? undefined : await sessionOf(services, request)
    if (session) return sendRedirect(response, returnTo ?? homeOf(session.role))
    await sendForm(services, response, returnTo, signInPage({ returnTo }))
  }),
  post(services, '/sign-in', async ({ request, response, form, address }) => {
    const email = (form.get('email') ?? '').slice(0, 254).trim()
    const returnTo = localPath(form.get('return_to'))
    const wait = await tooMany(services.db, 'password', email, address)
    if (wait) return sendForm(services, response, returnTo, limited('password', email, returnTo, wait), 429, wait)
    const members = await provedMembers(services, email, form.get('password') ?? '')
    if (members.length === 0) {
      return sendForm(services, response, returnTo, signInPage({ email, returnTo, fault: WRONG }), 401)
    }
    await forgive(services.db, 'password', email)
    await admit(services, request, response, { members, method: 'password' }, address, returnTo)
  }),
  post(services, '/sign-in/link', async ({ response, form, address }) => {
    const email = (form.get('email') ?? '').slice(0, 254).trim()
    const returnTo = localPath(form.get('return_to'))
    const wait = await tooMany(services.db, 'link', email, address)
    if (wait) return sendForm(services, response, returnTo, limited('link', email, returnTo, wait), 429, wait)
    // Not waited for: how long it takes would tell whether anybody has the address.
    mailLink(services, email, returnTo).catch(error =>
      services.log.warn({ err: error }, 'a link to sign in was not sent'),
    )
    await sendForm(services, response, returnTo, signInPage({ email, returnTo, sent: true }))
  }),
  get(services, '/sign-in/link', async ({ response, query }) => {
    const token = query.get('token') ?? ''
    const proof = await lookAtTicket(services, 'link', token)
    if (!proof || proof.members.length === 0) return sendPage(response, EXPIRED, { status: 410 })
    const returnTo = localPath(query.get('return_to'))
    await sendForm(services, response, returnTo, linkPage(token, returnTo, proof.members))
  }),
  post(services, '/sign-in/link/use', async ({ request, response, form, address }) => {
    const proof = await useTicket(services, 'link', form.get('token') ?? '')
    if (!proof || proof.members.length === 0) return sendPage(response, EXPIRED, { status: 410 })
    await admit(services, request, response, proof, address, localPath(form.get('return_to')))
  }),
  get(services, '/sign-in/workspace', async ({ request, response, query }) => {
    const proof = await lookAtTicket(services, 'choice', cookieOf(request, CHOICE_COOKIE))
    if (!proof) return sendRedirect(response, '/sign-in')
    const returnTo = localPath(query.get('return_to'))
    await sendForm(services, response, returnTo, choicePage(proof.members, returnTo))
  }),
  post(services, '/sign-in/workspace', async ({ request, response, form, address }) => {
    const token = cookieOf(request, CHOICE_COOKIE)
    const offered = await lookAtTicket(services, 'choice', token)
    const chosen = offered?.members.find(member => member.workspace_id === form.get('workspace'))
    if (!offered || !chosen || !(await useTicket(services, 'choice', token))) return sendRedirect(response, '/sign-in')
    const proof = { members: [chosen], method: offered.method }
    await admit(services, request, response, proof, address, localPath(form.get('return_to')))
  }),
  post(services, '/sign-out', async ({ response, session }) => {
    if (session) await endSession(services.db, session, session.id)
    sendRedirect(response, '/sign-in', { 'Set-Cookie': clearCookie(services.publicUrl, SESSION_COOKIE) })
  }),
]

/** One computation whoever it is, so that an address that nobody has takes as long as any other. */
async function provedMembers({ db, keyring }: Services, email: string, password: string): Promise<MemberRow[]> {
  const [members, hash] = await Promise.all([
    db.query(membersByEmail(email)),
    hashPassword(keyring, email, password.slice(0, 400)),
  ])
  return members.filter(member => samePassword(hash, member.password_hash))
}

/** Into the workspace, or to the choice of one. The session before, if any, ends. */
async function admit(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  proof: Proof,
  address: string,
  returnTo: string | undefined,
): Promise<void> {
  const [member] = proof.members
  if (proof.members.length > 1) {
    const cookie = setCookie(services.publicUrl, CHOICE_COOKIE, await issueChoice(services, proof), CHOICE_SECONDS)
    const to = returnTo ? `/sign-in/workspace?return_to=${encodeURIComponent(returnTo)}` : '/sign-in/workspace'
    return sendRedirect(response, to, { 'Set-Cookie': cookie })
  }
  const before = await sessionOf(services, request)
  if (before) await endSession(services.db, before, before.id)
  const how = { method: proof.method, address, userAgent: request.headers['user-agent'] }
  const cookies = [await beginSession(services, member!, how), clearCookie(services.publicUrl, CHOICE_COOKIE)]
  sendRedirect(response, returnTo ?? homeOf(member!.role), { 'Set-Cookie': cookies })
}

function limited(what: Attempt, email: string, returnTo: string | undefined, seconds: number): Html {
  const minutes = Math.ceil(seconds / 60)
  const of = what === 'password' ? 'attempts' : 'links'
  return signInPage({
    email,
    returnTo,
    fault: `Too many ${of}. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  })
}

async function sendForm(
  { db }: Services,
  response: ServerResponse,
  returnTo: string | undefined,
  page: Html,
  status = 200,
  retryAfter?: number,
): Promise<void> {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  sendPage(response, page, { status, headers, formTargets: await formTargets(db, returnTo) })
}
