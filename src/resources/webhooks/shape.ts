import { EVENT_TYPES } from '../../contract/events.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { UNLISTED } from '../../kernel/feed/event-schemas.ts'
import {
  array,
  boolean,
  handleField,
  int64,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  shape,
  text,
  time,
  url,
  uuid,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'canceled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const DISABLED_REASONS = ['failing', 'gone', 'manual', 'key_revoked'] as const

export const SIGNATURE_HEADER = 'Service-Signature'

export const SIGNATURE_SCHEME = {
  header: SIGNATURE_HEADER,
  format: 't=<unix seconds>,v1=<hex>[,v1=<hex>]',
  algorithm: 'HMAC-SHA256',
  tolerance_seconds: API_LIMITS.webhookSignatureToleranceSeconds,
  note: 'Sign `{t}.{raw_body}` with the whole signing secret, `whsec_` included, as UTF-8 bytes; compare in constant time; accept if any v1 matches.',
} as const

export const endpointShape = shape(
  'webhook_endpoint',
  'A URL that receives events.',
  {
    id: uuid(),
    url: url(),
    description: nullable(text()),
    event_types: field(array(oneOf(EVENT_TYPES)), {
      description: 'If empty, the endpoint receives every type, including future ones.',
    }),
    enabled: boolean(),
    disabled_at: nullable(time()),
    disabled_reason: field(nullable(oneOf(DISABLED_REASONS)), {
      description: '`gone` after a 410, `failing` after 5 days without success, `manual`, or `key_revoked`.',
    }),
    signing_secret: optional(nullable(text('Shown once, on creation and rotation; null if such a call is replayed.'))),
    signing_secret_version: field(integer(), { description: 'Increases with each rotation.' }),
    signing_secret_rotated_at: nullable(time()),
    previous_secret_expires_at: nullable(time()),
    consecutive_failures: field(integer(), { description: 'Failed attempts since the last success.' }),
    last_success_at: nullable(time()),
    last_failure_at: nullable(time()),
    created_at: time(),
    signature_scheme: object({
      header: text(),
      format: text(),
      algorithm: text(),
      tolerance_seconds: integer(),
      note: text(),
    }),
  },
  { resource: { name: 'webhook_endpoints', scope: 'webhooks:read' } },
)

const delivery = {
  id: uuid(),
  endpoint_id: uuid(),
  event_id: handleField('event'),
  event_type: oneOf([...EVENT_TYPES, ...UNLISTED]),
  status: oneOf(DELIVERY_STATUSES),
  attempt: integer('The number of attempts so far.'),
  response_status: nullable(integer('HTTP status of the last attempt; null if there was no response.')),
  error: nullable(
    text(
      '`timeout`, `connection_failed`, `tls_failed`, `redirect_refused`, `http_status`, `url_refused: blocked_address`, or `event_expired` when all attempts are used.',
    ),
  ),
  next_attempt_at: field(nullable(time()), { description: 'Null if there are no more attempts.' }),
  delivered_at: nullable(time()),
  created_at: time(),
}

export const deliveryShape = shape('webhook_delivery', 'The delivery of an event to an endpoint.', delivery, {
  resource: { name: 'webhook_deliveries', scope: 'webhooks:read' },
})

/** The single read: the same object with every attempt. */
export const deliveryDetailShape = shape('webhook_delivery', 'The delivery of an event to an endpoint.', {
  ...delivery,
  attempts: optional(
    array(
      object({
        attempt: field(integer(), { description: 'The number of the attempt, from 1.' }),
        sent_at: time(),
        duration_ms: nullable(integer()),
        response_status: nullable(integer()),
        error: nullable(text()),
        response_body: field(nullable(text()), {
          description:
            'The first 1,024 bytes of the response, if it is text; control characters are replaced. Null if there was none, or after the erasure of a person in the workspace.',
        }),
      }),
    ),
  ),
})

export const recoveryShape = shape('webhook_recovery', 'The result of a recovery.', {
  endpoint_id: uuid(),
  after: field(int64(), { description: 'The sequence that the recovery started after.' }),
  queued: integer('The number of deliveries that were queued.'),
  has_more: boolean(),
  next_after: int64('The last sequence processed. If has_more is true, call again with it.'),
  gap: boolean(),
})
