import { sameBytes } from '../../kernel/crypto/signing.ts'
import { hashToken } from '../../kernel/http/browser-session.ts'
import { clearCookie, readCookie, setCookie } from '../../kernel/http/cookies.ts'
import type { Services } from '../../kernel/services/services.ts'
import type { Html } from '../../pages/html.ts'
import {
  type CompanySignInRow,
  FAILURES,
  type FailureCode,
  type FoundMember,
  mailConnected,
  memberForPerson,
  type ProvidedPerson,
  recordFailure,
  roleByClaims,
  type SignInFailure,
} from '../../resources/company-sign-in/index.ts'
import { type Admitted, admitMember } from '../admission.ts'
import { page, readReturnTo, type ShownPage, type SignInVisit } from '../area.ts'
import { waitInWords } from '../describe.ts'
import { enterAdmitted, waitHeader } from '../enter.ts'
import { countAttemptOf } from '../limits.ts'
import { tooManyPage } from '../pages.ts'
import { localPath, openerPolicy } from '../return-to.ts'
import { readAnySession, type UserSession } from '../sessions.ts'
import { type CompanyProof, membersById } from '../store.ts'
import {
  beginFlow,
  buildRedirectUri,
  deriveFlowSecrets,
  FLOW_COOKIE,
  FLOW_SECONDS,
  openHint,
  settingsAt,
} from './flow.ts'
import { buildFailurePage, exitPage, NOT_SET_UP, startPage, testPage } from './pages.ts'
import { CLOCK_TOLERANCE_SECONDS, CompanySignInFailed, type Prompt, readPerson } from './provider.ts'
import { wasSignedOut } from './signed-out.ts'
import { consumeFlow, type FlowRow, lockSettings } from './store.ts'

const NONE: ShownPage = { show: NOT_SET_UP, status: 404 }

/**
 * Sign-in through a company's OpenID provider: authorization code with PKCE, state and nonce, as a client of the
 * provider. It ends in a session of one membership, of the workspace in the path and no other.
 */
export const companyPages = [
  // only its button signs in: any page can make a browser open this URL, and would replace the person's session
  page({
    path: '/sign-in/company/{workspace}',
    session: 'optional',
    csrf: 'origin',
    show: async visit => {
      const row = await settingsAt(visit.services, visit.params.workspace)
      if (!row?.enabled) return NONE
      const returnTo = readReturnTo(visit)
      const shown = startPage(row, { returnTo, prompt: promptOf(visit.query), session: visit.session })
      return { show: shown, headers: openerPolicy(returnTo) }
    },
    submit: async visit => {
      const row = await settingsAt(visit.services, visit.params.workspace)
      if (!row?.enabled) return NONE
      return sendToProvider(visit, row, {
        purpose: 'sign_in',
        returnTo: readReturnTo(visit),
        loginHint: openHint(visit.services, visit.form.get('hint')),
        prompt: promptOf(visit.form),
      })
    },
  }),
  page({
    path: '/sign-in/company/{workspace}/test',
    session: 'optional',
    show: async visit => {
      const row = await settingsAt(visit.services, visit.params.workspace)
      if (!row || !isOwner(visit, row)) return NONE
      return sendToProvider(visit, row, { purpose: 'test', prompt: 'select_account' })
    },
  }),
  page({
    path: '/sign-in/company/{workspace}/callback',
    session: 'none',
    show: async visit => {
      const row = await settingsAt(visit.services, visit.params.workspace)
      return row ? finish(visit, row) : NONE
    },
  }),
]

type CompanyVisit = SignInVisit & { session?: UserSession | undefined }

/** The end of a flow, in the browser that began it. */
async function finish(visit: SignInVisit, row: CompanySignInRow): Promise<ShownPage> {
  const { services, request, search } = visit
  const token = readCookie(services, request, FLOW_COOKIE)
  const flow = token === undefined ? undefined : await returningFlow(visit, row, token)
  // not recorded, and the cookie stays: any page can make a browser open this URL
  if (!token || !flow) return { show: buildFailurePage(row, { code: 'flow_expired' }), status: 403 }
  try {
    if (flow.version !== row.version || (flow.purpose === 'sign_in' && !row.enabled))
      throw new CompanySignInFailed('settings_changed')
    const callback = new URL(buildRedirectUri(services, row.workspace_id))
    callback.search = search
    const person = await readPerson(services, row, callback, deriveFlowSecrets(token))
    // not before the provider has responded: the person may sign out during that request
    const returned = { ...visit, session: await readAnySession(services, request) }
    return await (flow.purpose === 'test' ? showClaims(returned, row, person) : signIn(returned, row, person, flow))
  } catch (error) {
    if (!(error instanceof CompanySignInFailed)) throw error
    return flow.purpose === 'test' ? showFailure(visit, error.failure) : refuse(visit, row, error.failure)
  }
}

