import { readCookie } from '../../kernel/http/cookies.ts'
import type { Services } from '../../kernel/services/services.ts'
import { PRODUCT } from '../../pages/page.ts'
import type { Refused } from '../../programs/page.ts'
import {
  beginTotp,
  confirmTotp,
  type Factor,
  type Factors,
  mailChange,
  markSessionProved,
  passkeySite,
  pendingTotp,
  readFactors,
  removeTotp,
  renewRecoveryCodes,
  type SignInChange,
  selectPasskeys,
  selectSignInChanges,
  totpAddress,
  useCode,
} from '../../resources/second-factors/index.ts'
import { selectUsers } from '../../resources/users/index.ts'
import { userName } from '../../resources/users/shape.ts'
import { type Posted, page, readReturnTo, type ShownPage, type SignedInVisit, type SignInVisit } from '../area.ts'
import { waitInWords } from '../describe.ts'
import { knownDevice } from '../device-cookie.ts'
import { type EntryFault, enter, FACTOR_COOKIE, showForm, waitHeader } from '../enter.ts'
import { chooseLandingPage } from '../landing-page.ts'
import { countAttemptOf, resetAttempts } from '../limits.ts'
import { messagePage } from '../pages.ts'
import { openerPolicy } from '../return-to.ts'
import { whoOf } from '../sessions.ts'
import type { MemberRow } from '../store.ts'
import { readTicket } from '../tickets.ts'
import { isConfirmed } from './confirm.ts'
import { codePage, factorsPage, recoveryCodesPage, setUpAppPage } from './pages.ts'
import {
  CONFIRMED_PATH,
  confirmPath,
  enrolPath,
  FACTOR_STEP_PATH,
  FACTORS_PATH,
  signInAgain,
  withReturn,
} from './paths.ts'

const CONFIRMED = messagePage(
  'Confirmed',
  'Close this tab and continue where you came from. For 15 minutes you are not asked again.',
  { href: '/account', label: 'Your account' },
)

const WRONG_CODE = 'This code is wrong, was used already, or has expired. Enter the one that your app shows now.'

const SETUP_ENDED =
  'The app was not added: its setup was open for more than 15 minutes, or is finished. Begin it again.'

/** Who is signed out signs in first and comes back. */
export const confirmSignedOut = (visit: SignInVisit, { code }: Refused): ShownPage | undefined =>
  code === 'sign_in_required' ? { to: signInAgain(readReturnTo(visit)) } : undefined

/** Who is signed out signs in first; who has not proved lately who they are is asked to prove it. */
function refuseChange(visit: SignInVisit, { code }: Refused): ShownPage | undefined {
  const returnTo = readReturnTo(visit)
  if (code === 'sign_in_required') return { to: `/sign-in?return_to=${FACTORS_PATH}` }
  return code === 'confirmation_required'
    ? { to: confirmPath(enrolPath(returnTo)), headers: openerPolicy(returnTo) }
    : undefined
}

/** A form that changes the factors of a person. */
export const CHANGE = { session: 'needed', csrf: 'session', sensitive: true, refuse: refuseChange } as const

