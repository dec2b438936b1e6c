import { cookieOf } from '../../kernel/http/cookies.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { PRODUCT } from '../../pages/page.ts'
import { sendPage, sendRedirect } from '../../pages/send.ts'
import {
  beginTotp,
  changesOf,
  confirmTotp,
  type Factor,
  mailChange,
  markProved,
  passkeySite,
  passkeysOf,
  pendingTotp,
  readFactors,
  removeTotp,
  renewRecoveryCodes,
  type SignInChange,
  totpAddress,
  useCode,
} from '../../resources/second-factors/index.ts'
import { usersOf } from '../../resources/users/index.ts'
import { userName } from '../../resources/users/shape.ts'
import { waitInWords } from '../describe.ts'
import { knownDevice } from '../device-cookie.ts'
import { enter, FACTOR_COOKIE, sendForm } from '../enter.ts'
import { homeOf } from '../landing-page.ts'
import { countAttemptOf, resetAttempts } from '../limits.ts'
import { getPage, type Posted, postPage, type Visit } from '../page-route.ts'
import { messagePage } from '../pages.ts'
import { localPath, openerPolicy } from '../return-to.ts'
import { anySessionOf, type UserSession } from '../sessions.ts'
import { readTicket } from '../tickets.ts'
import { isConfirmed } from './confirm.ts'
import { codePage, factorsPage, recoveryCodesPage, setUpAppPage } from './pages.ts'
import { CONFIRMED_PATH, confirmPath, enrolPath, FACTOR_STEP_PATH, FACTORS_PATH, signInAgain } from './paths.ts'

const CONFIRMED = messagePage(
  'Confirmed',
  'Close this tab and continue where you came from. For 15 minutes you are not asked again.',
  { href: '/account', label: 'Your account' },
)

const WRONG_CODE = 'This code is wrong, was used already, or has expired. Enter the one that your app shows now.'

const SETUP_ENDED =
  'The app was not added: its setup was open for more than 15 minutes, or is finished. Begin it again.'

export const whoOf = ({ workspaceId, userId }: UserSession) => ({ workspace: workspaceId, user: userId })