const promptOf = (fields: URLSearchParams): Prompt | undefined =>
  fields.has('again') ? 'login' : fields.has('choose') ? 'select_account' : undefined

const isOwner = ({ session }: CompanyVisit, row: CompanySignInRow): boolean =>
  signedInAs(session, row) !== undefined && session?.role === 'owner'

/** Sends the browser to the provider. */
async function sendToProvider(
  visit: SignInVisit,
  row: CompanySignInRow,
  opts: Parameters<typeof beginFlow>[2],
): Promise<ShownPage> {
  const { services, address } = visit
  const wait = await countAttemptOf(services, 'company', { account: row.workspace_id, address })
  if (wait) {
    const text = `Too many sign-ins began in your network. Try again in ${waitInWords(wait)}.`
    return { show: tooManyPage(text), status: 429, headers: waitHeader(wait) }
  }
  try {
    const { token, url } = await beginFlow(services, row, opts)
    const cookie = setCookie(services, FLOW_COOKIE, token, FLOW_SECONDS)
    const headers = { ...openerPolicy(opts.returnTo), 'Set-Cookie': cookie }
    if (opts.purpose === 'test') return { to: url, headers }
    // not a redirect: browsers compare every redirect after a form with form-action, also those of the provider to others
    return { show: exitPage(row, url), headers: { ...headers, Refresh: `0; url=${url}` } }
  } catch (error) {
    if (!(error instanceof CompanySignInFailed)) throw error
    return opts.purpose === 'test' ? showFailure(visit, error.failure) : refuse(visit, row, error.failure)
  }
}

/** The flow of this browser, used up by this request. The state is compared first: a wrong one uses up nothing. */
async function returningFlow(
  { services, query }: SignInVisit,
  row: CompanySignInRow,
  token: string,
): Promise<FlowRow | undefined> {
  const state = Buffer.from(query.get('state') ?? '')
  if (!sameBytes(state, Buffer.from(deriveFlowSecrets(token).state))) return undefined
  return services.db.one(consumeFlow(row.workspace_id, hashToken(token), FLOW_SECONDS))
}

/** Admits the person in the transaction that finds the member and updates the role. */
async function signIn(
  visit: CompanyVisit,
  row: CompanySignInRow,
  person: ProvidedPerson,
  flow: FlowRow,
): Promise<ShownPage> {
  const { services, request, address, session: before } = visit
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
  if (!done) return NONE
  const shown =
    'code' in done
      ? await refuse(visit, row, done)
      : enterAdmitted(visit, done, localPath(flow.return_to), [FLOW_COOKIE])
  return { ...shown, after: () => mailIfConnected(services, row, done.connected) }
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
  return authenticatedAt < since - CLOCK_TOLERANCE_SECONDS ? 'not_authenticated_again' : undefined
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
async function showClaims(visit: CompanyVisit, row: CompanySignInRow, person: ProvidedPerson): Promise<ShownPage> {
  const { services, session } = visit
  // the owner who began the test may have signed out, or lost the role, since
  if (!isOwner(visit, row)) return { to: '/sign-in' }
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
  return showEnd(visit, testPage({ outcome, good: !(found && 'code' in found) }, person.claims))
}

const showFailure = (visit: SignInVisit, failure: SignInFailure): ShownPage =>
  showEnd(
    visit,
    testPage(
      {
        outcome: `${FAILURES[failure.code].owner} (${[failure.code, failure.detail].filter(Boolean).join(': ')})`,
        good: false,
      },
      undefined,
    ),
  )

const showEnd = ({ services }: SignInVisit, page: Html, status = 200): ShownPage => ({
  show: page,
  status,
  headers: { 'Set-Cookie': clearCookie(services, FLOW_COOKIE) },
})

async function refuse(visit: SignInVisit, row: CompanySignInRow, failure: SignInFailure): Promise<ShownPage> {
  await recordFailure(visit.services.db, row.workspace_id, failure)
  return showEnd(visit, buildFailurePage(row, failure), 403)
}
