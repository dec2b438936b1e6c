import type { ReachWords } from '../kernel/access/reach.ts'
import { createEndpointBuilders, type EndpointCall } from '../programs/endpoint.ts'
import type { Area } from '../programs/policy.ts'
import { type HiringSession, hiringSession } from './reach.ts'

/** For everyone who is signed in. Calls count against the limits of a person, together with those of the API. */
export const hiringArea: Area<HiringSession> = {
  name: 'hiring',
  path: '/hiring/api',
  session: hiringSession,
  counted: true,
}

export const { get, list, file, live, post, postFile } = createEndpointBuilders<HiringSession, ReachWords>()

export type Call<N extends string = string> = EndpointCall<HiringSession, N>
