import { samePassword } from '../kernel/access/password.ts'
import { QueueFullError } from '../kernel/async/bounded-queue.ts'
import { readCookie } from '../kernel/http/cookies.ts'
import { network } from '../kernel/net/network.ts'
import type { Services } from '../kernel/services/services.ts'
import type { CompanySignInRow } from '../resources/company-sign-in/index.ts'
import { type Posted, page, readReturnTo, type ShownPage } from './area.ts'
import { companyFor, sealHint } from './company/flow.ts'
import { providerLogoutUrl } from './company/logout.ts'
import { companyPage, signingOutPage } from './company/pages.ts'
import { startPath } from './company/paths.ts'
import { waitInWords } from './describe.ts'
import { knownDevice } from './device-cookie.ts'
import { CHOICE_COOKIE, enter, showForm } from './enter.ts'
import { showSignIn } from './form-page.ts'
import { chooseLandingPage } from './landing-page.ts'
import { countAttemptOf, resetAttempts } from './limits.ts'
import { BUSY, choicePage, linkPage, messagePage, WRONG } from './pages.ts'
import { openerPolicy } from './return-to.ts'
import { enrolPath } from './second-factor/paths.ts'
import { endedSessionCookie, endSession } from './sessions.ts'
import { membersByEmail } from './store.ts'
import { mailLink, type Proof, readTicket } from './tickets.ts'

const EXPIRED: ShownPage = {
  show: messagePage('This link no longer works', 'Links work once and expire after 15 minutes. Request a new one.'),
  status: 410,
}

/** The ways into a session: password, emailed link, the choice of a workspace; and the way out. */
export const entryPages = [
  page({
    path: '/sign-in',
    session: 'optional',
    csrf: 'origin',
    show: async visit => {
      const { query, session } = visit
      const again = query.has('again')
      if (!session || again) return showSignIn(visit, { withAddress: query.get('with') === 'address', again })
      const returnTo = readReturnTo(visit)
      const to = session.mustEnrol ? enrolPath(returnTo) : (returnTo ?? chooseLandingPage(session))
      return { to, headers: openerPolicy(returnTo) }
    },
    submit: async visit => {
      const company = await companyOf(visit)
      if (company && !visit.form.get('password')) return showCompany(visit, company)
      return signInByPassword(visit, company)
    },
  }),
  page({
    path: '/sign-in/link',
    session: 'none',
    csrf: 'origin',
    show: async visit => {
      const { services, query } = visit
      const token = query.get('token') ?? ''
      const proof = await readTicket(services, 'link', token)
      if (proof?.company) return { to: startPath(proof.company) }
      if (!proof || proof.members.length === 0) return EXPIRED
      return showForm(visit, linkPage(token, readReturnTo(visit), proof.members))
    },
    submit: async visit => {
      const { services } = visit
      const company = await companyOf(visit)
      if (company?.enforced) return showCompany(visit, company)
      const source = sourceOf(visit)
      const wait = await countAttemptOf(services, 'link', source)
      if (wait)
        return showAgain(visit, { status: 429, fault: `Too many links. Try again in ${waitInWords(wait)}.`, wait })
      const sends = !(await countAttemptOf(services, 'mail', source))
      const shown = await showAgain(visit, { sent: true })
      return sends ? { ...shown, after: () => mailLinkTo(services, source, readReturnTo(visit)) } : shown
    },
  }),
  page({
    path: '/sign-in/link/use',
    session: 'optional',
    csrf: 'origin',
    submit: async visit => {
      const { services, form, address } = visit
      const proof = await readTicket(services, 'link', form.get('token') ?? '')
      const [member] = proof?.members ?? []
      // a used link is no longer valid, so the user may request a new one
      if (member) await resetAttempts(services, 'mail', { account: member.email, address })
      return (proof && (await enter(visit, proof))) ?? EXPIRED
    },
  }),
  page({
    path: '/sign-in/company',
    session: 'none',
    csrf: 'origin',
    submit: async visit => {
      const company = await companyFor(visit.services, emailOf(visit))
      return company
        ? showCompany(visit, company)
        : showAgain(visit, { status: 404, fault: NO_COMPANY, withAddress: false })
    },
  }),
  page({
    path: '/sign-in/workspace',
    session: 'optional',
    csrf: 'origin',
    show: async visit => {
      const offered = await offeredChoice(visit)
      return offered ? showForm(visit, choicePage(offered.members, readReturnTo(visit))) : { to: '/sign-in' }
    },
    submit: async visit => {
      const offered = await offeredChoice(visit)
      const chosen = offered?.members.find(member => member.workspace_id === visit.form.get('workspace'))
      const entered = offered && chosen && (await enter(visit, { ...offered, members: [chosen] }))
      return entered ?? { to: '/sign-in' }
    },
  }),
  page({
    path: '/sign-out',
    session: 'optional',
    csrf: 'session',
    submit: async ({ services, session }) => {
      if (session) await endSession(services.db, session, session.id)
      const url = session?.method === 'company' && (await providerLogoutUrl(services, session.workspaceId))
      const ended = { 'Set-Cookie': endedSessionCookie(services) }
      if (!url) return { to: '/sign-in', headers: ended }
      // as to the provider's sign-in: browsers compare redirects after a form with form-action
      return { show: signingOutPage(url), headers: { ...ended, Refresh: `0; url=${url}` } }
    },
  }),
]

