import type { Database } from '../kernel/db/database.ts'
import { sql } from '../kernel/db/sql.ts'
import { onAppend } from '../kernel/feed/signal.ts'
import { pause } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'

/**
 * Gives committed events their place in the feed. One process leads, by a lock that lives as long as its session; the
 * others wait to take over. Should two believe they lead, the lock on `feed_state` makes them take turns, so that
 * numbers become visible in order and none twice.
 */
const LEADER_LOCK = 4_817_202
const BATCH = 1_000
/** How long a commit of another process may stay unnoticed. */
const POLL_MS = 50
const STANDBY_MS = 500

export const sequenceEvents = (db: Database): Worker => ({
  name: 'sequence-events',
  async run(signal) {
    const session = await db.session()
    try {
      while (!signal.aborted) {
        const leader = await session.one(sql<{ held: boolean }>`select pg_try_advisory_lock(${LEADER_LOCK}) as held`)
        if (leader?.held) return await lead(db, signal, () => session.query(sql`select 1`))
        await pause(STANDBY_MS, signal)
      }
    } finally {
      await session.close()
    }
  },
})

async function lead(db: Database, signal: AbortSignal, stillLeader: () => Promise<unknown>): Promise<void> {
  let wake = new AbortController()
  let appended = false
  const stopListening = onAppend(() => {
    appended = true
    wake.abort()
  })
  const stop = () => wake.abort()
  signal.addEventListener('abort', stop)
  try {
    while (!signal.aborted) {
      appended = false
      if ((await sequenceBatch(db)) === BATCH) continue
      await stillLeader() // a lost session has lost the lock: fail, and stand by again
      if (appended || signal.aborted) continue
      wake = new AbortController()
      await pause(POLL_MS, wake.signal)
    }
  } finally {
    stopListening()
    signal.removeEventListener('abort', stop)
  }
}

/** Moves one batch from the outbox into the feed and says how many events it had. */
export async function sequenceBatch(db: Database): Promise<number> {
  if (!(await db.one(sql`select 1 from outbox limit 1`))) return 0
  return db.transaction(async tx => {
    // The lock first and in a statement of its own: what is moved is read by a snapshot taken after it is held.
    const [, moved] = await Promise.all([tx.query(sql`select 1 from feed_state for update`), tx.one(moveBatch())])
    return moved!.moved
  })
}

const moveBatch = () =>
  sql<{ moved: number }>`
    with batch as (
      delete from outbox where id in (select id from outbox order by id limit ${BATCH}) returning *
    ), numbered as (
      select *, row_number() over (order by id) as place from batch
    ), state as (
      update feed_state set last_sequence = last_sequence + (select count(*) from batch)
      returning last_sequence - (select count(*) from batch) as before
    ), inserted as (
      insert into events (sequence, workspace_id, id, type, origin_key_id, created_at, body)
      select s.before + n.place, n.workspace_id, n.event_id, n.type, n.origin_key_id, n.created_at,
        n.head || (s.before + n.place) || n.tail
      from numbered n, state s
    )
    select count(*)::integer as moved from batch`
