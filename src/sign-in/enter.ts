import { clearCookie, setCookie } from '../kernel/http/cookies.ts'
import { noteRequest } from '../kernel/http/request-line.ts'
import type { Html } from '../pages/html.ts'
import { type Admitted, admit, CHOICE_SECONDS, FACTOR_SECONDS } from './admission.ts'
import { type Posted, readReturnTo, type ShownPage, type SignInVisit } from './area.ts'
import { deviceCookie } from './device-cookie.ts'
import { chooseLandingPage } from './landing-page.ts'
import { formTargets } from './oidc/form-targets.ts'
import { openerPolicy } from './return-to.ts'
import { FACTOR_STEP_PATH, withReturn } from './second-factor/paths.ts'
import { sessionCookie } from './sessions.ts'
import type { Proof } from './tickets.ts'

/** The cookie between authentication and the choice of a workspace. */
export const CHOICE_COOKIE = 'hiring_sign_in'
/** The cookie between the first factor and the second. */
export const FACTOR_COOKIE = 'hiring_factor'

/**
 * Redirects into the workspace, to the choice of one, or to the question for the second factor. Undefined if the proof is
 * no longer valid.
 */
export async function enter(visit: Posted, proof: Proof): Promise<ShownPage | undefined> {
  const { services, request, address, session } = visit
  const returnTo = readReturnTo(visit)
  const visitor = { before: session, address, userAgent: request.headers['user-agent'] }
  const admitted = await admit(services, proof, visitor)
  if (!admitted) return undefined
  if (!('choice' in admitted)) return enterAdmitted(visit, admitted, returnTo, [CHOICE_COOKIE])
  const cookie = setCookie(services, CHOICE_COOKIE, admitted.choice, CHOICE_SECONDS)
  const headers = { ...openerPolicy(returnTo), 'Set-Cookie': cookie }
  return { to: withReturn('/sign-in/workspace', returnTo), headers }
}

/** Redirects into the workspace, or to the question for the second factor. `ended`: cookies of the steps before. */
export function enterAdmitted(
  { services, request }: Pick<Posted, 'services' | 'request'>,
  admitted: Admitted,
  returnTo: string | undefined,
  ended: readonly string[],
): ShownPage {
  const { member } = admitted
  noteRequest(request, { workspace: member.workspace_id, user: member.id })
  const over = (names: readonly string[]) => names.map(name => clearCookie(services, name))
  const [to, cookies] =
    'factor' in admitted
      ? [
          withReturn(FACTOR_STEP_PATH, returnTo),
          [setCookie(services, FACTOR_COOKIE, admitted.factor, FACTOR_SECONDS), ...over(ended)],
        ]
      : [
          returnTo ?? chooseLandingPage(member),
          [
            sessionCookie(services, admitted.session),
            deviceCookie(services, request, member.email),
            ...over([...ended, FACTOR_COOKIE]),
          ],
        ]
  return { to, headers: { ...openerPolicy(returnTo), 'Set-Cookie': cookies } }
}

/** What was wrong with a form that is shown again, and after how many seconds it may be sent. */
export interface EntryFault {
  status: number
  fault: string
  wait?: number | undefined
}

export const waitHeader = (seconds: number | undefined): Readonly<Record<string, string>> =>
  seconds === undefined ? {} : { 'Retry-After': String(seconds) }

/** A form on the way into a session, which may end at an app. */
export async function showForm(
  visit: SignInVisit,
  show: Html,
  { status = 200, wait }: Partial<EntryFault> = {},
): Promise<ShownPage> {
  const returnTo = readReturnTo(visit)
  const headers = { ...openerPolicy(returnTo), ...waitHeader(wait) }
  return { show, status, headers, formTargets: await formTargets(visit.services.db, returnTo) }
}
