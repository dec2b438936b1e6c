import { EVENT_TYPES } from '../../contract/events.ts'
import { boolean, type Fields, integer, type JsonSchema, jsonText, shape } from '../../kernel/http/shape.ts'

const EVENT: JsonSchema = {
  type: 'object',
  required: ['object', 'id', 'type', 'api_version', 'created_at', 'sequence', 'workspace_id', 'data', 'links'],
  properties: {
    object: { const: 'event' },
    id: { type: 'string' },
    type: { type: 'string', enum: EVENT_TYPES },
    api_version: { type: 'string' },
    created_at: { type: 'string', format: 'date-time' },
    sequence: { type: 'integer', description: 'Always increasing, never reused, not contiguous.' },
    workspace_id: { type: ['string', 'null'] },
    data: {
      type: 'object',
      required: ['object'],
      properties: {
        object: {
          type: 'object',
          required: ['object', 'id', 'workspace_id', 'updated_at'],
          properties: {
            object: { type: 'string' },
            id: { type: 'string' },
            workspace_id: { type: ['string', 'null'] },
            updated_at: { type: 'string', format: 'date-time' },
            changed: { type: 'array', items: { type: 'string' } },
            origin: { type: 'string', description: '`api:` and the id of the key whose write caused it.' },
          },
        },
        previous_attributes: { type: 'object' },
      },
    },
    links: { type: 'object', properties: { self: { type: 'string' } } },
  },
}

/** An event is stored as the text that is sent; feed and webhooks pass it on byte for byte. */
export const eventShape = shape(
  'event',
  'A change, in the one order in which all readers see it.',
  { body: jsonText(EVENT) },
  { verbatim: 'body', resource: { name: 'events', scope: 'events:read' } },
)

/** What stands beside a page of the feed. */
export const feedFields = {
  next_after: integer('The last sequence looked at: send it as `after` to read on.'),
  oldest_sequence: integer('The first sequence that is still kept.'),
  gap: {
    ...boolean(),
    schema: { type: 'boolean', description: '`after` lies before what is kept: start again from a full copy.' },
  },
} satisfies Fields
