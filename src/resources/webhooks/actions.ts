import { randomUUID } from 'node:crypto'
import { EVENT_TYPES, type EventType, receivableTypes } from '../../contract/events.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { partitionByWorkspace } from '../../kernel/db/partitions.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { eventText } from '../../kernel/feed/envelope.ts'
import { isNotice, PING } from '../../kernel/feed/event-schemas.ts'
import { readableEvents } from '../../kernel/feed/readable.ts'
import { deliveriesQueued } from '../../kernel/feed/signal.ts'
import { refuseIfAny, refuseInput } from '../../kernel/http/faults.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import type { SealedColumn } from '../../kernel/services/sealed-columns.ts'
import { noneIfBlank } from '../../kernel/text/text.ts'
import { hasGap } from '../events/index.ts'
import {
  cancelOrphaned,
  cancelUnreadable,
  cancelWaiting,
  type DeliveryRow,
  deliveryById,
  insertPing,
  insertRedelivery,
  loweredEndpoints,
  orphanedEndpoints,
  queueRecovery,
  returnHandOvers,
  selectHandOvers,
  type Unreadable,
} from './delivery-store.ts'
import {
  countEndpoints,
  disableForKey,
  type EndpointKey,
  type EndpointRow,
  enabledOfExpiredKeys,
  enabledOfKey,
  enabledOfWorkspace,
  enableSuspended,
  endpointById,
  endpointWithUrl,
  expireSigningSecrets,
  insertEndpoint,
  insertSecret,
  type KeyIds,
  keysOfWorkspace,
  lockKey,
  lockWebhookSettings,
  markDisabled,
  markEnabled,
  type StoredEndpoint,
  selectSourceEndpoint,
  suspendedAmong,
  toEndpoint,
  updateEndpoint,
} from './endpoint-store.ts'
import { eventTypeFaults, newSigningSecret, type UrlRefused, urlFaults } from './rules.ts'
import type { CheckedTarget } from './targets.ts'

/** The owner of endpoints in one workspace: a key, or an installation whose app acts for it. */
export interface EndpointOwner {
  workspace: string
  keyId: KeyIds
  scopes: ReadonlySet<Scope>
  installation?: { id: string; appId: string }
}

/** The key that registers endpoints. */
export interface RegisteringKey extends EndpointOwner {
  keyId: string
  /** a user acts for the key in the console; `webhooks_self_serve` applies only to the API */
  byPerson?: true
}

/** A URL after its check. The check needs DNS, so it runs before the transaction. */
export type CheckedUrl = CheckedTarget | UrlRefused

/** An endpoint with its secret, which is shown only once. */
export interface IssuedEndpoint extends EndpointRow {
  signing_secret: string
}

export async function createEndpoint(
  tx: Transaction,
  keyring: Keyring,
  owner: RegisteringKey,
  input: { url: CheckedUrl; eventTypes: readonly string[]; description: string | null },
): Promise<IssuedEndpoint> {
  await lockForRegistration(tx, owner)
  refuseIfAny([...urlFaults(input.url), ...eventTypeFaults(input.eventTypes, owner.scopes)])
  const eventTypes = eachOnce(input.eventTypes)
  const url = requireAllowedUrl(input.url)
  await requireFreeUrl(tx, owner, url)
  const counts = await tx.only(countEndpoints(owner.workspace, owner.keyId))
  if (counts.of_key >= API_LIMITS.webhookEndpointsPerKey)
    limitReached(`${API_LIMITS.webhookEndpointsPerKey} for this key`)
  requireBelowEnabledLimits(counts)
  const id = randomUUID()
  await tx.query(
    insertEndpoint({
      workspace: owner.workspace,
      keyId: owner.keyId,
      id,
      url,
      description: noneIfBlank(input.description),
      eventTypes,
    }),
  )
  return issueSecret(tx, keyring, owner, id, 1)
}

