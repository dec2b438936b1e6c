import type { ServerResponse } from 'node:http'
import { sameBytes } from '../../kernel/crypto/signing.ts'
import { hashToken } from '../../kernel/http/browser-session.ts'
import { clearCookie, cookieOf, setCookie } from '../../kernel/http/cookies.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import type { Html } from '../../pages/html.ts'
import { sendPage, sendRedirect } from '../../pages/send.ts'
import {
  type CompanySignInRow,
  FAILURES,
  type FailureCode,
  type FoundMember,
  mailConnected,
  memberForPerson,
  openCompanySignIn,
  type ProvidedPerson,
  recordFailure,
  roleByClaims,
  type SignInFailure,
} from '../../resources/company-sign-in/index.ts'
import { type Admitted, admitMember } from '../admission.ts'
import { waitInWords } from '../describe.ts'
import { sendAdmitted } from '../enter.ts'
import { countAttemptOf } from '../limits.ts'
import { getPage, postPage, type Visit } from '../page-route.ts'
import { messagePage } from '../pages.ts'
import { localPath, openerPolicy } from '../return-to.ts'
import { anySessionOf, sessionOf, type UserSession } from '../sessions.ts'
import { type CompanyProof, membersById } from '../store.ts'
import { beginFlow, FLOW_COOKIE, FLOW_SECONDS, openHint, redirectUriOf, secretsOf } from './flow.ts'
import { failurePageOf, leavingPage, NOT_SET_UP, startPage, testPage } from './pages.ts'
import { CompanySignInFailed, type Prompt, readPerson, TOLERANCE_SECONDS } from './provider.ts'
import { wasSignedOut } from './signed-out.ts'
import { consumeFlow, type FlowRow, lockSettings } from './store.ts'

/**
 * Sign-in through a company's OpenID provider: authorization code with PKCE, state and nonce, as a client of the
 * provider. It ends in a session of one membership, of the workspace in the path and no other.
 */
export const companyRoutes = (services: Services): RawRoute[] => [
  // only its button signs in: any page can make a browser open this URL, and would replace the person's session
  getPage(services, '/sign-in/company/{workspace}', async visit => {
    const row = await settingsAt(visit)
    if (!row?.enabled) return sendPage(visit.response, NOT_SET_UP, { status: 404 })
    const returnTo = localPath(visit.query.get('return_to'))
    const session = await anySessionOf(services, visit.request)
    const page = startPage(row, { returnTo, prompt: promptOf(visit.query), session })
    sendPage(visit.response, page, { headers: openerPolicy(returnTo) })
  }),
  postPage(services, '/sign-in/company/{workspace}', async visit => {
    const row = await settingsAt(visit)
    if (!row?.enabled) return sendPage(visit.response, NOT_SET_UP, { status: 404 })
    await leave(visit, row, {
      purpose: 'sign_in',
      returnTo: localPath(visit.form.get('return_to')),
      loginHint: openHint(services, visit.form.get('hint')),
      prompt: promptOf(visit.form),
    })
  }),
  getPage(services, '/sign-in/company/{workspace}/test', async visit => {
    const row = await settingsAt(visit)
    if (!row || !(await isOwner(visit, row.workspace_id))) return sendPage(visit.response, NOT_SET_UP, { status: 404 })
    await leave(visit, row, { purpose: 'test', prompt: 'select_account' })
  }),
  getPage(services, '/sign-in/company/{workspace}/callback', async visit => {
    const row = await settingsAt(visit)
    if (!row) return sendPage(visit.response, NOT_SET_UP, { status: 404 })
    const token = cookieOf(services, visit.request, FLOW_COOKIE)
    const flow = await returningFlow(visit, row, token)
    // not recorded, and the cookie stays: any page can make a browser open this URL
    if (!flow) return sendPage(visit.response, failurePageOf(row, { code: 'flow_expired' }), { status: 403 })
    const finish = flow.purpose === 'test' ? showClaims : signIn
    try {
      if (flow.version !== row.version || (flow.purpose === 'sign_in' && !row.enabled))
        throw new CompanySignInFailed('settings_changed')
      const callback = new URL(redirectUriOf(services, row.workspace_id))
      callback.search = visit.search
      const person = await readPerson(services, row, callback, secretsOf(token!))
      await finish(visit, row, person, flow)
    } catch (error) {
      if (!(error instanceof CompanySignInFailed)) throw error
      if (flow.purpose === 'test') return showFailure(visit, error.failure)
      await refuse(visit, row, error.failure)
    }
  }),
]

