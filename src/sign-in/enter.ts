import type { ServerResponse } from 'node:http'
import { clearCookie, setCookie } from '../kernel/http/cookies.ts'
import { noteRequest } from '../kernel/http/request-line.ts'
import type { Services } from '../kernel/services/services.ts'
import type { Html } from '../pages/html.ts'
import { sendPage, sendRedirect } from '../pages/send.ts'
import { type Admitted, admit, CHOICE_SECONDS, FACTOR_SECONDS } from './admission.ts'
import { deviceCookie } from './device-cookie.ts'
import { homeOf } from './landing-page.ts'
import { formTargets } from './oidc/form-targets.ts'
import type { Posted, Visit } from './page-route.ts'
import { openerPolicy } from './return-to.ts'
import { FACTOR_STEP_PATH, withReturn } from './second-factor/paths.ts'
import { sessionCookie } from './sessions.ts'
import type { Proof } from './tickets.ts'

/** The cookie between authentication and the choice of a workspace. */
export const CHOICE_COOKIE = 'hiring_sign_in'
/** The cookie between the first factor and the second. */
export const FACTOR_COOKIE = 'hiring_factor'

/**
 * Redirects into the workspace, to the choice of one, or to the question for the second factor. False if the proof is no
 * longer valid; then nothing is sent.
 */
export async function enter(
  { services, request, response, address, anySession }: Posted,
  proof: Proof,
  returnTo: string | undefined,
): Promise<boolean> {
  const visitor = { before: anySession, address, userAgent: request.headers['user-agent'] }
  const admitted = await admit(services, proof, visitor)
  if (!admitted) return false
  if ('choice' in admitted) {
    const cookie = setCookie(services, CHOICE_COOKIE, admitted.choice, CHOICE_SECONDS)
    const headers = { ...openerPolicy(returnTo), 'Set-Cookie': cookie }
    sendRedirect(response, withReturn('/sign-in/workspace', returnTo), headers)
  } else sendAdmitted({ services, request, response }, admitted, returnTo, [CHOICE_COOKIE])
  return true
}

/** Redirects into the workspace, or to the question for the second factor. `ended`: cookies of the steps before. */
export function sendAdmitted(
  { services, request, response }: Pick<Visit, 'services' | 'request' | 'response'>,
  admitted: Admitted,
  returnTo: string | undefined,
  ended: readonly string[],
): void {
  const { member } = admitted
  noteRequest(request, { workspace: member.workspace_id, user: member.id })
  const over = (names: readonly string[]) => names.map(name => clearCookie(services, name))
  const [path, cookies] =
    'factor' in admitted
      ? [
          withReturn(FACTOR_STEP_PATH, returnTo),
          [setCookie(services, FACTOR_COOKIE, admitted.factor, FACTOR_SECONDS), ...over(ended)],
        ]
      : [
          returnTo ?? homeOf(member),
          [
            sessionCookie(services, admitted.session),
            deviceCookie(services, request, member.email),
            ...over([...ended, FACTOR_COOKIE]),
          ],
        ]
  sendRedirect(response, path, { ...openerPolicy(returnTo), 'Set-Cookie': cookies })
}

export async function sendForm(
  { db }: Services,
  response: ServerResponse,
  returnTo: string | undefined,
  page: Html,
  status = 200,
  retryAfter?: number,
): Promise<void> {
  const wait: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  const headers = { ...openerPolicy(returnTo), ...wait }
  sendPage(response, page, { status, headers, formTargets: await formTargets(db, returnTo) })
}
