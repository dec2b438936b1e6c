import { randomUUID } from 'node:crypto'
import { type EventType, ownTypes, readableTypes } from '../../contract/events.ts'
import type { Scope } from '../../contract/scopes.ts'
import { vendorIdOfKey } from '../access/vendor.ts'
import type { Transaction } from '../db/database.ts'
import { partitionByWorkspace } from '../db/partitions.ts'
import { joinWithCommas, sql } from '../db/sql.ts'
import { FORCE_INDEX, type Published, publish, selectOldest, VALID_KEY } from './publish-batch.ts'

/**
 * Publishes the oldest events of one workspace, with the guarantees of `publishBatch`, in statements that each name one
 * table and one workspace. A cluster sends such a statement to its shard without planning it, and commits the transaction
 * there in one phase; one statement for all of this it would run in a dozen steps. That one is less work for very many
 * rows, and is used for those, and where there is no log: it decides that from one snapshot.
 *
 * Each statement sees what was committed before it, so their order matters:
 * - The lock on the log comes first: until the end no other sequencer assigns numbers in it.
 * - The text of an event is what its deletion returns: an erasure that rewrites one is waited for, or waits for the end of
 *   this, also while the shard is moved.
 * - Endpoints come after the events, and keys after the endpoints: an endpoint that was registered before a change gets
 *   its event.
 */
export async function publishWorkspace(tx: Transaction, workspace: string, size: number): Promise<Published> {
  const [, log, waiting, endpoints] = await Promise.all([
    tx.query(FORCE_INDEX),
    tx.one(lockLog(workspace)),
    tx.query(oldestEvents(workspace, Math.min(size, MAX_WRITTEN_OUT))),
    tx.query(enabledEndpoints(workspace)),
  ])
  if (waiting.length === 0) return { moved: 0, queued: 0, handedOver: [] }
  const rows = waiting.length * (1 + endpoints.length)
  if (!log || rows >= MAX_WRITTEN_OUT) return publish(tx, selectOldest([workspace], size), [workspace])
  const [receivers, taken] = await Promise.all([
    receiversAmong(tx, endpoints),
    tx.query(
      takeEvents(
        workspace,
        waiting.map(event => event.id),
      ),
    ),
  ])
  // another sequencer has published them, where the shard was moved after the lock
  if (taken.length === 0) return { moved: 0, queued: 0, handedOver: [] }
  const events = taken
    .toSorted((a, b) => a.id - b.id)
    .map((event, i) => ({ ...event, sequence: log.last_sequence + 1 + i }))
  const deliveries = deliveriesOf(events, receivers)
  for (const some of inGroups(events)) tx.defer(insertEvents(workspace, some))
  tx.defer(raiseLog(workspace, log.last_sequence + events.length))
  for (const some of inGroups(deliveries)) tx.defer(insertDeliveries(workspace, some))
  return { moved: events.length, queued: deliveries.length, handedOver: [] }
}

/** Events and deliveries. A row that is written out costs twice as much as another, and the steps as much as 300 of these. */
const MAX_WRITTEN_OUT = 256

interface WaitingEvent {
  id: number
  event_id: string
  type: EventType
  origin_key_id: string | null
  audience: string | null
  created_at: string
  head: string
  tail: string
}

interface NumberedEvent extends WaitingEvent {
  sequence: number
}

interface Endpoint {
  id: string
  key_id: string
  /** none: all; those of its source, if it is derived from an endpoint of an app */
  event_types: readonly string[]
  source_workspace_id: string | null
  source_id: string | null
}

interface Receiver extends Endpoint {
  readable: ReadonlySet<EventType>
  /** types of which it reads the events whose audience is the vendor */
  own: ReadonlySet<EventType>
  vendor: string
}

interface NewDelivery {
  event: NumberedEvent
  receiver: Receiver
}

async function receiversAmong(tx: Transaction, endpoints: readonly Endpoint[]): Promise<Receiver[]> {
  if (endpoints.length === 0) return []
  const types = await readSourceTypes(tx, endpoints)
  const keys = await tx.query(validKeys([...new Set(endpoints.map(endpoint => endpoint.key_id))]))
  const readers = new Map(
    keys.map(({ id, scopes, vendor }) => {
      const granted = new Set(scopes)
      return [id, { readable: new Set(readableTypes(granted)), own: new Set(ownTypes(granted)), vendor }]
    }),
  )
  return endpoints.flatMap(endpoint => {
    const reader = readers.get(endpoint.key_id)
    const event_types = endpoint.source_id === null ? endpoint.event_types : types.get(endpoint.source_id)
    return reader && event_types ? [{ ...endpoint, event_types, ...reader }] : []
  })
}

