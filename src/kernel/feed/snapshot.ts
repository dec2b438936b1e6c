import { type Database, DatastoreUnavailable, type Queryable, type Transaction } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { pause } from '../time/pause.ts'
import { lockLogs, publish } from './publish-batch.ts'
import { BATCH_SIZE, sequenceBatch } from './sequencer.ts'
import { deliveriesQueued } from './signal.ts'

/** Enough to drain any backlog that does not grow; the rest is published in one statement. */
const DRAIN_BATCHES = 100
/** Usually some milliseconds; longer if a backlog could not be drained. */
const PIN_MS = 5_000

/**
 * Begins a read-only snapshot in the session and returns its position N in the workspace's log: the changes of the
 * workspace that the snapshot shows are exactly those whose events have numbers up to N.
 *
 * Why. The lock on the log is held from before the snapshot is taken until N is committed, so no other process assigns
 * numbers in between. Let L be the last number of the log at that time.
 * - A change that the snapshot shows has committed, and with it its event. Either the event has left the outbox: then
 *   it was numbered by a transaction that held the lock before, hence at most L. Or it is in the outbox as the snapshot
 *   shows it: then it is published here, and numbered up to N.
 * - An event with a number up to L was committed before the lock was granted (a transaction becomes visible before it
 *   releases its locks), and the change before its event was published: the snapshot shows both. Those from L + 1 to N
 *   are the ones that the snapshot itself showed in the outbox.
 * - What commits after the snapshot is in no row of it; its event is not among those published here, so its number is
 *   greater than N.
 * The events of one record keep their order: of two changes of a record, the second saw the first committed, so a
 * snapshot that shows the event of the second also shows, and publishes, the event of the first, lower outbox id first.
 * Events of no workspace are not published here: they are about records that no copy of a workspace holds.
 *
 * `before` runs before the lock is requested: a wait for other locks happens there and blocks no sequencer. The
 * transaction may be retried, which is why the snapshot begins inside it.
 *
 * The session may be one of a standby. Then `caughtUp` waits, with the locks held, until the standby has replayed what was
 * committed by then, and the same holds: what the locks exclude is in its snapshot or comes after N. A standby that is
 * synchronous may show a commit before the primary does: such an event cannot be published here, and the attempt fails.
 */
export async function pinSnapshot(
  db: Database,
  workspace: string,
  session: Queryable,
  before: (tx: Transaction) => Promise<unknown>,
  caughtUp: (session: Queryable) => Promise<void> = async () => {},
): Promise<number> {
  for (let i = 0; i < DRAIN_BATCHES && (await sequenceBatch(db)) >= BATCH_SIZE; i++);
  const pinned = await db.transaction(async tx => {
    await before(tx)
    await tx.query(lockLogs([workspace]))
    const log = await tx.one(lastNumber(workspace))
    if (!log) throw new Error(`the workspace ${workspace} does not exist any more`)
    const waiting = await withTimeout(async () => {
      await session.query(sql`rollback`)
      await caughtUp(session)
      await session.query(sql`begin isolation level repeatable read read only`)
      return session.query(sql<{ id: number }>`select id from outbox where workspace_id = ${workspace} order by id`)
    })
    const chosen = sql`select unnest(${waiting.map(row => row.id)}::bigint[])`
    const { moved, queued } = await publish(tx, chosen, [workspace])
    if (moved !== waiting.length) throw new DatastoreUnavailable('the snapshot shows events that the primary does not')
    return { asOf: log.last_sequence + moved, queued }
  })
  if (pinned.queued > 0) deliveriesQueued.raise()
  return pinned.asOf
}

const lastNumber = (workspace: string) =>
  sql<{ last_sequence: number }>`select last_sequence from event_logs where workspace_id = ${workspace}`

/** The log of the workspace is locked during this: a session that does not respond must not block it for long. */
async function withTimeout<T>(work: () => Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = pause(PIN_MS, done.signal).then(() => {
    throw new DatastoreUnavailable('the session of a snapshot does not respond')
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    late.catch(() => undefined)
    done.abort()
  }
}
