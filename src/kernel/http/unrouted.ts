import type { IncomingMessage, ServerResponse } from 'node:http'
import { API_PREFIX } from '../../contract/version.ts'
import type { Authenticated } from '../access/authenticate.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services/services.ts'
import { clock } from '../time/clock.ts'
import { type Counting, countRequest } from './checks.ts'
import { recordUnrouted, recordUse } from './record-request.ts'
import { type LimitsShown, type ReplyContext, UNKNOWN_CALLER } from './reply.ts'
import type { Arrived, UnroutedError } from './route-table.ts'

/** Writes the response to a request that is refused outside the API's own steps. */
export type Refuse = (
  request: IncomingMessage,
  response: ServerResponse,
  failure: ApiError,
  /** what is known of the caller */
  caller?: Pick<ReplyContext, 'limits' | 'environment'>,
) => void

/**
 * Refuses a request that no endpoint takes. With a valid key it counts like every other request, so above the limit it is
 * refused for that. Without a key nothing is looked up.
 */
export async function refuseUnrouted(
  services: Services,
  refuse: Refuse,
  { request, response, address, path }: Omit<Arrived, 'params' | 'search' | 'rest' | 'stopping'>,
  failure: UnroutedError,
): Promise<void> {
  const startedAt = clock.monotonic()
  const isOfApi = `${path}/`.startsWith(`${API_PREFIX}/`)
  const known = isOfApi && (await services.authenticator.identify(request.headers.authorization, address, 'api'))
  if (!known) return refuse(request, response, failure)
  const { refused, limits } = known.refused ? { limits: UNKNOWN_CALLER } : await countUnrouted(services, known.key)
  const shown = refused ?? failure
  const { workspaceEnvironment: environment } = known.key.caller
  refuse(request, response, shown, { limits, environment: known.refused ? null : environment })
  if (!known.refused) recordUse(services, known.key, request, address, shown.status)
  recordUnrouted(services, known.key, request, { failure, shown, milliseconds: clock.monotonic() - startedAt })
}

/** Paths without an endpoint are of the general tier. `refused`: the key is above a limit. */
async function countUnrouted(
  services: Services,
  { caller, now }: Authenticated,
): Promise<{ refused?: ApiError; limits: LimitsShown }> {
  const counting: Counting = { services, caller, now, route: { tier: 'general' }, limits: UNKNOWN_CALLER }
  try {
    await countRequest(counting)
    return counting
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { refused: error, limits: counting.limits }
  }
}
