import type { ServerResponse } from 'node:http'
import { noteRequest } from '../kernel/http/request-line.ts'
import type { Services } from '../kernel/services/services.ts'
import type { Html } from '../pages/html.ts'
import { sendPage, sendRedirect } from '../pages/send.ts'
import { admit, CHOICE_SECONDS, FACTOR_SECONDS } from './admission.ts'
import { clearCookie, setCookie } from './cookies.ts'
import { deviceCookie } from './device-cookie.ts'
import { homeOf } from './landing-page.ts'
import { formTargets } from './oidc/form-targets.ts'
import type { Posted } from './page-route.ts'
import { openerPolicy } from './return-to.ts'
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
  const opener = openerPolicy(returnTo)
  const next = (path: string) => (returnTo ? `${path}?return_to=${encodeURIComponent(returnTo)}` : path)
  if ('choice' in admitted) {
    const cookie = setCookie(services, CHOICE_COOKIE, admitted.choice, CHOICE_SECONDS)
    sendRedirect(response, next('/sign-in/workspace'), { ...opener, 'Set-Cookie': cookie })
    return true
  }
  if ('factor' in admitted) {
    const cookies = [
      setCookie(services, FACTOR_COOKIE, admitted.factor, FACTOR_SECONDS),
      clearCookie(services, CHOICE_COOKIE),
    ]
    sendRedirect(response, next('/sign-in/second-factor'), { ...opener, 'Set-Cookie': cookies })
    return true
  }
  const { member } = admitted
  noteRequest(request, { workspace: member.workspace_id, user: member.id })
  const cookies = [
    sessionCookie(services, admitted.session),
    deviceCookie(services, request, member.email),
    clearCookie(services, CHOICE_COOKIE),
    clearCookie(services, FACTOR_COOKIE),
  ]
  sendRedirect(response, returnTo ?? homeOf(member), { ...opener, 'Set-Cookie': cookies })
  return true
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
