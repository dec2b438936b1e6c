import { createEndpointBuilders, type EndpointCall } from '../programs/endpoint.ts'
import type { Area } from '../programs/policy.ts'
import { CONSOLE_ROLES } from '../sign-in/landing-page.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { userSession } from '../sign-in/user-session.ts'

/** Calls count against the limits of a person, together with those of the API and of the hiring pages. */
export const consoleArea: Area<UserSession> = {
  name: 'console',
  path: '/console/api',
  session: userSession,
  counted: true,
  roles: CONSOLE_ROLES,
  refusal: 'The console is for owners and admins of the workspace.',
}

export const { get, list, file, post, postFile } = createEndpointBuilders<UserSession>()

export type Call<N extends string = string> = EndpointCall<UserSession, N>
