import { EVENT_TYPES } from '../contract/events.ts'
import { integerParam, listParam, textParam, timeParam } from '../kernel/http/params.ts'
import { type SearchedEvent, searchEvents, sequenceAfter, sequenceAt } from '../resources/events/index.ts'
import { listKeys } from '../resources/keys/index.ts'
import { get } from './program.ts'

const PAGE = 50

export const eventEndpoints = [
  get({
    path: '/events',
    query: {
      type: listParam('Only these types.', EVENT_TYPES),
      origin: textParam('`api`, `product`, or the id of a key.', 40),
      about: textParam('The id of a record, or of the event itself.', 60),
      created_after: timeParam('Only events after this time.'),
      created_before: timeParam('Only events before this time.'),
      before: integerParam('Only events before this sequence.', 0, Number.MAX_SAFE_INTEGER),
    },
    handler: async ({ db, session, query }) => {
      const workspace = session.workspaceId
      const [start, end, keys] = await Promise.all([
        query.created_before === undefined ? undefined : db.one(sequenceAfter(workspace, query.created_before)),
        query.created_after === undefined ? undefined : db.one(sequenceAt(workspace, query.created_after)),
        listKeys(db, workspace),
      ])
      const rows = await db.query(
        searchEvents({
          workspace,
          before: Math.min(query.before ?? Number.MAX_SAFE_INTEGER, start?.sequence ?? Number.MAX_SAFE_INTEGER),
          after: end?.sequence ?? 0,
          types: query.type,
          origin: query.origin,
          about: query.about?.trim(),
          createdAfter: query.created_after,
          createdBefore: query.created_before,
          limit: PAGE,
        }),
      )
      const names = new Map(keys.map(key => [key.id, key.name]))
      const found = rows.filter(row => row.id !== null) as unknown as SearchedEvent[]
      const reached = rows[0]?.reached ?? null
      return {
        data: found.map(({ sequence, id, type, created_at, origin_key_id, body }) => ({
          sequence,
          id,
          type,
          created_at,
          body,
          origin:
            origin_key_id === null ? null : { id: origin_key_id, name: names.get(origin_key_id) ?? origin_key_id },
        })),
        /** read on with it; null at the end */
        next_before: found[PAGE - 1]?.sequence ?? reached,
        /** true: nothing more was found in what was looked at, but there is more to look at */
        unfinished: reached !== null,
      }
    },
  }),
]
