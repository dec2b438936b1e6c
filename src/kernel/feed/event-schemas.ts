import { enumValues } from '../../contract/enums.ts'
import { type EventValue, eventValue } from '../../contract/event-values.ts'
import { EVENT_TYPES, EVENTS, type EventType } from '../../contract/events.ts'
import { COMPONENT, type JsonSchema, type Union } from '../http/shape.ts'
import { describeInput } from '../record/write.ts'

/** The JSON schemas of events as envelope.ts writes them: one for each type, and one for types that come later. */

const CHANGED = describeInput({ type: 'array', items: { type: 'string' } }, 'Names of the fields that changed.')
const ORIGIN = { type: 'string', description: '`api:` and the id of the key whose write caused it.' }
const PREVIOUS = describeInput(
  { [COMPONENT]: 'event_previous_attributes', type: 'object', additionalProperties: true },
  'Old values of simple fields.',
)

/** Every event says this of its record. */
const about = (object: JsonSchema) => ({
  object,
  id: { type: 'string' },
  workspace_id: { type: ['string', 'null'] },
  updated_at: { type: 'string', format: 'date-time' },
})
const SAID = ['object', 'id', 'workspace_id', 'updated_at']

const LINKS: JsonSchema = {
  [COMPONENT]: 'event_links',
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
}

const envelope = (type: JsonSchema, data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['object', 'id', 'type', 'api_version', 'created_at', 'sequence', 'workspace_id', 'data', 'links'],
  properties: {
    object: { type: 'string', const: 'event' },
    id: { type: 'string' },
    type,
    api_version: { type: 'string' },
    created_at: { type: 'string', format: 'date-time' },
    sequence: {
      type: 'integer',
      format: 'int64',
      description: 'The position in the log of this workspace: always increasing, never reused, not contiguous.',
    },
    workspace_id: { type: ['string', 'null'] },
    data,
    links: LINKS,
  },
})

const RECORD = 'The record that changed, without restricted fields. Read the record for the rest.'

/** Any event, of a known type or not. */
export const EVENT_SCHEMA: JsonSchema = envelope(
  { type: 'string', enum: EVENT_TYPES },
  {
    type: 'object',
    required: ['object'],
    properties: {
      object: describeInput(
        {
          type: 'object',
          required: SAID,
          properties: { ...about({ type: 'string' }), changed: CHANGED, origin: ORIGIN },
          additionalProperties: true,
        },
        RECORD,
      ),
      previous_attributes: PREVIOUS,
    },
  },
)

const SUBJECTS: JsonSchema = {
  type: 'array',
  items: {
    [COMPONENT]: 'event_subject',
    type: 'object',
    required: ['object', 'id'],
    properties: { object: { type: 'string' }, id: { type: 'string' } },
  },
}

function valueSchema({ type, about, enum: name, format, nullable }: EventValue): JsonSchema {
  if (type === 'subjects') return { ...SUBJECTS, description: about }
  if (name !== undefined) {
    const known = { type: 'string', enum: enumValues(name) }
    return nullable ? { anyOf: [known, { type: 'null' }], description: about } : { ...known, description: about }
  }
  return { type: nullable ? [type, 'null'] : type, ...(format ? { format } : {}), description: about }
}

/** `job.published` to `job_published_event` */
export const eventComponent = (type: string): string => `${type.replaceAll('.', '_')}_event`

function dataSchema(component: string, object: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['object'],
    properties: {
      object: { ...object, [COMPONENT]: `${component}_record`, description: RECORD },
      previous_attributes: PREVIOUS,
    },
  }
}

