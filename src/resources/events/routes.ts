import { EVENT_SCOPES, EVENT_TYPES, type EventType, isEventType } from '../../contract/events.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { present } from '../../kernel/errors/present.ts'
import { readableEvents } from '../../kernel/feed/readable.ts'
import { unknownTypeMessage } from '../../kernel/feed/unknown-type.ts'
import { COMMA_SEPARATED, integerParam, oneOfParam, type Param, refuseParam } from '../../kernel/http/params.ts'
import { type Route, readLog, readOne } from '../../kernel/http/route.ts'
import { deriveEpoch, hasGap } from './rules.ts'
import { eventShape, feedFields } from './shape.ts'
import { eventById, type FeedRow, feedEpoch, feedPage } from './store.ts'

const group = 'Events'

const typesParam: Param<EventType[]> = {
  logged: true,
  description: `Only these event types.${COMMA_SEPARATED}`,
  schema: { type: 'array', items: { type: 'string', enum: EVENT_TYPES }, minItems: 1 },
  parse: text => {
    const names = [...new Set(text.split(','))]
    const unknown = names.filter(name => !isEventType(name))
    if (unknown.length > 0) refuseParam(unknown.map(unknownTypeMessage).join('; '), 'unknown_event_type')
    return names as EventType[]
  },
}

export const eventRoutes: readonly Route[] = [
  readLog({
    path: '/events',
    operationId: 'listEvents',
    limited: 'keys',
    summary: 'Read the change feed',
    description:
      'Every change in the workspace that the key can read, oldest first. Each workspace has its own log and its own sequence numbers.',
    group,
    scope: 'events:read',
    handlerScopes: EVENT_SCOPES,
    query: {
      after: integerParam('Only events after this sequence.', 0, Number.MAX_SAFE_INTEGER),
      type: typesParam,
      exclude_origin: oneOfParam("`self`: without the events that this key's own writes caused.", ['self']),
      limit: integerParam('Rows per page.', 1, API_LIMITS.maxPageSize, API_LIMITS.defaultPageSize),
    },
    errors: ['unknown_event_type'],
    shape: eventShape,
    envelopeFields: feedFields,
    handler: async ({ db, workspace, caller, query }) => {
      const limit = query.limit ?? API_LIMITS.defaultPageSize
      const after = query.after ?? 0
      const [rows, feed] = await Promise.all([
        db.query(
          feedPage({
            workspace,
            after,
            readable: readableEvents(caller, query.type),
            excludeKey: query.exclude_origin && caller.keyId,
            limit,
          }),
        ),
        db.only(feedEpoch()),
      ])
      const log = present(rows[0], 'the log')
      const page = toPage(log, rows, limit)
      const gap = query.after !== undefined && hasGap(log, after)
      return { ...page, envelopeFields: { ...page.envelopeFields, epoch: deriveEpoch(feed.epoch, log), gap } }
    },
  }),
  readOne({
    path: '/events/{event_handle}',
    operationId: 'getEvent',
    limited: 'keys',
    summary: 'Get an event',
    group,
    scope: 'events:read',
    handlerScopes: EVENT_SCOPES,
    params: { event_handle: 'event' },
    shape: eventShape,
    handler: ({ db, workspace, caller, params }) =>
      db.one(eventById(workspace, params.event_handle, readableEvents(caller))),
  }),
]

/**
 * `next_after` is the last sequence that was looked at, whether or not the key may see it: the last row shown where the
 * page is full, else where the scan stopped, else the end of the log.
 */
function toPage({ last_sequence, oldest_sequence, scanned_to }: FeedRow, rows: FeedRow[], limit: number) {
  const found = rows.filter((row): row is FeedRow & { sequence: number; body: string } => row.sequence !== null)
  const shown = found.slice(0, limit)
  const full = found.length > limit
  return {
    rows: shown,
    hasMore: full || (scanned_to !== null && scanned_to < last_sequence),
    envelopeFields: {
      next_after: full ? present(shown.at(-1), 'the last event').sequence : (scanned_to ?? last_sequence),
      oldest_sequence,
    },
  }
}
