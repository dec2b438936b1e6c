import { invalid } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { textParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { changeTags, selectTags, usedTags } from '../resources/hiring-team/index.ts'
import { onApplication } from './decisions.ts'
import { get, post } from './program.ts'
import { limitedTo } from './reach.ts'

/** Applications whose tags are read together. */
const MAX_APPLICATIONS = 200

export const tagEndpoints = [
  get({
    path: '/tags',
    limited: 'filtered',
    scope: 'applications:read',
    returns: { tags: fields('name', 'used') },
    handler: async ({ db, session }) => ({
      tags: await db.query(usedTags(session.workspaceId, limitedTo(session))),
    }),
  }),
  get({
    path: '/tags/of-applications',
    limited: 'record',
    jobRight: 'see',
    scope: 'applications:read',
    query: {
      application_ids: textParam(`Handles of at most ${MAX_APPLICATIONS} applications, separated by commas.`, 8_000),
    },
    returns: fields('tags'),
    handler: async ({ db, session, query }) => {
      const ids = query.application_ids?.split(',') ?? []
      if (ids.length > MAX_APPLICATIONS) invalid('application_ids', `must be at most ${MAX_APPLICATIONS} handles`)
      const rows = await db.query(selectTags(session.workspaceId, ids))
      // those without a tag are left out
      return { tags: Object.fromEntries(rows.map(({ application_id, tags }) => [application_id, tags])) }
    },
  }),
  post({
    path: '/applications/{application}/tags',
    limited: 'record',
    jobRight: 'decide',
    scope: 'applications:write',
    body: Type.Object(
      {
        add: Type.Optional(Type.String({ maxLength: 200 })),
        remove: Type.Optional(Type.String({ maxLength: 200 })),
      },
      { ...closed, minProperties: 1 },
    ),
    returns: fields('tags'),
    handler: async ({ db, session, params, body }) => ({
      tags: await db.transaction(tx => changeTags(tx, onApplication(session, params), body)),
    }),
  }),
]
