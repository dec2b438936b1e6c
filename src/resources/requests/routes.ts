import { ERROR_CODES } from '../../contract/errors.ts'
import type { Order } from '../../kernel/http/list.ts'
import { handleParam, oneOfParam, statusParam, textParam, timeParam } from '../../kernel/http/params.ts'
import { type Route, readOne, readPage } from '../../kernel/http/route.ts'
import { requestShape } from './shape.ts'
import { loggedRequestById, selectRequests } from './store.ts'

const group = 'Meta'

const NEWEST_FIRST: Order = { by: 'created_at', tiebreaker: 'id', direction: 'desc', table: 'l' }

export const requestRoutes: readonly Route[] = [
  readPage({
    path: '/requests',
    operationId: 'listRequests',
    limited: 'keys',
    summary: "List the key's own calls",
    description: 'The calls of the last seven days, newest first, also those that were refused.',
    group,
    scope: 'any key',
    workspace: 'any',
    query: {
      request_id: handleParam('Only this call.', 'request'),
      method: oneOfParam('Only calls with this method.', ['GET', 'HEAD', 'POST']),
      route: textParam('Only calls of this endpoint: its path with the placeholders, such as `/jobs/{job_handle}`.'),
      status: statusParam('Only calls whose response had this status: `404`, or `4xx` for a class.'),
      code: oneOfParam('Only calls with this error code.', ERROR_CODES),
      created_after: timeParam('Only calls after this time.'),
      created_before: timeParam('Only calls before this time.'),
    },
    shape: requestShape,
    order: NEWEST_FIRST,
    handler: async ({ db, caller, query, workspace, page, services }) => {
      await services.requestLog.settle()
      // a key that reaches several workspaces sees the calls in all of them, unless it names one
      return db.query(selectRequests(caller, 'workspace_id' in query ? workspace : '', query, page))
    },
  }),
  readOne({
    path: '/requests/{request_id}',
    operationId: 'getRequest',
    limited: 'keys',
    summary: "Get one of the key's own calls",
    group,
    scope: 'any key',
    workspace: 'any',
    params: { request_id: 'request' },
    shape: requestShape,
    handler: async ({ db, caller, params, services }) => {
      await services.requestLog.settle()
      return db.one(loggedRequestById(caller, params.request_id))
    },
  }),
]
