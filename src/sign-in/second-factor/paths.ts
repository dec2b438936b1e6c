import { startPath } from '../company/paths.ts'
import type { UserSession } from '../sessions.ts'

/** The second step of a sign-in. */
export const FACTOR_STEP_PATH = '/sign-in/second-factor'

/** The page on which people set up and change their second factors. */
export const FACTORS_PATH = '/account/second-factor'

/** Says that a confirmation is done. */
export const CONFIRMED_PATH = '/account/confirmed'

export const withReturn = (path: string, returnTo: string | undefined): string =>
  returnTo ? `${path}?return_to=${encodeURIComponent(returnTo)}` : path

/** Where people who must set up a factor are led. */
export const enrolPath = (returnTo: string | undefined): string => withReturn(FACTORS_PATH, returnTo)

/** Where people without a second factor prove again who they are: where the session began, or on the sign-in page. */
export const signInAgain = (
  returnTo: string | undefined,
  session?: Pick<UserSession, 'method' | 'workspaceId'>,
): string => {
  const path = session?.method === 'company' ? startPath(session.workspaceId) : '/sign-in'
  return `${path}?again=1&return_to=${encodeURIComponent(returnTo ?? '/account')}`
}

/** Where people prove again who they are. */
export const confirmPath = (returnTo: string | undefined): string => withReturn('/account/confirm', returnTo)
