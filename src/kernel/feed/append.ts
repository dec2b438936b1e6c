import { EVENTS, type EventType } from '../../contract/events.ts'
import { API_PREFIX, API_VERSION } from '../../contract/version.ts'
import type { Transaction } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { newHandle } from '../handles.ts'
import { appended } from './signal.ts'

export type PlainValue = string | number | boolean | null | readonly { object: string; id: string }[]

export interface NewEvent {
  type: EventType
  /** null for changes that belong to no workspace */
  workspaceId: string | null
  id: string
  updatedAt: string
  /** the plain values that the catalogue lists for this type */
  values?: Record<string, PlainValue>
  changed?: readonly string[]
  previous?: Record<string, PlainValue>
  /** the key whose API call caused it; null for changes made in the product */
  originKeyId: string | null
}

/**
 * Appends events inside the transaction that makes the change: no event without its change, no change without its
 * event. Call it after the rows are locked or written; then the events of one record stand in the order of its changes.
 */
export async function appendEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(toRow)
  await tx.query(sql`
    insert into outbox (workspace_id, event_id, type, origin_key_id, head, tail)
    select workspace_id, event_id, type, origin_key_id,
      head || to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","sequence":', tail
    from unnest(
      ${rows.map(r => r.workspaceId)}::text[], ${rows.map(r => r.eventId)}::text[], ${rows.map(r => r.type)}::text[],
      ${rows.map(r => r.originKeyId)}::text[], ${rows.map(r => r.head)}::text[], ${rows.map(r => r.tail)}::text[])
      with ordinality as e (workspace_id, event_id, type, origin_key_id, head, tail, place)
    order by place`)
  tx.afterCommit(appended.raise)
}

/** The event's JSON text on both sides of `created_at` and `sequence`, which are filled in by the database. */
function toRow(event: NewEvent) {
  const declared = EVENTS[event.type]
  const undeclared = Object.keys(event.values ?? {}).filter(name => !declared.values.includes(name))
  if (undeclared.length > 0) throw new Error(`${event.type} does not carry ${undeclared.join(', ')}`)
  const eventId = newHandle('event')
  const data = {
    object: {
      object: declared.object,
      id: event.id,
      workspace_id: event.workspaceId,
      updated_at: event.updatedAt,
      ...event.values,
      ...(event.changed ? { changed: event.changed } : {}),
      ...(event.originKeyId ? { origin: `api:${event.originKeyId}` } : {}),
    },
    ...(event.previous ? { previous_attributes: event.previous } : {}),
  }
  const opening = { object: 'event', id: eventId, type: event.type, api_version: API_VERSION, created_at: '' }
  const closing = { workspace_id: event.workspaceId, data, links: { self: `${API_PREFIX}/events/${eventId}` } }
  return {
    workspaceId: event.workspaceId,
    eventId,
    type: event.type,
    originKeyId: event.originKeyId,
    head: JSON.stringify(opening).slice(0, -2),
    tail: `,${JSON.stringify(closing).slice(1)}`,
  }
}
