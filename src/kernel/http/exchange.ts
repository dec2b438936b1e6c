import type { IncomingMessage } from 'node:http'
import type { Authenticated } from '../access/authenticate.ts'
import type { Charge } from '../access/budget.ts'
import type { Audience, Caller } from '../access/caller.ts'
import type { Naming } from '../access/reach.ts'
import type { Services } from '../services/services.ts'
import type { LimitsShown } from './reply.ts'
import type { Call, Route } from './route.ts'

/** One request on its way through the steps: what came in, and what each step found out for those after it. */
export interface Exchange {
  readonly route: Route
  readonly services: Services
  readonly request: IncomingMessage
  readonly address: string
  /** how the request reached the service; a token of the sign-in flow is valid for the API or for its tools */
  readonly audience: Audience
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly rawParams: Readonly<Record<string, string>>
  readonly requestId: string
  /** the rate limits that the headers of the response show */
  limits: LimitsShown
  /** who calls: `ANONYMOUS` until it is authenticated, and on routes that need no key */
  caller: Caller
  authenticated?: Authenticated
  /** a known key that is not valid now or not from this IP address; only for the request log */
  refused?: Authenticated
  /** the database's time when the key was looked up, in milliseconds; the process's on routes that need no key */
  now: number
  /** the workspace addressed; empty on routes that address none */
  workspace: string
  charged?: Charge
  /** the relations that the caller asked for */
  included?: readonly string[]
  /** Is set for a person who is limited to jobs. */
  reach?: Reach
}

/** Throws if a call concerns jobs that the caller is not on the team of. `complete`: with its body, all of it checked. */
export type Reach = (route: Route, naming: Naming, complete: boolean) => Promise<void>

// biome-ignore lint/suspicious/noExplicitAny: the types of a route's input are checked where it is declared
export type AnyCall = Call<any, any, any>
