import { EVENTS, type EventType, recordPath } from '../../contract/events.ts'
import type { Transaction } from '../db/database.ts'
import { joinWithCommas, type Sql, sql } from '../db/sql.ts'
import { newHandle } from '../ids/handles.ts'
import { traceCaused } from '../telemetry/trace.ts'
import { eventText, stampedHead } from './envelope.ts'
import { appended } from './signal.ts'

export type PlainValue = string | number | boolean | null | readonly { object: string; id: string }[]

export interface NewEvent {
  type: EventType
  /**
   * null for changes that belong to no workspace: they go into the logs of all workspaces with a key that may read them
   */
  workspaceId: string | null
  id: string
  updatedAt: string
  /** the plain values that the catalogue lists for this type */
  values?: Record<string, PlainValue>
  changed?: readonly string[]
  previous?: Record<string, PlainValue>
  /** the key whose API call caused it; null for changes made in the product */
  originKeyId: string | null
  /** the vendor that may read it besides those who may read its type */
  audience?: string | undefined
}

/**
 * Appends events in the transaction of the change, so that both are committed or neither. Call it after the rows are
 * locked or written; then the events of one record are in the order of its changes.
 */
export async function appendEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(toRow)
  const own = rows.filter(row => row.workspaceId !== null)
  const shared = rows.filter(row => row.workspaceId === null)
  for (const statement of insertOwn(own)) tx.defer(statement)
  if (shared.length > 0) tx.defer(insertShared(shared))
  traceCaused(rows.map(row => row.eventId))
  const workspaces = rows.map(row => row.workspaceId)
  tx.afterCommit(() => appended.raise(workspaces))
}

/** Written out as rows, a few of them go to the shard of their workspace in one step. */
const MAX_WRITTEN_OUT = 8

function insertOwn(rows: readonly OutboxRow[]): Sql[] {
  if (rows.length > MAX_WRITTEN_OUT) return [insertMany(rows)]
  return [...Map.groupBy(rows, row => row.workspaceId).values()].map(insertFew)
}

function insertFew(rows: readonly OutboxRow[]): Sql {
  const values = rows.map(
    r =>
      sql`(${r.workspaceId}, ${r.eventId}, ${r.type}, ${r.originKeyId}, ${r.audience}, ${stampedHead(sql`${r.head}::text`)}, ${r.tail})`,
  )
  return sql`insert into outbox (workspace_id, event_id, type, origin_key_id, audience, head, tail) values ${joinWithCommas(values)}`
}

const insertMany = (rows: readonly OutboxRow[]) => sql`
  insert into outbox (workspace_id, event_id, type, origin_key_id, audience, head, tail)
  select workspace_id, event_id, type, origin_key_id, audience, ${stampedHead(sql`head`)}, tail
  from unnest(
    ${rows.map(r => r.workspaceId)}::text[], ${rows.map(r => r.eventId)}::text[], ${rows.map(r => r.type)}::text[],
    ${rows.map(r => r.originKeyId)}::text[], ${rows.map(r => r.audience)}::text[], ${rows.map(r => r.head)}::text[],
    ${rows.map(r => r.tail)}::text[])
    with ordinality as e (workspace_id, event_id, type, origin_key_id, audience, head, tail, place)
  order by place`

/** Next to the records of no workspace, whose changes they are. */
const insertShared = (rows: readonly OutboxRow[]) => sql`
  insert into shared_outbox (event_id, type, origin_key_id, head, tail)
  select event_id, type, origin_key_id, ${stampedHead(sql`head`)}, tail
  from unnest(
    ${rows.map(r => r.eventId)}::text[], ${rows.map(r => r.type)}::text[], ${rows.map(r => r.originKeyId)}::text[],
    ${rows.map(r => r.head)}::text[], ${rows.map(r => r.tail)}::text[])
    with ordinality as e (event_id, type, origin_key_id, head, tail, place)
  order by place`

type OutboxRow = ReturnType<typeof toRow>

function toRow(event: NewEvent) {
  const { type, workspaceId, id, originKeyId, audience = null, values = {} } = event
  const declared = EVENTS[type]
  const undeclared = Object.keys(values).filter(name => !declared.values.includes(name))
  if (undeclared.length > 0) throw new Error(`${type} does not carry ${undeclared.join(', ')}`)
  const eventId = newHandle('event')
  const data = {
    object: {
      object: declared.object,
      id,
      workspace_id: workspaceId,
      updated_at: event.updatedAt,
      ...values,
      ...(event.changed ? { changed: event.changed } : {}),
      ...(originKeyId ? { origin: `api:${originKeyId}` } : {}),
    },
    ...(event.previous ? { previous_attributes: event.previous } : {}),
  }
  const links = { self: `/events/${eventId}`, record: recordPath(type, { ...values, id }) }
  return {
    workspaceId,
    eventId,
    type,
    originKeyId,
    audience,
    ...eventText({ id: eventId, type, workspaceId, data, links }),
  }
}
