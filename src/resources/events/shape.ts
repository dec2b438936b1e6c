import { EVENT_TYPES } from '../../contract/events.ts'
import { boolean, type Fields, int64, type JsonSchema, jsonText, shape, text } from '../../kernel/http/shape.ts'
import { describeInput } from '../../kernel/record/write.ts'

const EVENT: JsonSchema = {
  type: 'object',
  required: ['object', 'id', 'type', 'api_version', 'created_at', 'sequence', 'workspace_id', 'data', 'links'],
  properties: {
    object: { type: 'string', const: 'event' },
    id: { type: 'string' },
    type: { type: 'string', enum: EVENT_TYPES },
    api_version: { type: 'string' },
    created_at: { type: 'string', format: 'date-time' },
    sequence: {
      type: 'integer',
      format: 'int64',
      description: 'The position in the log of this workspace: always increasing, never reused, not contiguous.',
    },
    workspace_id: { type: ['string', 'null'] },
    data: {
      type: 'object',
      required: ['object'],
      properties: {
        object: describeInput(
          {
            type: 'object',
            required: ['object', 'id', 'workspace_id', 'updated_at'],
            properties: {
              object: { type: 'string' },
              id: { type: 'string' },
              workspace_id: { type: ['string', 'null'] },
              updated_at: { type: 'string', format: 'date-time' },
              changed: describeInput({ type: 'array', items: { type: 'string' } }, 'Names of the fields that changed.'),
              origin: { type: 'string', description: '`api:` and the id of the key whose write caused it.' },
            },
            additionalProperties: true,
          },
          'The record that changed, without restricted fields. Read the record for the rest.',
        ),
        previous_attributes: describeInput({ type: 'object' }, 'Old values of simple fields.'),
      },
    },
    links: {
      type: 'object',
      required: ['self'],
      properties: {
        self: { type: 'string', format: 'uri-reference', description: 'The path of the event.' },
        record: {
          type: 'string',
          format: 'uri-reference',
          description:
            'The path of the record that changed. Absent if the record is deleted, if no endpoint returns it, and on older events.',
        },
      },
    },
  },
}

/** An event is stored as the text that is sent; feed and webhooks pass it on byte for byte. */
export const eventShape = shape(
  'event',
  'A change in the workspace. All readers see events in the same order.',
  { body: jsonText(EVENT) },
  { verbatim: 'body', resource: { name: 'events', scope: 'events:read' } },
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
