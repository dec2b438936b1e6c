import { invalid } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { textParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { changeTags, tagsOf, usedTags } from '../resources/hiring-team/index.ts'
import { type Endpoint, get, post } from '../sign-in/endpoints/endpoint.ts'
import type { TagsOfResponse, TagsResponse, UsedTagsResponse } from './api-types.ts'
import { onApplication } from './decisions.ts'
import { limitedTo } from './limited.ts'

/** Applications whose tags are read together. */
const MOST_APPLICATIONS = 200

export const tagEndpoints: readonly Endpoint[] = [
  get({
    path: '/tags',
    scope: 'applications:read',
    handler: async ({ db, session }): Promise<UsedTagsResponse> => ({
      tags: await db.query(usedTags(session.workspaceId, limitedTo(session))),
    }),
  }),
  get({
    path: '/tags/of-applications',
    scope: 'applications:read',
    query: {
      application_ids: textParam(`Handles of at most ${MOST_APPLICATIONS} applications, separated by commas.`, 8_000),
    },
    handler: async ({ db, session, query }): Promise<TagsOfResponse> => {
      const ids = query.application_ids?.split(',') ?? []
      if (ids.length > MOST_APPLICATIONS) invalid('application_ids', `must be at most ${MOST_APPLICATIONS} handles`)
      const rows = await db.query(tagsOf(session.workspaceId, ids))
      return { tags: Object.fromEntries(rows.map(({ application_id, tags }) => [application_id, tags])) }
    },
  }),
  post({
    path: '/applications/{application}/tags',
    scope: 'applications:write',
    body: Type.Object(
      {
        add: Type.Optional(Type.String({ maxLength: 200 })),
        remove: Type.Optional(Type.String({ maxLength: 200 })),
      },
      { ...closed, minProperties: 1 },
    ),
    handler: async ({ db, session, params, body }): Promise<TagsResponse> => ({
      tags: await db.transaction(tx => changeTags(tx, onApplication(session, params), body)),
    }),
  }),
]
