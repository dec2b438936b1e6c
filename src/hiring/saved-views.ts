import { isManager } from '../contract/roles.ts'
import { VIEW_PAGES } from '../contract/saved-views.ts'
import { isLimited } from '../contract/scopes.ts'
import { closed } from '../kernel/http/closed.ts'
import { isUuid } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { oneLine } from '../programs/body-rules.ts'
import { fields } from '../programs/fields.ts'
import {
  MAX_VIEW_NAME,
  MAX_VIEW_QUERY,
  readViews,
  removeView,
  saveView,
  type ViewReader,
} from '../resources/saved-views/index.ts'
import { get, post } from './program.ts'
import { type HiringSession, limitedTo } from './reach.ts'

const readerOf = (session: HiringSession): ViewReader => ({
  workspace: session.workspaceId,
  userId: session.userId,
  limit: limitedTo(session),
  isManager: isManager(session),
  isAlone: isLimited(session) || session.role === 'viewer',
})

const view = oneLine(
  Type.Object(
    {
      name: Type.String({ maxLength: MAX_VIEW_NAME }),
      page: Type.Enum(VIEW_PAGES),
      job_id: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
      query: Type.String({ maxLength: MAX_VIEW_QUERY }),
      shared: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  body => ({ name: body?.name }),
)

/** Lists under a name. A view says what is shown, and never more than its reader may see. */
export const savedViewEndpoints = [
  get({
    path: '/saved-views',
    limited: 'filtered',
    scope: 'jobs:read',
    returns: { views: fields('id', 'name', 'page', 'job_id', 'job_title', 'query', 'shared', 'own', 'is_gone') },
    handler: async ({ db, session }) => ({ views: await readViews(db, readerOf(session)) }),
  }),
  post({
    path: '/saved-views',
    limited: 'filtered',
    scope: 'jobs:read',
    body: view,
    returns: fields('id'),
    handler: async ({ db, session, body }) => ({
      id: await db.transaction(tx => saveView(tx, readerOf(session), body)),
    }),
  }),
  post({
    path: '/saved-views/{view}',
    limited: 'filtered',
    scope: 'jobs:read',
    body: view,
    returns: fields('id'),
    handler: async ({ db, session, params, body }) =>
      isUuid(params.view)
        ? { id: await db.transaction(tx => saveView(tx, readerOf(session), body, params.view)) }
        : undefined,
  }),
  post({
    path: '/saved-views/{view}/delete',
    limited: 'filtered',
    scope: 'jobs:read',
    returns: fields('id'),
    handler: async ({ db, session, params }) => {
      const id = params.view
      const isDeleted = isUuid(id) && (await db.transaction(tx => removeView(tx, readerOf(session), id)))
      return isDeleted ? { id } : undefined
    },
  }),
]
