import { EVENT_TYPES } from '../../contract/events.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { UNLISTED } from '../../kernel/feed/event-schemas.ts'
import { describedAs } from '../../kernel/http/body.ts'
import type { Order } from '../../kernel/http/list.ts'
import { handleParam, listParam, oneOfParam, statusParam, timeParam, uuidParam } from '../../kernel/http/params.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { DELIVERY_STATUSES } from './shape.ts'

/** What the API and the console accept for an endpoint, and how both list deliveries. */
const MAX_OVERLAP_SECONDS = 604_800

/** Longer than the limit for URLs: `readUrl` reports a URL that is too long. */
export const urlField = describeInput(
  describedAs(Type.String({ minLength: 1, maxLength: API_LIMITS.webhookUrlLength * 4 }), {
    format: 'uri',
    maxLength: API_LIMITS.webhookUrlLength,
  }),
  'An https URL on port 443 or 8443 whose host name resolves only to public IP addresses.',
)
export const descriptionField = Type.Union([Type.String({ maxLength: 500 }), Type.Null()])
export const overlapField = describeInput(
  Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_SECONDS }),
  'How long deliveries are also signed with the old secret. Default 86,400.',
)

export const eventTypesField = (minItems?: number) =>
  describeInput(
    Type.Array(describedAs(Type.String({ maxLength: 100 }), { enum: EVENT_TYPES, maxLength: undefined }), {
      ...(minItems === undefined ? {} : { minItems }),
      maxItems: API_LIMITS.eventTypesPerEndpoint,
    }),
    'Names from the event catalogue. The key needs the read scope of each.',
  )

export const NEWEST_FIRST: Order = {
  by: 'created_at',
  tiebreaker: 'id',
  tiebreakerType: 'uuid',
  direction: 'desc',
}

/** The filters of the delivery log. */
export const deliveryFilters = {
  endpoint_id: uuidParam('Only deliveries to this endpoint.'),
  event_id: handleParam('Only deliveries of this event.', 'event'),
  event_type: oneOfParam('Only this type.', [...EVENT_TYPES, ...UNLISTED]),
  status: listParam('Only these states.', DELIVERY_STATUSES),
  response_status: statusParam('Only deliveries whose last response had this status: `503`, or `5xx` for a class.'),
  created_after: timeParam('Only deliveries queued after this time.'),
  created_before: timeParam('Only deliveries queued before this time.'),
}
