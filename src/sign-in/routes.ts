import type { ServerResponse } from 'node:http'
import { samePassword } from '../kernel/access/password.ts'
import { QueueFullError } from '../kernel/async/bounded-queue.ts'
import { cookieOf } from '../kernel/http/cookies.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import { network } from '../kernel/net/network.ts'
import type { Services } from '../kernel/services/services.ts'
import { sendPage, sendRedirect } from '../pages/send.ts'
import type { CompanySignInRow } from '../resources/company-sign-in/index.ts'
import { companyFor, sealHint } from './company/flow.ts'
import { companyLogoutRoutes, providerLogoutUrl } from './company/logout.ts'
import { companyPage, signingOutPage } from './company/pages.ts'
import { startPath } from './company/paths.ts'
import { companyRoutes } from './company/routes.ts'
import { waitInWords } from './describe.ts'
import { knownDevice } from './device-cookie.ts'
import { CHOICE_COOKIE, enter, sendForm } from './enter.ts'
import { formPage } from './form-page.ts'
import { homeOf } from './landing-page.ts'
import { countAttemptOf, resetAttempts } from './limits.ts'
import { getPage, postPage } from './page-route.ts'
import { BUSY, choicePage, linkPage, messagePage, WRONG } from './pages.ts'
import { localPath, openerPolicy } from './return-to.ts'
import { enrolPath } from './second-factor/paths.ts'
import { anySessionOf, endedSessionCookie, endSession } from './sessions.ts'
import { membersByEmail } from './store.ts'
import { mailLink, type Proof, readTicket } from './tickets.ts'

const EXPIRED = messagePage(
  'This link no longer works',
  'Links work once and expire after 15 minutes. Request a new one.',
  {
    href: '/sign-in',
    label: 'Sign in',
  },
)

