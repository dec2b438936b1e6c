import type { Operations } from '../../packages/sdk/src/generated.ts'
import type { ReadDownloads } from '../downloads/downloads.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { callFromPage } from '../kernel/http/page-call.ts'
import type { Route } from '../kernel/http/route.ts'
import type { NamesIn, Visit } from '../programs/policy.ts'
import type { PartnerSession } from './sessions.ts'

/** A request for a page, with the endpoints of the API that the pages call. */
export interface PartnerVisit extends Visit {
  routes: readonly Route[]
  readDownloads: ReadDownloads | undefined
  query: URLSearchParams
}

export interface SignedInPartner extends PartnerVisit {
  session: PartnerSession
}

/** Calls an endpoint of the API, by its name, for the key that is signed in. */
export type CallApi = <O extends keyof Operations>(
  name: O,
  params: Readonly<Record<NamesIn<Operations[O]['path']>, string>>,
  query?: Readonly<Record<string, string>>,
) => Promise<Operations[O]['response']>

export const apiFor =
  ({ routes, services, session, request, address }: SignedInPartner): CallApi =>
  (name, params, query = {}) => {
    const route = routes.find(({ operationId }) => operationId === name)
    if (!route) throw new Error(`there is no endpoint ${name}`)
    const { authenticated } = session
    return callFromPage(route, services, {
      authenticated,
      address,
      userAgent: request.headers['user-agent'],
      params,
      query,
    })
  }

const SAID_IN_PLACE: ReadonlySet<number> = new Set([400, 403, 404])

/** What the key may not read, or a filter that is not valid, is said on the page in place of the rows. */
export async function unlessRefused<T>(read: Promise<T>): Promise<T | ApiError> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ApiError && SAID_IN_PLACE.has(error.status)) return error
    throw error
  }
}