const promptOf = (fields: URLSearchParams): Prompt | undefined =>
  fields.has('again') ? 'login' : fields.has('choose') ? 'select_account' : undefined

const settingsAt = async ({ services, params }: Visit): Promise<CompanySignInRow | undefined> => {
  const { workspace = '' } = params
  return /^\w{1,60}$/.test(workspace) ? services.db.one(openCompanySignIn(workspace)) : undefined
}

const isOwner = async ({ services, request }: Visit, workspace: string): Promise<boolean> => {
  const session = await sessionOf(services, request)
  return session?.workspaceId === workspace && session.role === 'owner'
}

/** Sends the browser to the provider. */
async function leave(visit: Visit, row: CompanySignInRow, opts: Parameters<typeof beginFlow>[2]): Promise<void> {
  const { services, response, address } = visit
  const wait = await countAttemptOf(services, 'company', { account: row.workspace_id, address })
  if (wait) {
    const text = `Too many sign-ins began in your network. Try again in ${waitInWords(wait)}.`
    const page = messagePage('Too many requests', text, { href: '/sign-in', label: 'Back to sign-in' })
    return sendPage(response, page, { status: 429, headers: { 'Retry-After': String(wait) } })
  }
  try {
    const { token, url } = await beginFlow(services, row, opts)
    const cookie = setCookie(services, FLOW_COOKIE, token, FLOW_SECONDS)
    const headers = { ...openerPolicy(opts.returnTo), 'Set-Cookie': cookie }
    if (opts.purpose === 'test') return sendRedirect(response, url, headers)
    // not a redirect: browsers compare every redirect after a form with form-action, also those of the provider to others
    sendPage(response, leavingPage(row, url), { headers: { ...headers, Refresh: `0; url=${url}` } })
  } catch (error) {
    if (!(error instanceof CompanySignInFailed)) throw error
    if (opts.purpose === 'test') return showFailure(visit, error.failure)
    await refuse(visit, row, error.failure)
  }
}

/** The flow of this browser, used up by this request. The state is compared first: a wrong one uses up nothing. */
async function returningFlow(
  { services, query }: Visit,
  row: CompanySignInRow,
  token: string | undefined,
): Promise<FlowRow | undefined> {
  if (token === undefined) return undefined
  const state = Buffer.from(query.get('state') ?? '')
  if (!sameBytes(state, Buffer.from(secretsOf(token).state))) return undefined
  return services.db.one(consumeFlow(row.workspace_id, hashToken(token), FLOW_SECONDS))
}

/** Admits the person in the transaction that finds the member and updates the role. */
async function signIn(visit: Visit, row: CompanySignInRow, person: ProvidedPerson, flow: FlowRow): Promise<void> {
  const { services, request, response, address } = visit
  const before = await anySessionOf(services, request)
  const visitor = { before, address, userAgent: request.headers['user-agent'] }
  const done = await services.db.transaction(
    async (tx): Promise<((Admitted | SignInFailure) & Partial<Connected>) | undefined> => {
      const settings = await tx.one(lockSettings(row.workspace_id))
      if (!settings) return undefined
      if (settings.version !== row.version) return { code: 'settings_changed' }
      if (await wasSignedOut(tx, row.workspace_id, person, flow.began_at)) return { code: 'signed_out' }
      const found = await memberForPerson(tx, row, person, signedInAs(before, row))
      if ('code' in found) return found
      const [member] = await tx.query(membersById([found.userId]))
      if (!member) return undefined
      const connected = found.linked && { id: member.id, ...found.linked }
      const proof = { method: 'company', company: companyProof(person, flow) } as const
      const admitted = await admitMember(tx, member, proof, visitor, (): SignInFailure | undefined => {
        // not before the factor: it proves a time where the provider does not
        const late = notAgain(person, flow)
        return late && { code: late, userId: member.id }
      })
      return { ...admitted, connected }
    },
  )
  if (!done) return sendPage(response, NOT_SET_UP, { status: 404 })
  if ('code' in done) await refuse(visit, row, done)
  else sendAdmitted(visit, done, localPath(flow.return_to), [FLOW_COOKIE])
  await mailIfConnected(services, row, done.connected)
}

