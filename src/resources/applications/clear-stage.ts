import type { Transaction } from '../../kernel/db/database.ts'
import { limitLockWait } from '../../kernel/db/locks.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { type Author, originKeyOf } from '../shared/author.ts'
import { insertTransitions } from './history-store.ts'
import { buildApplicationEvent, LOCK_WAIT_MS, unlessLocked } from './locked-change.ts'
import { type EnteredStage, lockApplicationsIn, moveAllTo } from './store.ts'

/** Applications in one statement; a statement has fifteen seconds, and this many take about a tenth of one. */
const CHUNK = 500

/**
 * Moves every application of a stage that is being removed to another stage, each with its step and its event. Those of
 * people whose processing was stopped are moved, too: nothing is decided about them, and their stage ends.
 */
export async function clearStage(
  tx: Transaction,
  { workspace, from, to, author }: { workspace: string; from: string; to: EnteredStage; author: Author },
): Promise<void> {
  await tx.query(limitLockWait(LOCK_WAIT_MS))
  for (;;) {
    const ids = (await tx.query(lockApplicationsIn(workspace, from, CHUNK)).catch(unlessLocked)).map(({ id }) => id)
    if (ids.length === 0) return
    const moved = await tx.query(moveAllTo(workspace, ids, to.id))
    await tx.query(insertTransitions({ workspace, author }, from, to, moved))
    await appendEvents(
      tx,
      moved.map(row =>
        buildApplicationEvent('application.stage_changed', row, originKeyOf(author), { previous: { stage_id: from } }),
      ),
    )
  }
}