/** The second step of a sign-in, the page of a person's factors, and the confirmation of an open session. */
export const secondFactorRoutes = (services: Services): RawRoute[] => [
  getPage(services, FACTOR_STEP_PATH, async ({ request, response, query }) => {
    const returnTo = localPath(query.get('return_to'))
    const pending = await pendingSignIn(services, request)
    if (!pending) return sendRedirect(response, '/sign-in', openerPolicy(returnTo))
    await sendForm(services, response, returnTo, await signInStep(services, pending.member, returnTo))
  }),
  postPage(services, FACTOR_STEP_PATH, async visit => {
    const { request, response, form } = visit
    const returnTo = localPath(form.get('return_to'))
    const pending = await pendingSignIn(services, request)
    if (!pending) return sendRedirect(response, '/sign-in', openerPolicy(returnTo))
    const { proof, member } = pending
    const refuse = stepRefused(visit, member, returnTo)
    const person = { userId: member.id, workspaceId: member.workspace_id, email: member.email }
    const factor = await checkCode(visit, person, refuse)
    if (!factor) return
    if (!(await enter(visit, { ...proof, factor }, returnTo))) return sendRedirect(response, '/sign-in')
    if (factor === 'recovery') await notify(services, { ...person, workspaceName: member.workspace_name }, 'code_used')
  }),
  getPage(services, '/account/confirm', async ({ request, response, query }) => {
    const session = await anySessionOf(services, request)
    const returnTo = localPath(query.get('return_to'))
    if (!session) return sendRedirect(response, signInAgain(returnTo))
    const factors = await readFactors(services.db, whoOf(session))
    if (!factors.any) return sendRedirect(response, signInAgain(returnTo, session))
    sendPage(response, confirmStep(services, session, factors, returnTo))
  }),
  postPage(services, '/account/confirm', async visit => {
    const { response, form, anySession: session } = visit
    const returnTo = localPath(form.get('return_to'))
    if (!session) return sendRedirect(response, signInAgain(returnTo))
    const factor = await checkCode(visit, session, confirmRefused(visit, session, returnTo))
    if (!factor) return
    await services.db.query(markProved(whoOf(session), session.id, factor))
    sendRedirect(response, returnTo ?? homeOf(session))
    if (factor === 'recovery') await notify(services, session, 'code_used')
  }),
  // the end of a confirmation in a tab of its own
  getPage(services, CONFIRMED_PATH, async ({ response }) => sendPage(response, CONFIRMED)),
  getPage(services, FACTORS_PATH, async visit => {
    const session = await anySessionOf(services, visit.request)
    const returnTo = localPath(visit.query.get('return_to'))
    if (!session) return sendRedirect(visit.response, `/sign-in?return_to=${FACTORS_PATH}`)
    await sendFactors(visit, session, returnTo)
  }),
  changePage(services, '/app', async (visit, session, returnTo) => {
    await beginTotp(services.db, services.keyring, whoOf(session))
    const query = returnTo ? `?return_to=${encodeURIComponent(returnTo)}` : ''
    sendRedirect(visit.response, `${FACTORS_PATH}/app${query}`, openerPolicy(returnTo))
  }),
  getPage(services, `${FACTORS_PATH}/app`, async visit => {
    const session = await anySessionOf(services, visit.request)
    const returnTo = localPath(visit.query.get('return_to'))
    if (!session) return sendRedirect(visit.response, `/sign-in?return_to=${FACTORS_PATH}`)
    // who reads the secret has the codes
    if (!isConfirmed(session, await readFactors(services.db, whoOf(session)))) {
      return sendRedirect(visit.response, confirmPath(enrolPath(returnTo)), openerPolicy(returnTo))
    }
    await sendSetup(visit, session, returnTo)
  }),
  changePage(services, '/app/confirm', async (visit, session, returnTo) => {
    const code = visit.form.get('code') ?? ''
    const added = await confirmTotp(services.db, services.keyring, whoOf(session), code, session.id)
    if (!added) {
      const isOpen = await pendingTotp(services.db, services.keyring, whoOf(session))
      if (isOpen) return sendSetup(visit, session, returnTo, WRONG_CODE)
      return sendFactors(visit, session, returnTo, SETUP_ENDED, 400)
    }
    sendAdded(visit, added.recoveryCodes, returnTo)
    await notify(services, session, 'app_added')
  }),
  changePage(services, '/app/remove', async (visit, session) => {
    const removed = await removeTotp(services.db, whoOf(session), session.id)
    sendRedirect(visit.response, FACTORS_PATH)
    if (removed) await notify(services, session, 'app_removed')
  }),
  changePage(services, '/codes', async (visit, session, returnTo) => {
    const codes = await renewRecoveryCodes(services.db, whoOf(session))
    if (!codes) return sendRedirect(visit.response, FACTORS_PATH)
    sendPage(visit.response, recoveryCodesPage(codes, returnTo ?? FACTORS_PATH))
    await notify(services, session, 'codes_made')
  }),
]

/** A form that changes the factors of a person who has proved lately who they are. Others are asked to prove it. */
export const changePage = (
  services: Services,
  path: string,
  handler: (visit: Posted, session: UserSession, returnTo: string | undefined) => Promise<void>,
): RawRoute =>
  postPage(services, FACTORS_PATH + path, async visit => {
    const { response, anySession: session, form } = visit
    const returnTo = localPath(form.get('return_to'))
    if (!session) return sendRedirect(response, `/sign-in?return_to=${FACTORS_PATH}`)
    if (!isConfirmed(session, await readFactors(services.db, whoOf(session)))) {
      return sendRedirect(response, confirmPath(enrolPath(returnTo)), openerPolicy(returnTo))
    }
    await handler(visit, session, returnTo)
  })

/** The person between the first factor and the second. */
export async function pendingSignIn(services: Services, request: Visit['request']) {
  const proof = await readTicket(services, 'factor', cookieOf(services, request, FACTOR_COOKIE))
  const [member] = proof?.members ?? []
  return proof && member && { proof, member }
}

interface SigningIn {
  id: string
  workspace_id: string
  email: string
}

/** Shows the step again, with what was wrong. */
export const stepRefused =
  ({ services, response }: Posted, member: SigningIn, returnTo: string | undefined) =>
  async (status: number, fault: string, wait?: number): Promise<void> =>
    sendForm(services, response, returnTo, await signInStep(services, member, returnTo, fault), status, wait)

export const confirmRefused =
  ({ services, response }: Posted, session: UserSession, returnTo: string | undefined) =>
  async (status: number, fault: string, wait?: number): Promise<void> =>
    sendPage(
      response,
      confirmStep(services, session, await readFactors(services.db, whoOf(session)), returnTo, fault),
      {
        status,
        headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
      },
    )

