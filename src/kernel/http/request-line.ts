import type { IncomingMessage, ServerResponse } from 'node:http'
import { getOrCreate } from '../async/get-or-create.ts'
import { newHandle } from '../ids/handles.ts'
import type { Services } from '../services/services.ts'
import { clock } from '../time/clock.ts'

/** This is known of a request when its line is written. Ids and codes only: nothing that a caller wrote. */
interface Noted {
  id: string
  workspace?: string | undefined
  key?: string | undefined
  user?: string | undefined
  code?: string | undefined
  /** its line was written by the steps of the API, which know more */
  written?: true
}

const requests = new WeakMap<IncomingMessage, Noted>()
const noted = (request: IncomingMessage): Noted => getOrCreate(requests, request, () => ({ id: newHandle('request') }))

/** The one id of a request: in its log lines, in the header of its response and in an error body. */
export const requestIdOf = (request: IncomingMessage): string => noted(request).id

/** Adds what was found out about a request to its log line. */
export const noteRequest = (request: IncomingMessage, facts: Partial<Omit<Noted, 'id'>>): void =>
  void Object.assign(noted(request), facts)

/**
 * Writes one line for a request when its response has ended, unless the API has written it. `route` is the pattern of the
 * path: paths of emailed links and files contain what opens them. Without a status the caller was gone before a response.
 */
export function writeLineAtEnd(
  { log }: Pick<Services, 'log'>,
  request: IncomingMessage,
  response: ServerResponse,
  row: { path: string; probed?: true } | undefined,
): void {
  const startedAt = clock.monotonic()
  response.once('close', () => {
    const { id: requestId, workspace, key, user, code, written } = noted(request)
    if (written) return
    const line = {
      requestId,
      method: request.method,
      route: row?.path,
      workspace,
      key,
      user,
      status: response.headersSent ? response.statusCode : undefined,
      code,
      ms: Math.round(clock.monotonic() - startedAt),
    }
    if (row?.probed) log.debug(line, 'request')
    else log.info(line, 'request')
  })
}