/** The event types of the endpoints that some are derived from, in the homes of their apps. */
async function readSourceTypes(
  tx: Transaction,
  endpoints: readonly Endpoint[],
): Promise<Map<string, readonly string[]>> {
  const sources = endpoints.flatMap(({ source_workspace_id, source_id }) =>
    source_workspace_id === null || source_id === null ? [] : [{ workspace_id: source_workspace_id, id: source_id }],
  )
  const found = await Promise.all(
    partitionByWorkspace(sources).map(({ only, rows }) =>
      tx.query(
        typesOf(
          only ?? '',
          rows.map(({ id }) => id),
        ),
      ),
    ),
  )
  return new Map(found.flat().map(({ id, event_types }) => [id, event_types]))
}

/** Each event with each endpoint that wants it and may read it, in the order of the events. */
const deliveriesOf = (events: readonly NumberedEvent[], receivers: readonly Receiver[]): NewDelivery[] =>
  events.flatMap(event =>
    receivers
      .filter(({ event_types, readable, own, vendor }) => {
        const isWanted = event_types.length === 0 || event_types.includes(event.type)
        return isWanted && (readable.has(event.type) || (event.audience === vendor && own.has(event.type)))
      })
      .map(receiver => ({ event, receiver })),
  )

/** The most rows of one insertion. */
const MAX_ROWS = 64

/**
 * Rows in groups of 64, and the rest in groups of 32, 16 and so on: rows that are written out make a text for each number
 * of them, and so there are seven, which every connection prepares once.
 */
export function inGroups<Row>(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = []
  for (let from = 0, most = MAX_ROWS; from < rows.length; ) {
    while (most > rows.length - from) most /= 2
    groups.push(rows.slice(from, from + most))
    from += most
  }
  return groups
}

const lockLog = (workspace: string) =>
  sql<{ last_sequence: number }>`select last_sequence from event_logs where workspace_id = ${workspace} for update`

const oldestEvents = (workspace: string, size: number) =>
  sql<{ id: number }>`select id from outbox where workspace_id = ${workspace} order by id limit ${size}`

const enabledEndpoints = (workspace: string) =>
  sql<Endpoint>`
    select id, key_id, event_types, source_workspace_id, source_id from webhook_endpoints
    where workspace_id = ${workspace} and enabled`

const typesOf = (workspace: string, ids: readonly string[]) =>
  sql<{ id: string; event_types: string[] }>`
    select id, event_types from webhook_endpoints where workspace_id = ${workspace} and id = any(${ids}::uuid[])`

/** In a cluster these are on the coordinator. */
const validKeys = (ids: readonly string[]) =>
  sql<{ id: string; scopes: Scope[]; vendor: string }>`
    select k.id, k.scopes, ${vendorIdOfKey('k')} as vendor from api_keys k where k.id = any(${ids}::text[]) and ${VALID_KEY}`

const insertEvents = (workspace: string, events: readonly NumberedEvent[]) => sql`
  insert into events (workspace_id, sequence, id, type, origin_key_id, audience, created_at, body)
  values ${joinWithCommas(
    events.map(
      e =>
        sql`(${workspace}, ${e.sequence}, ${e.event_id}, ${e.type}, ${e.origin_key_id}, ${e.audience}, ${e.created_at}, ${e.head + e.sequence + e.tail})`,
    ),
  )}`

const raiseLog = (workspace: string, last: number) => sql`
  update event_logs set last_sequence = ${last} where workspace_id = ${workspace}`

const takeEvents = (workspace: string, ids: readonly number[]) =>
  sql<WaitingEvent>`
    delete from outbox where workspace_id = ${workspace} and id = any(${ids}::bigint[])
    returning id, event_id, type, origin_key_id, audience, created_at, head, tail`

const insertDeliveries = (workspace: string, deliveries: readonly NewDelivery[]) => sql`
  insert into webhook_deliveries
    (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, next_attempt_at)
  values ${joinWithCommas(
    deliveries.map(
      ({ event, receiver }) =>
        sql`(${workspace}, ${randomUUID()}, ${receiver.id}, ${receiver.key_id}, ${event.sequence}, ${event.event_id}, ${event.type}, app_now())`,
    ),
  )}`
