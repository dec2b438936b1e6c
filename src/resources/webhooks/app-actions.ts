import { randomUUID } from 'node:crypto'
import { EVENT_TYPES, type EventType, receivableTypes } from '../../contract/events.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { partitionByWorkspace } from '../../kernel/db/partitions.ts'
import { eventText } from '../../kernel/feed/envelope.ts'
import type { Notice } from '../../kernel/feed/event-schemas.ts'
import { deliveriesQueued } from '../../kernel/feed/signal.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { type EndpointOwner, issueSecret, resumeEndpoints, rotateSigningSecret } from './actions.ts'
import {
  deleteEndpoint,
  derivedFrom,
  type EndpointSource,
  enableUnreachable,
  insertDerived,
  insertNotice,
  lockLog,
  moveDeliveries,
  moveDerived,
  moveHandOvers,
  newestInstallation,
  suspendedOfKey,
} from './app-store.ts'
import { cancelUnreadable, cancelWaiting } from './delivery-store.ts'
import {
  endpointById,
  insertEndpoint,
  markEnabled,
  type StoredEndpoint,
  selectSourceEndpoint,
  updateEndpoint,
} from './endpoint-store.ts'

/*
 * The endpoints of installable apps. An app has one for live and one for test workspaces, in its home. It gets notices about
 * installations. The endpoint of an installation is derived from it: URL, secrets and event types are read from it when events
 * are published and sent, and are stored nowhere else.
 */

/** The endpoint of an app; `credential` is what its tokens are counted under. */
export interface AppEndpoint {
  source: EndpointSource
  credential: string
}

export const readAppEndpoint = (on: Queryable, source: EndpointSource): Promise<StoredEndpoint | undefined> =>
  on.one(selectSourceEndpoint(source.workspace_id, source.id))

/**
 * Stores URL and event types of an app's endpoint, and enables it and the derived endpoints that were disabled because no one
 * responded. Returns the signing secret of a new one, which is shown only once.
 */
export async function saveAppEndpoint(
  tx: Transaction,
  keyring: Keyring,
  { source, credential }: AppEndpoint,
  { url, eventTypes }: { url: string; eventTypes: readonly EventType[] },
): Promise<string | null> {
  const { workspace_id: workspace, id } = source
  if (await tx.one(endpointById(workspace, credential, id, 'for update'))) {
    await tx.query(updateEndpoint(workspace, id, { url, description: null, eventTypes }))
    await tx.query(markEnabled(workspace, id))
    for (const part of partitionByWorkspace(await tx.query(derivedFrom(id)))) await tx.query(enableUnreachable(part))
    return null
  }
  await tx.query(insertEndpoint({ workspace, keyId: credential, id, url, description: null, eventTypes }))
  const owner = { workspace, keyId: credential, scopes: new Set<Scope>() }
  return (await issueSecret(tx, keyring, owner, id, 1)).signing_secret
}

/** Deletes the endpoint of an app with its log. What waits for the installations is canceled. */
export async function removeAppEndpoint(tx: Transaction, { source }: AppEndpoint): Promise<void> {
  await tx.query(deleteEndpoint(source))
  for (const part of partitionByWorkspace(await tx.query(derivedFrom(source.id)))) await tx.query(cancelWaiting(part))
}

/** A new secret for all installations; the one before it also signs until the overlap ends. */
export const rotateAppWebhookSecret = async (
  tx: Transaction,
  keyring: Keyring,
  { source, credential }: AppEndpoint,
  overlapSeconds: number,
): Promise<string> => {
  const owner = { workspace: source.workspace_id, keyId: credential, scopes: new Set<Scope>() }
  return (await rotateSigningSecret(tx, keyring, owner, source.id, overlapSeconds)).signing_secret
}

/** The endpoint of a new installation. It gets nothing while the app has no URL. */
export const deriveEndpoint = (tx: Transaction, workspace: string, keyId: string, source: EndpointSource) =>
  tx.query(insertDerived({ workspace, id: randomUUID(), keyId, source }))

/** The endpoint of an installation belongs to its new key from now on, with all that waits and that the key may read. */
export async function moveDerivedEndpoint(
  tx: Transaction,
  workspace: string,
  { from, to, scopes }: { from: string; to: string; scopes: readonly Scope[] },
): Promise<void> {
  await tx.query(lockLog(workspace))
  const readable: readonly string[] = receivableTypes(new Set(scopes))
  const types = EVENT_TYPES.filter(type => !readable.includes(type))
  for (const endpoint of await tx.query(moveDerived(workspace, from, to))) {
    await tx.query(moveDeliveries(endpoint, to))
    await tx.query(moveHandOvers(endpoint, to))
    await tx.query(cancelUnreadable({ rows: [{ ...endpoint, types }], only: workspace }))
  }
}

/** The endpoint of a key that is not suspended any more. What was canceled can be recovered. */
export const resumeDerivedEndpoint = async (tx: Transaction, workspace: string, keyId: string): Promise<void> =>
  resumeEndpoints(
    tx,
    (await tx.query(suspendedOfKey(workspace, keyId))).map(({ id }) => id),
  )

/**
 * What a token of an app acts for in a workspace: its newest installation there, and in its home its own endpoints, too. Of one
 * that is suspended or has ended nothing is sent.
 */
export async function readAppOwner(
  on: Queryable,
  workspace: string,
  {
    appId,
    credential: { keyId, homeWorkspace },
  }: { appId: string; credential: Pick<Caller, 'keyId' | 'homeWorkspace'> },
): Promise<EndpointOwner> {
  const found = await on.one(newestInstallation(workspace, appId))
  const own = workspace === homeWorkspace ? [keyId] : []
  return {
    workspace,
    keyId: [...own, ...(found?.keys ?? [])],
    scopes: new Set(found?.scopes ?? []),
    ...(found ? { installation: { id: found.id, appId } } : {}),
  }
}

/** What a notice says of an installation. */
export interface NoticeObject {
  object: 'installation'
  id: string
  workspace_id: string
  updated_at: string
}

/** Queues a notice to the endpoint of an app, where it has one. It is retried like an event. */
export async function queueNotice(
  tx: Transaction,
  source: EndpointSource,
  type: Notice,
  object: NoticeObject,
): Promise<void> {
  const eventId = newHandle('event')
  const links = { self: `/installations/${object.id}` }
  const text = eventText({ id: eventId, type, workspaceId: object.workspace_id, data: { object }, links })
  await tx.query(insertNotice({ source, id: randomUUID(), eventId, type, text }))
  tx.afterCommit(deliveriesQueued.raise)
}