export async function changeEndpoint(
  tx: Transaction,
  owner: RegisteringKey,
  id: string,
  input: {
    url?: CheckedUrl | undefined
    eventTypes?: readonly string[] | undefined
    description?: string | null | undefined
  },
): Promise<EndpointRow> {
  await lockForRegistration(tx, owner)
  const endpoint = await lockEndpoint(tx, owner, id)
  refuseIfAny([...urlFaults(input.url ?? {}), ...eventTypeFaults(input.eventTypes, owner.scopes)])
  const eventTypes = input.eventTypes ? eachOnce(input.eventTypes) : endpoint.event_types
  const url = input.url ? requireAllowedUrl(input.url) : endpoint.url
  if (url !== endpoint.url) await requireFreeUrl(tx, owner, url)
  const description = input.description === undefined ? endpoint.description : noneIfBlank(input.description)
  await tx.query(updateEndpoint(owner.workspace, id, { url, description, eventTypes }))
  return readEndpoint(tx, owner, id)
}

/** The previous secret also signs until the overlap ends. */
export async function rotateSigningSecret(
  tx: Transaction,
  keyring: Keyring,
  owner: EndpointOwner,
  id: string,
  overlapSeconds: number,
): Promise<IssuedEndpoint> {
  const endpoint = await lockEndpoint(tx, owner, id)
  await tx.query(expireSigningSecrets(owner.workspace, id, overlapSeconds))
  return issueSecret(tx, keyring, owner, id, endpoint.signing_secret_version + 1)
}

/**
 * An endpoint is disabled by a user (`manual`), when the receiver returns 410 (`gone`), after five days without success
 * since its first failure (`failing`), or with its key (`key_revoked`). Its waiting deliveries are then canceled, and
 * events create no deliveries for it; `recoverDeliveries` can queue them later. Only its key can enable it again.
 */
export async function disableEndpoint(tx: Transaction, owner: EndpointOwner, id: string): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, owner, id)
  if (!endpoint.enabled) return endpoint
  await tx.query(markDisabled(owner.workspace, id, 'manual'))
  await tx.query(cancelWaiting({ rows: [{ workspace_id: owner.workspace, id }], only: owner.workspace }))
  return readEndpoint(tx, owner, id)
}

export async function enableEndpoint(
  tx: Transaction,
  owner: RegisteringKey,
  id: string,
  url: CheckedUrl,
): Promise<EndpointRow> {
  await lockForRegistration(tx, owner)
  const endpoint = await lockEndpoint(tx, owner, id)
  if (endpoint.enabled) return endpoint
  requireAllowedUrl(url)
  requireBelowEnabledLimits(await tx.only(countEndpoints(owner.workspace, owner.keyId)))
  // deliveries that were queued while it was being disabled must not be sent now
  const orphaned = await tx.query(orphanedEndpoints({ workspace: owner.workspace, id }))
  for (const part of partitionByWorkspace(orphaned)) await tx.query(cancelOrphaned(part))
  const handedOver = await tx.query(selectHandOvers(owner.workspace, id))
  for (const part of partitionByWorkspace(handedOver)) await tx.query(returnHandOvers(part, 'canceled'))
  await tx.query(markEnabled(owner.workspace, id))
  return readEndpoint(tx, owner, id)
}

/**
 * Queues a `ping` event, which only this endpoint receives. The URL is not checked here: the attempt resolves it, and
 * the delivery log shows the result. A host name that cannot be resolved is one of the faults that a test should show.
 */
export async function testEndpoint(tx: Transaction, owner: EndpointOwner, id: string): Promise<DeliveryRow> {
  const endpoint = await lockEndpoint(tx, owner, id)
  if (!endpoint.enabled) fail('webhook_endpoint_disabled')
  const eventId = newHandle('event')
  const { workspace } = owner
  const keyId = endpoint.key_id
  const data = { object: { object: 'webhook_endpoint', id, workspace_id: workspace, updated_at: endpoint.created_at } }
  const links = { self: `/webhooks/endpoints/${id}` }
  const text = eventText({ id: eventId, type: PING, workspaceId: workspace, data, links })
  const row = await tx.only(insertPing({ workspace, keyId, endpointId: id, id: randomUUID(), eventId, text }))
  tx.afterCommit(deliveriesQueued.raise)
  return row
}