async function signInByPassword(visit: Posted, company: CompanySignInRow | undefined): Promise<ShownPage> {
  const { services, form, address } = visit
  const source = sourceOf(visit)
  const wait = await countAttemptOf(services, 'password', source)
  if (wait) {
    const fault = `Too many attempts. Request a sign-in link, or try again in ${waitInWords(wait)}.`
    return showAgain(visit, { status: 429, fault, wait })
  }
  const hashSource = { from: network(address), known: source.browser !== undefined }
  try {
    const proof = await passwordProof(services, source.account, form.get('password') ?? '', hashSource)
    if (proof.members.length > 0) {
      await resetAttempts(services, 'password', source)
      const entered = await enter(visit, proof)
      if (entered) return entered
    }
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    return showAgain(visit, { status: 503, fault: BUSY, wait: error.retryAfterSeconds })
  }
  // a password of an owner, or of a membership elsewhere, has signed in above
  return company?.enforced ? showCompany(visit, company) : showAgain(visit, { status: 401, fault: WRONG })
}

/** The form with what was typed. */
const showAgain = (visit: Posted, parts: Parameters<typeof showSignIn>[1]): Promise<ShownPage> =>
  showSignIn(visit, {
    email: emailOf(visit),
    again: visit.form.has('again'),
    withAddress: prefersAddress(visit),
    ...parts,
  })

const sourceOf = (visit: Posted) => {
  const { services, request, address } = visit
  const account = emailOf(visit)
  return { account, address, browser: knownDevice(services, request, account) }
}

/** Emails the link, after the response: its duration would reveal whether the address has an account. */
const mailLinkTo = (
  services: Services,
  source: ReturnType<typeof sourceOf>,
  returnTo: string | undefined,
): Promise<void> =>
  mailLink(services, source.account, returnTo).catch(async error => {
    services.log.warn({ err: error }, 'sign-in link was not sent')
    // the next request may retry; if the database is unavailable, the count expires by itself
    await resetAttempts(services, 'mail', source).catch(() => {})
  })

const offeredChoice = ({ services, request }: Pick<Posted, 'services' | 'request'>) =>
  readTicket(services, 'choice', readCookie(services, request, CHOICE_COOKIE))

const NO_COMPANY =
  'No company sign-in is set up for this email domain. Enter your password, or have a link sent to you.'

/** The person came from the company's page and chose the other ways. */
const prefersAddress = ({ form }: Posted): boolean => form.get('with') === 'address'

const companyOf = async (visit: Posted): Promise<CompanySignInRow | undefined> =>
  prefersAddress(visit) ? undefined : companyFor(visit.services, emailOf(visit))

function showCompany(visit: Posted, company: CompanySignInRow): ShownPage {
  const returnTo = readReturnTo(visit)
  const hint = sealHint(visit.services, emailOf(visit))
  const shown = companyPage(company, { hint, returnTo, again: visit.form.has('again') })
  return { show: shown, headers: openerPolicy(returnTo) }
}

const emailOf = ({ form }: Posted): string => (form.get('email') ?? '').slice(0, 254).trim()

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
