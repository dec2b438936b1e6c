import { EVENT_TYPES, EVENTS, type EventType } from '../../contract/events.ts'
import { eventComponent, isNotice, type Notice, PING, UNLISTED, type Unlisted } from '../feed/event-schemas.ts'
import type { Examples } from './described.ts'
import { ref } from './named-schemas.ts'
import type { JsonSchema } from './shape.ts'

const deliveryHeader = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const DELIVERY_HEADERS: JsonSchema[] = [
  deliveryHeader(
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex>[,v1=<hex>]`: HMAC-SHA256 of `{t}.{raw_body}`; accept if any v1 matches, within 300 seconds.',
  ),
  deliveryHeader('Service-Event-Id', 'The id of the event; skip ids that you have already processed.'),
  deliveryHeader('Service-Delivery-Id', 'The id of the delivery in the delivery log.'),
  deliveryHeader('Service-Delivery-Attempt', 'The number of the attempt, from 1.'),
  deliveryHeader('Service-Environment', '`test` for events of a test workspace, otherwise `live`.'),
  deliveryHeader('Service-Api-Version', 'The API version of the event.'),
  {
    ...deliveryHeader('Service-Installation-Id', 'For endpoints of an installable app: the installation.'),
    required: false,
  },
]

const NOTICE_SUMMARIES: Readonly<Record<Notice, string>> = {
  'installation.created': 'A workspace installed the app.',
  'installation.updated': 'Access or status of an installation changed; `reason` says why.',
  'installation.deleted': 'An installation ended.',
}
const NOTICE_DESCRIPTION =
  'For installable apps: always sent to the endpoint of the app, whatever its event types, and signed with its secret.'

/** Endpoints of partners receive these requests, by the type of the event. */
export function describeWebhooks(examples: Examples | undefined): JsonSchema {
  const types: (EventType | Unlisted)[] = [...EVENT_TYPES, ...UNLISTED]
  return Object.fromEntries(types.map(type => [type, webhook(type, examples)]))
}

function webhook(type: EventType | Unlisted, examples: Examples | undefined): JsonSchema {
  const example = examples?.eventOf(type)
  return {
    post: {
      operationId: `on${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
      tags: ['Webhooks'],
      ...textsOf(type),
      security: [],
      parameters: DELIVERY_HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: ref(eventComponent(type)), ...(example === undefined ? {} : { example }) },
        },
      },
      responses: {
        '2XX': { description: 'Stored. Any other status is retried.' },
        '410': { description: 'The endpoint is gone: it is disabled.' },
      },
    },
  }
}

function textsOf(type: EventType | Unlisted): { summary: string; description: string } {
  if (type === PING) {
    const description = 'Sent by POST /webhooks/endpoints/{endpoint_id}/test, once, to that endpoint only.'
    return { summary: 'A test of the endpoint', description }
  }
  if (isNotice(type)) return { summary: NOTICE_SUMMARIES[type], description: NOTICE_DESCRIPTION }
  const { description, scope, values, record } = EVENTS[type]
  const carried = values.length > 0 ? ` Contains ${values.join(', ')}.` : ''
  const link = record === null ? '' : ` links.record is the path of GET ${record}.`
  return { summary: description, description: `Needs events:read and ${scope}.${carried}${link}` }
}
