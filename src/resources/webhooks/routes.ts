import { ON_DEMAND_PER_MINUTE } from '../../contract/limits.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import { closed } from '../../kernel/http/closed.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { type Call, HandlerResponse, type Route, readOne, readPage, writeOne } from '../../kernel/http/route.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import {
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  type EndpointOwner,
  enableEndpoint,
  type RegisteringKey,
  recoverDeliveries,
  redeliver,
  rotateSigningSecret,
  testEndpoint,
  withSource,
} from './actions.ts'
import { readAppOwner } from './app-actions.ts'
import { deliveryById, selectAttempts, selectDeliveries } from './delivery-store.ts'
import { type EndpointRow, endpointById, selectEndpoints } from './endpoint-store.ts'
import { deliveryFilters, descriptionField, eventTypesField, NEWEST_FIRST, overlapField, urlField } from './fields.ts'
import { countOnDemand } from './limit-actions.ts'
import { eventTypeFaults, readUrl, urlFaults } from './rules.ts'
import { deliveryDetailShape, deliveryShape, endpointShape, recoveryShape } from './shape.ts'
import { checkTarget, urlExceptions } from './targets.ts'

const group = 'Webhooks'

const NO_BODY = Type.Object({}, closed)
const typesField = eventTypesField(1)
const DEFAULT_OVERLAP_SECONDS = 86_400

const endpointParams = { endpoint_id: 'uuid' } as const

interface Asking {
  workspace: string
  caller: Caller
}

const keyOwner = ({ workspace, caller }: Asking): RegisteringKey => ({
  workspace,
  keyId: caller.keyId,
  scopes: caller.scopes,
})

/** A key, or for the token of an app its installation in the workspace that the call names. */
const ownerFor = async ({ db, ...call }: Asking & { db: Queryable }): Promise<EndpointOwner> =>
  call.caller.ownTokenOf === undefined
    ? keyOwner(call)
    : readAppOwner(db, call.workspace, { appId: call.caller.ownTokenOf, credential: call.caller })

/** Checks the URL of an endpoint again; undefined if there is no such endpoint. */
async function checkStored({
  db,
  workspace,
  caller,
  params,
  services,
}: Call<{ endpoint_id: string }, unknown, unknown>) {
  const endpoint = await db.one(endpointById(workspace, caller.keyId, params.endpoint_id))
  return endpoint?.url == null ? undefined : checkTarget(endpoint.url, services)
}

/** The faults of URL and event types in a body that already fails its schema. No DNS lookup. */
async function targetFaults({ body, caller, services }: Call<unknown, unknown, unknown>): Promise<InputFault[]> {
  const { url, event_types } = (body ?? {}) as { url?: unknown; event_types?: unknown }
  const read = typeof url === 'string' && url !== '' ? readUrl(url, urlExceptions(services)) : {}
  return [...urlFaults(read), ...eventTypeFaults(event_types, caller.scopes)]
}