/** The second step of a sign-in, the page of a person's factors, and the confirmation of an open session. */
export const factorPages = [
  page({
    path: FACTOR_STEP_PATH,
    session: 'optional',
    csrf: 'origin',
    show: async visit => {
      const pending = await pendingSignIn(visit)
      return pending ? showStep(visit, pending.member) : startAgain(visit)
    },
    submit: async visit => {
      const pending = await pendingSignIn(visit)
      if (!pending) return startAgain(visit)
      const { proof, member } = pending
      const person = { userId: member.id, workspaceId: member.workspace_id, email: member.email }
      const checked = await checkCode(visit, person)
      if ('fault' in checked) return showStep(visit, member, checked)
      const entered = await enter(visit, { ...proof, ...checked })
      if (!entered) return { to: '/sign-in' }
      const notified = { ...person, workspaceName: member.workspace_name }
      return withNotice(entered, visit.services, notified, changeBy(checked.factor))
    },
  }),
  page({
    path: '/account/confirm',
    session: 'needed',
    csrf: 'session',
    refuse: confirmSignedOut,
    show: async visit => {
      const factors = await readFactors(visit.services.db, whoOf(visit.session))
      return factors.any ? showConfirm(visit, factors) : { to: signInAgain(readReturnTo(visit), visit.session) }
    },
    submit: async visit => {
      const { services, session } = visit
      const checked = await checkCode(visit, session)
      if ('fault' in checked) return showConfirm(visit, await readFactors(services.db, whoOf(session)), checked)
      const { factor } = checked
      await services.db.query(markSessionProved(whoOf(session), session.id, factor))
      return withNotice({ to: readReturnTo(visit) ?? chooseLandingPage(session) }, services, session, changeBy(factor))
    },
  }),
  // the end of a confirmation in a tab of its own
  page({ path: CONFIRMED_PATH, session: 'none', show: () => ({ show: CONFIRMED }) }),
  page({ path: FACTORS_PATH, session: 'needed', refuse: refuseChange, show: visit => showFactors(visit) }),
  page({
    ...CHANGE,
    path: `${FACTORS_PATH}/app`,
    submit: async visit => {
      const { services, session } = visit
      await beginTotp(services.db, services.keyring, whoOf(session))
      const returnTo = readReturnTo(visit)
      return { to: withReturn(`${FACTORS_PATH}/app`, returnTo), headers: openerPolicy(returnTo) }
    },
  }),
  // who reads the secret has the codes, so it needs the same proof as the form
  page({
    path: `${FACTORS_PATH}/app`,
    session: 'needed',
    sensitive: true,
    refuse: refuseChange,
    show: visit => showSetup(visit),
  }),
  page({
    ...CHANGE,
    path: `${FACTORS_PATH}/app/confirm`,
    submit: async visit => {
      const { services, session, form } = visit
      const { db, keyring } = services
      const added = await confirmTotp(db, keyring, whoOf(session), form.get('code') ?? '', session.id)
      if (added) return withNotice(showAdded(visit, added.recoveryCodes), services, session, 'app_added')
      const isOpen = await pendingTotp(db, keyring, whoOf(session))
      return isOpen ? showSetup(visit, WRONG_CODE) : showFactors(visit, SETUP_ENDED)
    },
  }),
  page({
    ...CHANGE,
    path: `${FACTORS_PATH}/app/remove`,
    submit: async ({ services, session }) => {
      const removed = await removeTotp(services.db, whoOf(session), session.id)
      return withNotice({ to: FACTORS_PATH }, services, session, removed ? 'app_removed' : undefined)
    },
  }),
  page({
    ...CHANGE,
    path: `${FACTORS_PATH}/codes`,
    submit: async visit => {
      const { services, session } = visit
      const codes = await renewRecoveryCodes(services.db, whoOf(session))
      if (!codes) return { to: FACTORS_PATH }
      const shown = { show: recoveryCodesPage(codes, readReturnTo(visit) ?? FACTORS_PATH) }
      return withNotice(shown, services, session, 'codes_made')
    },
  }),
]

const startAgain = (visit: SignInVisit): ShownPage => ({ to: '/sign-in', headers: openerPolicy(readReturnTo(visit)) })

/** The person between the first factor and the second. */
export async function pendingSignIn({ services, request }: SignInVisit) {
  const proof = await readTicket(services, 'factor', readCookie(services, request, FACTOR_COOKIE))
  const [member] = proof?.members ?? []
  return proof && member && { proof, member }
}

/** The second step of a sign-in; again, with what was wrong. */
export async function showStep(visit: SignInVisit, member: MemberRow, fault?: EntryFault): Promise<ShownPage> {
  const { db, publicUrl } = visit.services
  const step = codePage({
    action: FACTOR_STEP_PATH,
    passkeys: passkeySite(publicUrl) !== undefined,
    title: 'Second factor',
    intro: `You are signing in as ${member.email}.`,
    factors: await readFactors(db, { workspace: member.workspace_id, user: member.id }),
    returnTo: readReturnTo(visit),
    fault: fault?.fault,
  })
  return showForm(visit, step, fault)
}

