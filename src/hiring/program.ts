import { createEndpointBuilders, type EndpointCall } from '../programs/endpoint.ts'
import type { Area } from '../programs/policy.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { userSession } from '../sign-in/user-session.ts'
import { checkEndpointReach } from './reach.ts'

/** For everyone who is signed in. Calls count against the limits of a person, together with those of the API. */
export const hiringArea: Area<UserSession> = {
  name: 'hiring',
  path: '/hiring/api',
  session: { ...userSession, checkReach: checkEndpointReach },
  counted: true,
}

export const { get, list, file, live, post, postFile } = createEndpointBuilders<UserSession, 'limited'>()

export type Call<N extends string = string> = EndpointCall<UserSession, N>
