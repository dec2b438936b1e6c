import { EVENT_SCHEMA, eventUnion } from '../../kernel/feed/event-schemas.ts'
import { boolean, type Fields, int64, jsonText, shape, text } from '../../kernel/http/shape.ts'

/** An event is stored as the text that is sent; feed and webhooks pass it on byte for byte. */
export const eventShape = shape(
  'event',
  'A change in the workspace. All readers see events in the same order.',
  { body: jsonText(EVENT_SCHEMA) },
  { verbatim: 'body', union: eventUnion, resource: { name: 'events', scope: 'events:read' } },
)

/** Fields of a feed page besides `data`. */
export const feedFields = {
  next_after: int64('The last sequence read. Send it as `after` to continue.'),
  oldest_sequence: int64('The first sequence that is still retained.'),
  gap: {
    ...boolean(),
    schema: {
      type: 'boolean',
      description:
        'You cannot continue from `after`: the next events are no longer retained, or `after` is beyond the end of the log because the database was restored from a backup. Make a full copy and continue from its `as_of_sequence`.',
    },
  },
  epoch: text(
    'An opaque id of the log. It changes when the database is restored from a backup. Make a full copy then, because changes that you have processed may have been lost.',
  ),
} satisfies Fields