export const webhookRoutes: readonly Route[] = [
  readPage({
    path: '/webhooks/endpoints',
    operationId: 'listWebhookEndpoints',
    limited: 'keys',
    tool: { omit: ['signature_scheme'] },
    summary: 'List webhook endpoints',
    description:
      'Endpoints of the calling key, newest first. For the token of an app: its own, and with `workspace_id` the one of its installation there.',
    group,
    scope: 'webhooks:read',
    shape: endpointShape,
    order: { ...NEWEST_FIRST, table: 'e' },
    handler: async call => {
      const { workspace, keyId } = await ownerFor(call)
      const rows = await call.db.query(selectEndpoints(workspace, keyId, call.page))
      return (await Promise.all(rows.map(row => withSource(call.db, row)))).filter(row => row !== undefined)
    },
  }),
  readOne({
    path: '/webhooks/endpoints/{endpoint_id}',
    operationId: 'getWebhookEndpoint',
    limited: 'keys',
    summary: 'Get a webhook endpoint',
    description: 'An endpoint of the calling key.',
    group,
    scope: 'webhooks:read',
    params: endpointParams,
    shape: endpointShape,
    handler: async call => {
      const { workspace, keyId } = await ownerFor(call)
      const row = await call.db.one(endpointById(workspace, keyId, call.params.endpoint_id))
      return row && withSource(call.db, row)
    },
  }),
  writeOne({
    path: '/webhooks/endpoints',
    operationId: 'createWebhookEndpoint',
    limited: 'keys',
    tool: { leftOut: 'returns a signing secret, which must not enter a conversation' },
    summary: 'Register a webhook endpoint',
    description: 'The signing secret is shown only once.',
    group,
    scope: 'webhooks:write',
    status: 201,
    shape: endpointShape,
    body: Type.Object({ url: urlField, event_types: typesField, description: Type.Optional(descriptionField) }, closed),
    errors: [
      'webhooks_self_serve_disabled',
      'invalid_event_type',
      'event_type_not_permitted',
      'webhook_url_not_allowed',
      'webhook_endpoint_exists',
      'webhook_endpoint_limit_reached',
    ],
    furtherFaults: targetFaults,
    prepare: ({ body, services }) => checkTarget(body.url, services),
    handler: async call => {
      const { tx, body, services, prepared } = call
      const endpoint = await createEndpoint(tx, services.keyring, keyOwner(call), {
        url: prepared,
        eventTypes: body.event_types,
        description: body.description ?? null,
      })
      return new HandlerResponse<EndpointRow>(endpoint, 201, { replay: { ...endpoint, signing_secret: null } })
    },
  }),
  writeOne({
    path: '/webhooks/endpoints/{endpoint_id}',
    operationId: 'updateWebhookEndpoint',
    limited: 'keys',
    tool: { leftOut: 'decides where events are sent; text in a résumé could redirect them' },
    summary: 'Update a webhook endpoint',
    description: 'Its URL, event types or description.',
    group,
    scope: 'webhooks:write',
    params: endpointParams,
    shape: endpointShape,
    body: Type.Object(
      {
        url: Type.Optional(urlField),
        event_types: Type.Optional(typesField),
        description: Type.Optional(descriptionField),
      },
      closed,
    ),
    errors: [
      'webhooks_self_serve_disabled',
      'invalid_event_type',
      'event_type_not_permitted',
      'webhook_url_not_allowed',
      'webhook_endpoint_exists',
    ],
    furtherFaults: targetFaults,
    prepare: async ({ body, services }) => (body.url === undefined ? undefined : checkTarget(body.url, services)),
    handler: call =>
      changeEndpoint(call.tx, keyOwner(call), call.params.endpoint_id, {
        url: call.prepared,
        eventTypes: call.body.event_types,
        description: call.body.description,
      }),
  }),
  writeOne({
    path: '/webhooks/endpoints/{endpoint_id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    limited: 'keys',
    tool: { leftOut: 'returns a signing secret, which must not enter a conversation' },
    summary: 'Rotate the signing secret',
    description:
      'The new secret is shown only once. Deliveries are also signed with the previous secret until the overlap ends.',
    group,
    scope: 'webhooks:write',
    params: endpointParams,
    shape: endpointShape,
    body: Type.Object({ overlap_seconds: Type.Optional(overlapField) }, closed),
    bodyOptional: true,
    handler: async call => {
      const { tx, body, services, params } = call
      const overlap = body.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS
      const endpoint = await rotateSigningSecret(tx, services.keyring, keyOwner(call), params.endpoint_id, overlap)
      return new HandlerResponse<EndpointRow>(endpoint, 200, { replay: { ...endpoint, signing_secret: null } })
    },
  }),
  writeOne({
    path: '/webhooks/endpoints/{endpoint_id}/disable',
    operationId: 'disableWebhookEndpoint',
    limited: 'keys',
    tool: { effect: 'overwrites' },
    summary: 'Disable a webhook endpoint',
    description: 'Its pending deliveries are canceled.',
    group,
    scope: 'webhooks:write',
    params: endpointParams,
    shape: endpointShape,
    body: NO_BODY,
    bodyOptional: true,
    handler: call => disableEndpoint(call.tx, keyOwner(call), call.params.endpoint_id),
  }),
  writeOne({
    path: '/webhooks/endpoints/{endpoint_id}/enable',
    operationId: 'enableWebhookEndpoint',
    limited: 'keys',
    tool: { effect: 'changes' },
    summary: 'Enable a webhook endpoint',
    description: 'New events are delivered again. Its URL is checked and its failure count is reset.',
    group,
    scope: 'webhooks:write',
    params: endpointParams,
    shape: endpointShape,
    body: NO_BODY,
    bodyOptional: true,
    errors: ['webhooks_self_serve_disabled', 'webhook_url_not_allowed', 'webhook_endpoint_limit_reached'],
    prepare: checkStored,
    handler: async call =>
      call.prepared && enableEndpoint(call.tx, keyOwner(call), call.params.endpoint_id, call.prepared),
  }),
  writeOne({
    path: '/webhooks/endpoints/{endpoint_id}/test',
    operationId: 'testWebhookEndpoint',
    limited: 'keys',
    tool: { effect: 'creates', openWorld: true },
    summary: 'Send a ping to a webhook endpoint',
    description:
      'Queues a `ping` to the endpoint, with one attempt. The delivery log has the result, even if the URL cannot be reached. ' +
      `At most ${ON_DEMAND_PER_MINUTE.test} a minute for a workspace.`,
    group,
    scope: 'webhooks:write',
    appScope: 'webhooks:read',
    status: 202,
    params: endpointParams,
    shape: deliveryShape,
    body: NO_BODY,
    bodyOptional: true,
    errors: ['webhook_endpoint_disabled'],
    prepare: ({ services, workspace }) => countOnDemand(services, workspace, 'test'),
    handler: async call => testEndpoint(call.tx, await ownerFor(call), call.params.endpoint_id),
  }),
  writeOne({
    path: '/webhooks/endpoints/{endpoint_id}/recover',
    operationId: 'recoverWebhookEndpoint',
    limited: 'keys',
    tool: { effect: 'creates', openWorld: true },
    summary: 'Deliver missed events again',
    description: `Queues every event after a sequence that the endpoint subscribes to and has not acknowledged. At most ${ON_DEMAND_PER_MINUTE.recovery} a minute for a workspace.`,
    group,
    scope: 'webhooks:write',
    appScope: 'webhooks:read',
    status: 202,
    params: endpointParams,
    shape: recoveryShape,
    body: Type.Object(
      {
        after: describeInput(
          Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: 'int64' }),
          'The sequence to start after.',
        ),
      },
      closed,
    ),
    errors: ['webhook_endpoint_disabled'],
    prepare: ({ services, workspace }) => countOnDemand(services, workspace, 'recovery'),
    handler: async call => recoverDeliveries(call.tx, await ownerFor(call), call.params.endpoint_id, call.body.after),
  }),
  readPage({
    path: '/webhooks/deliveries',
    operationId: 'listWebhookDeliveries',
    limited: 'keys',
    summary: 'List webhook deliveries',
    description: "The delivery log of the calling key's endpoints, newest first.",
    group,
    scope: 'webhooks:read',
    query: deliveryFilters,
    shape: deliveryShape,
    order: NEWEST_FIRST,
    handler: async call => {
      const { workspace, keyId } = await ownerFor(call)
      return call.db.query(selectDeliveries(workspace, keyId, call.query, call.page))
    },
  }),
  readOne({
    path: '/webhooks/deliveries/{delivery_id}',
    operationId: 'getWebhookDelivery',
    limited: 'keys',
    summary: 'Get a webhook delivery',
    description: 'The delivery with its attempts.',
    group,
    scope: 'webhooks:read',
    params: { delivery_id: 'uuid' },
    shape: deliveryDetailShape,
    handler: async call => {
      const { workspace, keyId } = await ownerFor(call)
      const row = await call.db.one(deliveryById(workspace, keyId, call.params.delivery_id))
      return row && { ...row, attempts: await call.db.query(selectAttempts(workspace, row.id)) }
    },
  }),
  writeOne({
    path: '/webhooks/deliveries/{delivery_id}/redeliver',
    operationId: 'redeliverWebhook',
    limited: 'keys',
    tool: { effect: 'creates', openWorld: true },
    summary: 'Deliver an event again',
    description: `A new delivery with one attempt. At most ${ON_DEMAND_PER_MINUTE.redelivery} a minute for a workspace; for more, recover the endpoint.`,
    group,
    scope: 'webhooks:write',
    appScope: 'webhooks:read',
    status: 202,
    params: { delivery_id: 'uuid' },
    shape: deliveryShape,
    body: NO_BODY,
    bodyOptional: true,
    errors: ['event_type_not_permitted'],
    prepare: ({ services, workspace }) => countOnDemand(services, workspace, 'redelivery'),
    handler: async call => redeliver(call.tx, await ownerFor(call), call.params.delivery_id),
  }),
]