/** Sends the event of a delivery again; undefined if there is no such delivery or its event is no longer retained. */
export async function redeliver(tx: Transaction, owner: EndpointOwner, id: string): Promise<DeliveryRow | undefined> {
  const { workspace, keyId, scopes } = owner
  const delivery = await tx.one(deliveryById(workspace, keyId, id))
  const endpoint = delivery && (await tx.one(endpointById(workspace, keyId, delivery.endpoint_id)))
  if (!endpoint) return undefined
  const { event_type: type } = delivery
  if (type !== PING && !isNotice(type) && !receivableTypes(scopes).includes(type as EventType)) {
    fail('event_type_not_permitted', { message: `The key can no longer read events of type ${type}.` })
  }
  const row = await tx.one(insertRedelivery(workspace, endpoint.key_id, id, randomUUID()))
  tx.afterCommit(deliveriesQueued.raise)
  return row
}

/** How many events one recovery scans; a longer range takes several calls. */
const RECOVERY_SCAN = 10_000

export async function recoverDeliveries(tx: Transaction, owner: EndpointOwner, id: string, after: number) {
  const endpoint = await lockEndpoint(tx, owner, id)
  if (!endpoint.enabled) fail('webhook_endpoint_disabled')
  const wanted = endpoint.event_types
  const { key_id: keyId } = endpoint
  const reader = { keyId, scopes: owner.scopes, ...(owner.installation ? { installation: owner.installation } : {}) }
  const readable = readableEvents(reader, wanted.length === 0 ? undefined : wanted)
  const done = await tx.only(queueRecovery(owner.workspace, { id, keyId, readable }, after, RECOVERY_SCAN))
  tx.afterCommit(deliveriesQueued.raise)
  return {
    endpoint_id: id,
    after,
    queued: done.queued,
    has_more: done.next_after < done.last_sequence,
    next_after: done.next_after,
    gap: hasGap(done, after),
  }
}

/** Disables the endpoints of a key, in the transaction that revokes the key. */
export async function disableKeyEndpoints(tx: Transaction, keyId: string): Promise<void> {
  await disableAll(tx, await tx.query(enabledOfKey(keyId)))
}

/** Disables what a workspace that is closed would send, and returns which endpoints it were. */
export async function suspendEndpoints(tx: Transaction, workspace: string): Promise<string[]> {
  const keys = await tx.query(keysOfWorkspace(workspace))
  const enabled = enabledOfWorkspace(
    workspace,
    keys.map(({ id }) => id),
  )
  return (await disableAll(tx, await tx.query(enabled))).map(({ id }) => id)
}

/** Workspace by workspace, in their order; all endpoints before any delivery: no two transactions wait for each other. */
async function disableAll(tx: Transaction, endpoints: readonly EndpointKey[]): Promise<EndpointKey[]> {
  const disabled: EndpointKey[] = []
  for (const part of partitionByWorkspace(endpoints)) disabled.push(...(await tx.query(disableForKey(part))))
  for (const part of partitionByWorkspace(disabled)) await tx.query(cancelWaiting(part))
  return disabled
}

/** Enables them again, unless their key was revoked or has expired. What was waiting for them stays canceled, and can be recovered. */
export async function resumeEndpoints(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (const endpoint of await tx.query(suspendedAmong(ids))) await tx.query(enableSuspended(endpoint))
}

/** Cancels deliveries that keys may no longer read, in the transaction that lowers the role of their user. */
export async function cancelUnreadableDeliveries(tx: Transaction, keyIds: readonly string[]): Promise<void> {
  for (const part of partitionByWorkspace(await findUnreadable(tx, keyIds))) await tx.query(cancelUnreadable(part))
}

/** Without `keyIds` of all keys, because the sequencer may have read an old role just before. Pings contain no record and stay. */
const findUnreadable = async (on: Queryable, keyIds?: readonly string[]): Promise<Unreadable[]> =>
  (await on.query(loweredEndpoints(keyIds))).map(({ workspace_id, id, scopes }) => {
    const readable: readonly string[] = receivableTypes(new Set(scopes))
    return { workspace_id, id, types: EVENT_TYPES.filter(type => !readable.includes(type)) }
  })

/**
 * Cleanup that no request triggers: disables the endpoints of expired keys, and cancels deliveries that were queued
 * while their endpoint was being disabled or the role of the key's user was being lowered.
 */