export const signInRoutes = (services: Services): RawRoute[] => [
  getPage(services, '/sign-in', async ({ request, response, query }) => {
    const returnTo = localPath(query.get('return_to'))
    const session = query.has('again') ? undefined : await anySessionOf(services, request)
    if (session?.mustEnrol) return sendRedirect(response, enrolPath(returnTo), openerPolicy(returnTo))
    if (session) return sendRedirect(response, returnTo ?? homeOf(session), openerPolicy(returnTo))
    const parts = { returnTo, withAddress: query.get('with') === 'address', again: query.has('again') }
    await sendForm(services, response, returnTo, await formPage(services, parts))
  }),
  postPage(services, '/sign-in', async visit => {
    const { request, response, form, address } = visit
    const email = emailOf(form)
    const returnTo = localPath(form.get('return_to'))
    const withAddress = prefersAddress(form)
    const company = withAddress ? undefined : await companyFor(services, email)
    if (company && !form.get('password')) return sendCompany(services, response, company, form)
    const refuse = async (status: number, fault: string, retryAfter?: number) => {
      const page = await formPage(services, { email, returnTo, fault, withAddress, again: form.has('again') })
      await sendForm(services, response, returnTo, page, status, retryAfter)
    }
    const source = { account: email, address, browser: knownDevice(services, request, email) }
    const wait = await countAttemptOf(services, 'password', source)
    if (wait)
      return refuse(429, `Too many attempts. Request a sign-in link, or try again in ${waitInWords(wait)}.`, wait)
    const hashSource = { from: network(address), known: source.browser !== undefined }
    try {
      const proof = await passwordProof(services, email, form.get('password') ?? '', hashSource)
      if (proof.members.length > 0) {
        await resetAttempts(services, 'password', source)
        if (await enter(visit, proof, returnTo)) return
      }
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error
      return refuse(503, BUSY, error.retryAfterSeconds)
    }
    // a password of an owner, or of a membership elsewhere, has signed in above
    if (company?.enforced) return sendCompany(services, response, company, form)
    await refuse(401, WRONG)
  }),
  postPage(services, '/sign-in/link', async ({ request, response, form, address }) => {
    const email = emailOf(form)
    const returnTo = localPath(form.get('return_to'))
    const withAddress = prefersAddress(form)
    const company = withAddress ? undefined : await companyFor(services, email)
    if (company?.enforced) return sendCompany(services, response, company, form)
    const source = { account: email, address, browser: knownDevice(services, request, email) }
    const wait = await countAttemptOf(services, 'link', source)
    if (wait) {
      const fault = `Too many links. Try again in ${waitInWords(wait)}.`
      const page = await formPage(services, { email, returnTo, fault, withAddress, again: form.has('again') })
      return sendForm(services, response, returnTo, page, 429, wait)
    }
    const sends = !(await countAttemptOf(services, 'mail', source))
    await sendForm(
      services,
      response,
      returnTo,
      await formPage(services, { email, returnTo, sent: true, withAddress, again: form.has('again') }),
    )
    // After the response: its duration would reveal whether the address has an account.
    if (sends) {
      await mailLink(services, email, returnTo).catch(async error => {
        services.log.warn({ err: error }, 'sign-in link was not sent')
        // the next request may retry; if the database is unavailable, the count expires by itself
        await resetAttempts(services, 'mail', source).catch(() => {})
      })
    }
  }),
  postPage(services, '/sign-in/company', async ({ response, form }) => {
    const email = emailOf(form)
    const returnTo = localPath(form.get('return_to'))
    const company = await companyFor(services, email)
    if (company) return sendCompany(services, response, company, form)
    const page = await formPage(services, { email, returnTo, fault: NO_COMPANY, again: form.has('again') })
    await sendForm(services, response, returnTo, page, 404)
  }),
  getPage(services, '/sign-in/link', async ({ response, query }) => {
    const token = query.get('token') ?? ''
    const proof = await readTicket(services, 'link', token)
    if (proof?.company) return sendRedirect(response, startPath(proof.company))
    if (!proof || proof.members.length === 0) return sendPage(response, EXPIRED, { status: 410 })
    const returnTo = localPath(query.get('return_to'))
    await sendForm(services, response, returnTo, linkPage(token, returnTo, proof.members))
  }),
  postPage(services, '/sign-in/link/use', async visit => {
    const proof = await readTicket(services, 'link', visit.form.get('token') ?? '')
    const [member] = proof?.members ?? []
    // a used link is no longer valid, so the user may request a new one
    if (member) await resetAttempts(services, 'mail', { account: member.email, address: visit.address })
    const done = proof && (await enter(visit, proof, localPath(visit.form.get('return_to'))))
    if (!done) sendPage(visit.response, EXPIRED, { status: 410 })
  }),
  getPage(services, '/sign-in/workspace', async ({ request, response, query }) => {
    const proof = await readTicket(services, 'choice', cookieOf(services, request, CHOICE_COOKIE))
    if (!proof) return sendRedirect(response, '/sign-in')
    const returnTo = localPath(query.get('return_to'))
    await sendForm(services, response, returnTo, choicePage(proof.members, returnTo))
  }),
  postPage(services, '/sign-in/workspace', async visit => {
    const offered = await readTicket(services, 'choice', cookieOf(services, visit.request, CHOICE_COOKIE))
    const chosen = offered?.members.find(member => member.workspace_id === visit.form.get('workspace'))
    const returnTo = localPath(visit.form.get('return_to'))
    const done = offered && chosen && (await enter(visit, { ...offered, members: [chosen] }, returnTo))
    if (!done) sendRedirect(visit.response, '/sign-in')
  }),
  postPage(services, '/sign-out', async ({ response, anySession }) => {
    if (anySession) await endSession(services.db, anySession, anySession.id)
    const url = anySession?.method === 'company' && (await providerLogoutUrl(services, anySession.workspaceId))
    // as to the provider's sign-in: browsers compare redirects after a form with form-action
    if (url) {
      const headers = { 'Set-Cookie': endedSessionCookie(services), Refresh: `0; url=${url}` }
      return sendPage(response, signingOutPage(url), { headers })
    }
    sendRedirect(response, '/sign-in', { 'Set-Cookie': endedSessionCookie(services) })
  }),
  ...companyRoutes(services),
  ...companyLogoutRoutes(services),
]

const NO_COMPANY =
  'No company sign-in is set up for this email domain. Enter your password, or have a link sent to you.'

/** The person came from the company's page and chose the other ways. */
const prefersAddress = (form: URLSearchParams): boolean => form.get('with') === 'address'

function sendCompany(
  services: Services,
  response: ServerResponse,
  company: CompanySignInRow,
  form: URLSearchParams,
): void {
  const returnTo = localPath(form.get('return_to'))
  const hint = sealHint(services, emailOf(form))
  const page = companyPage(company, { hint, returnTo, again: form.has('again') })
  sendPage(response, page, { headers: openerPolicy(returnTo) })
}

const emailOf = (form: URLSearchParams): string => (form.get('email') ?? '').slice(0, 254).trim()

/** Always computes one hash, so that an email address without an account takes as long as any other. */
async function passwordProof(
  { db, passwords }: Services,
  email: string,
  password: string,
  hashSource: { from: string; known: boolean },
): Promise<Proof> {
  const [members, passwordHash] = await Promise.all([
    db.query(membersByEmail(email)),
    passwords.hash(email, password, hashSource),
  ])
  const proved = members.filter(member => samePassword(passwordHash, member.password_hash) && !member.companyOnly)
  return { members: proved, method: 'password', by: { passwordHash } }
}