/** The confirmation of an open session; again, with what was wrong. */
export function showConfirm(
  visit: SignedInVisit,
  factors: Factors,
  { status = 200, fault, wait }: Partial<EntryFault> = {},
) {
  const { services, session } = visit
  const step = codePage({
    action: '/account/confirm',
    passkeys: passkeySite(services.publicUrl) !== undefined,
    title: 'Confirm that it is you',
    intro: `This change needs your second factor. You are signed in as ${session.email}.`,
    factors,
    returnTo: readReturnTo(visit),
    csrf: session.csrfToken,
    fault,
  })
  return { show: step, status, headers: waitHeader(wait) }
}

/** Counts the attempt, then checks the code of the form. */
async function checkCode(
  { services, request, address, form }: Posted,
  person: { userId: string; workspaceId: string; email: string },
): Promise<{ factor: Factor } | EntryFault> {
  const browser = knownDevice(services, request, person.email)
  const source = { account: person.userId, address, browser }
  const wait = await countAttemptOf(services, 'second factor', source)
  if (wait) return { status: 429, fault: `Too many attempts. Try again in ${waitInWords(wait)}.`, wait }
  const who = { workspace: person.workspaceId, user: person.userId }
  const factor = await useCode(services.db, services.keyring, who, form.get('code') ?? '')
  if (!factor) return { status: 401, fault: WRONG_CODE }
  await resetAttempts(services, 'second factor', source)
  return { factor }
}

/** The page of the factors; again, with what was wrong. */
export async function showFactors(visit: SignedInVisit, fault?: string): Promise<ShownPage> {
  const { services, session } = visit
  const { db } = services
  const returnTo = readReturnTo(visit)
  const [factors, passkeys, changes, users] = await Promise.all([
    readFactors(db, whoOf(session)),
    db.query(selectPasskeys(whoOf(session))),
    db.query(selectSignInChanges(session.workspaceId, session.userId, 10)),
    db.query(selectUsers(session.workspaceId)),
  ])
  const names = new Map(users.map(user => [user.id, userName(user)]))
  const site = passkeySite(services.publicUrl)
  // else the browser would store a passkey that is then refused
  const canAdd = isConfirmed(session, factors) ? 'possible' : 'unconfirmed'
  const newPasskey = site ? canAdd : 'impossible'
  const parts = { session, factors, passkeys, newPasskey, changes, names, returnTo, fault } as const
  return { show: factorsPage(parts), status: fault === undefined ? 200 : 400, headers: openerPolicy(returnTo) }
}

/** The QR code of the app that is being set up. */
async function showSetup(visit: SignedInVisit, fault?: string): Promise<ShownPage> {
  const { services, session } = visit
  const returnTo = readReturnTo(visit)
  const secret = await pendingTotp(services.db, services.keyring, whoOf(session))
  if (!secret) return { to: enrolPath(returnTo) }
  const address = totpAddress(secret, `${PRODUCT} (${new URL(services.publicUrl).host})`, session.email)
  const setup = { secret, address, returnTo, ...(fault ? { fault } : {}) }
  return { show: setUpAppPage(session, setup), status: fault ? 401 : 200, headers: openerPolicy(returnTo) }
}

/** Recovery codes after the first factor, the page of the factors after another one. */
export function showAdded(visit: SignInVisit, codes: readonly string[] | undefined): ShownPage {
  const returnTo = readReturnTo(visit)
  const next = returnTo ?? FACTORS_PATH
  const headers = openerPolicy(returnTo)
  return codes ? { show: recoveryCodesPage(codes, next), headers } : { to: next, headers }
}

/** A recovery code that was used is gone. */
const changeBy = (factor: Factor): SignInChange | undefined => (factor === 'recovery' ? 'code_used' : undefined)

/** Emails the person about a change, if there was one, after the response. It is not undone if the email is not sent. */
export const withNotice = (
  shown: ShownPage,
  services: Services,
  person: Parameters<typeof mailChange>[1],
  change: SignInChange | undefined,
): ShownPage => {
  if (change === undefined) return shown
  const failed = (err: unknown) => services.log.warn({ err }, 'an email about a changed sign-in was not sent')
  return { ...shown, after: () => mailChange(services, person, change).catch(failed) }
}