export async function disableExpiredEndpoints(db: Database): Promise<void> {
  // One after the other: each statement takes its locks in order; concurrent ones could deadlock.
  await db.eachPartition(await db.query(enabledOfExpiredKeys()), part => db.query(disableForKey(part)))
  await db.eachPartition(await db.query(orphanedEndpoints()), part => db.query(cancelOrphaned(part)))
  await db.eachPartition(await findUnreadable(db), part => db.query(cancelUnreadable(part)))
}

/** The context that a secret is sealed with: it can be unsealed only for its own endpoint and version. */
export const secretContext = (endpointId: string, version: number): string => `webhook:${endpointId}:${version}`

export const webhookSealedColumns: readonly SealedColumn[] = [
  {
    table: 'webhook_secrets',
    column: 'sealed',
    identifiedBy: ['workspace_id', 'endpoint_id', 'version'],
    context: row => secretContext(String(row['endpoint_id']), Number(row['version'])),
  },
]

export async function issueSecret(
  tx: Transaction,
  keyring: Keyring,
  owner: EndpointOwner,
  id: string,
  version: number,
): Promise<IssuedEndpoint> {
  const secret = newSigningSecret()
  await tx.query(
    insertSecret(owner.workspace, id, version, keyring.seal(Buffer.from(secret), secretContext(id, version))),
  )
  return { ...(await readEndpoint(tx, owner, id)), signing_secret: secret }
}

/**
 * Serializes the changes that are subject to a limit or to the rule that a URL is registered once. These changes also
 * need `webhooks_self_serve`. A key may always disable, rotate, test or recover its endpoints.
 */
async function lockForRegistration(tx: Transaction, owner: RegisteringKey): Promise<void> {
  const key = await tx.one(lockKey(owner.keyId))
  const settings = await tx.one(lockWebhookSettings(owner.workspace))
  // the key was revoked after this request was authenticated
  if (!key || key.revoked) fail('unauthenticated')
  if (!owner.byPerson && !settings?.webhooks_self_serve) fail('webhooks_self_serve_disabled')
}

async function lockEndpoint(
  tx: Transaction,
  owner: EndpointOwner,
  id: string,
): Promise<EndpointRow & { key_id: string }> {
  const row = await tx.one(endpointById(owner.workspace, owner.keyId, id, 'for update'))
  return (row && (await withSource(tx, row))) ?? fail('not_found')
}

const readEndpoint = async (tx: Transaction, owner: EndpointOwner, id: string): Promise<EndpointRow> =>
  toEndpoint(await tx.only(endpointById(owner.workspace, owner.keyId, id)))

/** Shows an endpoint; undefined if it is derived and its app has no URL. */
export async function withSource(
  on: Queryable,
  row: StoredEndpoint,
): Promise<(EndpointRow & { key_id: string }) | undefined> {
  const { source_workspace_id: workspace, source_id: id } = row
  if (workspace === null || id === null) return toEndpoint(row)
  const source = await on.one(selectSourceEndpoint(workspace, id))
  return source && toEndpoint(row, source)
}

function requireAllowedUrl(url: CheckedUrl): string {
  if ('refused' in url) return refuseInput(urlFaults(url))
  return url.url
}

const eachOnce = (names: readonly string[]) => [...new Set(names as EventType[])]

async function requireFreeUrl(tx: Transaction, owner: RegisteringKey, url: string): Promise<void> {
  if (await tx.one(endpointWithUrl(owner.workspace, owner.keyId, url)))
    fail('webhook_endpoint_exists', { param: 'url' })
}

function requireBelowEnabledLimits(counts: { enabled_of_key: number; enabled_of_workspace: number }): void {
  const { webhookEndpointsEnabledPerKey: perKey, webhookEndpointsEnabledPerWorkspace: perWorkspace } = API_LIMITS
  if (counts.enabled_of_key >= perKey) limitReached(`${perKey} enabled for this key`)
  if (counts.enabled_of_workspace >= perWorkspace) limitReached(`${perWorkspace} enabled in this workspace`)
}

const limitReached = (limit: string): never =>
  fail('webhook_endpoint_limit_reached', { message: `The limit of webhook endpoints is reached: ${limit}.` })