function schemaOf(type: EventType): JsonSchema {
  const { object, values, description } = EVENTS[type]
  const carried = values.map(name => {
    const value = eventValue(object, name)
    if (!value) throw new Error(`${name} of ${type} has no row in contract/event-values.ts`)
    return [name, value] as const
  })
  const record = {
    type: 'object',
    required: [...SAID, ...carried.filter(([, value]) => !value.optional).map(([name]) => name)],
    properties: {
      ...about({ type: 'string', const: object }),
      ...Object.fromEntries(carried.map(([name, value]) => [name, valueSchema(value)])),
      changed: CHANGED,
      origin: ORIGIN,
    },
  }
  return { ...envelope({ type: 'string', const: type }, dataSchema(eventComponent(type), record)), description }
}

/** The type of the event that a test of an endpoint sends. It is in no feed and in no catalogue. */
export const PING = 'ping'

/**
 * Notices to the publisher of an app about one installation. Like a ping they are in no feed and in no catalogue, and their
 * sequence is 0.
 */
export const NOTICES = ['installation.created', 'installation.updated', 'installation.deleted'] as const
export type Notice = (typeof NOTICES)[number]

export const isNotice = (type: string): type is Notice => (NOTICES as readonly string[]).includes(type)

/** These types are sent to endpoints and are not in the feed. */
export const UNLISTED = [PING, ...NOTICES] as const
export type Unlisted = (typeof UNLISTED)[number]

/** Why a notice was sent. */
export const NOTICE_REASONS = [
  'installed',
  'access_granted',
  'access_requested',
  'access_dropped',
  'suspended',
  'resumed',
  'uninstalled_by_workspace',
  'uninstalled_by_app',
  'ended_by_operator',
] as const
export type NoticeReason = (typeof NOTICE_REASONS)[number]

const SCOPE_NAMES: JsonSchema = { type: 'array', items: { type: 'string' } }

const noticeSchema = (type: Notice): JsonSchema => ({
  ...envelope(
    { type: 'string', const: type },
    dataSchema(eventComponent(type), {
      type: 'object',
      required: [...SAID, 'status', 'environment', 'scopes', 'scopes_pending', 'reason', 'delete_by'],
      properties: {
        ...about({ type: 'string', const: 'installation' }),
        status: { type: 'string', enum: ['active', 'suspended', 'ended'] },
        environment: { type: 'string', enum: ['live', 'test'], description: 'The environment of the workspace.' },
        scopes: describeInput(SCOPE_NAMES, 'What the workspace granted.'),
        scopes_pending: describeInput(SCOPE_NAMES, 'What the app has asked for since.'),
        reason: { type: 'string', enum: NOTICE_REASONS, description: 'Why it was sent. New values can come.' },
        delete_by: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'When your copies of the data must be deleted; null before the installation ends.',
        },
      },
    }),
  ),
  description:
    'A notice to the publisher of an app. It is in no feed: its sequence is 0, and links.self is the path of the installation.',
})

/** The schema of what is sent and is not in the feed. */
export const unlistedSchema = (type: Unlisted): JsonSchema => (type === PING ? pingSchema() : noticeSchema(type))

const pingSchema = (): JsonSchema => ({
  ...envelope(
    { type: 'string', const: PING },
    dataSchema(eventComponent(PING), {
      type: 'object',
      required: SAID,
      properties: about({ type: 'string', const: 'webhook_endpoint' }),
    }),
  ),
  description:
    'A test of a webhook endpoint. It is in no feed: its sequence is 0, and links.self is the path of the endpoint.',
})

/** A known event has the schema of its type; one of a later type has what all events have. */
export const eventUnion = (): Union => ({
  discriminator: 'type',
  known: Object.fromEntries(
    EVENT_TYPES.map(type => [type, { component: eventComponent(type), schema: schemaOf(type) }]),
  ),
  other: {
    component: 'other_event',
    schema: {
      ...envelope({ type: 'string', description: 'A type that this description does not know.' }, otherData()),
      description: 'An event of a type that was added after this description was written. Ignore it.',
    },
  },
})

function otherData(): JsonSchema {
  const record = { type: 'object', required: SAID, properties: about({ type: 'string' }), additionalProperties: true }
  return dataSchema('other_event', record)
}
