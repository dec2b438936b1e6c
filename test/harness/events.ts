import type { EventType } from '../../src/contract/events.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import { appendEvents } from '../../src/kernel/feed/append.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'

/** Tells these events from those of the product. */
export const SYNTHETIC_TITLE = 'Größe “√” 😀'

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
        previous: { title: SYNTHETIC_TITLE },
        originKeyId,
      })),
    ),
  )
  return ids
}
