import { EVENT_TYPES, EVENTS } from '../contract/events.ts'
import { clock } from '../kernel/clock.ts'
import type { Database, Queryable, Transaction } from '../kernel/db/database.ts'
import { type Sql, sql } from '../kernel/db/sql.ts'
import { appended, deliveriesQueued } from '../kernel/feed/signal.ts'
import { pause, Wakeable } from '../kernel/work/pause.ts'
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
/** How long a leader under load may go without looking whether it still is. */
const CHECK_MS = 1_000

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
  const waiting = new Wakeable(signal)
  const stopListening = appended.on(waiting.wake)
  let checkAt = clock.monotonic() + CHECK_MS
  try {
    while (!signal.aborted) {
      waiting.rearm()
      const full = (await sequenceBatch(db)) === BATCH
      // a lost session has lost the lock: fail, and stand by again; also when there is no end of batches
      if (!full || clock.monotonic() >= checkAt) {
        await stillLeader()
        checkAt = clock.monotonic() + CHECK_MS
      }
      if (!full) await waiting.pause(POLL_MS)
    }
  } finally {
    stopListening()
    waiting.close()
  }
}

/** Moves one batch from the outbox into the feed and says how many events it had. */
export async function sequenceBatch(db: Database): Promise<number> {
  if (!(await db.one(sql`select 1 from outbox limit 1`))) return 0
  const done = await db.transaction(async tx => {
    // The lock first and in a statement of its own: what is moved is read by a snapshot taken after it is held.
    const oldest = sql`select id from outbox order by id limit ${BATCH}`
    const [, batch] = await Promise.all([tx.query(lockFeed), tx.one(moveBatch(oldest))])
    return batch!
  })
  if (done.queued > 0) deliveriesQueued.raise()
  return done.moved
}

const lockFeed = sql`select 1 from feed_state for update`
/** Enough for any backlog that is not growing; what is left is moved in one statement. */
const DRAIN_BATCHES = 100

/**
 * Begins a read-only snapshot in the session and returns the number N of the feed that it stands for: the changes it
 * shows are exactly those whose events have numbers up to N.
 *
 * Why. The lock on the counter is held from before the snapshot is taken until N is committed, so nobody else gives
 * numbers in between. Let L be the counter then.
 * - A change that the snapshot shows has committed, and with it its event. Either the event has left the outbox: then
 *   it was numbered by a transaction that held the lock before, hence at most L. Or it is in the outbox as the snapshot
 *   shows it: then it is moved right here, and numbered up to N.
 * - An event with a number up to L was committed before the lock was granted (a transaction becomes visible before it
 *   lets go of its locks), and the change before its event was moved: the snapshot shows both. Those from L + 1 to N are
 *   the ones that the snapshot itself showed in the outbox.
 * - What commits after the snapshot is in no row of it; its event is not among those moved here, so its number is
 *   greater than N.
 * The events of one record keep their order: of two changes of a record, the second saw the first committed, so a
 * snapshot that shows the second one's event shows, and moves, the first one's too, and the lower outbox id first.
 *
 * `before` runs before the lock is asked for: whatever else must hold still waits there and holds up no sequencer. The
 * transaction may be tried again, which is why the snapshot begins inside it.
 */
export async function pinSnapshot(
  db: Database,
  session: Queryable,
  before: (tx: Transaction) => Promise<unknown>,
): Promise<number> {
  for (let i = 0; i < DRAIN_BATCHES && (await sequenceBatch(db)) === BATCH; i++);
  const pinned = await db.transaction(async tx => {
    await before(tx)
    await tx.query(lockFeed)
    await session.query(sql`rollback`)
    await session.query(sql`begin isolation level repeatable read read only`)
    const waiting = await session.query(sql<{ id: number }>`select id from outbox order by id`)
    return (await tx.one(moveBatch(sql`select unnest(${waiting.map(row => row.id)}::bigint[])`)))!
  })
  if (pinned.queued > 0) deliveriesQueued.raise()
  return pinned.last_sequence
}

const SCOPES_OF_TYPES = EVENT_TYPES.map(type => EVENTS[type].scope)

/**
 * One statement: an event has its number, its place in the feed and its deliveries together or not at all. A delivery is
 * made for each enabled endpoint that wants the type and whose key, valid now, may read it; events of no workspace go to
 * the endpoints of all.
 */
const moveBatch = (chosen: Sql) =>
  sql<{ moved: number; queued: number; last_sequence: number }>`
    with batch as (
      delete from outbox where id in (${chosen}) returning *
    ), state as (
      update feed_state set last_sequence = last_sequence + (select count(*) from batch)
      returning last_sequence, last_sequence - (select count(*) from batch) as before
    ), placed as (
      select b.*, s.before + row_number() over (order by b.id) as sequence from batch b, state s
    ), inserted as (
      insert into events (sequence, workspace_id, id, type, origin_key_id, created_at, body)
      select sequence, workspace_id, event_id, type, origin_key_id, created_at, head || sequence || tail from placed
    ), receivers as (
      select e.workspace_id, e.id, e.key_id, e.event_types, k.scopes
      from webhook_endpoints e
      join api_keys k on k.id = e.key_id
      where e.enabled and k.revoked_at is null and (k.expires_at is null or k.expires_at > app_now())
        and (e.workspace_id in (select workspace_id from batch) or exists (select from batch where workspace_id is null))
    ), matched as (
      select p.sequence, p.event_id, p.type, r.workspace_id, r.id, r.key_id, r.event_types, r.scopes
      from placed p join receivers r on r.workspace_id = p.workspace_id
      union all
      select p.sequence, p.event_id, p.type, r.workspace_id, r.id, r.key_id, r.event_types, r.scopes
      from placed p cross join receivers r where p.workspace_id is null
    ), queued as (
      insert into webhook_deliveries
        (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, next_attempt_at)
      select m.workspace_id, gen_random_uuid(), m.id, m.key_id, m.sequence, m.event_id, m.type, app_now()
      from matched m
      join unnest(${EVENT_TYPES}::text[], ${SCOPES_OF_TYPES}::text[]) as c (type, scope) on c.type = m.type
      where (m.event_types = '{}' or m.type = any(m.event_types)) and m.scopes @> array['events:read', c.scope]
      order by m.sequence
      returning 1
    )
    select (select count(*) from batch)::integer as moved, (select count(*) from queued)::integer as queued,
      (select last_sequence from state) as last_sequence`
