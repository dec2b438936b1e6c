import type { Scope } from '../contract/scopes.ts'
import { withCallerNames } from '../kernel/access/caller-names.ts'
import type { Database, Queryable, Transaction } from '../kernel/db/database.ts'
import { onlyRow } from '../kernel/db/queryable.ts'
import { ApiError, fail } from '../kernel/errors/api-error.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { bodyInstant, bodyTime } from '../kernel/http/formats.ts'
import { isUuid, uuidParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { sequenceAt } from '../resources/events/index.ts'
import { type KeyRow, workspacePlan } from '../resources/keys/index.ts'
import {
  changeEndpoint,
  checkTarget,
  countOnDemand,
  createEndpoint,
  deliveriesOfWorkspace,
  deliveryFilters,
  deliveryOfWorkspace,
  descriptionField,
  disableEndpoint,
  enableEndpoint,
  endpointsOfWorkspace,
  eventTypesField,
  NEWEST_FIRST,
  type OwnedEndpoint,
  overlapField,
  type RegisteringKey,
  recoverDeliveries,
  redeliver,
  rotateSigningSecret,
  selectAttempts,
  testEndpoint,
  urlField,
} from '../resources/webhooks/index.ts'
import { readKey, requireLiveKey } from './keys.ts'
import { type Call, get, list, post } from './program.ts'

const ENDPOINT = {
  ...fields('id', 'url', 'description', 'event_types', 'enabled', 'disabled_at', 'disabled_reason', 'created_at'),
  ...fields('signing_secret_version', 'signing_secret_rotated_at', 'previous_secret_expires_at'),
  ...fields('consecutive_failures', 'last_success_at', 'last_failure_at'),
  /** deliveries that are not at their end */
  waiting: true,
  key: fields('id', 'name'),
} as const

const DELIVERY = {
  ...fields('id', 'endpoint_id', 'event_id', 'event_type', 'status', 'attempt', 'response_status', 'error'),
  ...fields('next_attempt_at', 'delivered_at', 'created_at'),
}

const ATTEMPT = {
  ...fields('attempt', 'sent_at', 'duration_ms', 'response_status', 'error'),
  /** the first 1,024 bytes of the response; null if there was no text */
  response_body: true,
} as const

/** Empty: every type, including those added later. Over the API at least one is named. */
const typesField = eventTypesField()

export const webhookEndpoints = [
  get({
    path: '/webhooks',
    returns: { data: ENDPOINT },
    handler: async ({ db, session }) => ({
      data: await describeEndpoints(db, session.workspaceId, await db.query(endpointsOfWorkspace(session.workspaceId))),
    }),
  }),
  get({
    path: '/webhooks/{id}',
    returns: ENDPOINT,
    handler: ({ db, session, params }) => describeEndpoint(db, session.workspaceId, params.id),
  }),
  post({
    path: '/webhooks',
    sensitive: true,
    returns: { endpoint: ENDPOINT, signing_secret: true },
    body: Type.Object(
      {
        key_id: Type.String({ maxLength: 40 }),
        url: urlField,
        event_types: typesField,
        description: descriptionField,
      },
      closed,
    ),
    handler: async ({ db, session, services, body, now }) => {
      const key = await requireLiveKey(db, session.workspaceId, body.key_id, now)
      // as for the scope webhooks:write
      if (!(await db.one(workspacePlan(session.workspaceId)))?.plan) throw new UserError('webhooks need a plan')
      const url = await checkTarget(body.url, services)
      const { id, signing_secret } = await db.transaction(tx =>
        createEndpoint(tx, services.keyring, ownerOf(session.workspaceId, key), {
          url,
          eventTypes: body.event_types,
          description: body.description,
        }),
      )
      return { endpoint: await describeEndpoint(db, session.workspaceId, id), signing_secret }
    },
  }),
  post({
    path: '/webhooks/{id}',
    // a new target gets the events
    sensitive: true,
    returns: ENDPOINT,
    body: Type.Object({ url: urlField, event_types: typesField, description: descriptionField }, closed),
    handler: async call => {
      const url = await checkTarget(call.body.url, call.services)
      return changed(call, (tx, owner, id) =>
        changeEndpoint(tx, owner, id, {
          url,
          eventTypes: call.body.event_types,
          description: call.body.description,
        }),
      )
    },
  }),
  post({
    path: '/webhooks/{id}/rotate',
    sensitive: true,
    returns: { endpoint: ENDPOINT, signing_secret: true },
    body: Type.Object({ overlap_seconds: overlapField }, closed),
    handler: async call => {
      const { keyring } = call.services
      const { signing_secret } = await acted(call, (tx, owner, id) =>
        rotateSigningSecret(tx, keyring, owner, id, call.body.overlap_seconds),
      )
      return {
        endpoint: await describeEndpoint(call.db, call.session.workspaceId, call.params.id),
        /** shown this once */
        signing_secret,
      }
    },
  }),
  post({
    path: '/webhooks/{id}/disable',
    returns: ENDPOINT,
    // whatever key it belongs to, and whether or not that key is valid: owners can stop what leaves this workspace
    handler: async ({ db, session, params }) => {
      const { id, key_id } = await readEndpoint(db, session.workspaceId, params.id)
      const owner = { workspace: session.workspaceId, keyId: key_id, scopes: new Set<Scope>() }
      await db.transaction(tx => disableEndpoint(tx, owner, id))
      return describeEndpoint(db, session.workspaceId, id)
    },
  }),
  post({
    path: '/webhooks/{id}/enable',
    returns: ENDPOINT,
    handler: async call => {
      const url = await checkStored(call)
      return changed(call, (tx, owner, id) => enableEndpoint(tx, owner, id, url))
    },
  }),
  post({
    path: '/webhooks/{id}/test',
    returns: DELIVERY,
    handler: async call => {
      await countOnDemand(call.services, call.session.workspaceId, 'test')
      return acted(call, (tx, owner, id) => testEndpoint(tx, owner, id))
    },
  }),
  post({
    path: '/webhooks/{id}/recover',
    // from a time, or on from the sequence that the call before came to
    body: Type.Union([
      Type.Object({ since: bodyTime() }, closed),
      Type.Object({ after: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }, closed),
    ]),
    handler: async call => {
      const { body, db, services, session } = call
      await countOnDemand(services, session.workspaceId, 'recovery')
      const after =
        'after' in body
          ? body.after
          : (await db.only(sequenceAt(session.workspaceId, bodyInstant(body.since)))).sequence
      return acted(call, (tx, owner, id) => recoverDeliveries(tx, owner, id, Math.max(0, after)))
    },
  }),
  list({
    path: '/deliveries',
    query: { ...deliveryFilters, endpoint_id: uuidParam('Only deliveries to this endpoint.') },
    order: { ...NEWEST_FIRST, table: 'd' },
    returns: DELIVERY,
    handler: ({ db, session, query, page }) => db.query(deliveriesOfWorkspace(session.workspaceId, query, page)),
  }),
  get({
    path: '/deliveries/{id}',
    // `payload`: what was sent, byte for byte; null where it is no longer retained
    returns: { ...DELIVERY, ...fields('kind', 'payload'), attempts: ATTEMPT, endpoint: fields('id', 'url', 'enabled') },
    handler: async ({ db, session, params }) => {
      const delivery = await deliveryOf(db, session.workspaceId, params.id)
      const [attempts, endpoint] = await Promise.all([
        db.query(selectAttempts(session.workspaceId, delivery.id)),
        readEndpoint(db, session.workspaceId, delivery.endpoint_id),
      ])
      return { ...delivery, attempts, endpoint }
    },
  }),
  post({
    path: '/deliveries/{id}/redeliver',
    returns: DELIVERY,
    handler: async ({ db, session, params, now, services }) => {
      await countOnDemand(services, session.workspaceId, 'redelivery')
      const delivery = await deliveryOf(db, session.workspaceId, params.id)
      const key = await requireLiveKey(db, session.workspaceId, delivery.key_id, now)
      const again = await db.transaction(tx => redeliver(tx, ownerOf(session.workspaceId, key), delivery.id))
      if (!again) fail('invalid_request', { message: 'The event of this delivery is no longer retained.' })
      return again
    },
  }),
]

const ownerOf = (workspace: string, key: KeyRow): RegisteringKey => ({
  workspace,
  keyId: key.id,
  scopes: new Set(key.scopes),
  byPerson: true,
})

type Act<T> = (tx: Transaction, owner: RegisteringKey, id: string) => Promise<T>

/** Acts for the key that the endpoint belongs to, which must work. */
async function acted<T>({ db, session, params, now }: Call<'id'>, work: Act<T>): Promise<T> {
  const endpoint = await readEndpoint(db, session.workspaceId, params.id)
  const key = await keyThatActs(db, session.workspaceId, endpoint.key_id, now)
  return db.transaction(tx => work(tx, ownerOf(session.workspaceId, key), endpoint.id))
}

async function changed(call: Call<'id'>, work: Act<unknown>) {
  await acted(call, work)
  return describeEndpoint(call.db, call.session.workspaceId, call.params.id)
}

/** A key that reaches several workspaces may have been made in another one: its people see to its endpoints. */
async function keyThatActs(db: Database, workspace: string, id: string, now: number): Promise<KeyRow> {
  if (await readKey(db, workspace, id)) return requireLiveKey(db, workspace, id, now)
  return fail('invalid_request', { message: 'This endpoint belongs to a key of another workspace.' })
}

async function checkStored({ db, session, params, services }: Call<'id'>) {
  const { url } = await readEndpoint(db, session.workspaceId, params.id)
  return checkTarget(url, services)
}

async function readEndpoint(db: Queryable, workspace: string, id: string): Promise<OwnedEndpoint> {
  const row = isUuid(id) ? await db.one(endpointsOfWorkspace(workspace, id)) : undefined
  if (!row) throw new ApiError('not_found')
  return row
}

async function deliveryOf(db: Queryable, workspace: string, id: string) {
  const row = isUuid(id) ? await db.one(deliveryOfWorkspace(workspace, id)) : undefined
  if (!row) throw new ApiError('not_found')
  return row
}

/** Describes endpoints, with the names of their keys. */
async function describeEndpoints(db: Queryable, workspace: string, endpoints: readonly OwnedEndpoint[]) {
  const named = await withCallerNames(db, workspace, endpoints)
  return named.map(row => ({ ...row, key: { id: row.key_id, name: row.key_name ?? row.key_id } }))
}

const describeEndpoint = async (db: Queryable, workspace: string, id: string) =>
  onlyRow(await describeEndpoints(db, workspace, [await readEndpoint(db, workspace, id)]))
