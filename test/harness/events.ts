import { enumValues } from '../../src/contract/enums.ts'
import { type EventValue, eventValue } from '../../src/contract/event-values.ts'
import { EVENTS, type EventType } from '../../src/contract/events.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import { appendEvents, type PlainValue } from '../../src/kernel/feed/append.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'

/** Tells these events from those of the product. */
export const SYNTHETIC_TITLE = 'Größe “√” 😀'

/** Something for each value that the catalogue lists. */
export function valuesOf(type: EventType): Record<string, PlainValue> {
  const { object, values } = EVENTS[type]
  return Object.fromEntries(values.map(name => [name, plainValue(eventValue(object, name)!)]))
}

function plainValue({ type, enum: name, format, nullable }: EventValue): PlainValue {
  if (nullable) return null
  if (name !== undefined) return enumValues(name)[0]!
  if (format !== undefined) return '2026-11-08T00:00:00.000Z'
  return type === 'subjects' ? [] : type === 'integer' ? 1 : 'planted'
}

/** Commits events as a change of the product would. Returns the handles of their records, in order. */
export async function emit(
  db: Database,
  workspaceId: string | null,
  types: readonly EventType[],
  originKeyId: string | null = null,
): Promise<string[]> {
  const ids = types.map(() => newHandle('job'))
  await db.transaction(tx =>
    appendEvents(
      tx,
      types.map((type, i) => ({
        type,
        workspaceId,
        id: ids[i]!,
        updatedAt: '2026-11-01T00:00:00.000Z',
        values: valuesOf(type),
        previous: { title: SYNTHETIC_TITLE },
        originKeyId,
      })),
    ),
  )
  return ids
}