async function signInStep(
  { db, publicUrl }: Services,
  member: SigningIn,
  returnTo: string | undefined,
  fault?: string,
) {
  return codePage({
    action: FACTOR_STEP_PATH,
    passkeys: passkeySite(publicUrl) !== undefined,
    title: 'Second factor',
    intro: `You are signing in as ${member.email}.`,
    factors: await readFactors(db, { workspace: member.workspace_id, user: member.id }),
    returnTo,
    fault,
  })
}

const confirmStep = (
  { publicUrl }: Services,
  session: UserSession,
  factors: Parameters<typeof codePage>[0]['factors'],
  returnTo: string | undefined,
  fault?: string,
) =>
  codePage({
    action: '/account/confirm',
    passkeys: passkeySite(publicUrl) !== undefined,
    title: 'Confirm that it is you',
    intro: `This change needs your second factor. You are signed in as ${session.email}.`,
    factors,
    returnTo,
    csrf: session.csrfToken,
    fault,
  })

/** Counts the attempt, then checks the code of the form. Where it is wrong, the refusal was sent. */
async function checkCode(
  { services, request, address, form }: Posted,
  person: { userId: string; workspaceId: string; email: string },
  refuse: (status: number, fault: string, wait?: number) => Promise<void>,
): Promise<Factor | undefined> {
  const browser = knownDevice(services, request, person.email)
  const source = { account: person.userId, address, browser }
  const wait = await countAttemptOf(services, 'second factor', source)
  if (wait) {
    await refuse(429, `Too many attempts. Try again in ${waitInWords(wait)}.`, wait)
    return undefined
  }
  const who = { workspace: person.workspaceId, user: person.userId }
  const factor = await useCode(services.db, services.keyring, who, form.get('code') ?? '')
  if (factor) await resetAttempts(services, 'second factor', source)
  else await refuse(401, WRONG_CODE)
  return factor
}

export async function sendFactors(
  { services, response }: Visit,
  session: UserSession,
  returnTo: string | undefined,
  fault?: string,
  status?: number,
): Promise<void> {
  const { db } = services
  const [factors, passkeys, changes, users] = await Promise.all([
    readFactors(db, whoOf(session)),
    db.query(passkeysOf(whoOf(session))),
    db.query(changesOf(session.workspaceId, session.userId, 10)),
    db.query(usersOf(session.workspaceId)),
  ])
  const names = new Map(users.map(user => [user.id, userName(user)]))
  const site = passkeySite(services.publicUrl)
  // else the browser would store a passkey that is then refused
  const canAdd = isConfirmed(session, factors) ? 'possible' : 'unconfirmed'
  const newPasskey = site ? canAdd : 'impossible'
  const parts = { session, factors, passkeys, newPasskey, changes, names, returnTo, fault } as const
  sendPage(response, factorsPage(parts), { status: status ?? 200, headers: openerPolicy(returnTo) })
}

/** The QR code of the app that is being set up. */
async function sendSetup(
  { services, response }: Visit,
  session: UserSession,
  returnTo: string | undefined,
  fault?: string,
): Promise<void> {
  const secret = await pendingTotp(services.db, services.keyring, whoOf(session))
  if (!secret) return sendRedirect(response, enrolPath(returnTo))
  const address = totpAddress(secret, `${PRODUCT} (${new URL(services.publicUrl).host})`, session.email)
  const setup = { secret, address, returnTo, ...(fault ? { fault } : {}) }
  sendPage(response, setUpAppPage(session, setup), { status: fault ? 401 : 200, headers: openerPolicy(returnTo) })
}

/** Recovery codes after the first factor, the page of the factors after another one. */
export function sendAdded(
  { response }: Visit,
  codes: readonly string[] | undefined,
  returnTo: string | undefined,
): void {
  const next = returnTo ?? FACTORS_PATH
  const headers = openerPolicy(returnTo)
  if (codes) sendPage(response, recoveryCodesPage(codes, next), { headers })
  else sendRedirect(response, next, headers)
}

/** After the response. The change is not undone if the email is not sent. */
export async function notify(
  services: Services,
  person: { userId: string; email: string; workspaceName: string },
  change: SignInChange,
): Promise<void> {
  await mailChange(services, person, change).catch(error =>
    services.log.warn({ err: error }, 'an email about a changed sign-in was not sent'),
  )
}