const mailIfConnected = (services: Services, row: CompanySignInRow, member: Connected['connected']): Promise<void> =>
  member === undefined
    ? Promise.resolve()
    : mailConnected(services, row, member).catch(error =>
        services.log.warn({ err: error }, 'email about a connected account was not sent'),
      )

/** Why a sign-in does not prove again who the person is, where it has to. */
function notAgain(
  { authenticatedAt }: ProvidedPerson,
  { authenticate_since: since }: FlowRow,
): FailureCode | undefined {
  if (since === null) return undefined
  if (authenticatedAt === undefined) return 'auth_time_missing'
  return authenticatedAt < since - TOLERANCE_SECONDS ? 'not_authenticated_again' : undefined
}

/** What the session records. A person who had to authenticate again did it after they were asked, whatever the provider's clock. */
const companyProof = (
  { authenticatedAt, session }: ProvidedPerson,
  { authenticate_since: since }: FlowRow,
): CompanyProof => ({
  authenticatedAt: authenticatedAt === undefined ? null : Math.max(authenticatedAt, since ?? 0),
  session: session === undefined ? null : hashToken(session),
})

interface Connected {
  /** connected to this account for the first time */
  connected: { id: string; email: string } | undefined
}

/** The member of the workspace as whom the browser is signed in, in a session that may be used. */
const signedInAs = (session: UserSession | undefined, row: CompanySignInRow): string | undefined =>
  session?.workspaceId === row.workspace_id && !session.mustEnrol ? session.userId : undefined

const UNDONE = Symbol('undone')

/** What a sign-in of this person would do, without doing it. */
async function showClaims(visit: Visit, row: CompanySignInRow, person: ProvidedPerson): Promise<void> {
  const { services } = visit
  // the owner who began the test may have signed out, or lost the role, since
  if (!(await isOwner(visit, row.workspace_id))) return sendRedirect(visit.response, '/sign-in')
  const session = await sessionOf(services, visit.request)
  let found: FoundMember | SignInFailure | undefined
  await services.db
    .transaction(async tx => {
      found = await memberForPerson(tx, row, person, signedInAs(session, row))
      throw UNDONE
    })
    .catch(error => {
      if (error !== UNDONE) throw error
    })
  const role = roleByClaims(row, person.claims)
  const outcome =
    found && 'code' in found
      ? `The claims are valid, and this person would not be signed in (${found.code}). ${FAILURES[found.code].owner}`
      : `This person would be signed in${role ? `, as ${role} unless they are an owner` : ''}.`
  send(visit, testPage({ outcome, good: !(found && 'code' in found) }, person.claims))
}

const showFailure = (visit: Visit, failure: SignInFailure): void =>
  send(
    visit,
    testPage(
      {
        outcome: `${FAILURES[failure.code].owner} (${[failure.code, failure.detail].filter(Boolean).join(': ')})`,
        good: false,
      },
      undefined,
    ),
  )

const send = (
  { services, response }: { services: Services; response: ServerResponse },
  page: Html,
  status = 200,
): void => sendPage(response, page, { status, headers: { 'Set-Cookie': clearCookie(services, FLOW_COOKIE) } })

async function refuse(visit: Visit, row: CompanySignInRow, failure: SignInFailure): Promise<void> {
  await recordFailure(visit.services.db, row.workspace_id, failure)
  send(visit, failurePageOf(row, failure), 403)
}
