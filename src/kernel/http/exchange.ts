import type { IncomingMessage } from 'node:http'
import type { Authenticated } from '../access/authenticate.ts'
import type { Charge } from '../access/budget.ts'
import type { Services } from '../services/services.ts'
import type { LimitsShown } from './reply.ts'
import type { Call, Route } from './route.ts'

/** One request on its way through the steps. */
export interface Exchange {
  readonly route: Route
  readonly services: Services
  readonly request: IncomingMessage
  readonly address: string
  readonly path: string
  readonly query: URLSearchParams
  readonly rawParams: Readonly<Record<string, string>>
  readonly requestId: string
  /** read once; writes need the raw bytes for their fingerprint */
  bodyBytes: Buffer
  limits: LimitsShown
  authenticated?: Authenticated
  charged?: Charge
}

// biome-ignore lint/suspicious/noExplicitAny: the types of a route's input are checked where it is declared
export type AnyCall = Call<any, any, any>
