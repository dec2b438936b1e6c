import { EVENT_TYPES, EVENTS } from '../contract/events.ts'
import { clock } from '../kernel/clock.ts'
import {
  type Database,
  DatastoreUnavailable,
  type Queryable,
  type Transaction,
  timedOut,
} from '../kernel/db/database.ts'
import { none, type Sql, sql } from '../kernel/db/sql.ts'
import { appended, deliveriesQueued } from '../kernel/feed/signal.ts'
import { pause, Wakeable } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'

/**
 * Moves committed events from the outbox into the logs of their workspaces. One process leads, by a lock that lives as
 * long as its session; the others wait to take over. Should two believe they lead, the locks on the rows of `event_logs`
 * make them take turns, so that in each log numbers become visible in order and none twice.
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
  let size = BATCH
  try {
    while (!signal.aborted) {
      waiting.rearm()
      let full: boolean
      try {
        full = (await sequenceBatch(db, size)) === size
        size = Math.min(BATCH, size * 2)
      } catch (error) {
        // Events for very many endpoints, or a slow disk: a batch that cannot be moved in time is tried as a smaller one.
        if (!timedOut(error) || size === 1) throw error
        size = Math.ceil(size / 2)
        full = true
      }
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

/** Moves one batch from the outbox into the logs and returns how many events it had: 0 only when none waits. */
export async function sequenceBatch(db: Database, size = BATCH): Promise<number> {
  for (;;) {
    const waiting = (await db.query(workspacesWaiting(size))).map(row => row.workspace_id)
    if (waiting.length === 0) return 0
    const done = await db.transaction(tx => moveOldest(tx, waiting, size))
    if (done.queued > 0) deliveriesQueued.raise()
    // none is left of those that waited: another sequencer has moved them
    if (done.moved > 0) return done.moved
  }
}

async function moveOldest(tx: Transaction, waiting: readonly (string | null)[], size: number): Promise<Moved> {
  const own = waiting.filter(workspace => workspace !== null)
  if (own.length < waiting.length) {
    const all = (await tx.query(lockLogs('all'))).map(row => row.workspace_id)
    return (await tx.one(publishBatch(oldestOf([...all, ...own], 'and of none', size), all)))!
  }
  const [, moved] = await Promise.all([
    tx.query(lockLogs(own)),
    tx.one(publishBatch(oldestOf(own, 'alone', size), 'own logs')),
  ])
  return moved!
}

/** Of the oldest events in the outbox; null where there are events of no workspace, which may go into any log. */
const workspacesWaiting = (size: number) =>
  sql<{ workspace_id: string | null }>`
    select distinct workspace_id from (select workspace_id from outbox order by id limit ${size}) oldest`

/**
 * In the order of their key, so that two sequencers never wait for each other in a circle. In a statement of its own:
 * what is moved is read by a snapshot taken after the locks are held.
 */
const lockLogs = (of: readonly string[] | 'all') =>
  sql<{ workspace_id: string }>`
    select workspace_id from event_logs ${of === 'all' ? none : sql`where workspace_id = any(${of}::text[])`}
    order by workspace_id for update`

/**
 * The oldest events, of workspaces whose logs are locked. Those of other workspaces came after the locks were taken, and
 * wait for the next batch. A workspace that was deleted has no log: its events are taken, and end there. The limit stands
 * inside, so that a long backlog is never read as a whole.
 */
const oldestOf = (workspaces: readonly string[], which: 'alone' | 'and of none', size: number) =>
  sql`
    select id from (select id, workspace_id from outbox order by id limit ${size}) oldest
    where workspace_id in (select unnest(${workspaces}::text[])) ${which === 'alone' ? none : sql`or workspace_id is null`}`

/** Enough for any backlog that is not growing; what is left is moved in one statement. */
const DRAIN_BATCHES = 100
/** Usually some milliseconds; a backlog that could not be drained is read as well. */
const PIN_MS = 5_000

/**
 * Begins a read-only snapshot in the session and returns the number N in the workspace's log that it stands for: the
 * changes of the workspace that it shows are exactly those whose events have numbers up to N.
 *
 * Why. The lock on the log is held from before the snapshot is taken until N is committed, so no other process gives
 * numbers in between. Let L be the last number of the log then.
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
 * Events of no workspace are not moved here: they are about records that no copy of a workspace holds.
 *
 * `before` runs before the lock is asked for: whatever else must hold still waits there and holds up no sequencer. The
 * transaction may be tried again, which is why the snapshot begins inside it.
 */
export async function pinSnapshot(
  db: Database,
  workspace: string,
  session: Queryable,
  before: (tx: Transaction) => Promise<unknown>,
): Promise<number> {
  for (let i = 0; i < DRAIN_BATCHES && (await sequenceBatch(db)) === BATCH; i++);
  const pinned = await db.transaction(async tx => {
    await before(tx)
    await tx.query(lockLogs([workspace]))
    const log = await tx.one(lastNumber(workspace))
    if (!log) throw new Error(`the workspace ${workspace} is gone`)
    const waiting = await withTimeout(async () => {
      await session.query(sql`rollback`)
      await session.query(sql`begin isolation level repeatable read read only`)
      return session.query(sql<{ id: number }>`select id from outbox where workspace_id = ${workspace} order by id`)
    })
    const chosen = sql`select unnest(${waiting.map(row => row.id)}::bigint[])`
    const { moved, queued } = (await tx.one(publishBatch(chosen, 'own logs')))!
    return { asOf: log.last_sequence + moved, queued }
  })
  if (pinned.queued > 0) deliveriesQueued.raise()
  return pinned.asOf
}

const lastNumber = (workspace: string) =>
  sql<{ last_sequence: number }>`select last_sequence from event_logs where workspace_id = ${workspace}`

/** While it lasts the log of the workspace stands still: a session that does not respond must not stop it for long. */
async function withTimeout<T>(work: () => Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = pause(PIN_MS, done.signal).then(() => {
    throw new DatastoreUnavailable('the session of a snapshot does not answer')
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    late.catch(() => undefined)
    done.abort()
  }
}

interface Moved {
  moved: number
  /** deliveries that were made for them */
  queued: number
}

const SCOPES_OF_TYPES = EVENT_TYPES.map(type => EVENTS[type].scope)

const VALID_KEY = sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > app_now())`

/**
 * The logs that each event of no workspace goes into: those of the workspaces that a valid key, or a person's consent to
 * an app, reaches with the scope of its type. The copies have the id of the one event, and each the number of its log.
 */
const sharedEntries = (logs: readonly string[]) => sql`
  union all
  select b.*, r.workspace_id as log from batch b join (
    select distinct c.type, h.workspace_id from catalogue c join (
      select k.scopes, unnest(case when k.workspace_scope = 'single' then array[k.workspace_id::text]
        else k.workspace_ids end) as workspace_id
      from api_keys k where k.workspace_scope <> 'all' and ${VALID_KEY}
      union all
      select k.scopes, all_logs.workspace_id from api_keys k cross join unnest(${logs}::text[]) as all_logs (workspace_id)
      where k.workspace_scope = 'all' and ${VALID_KEY}
      union all
      select a.scopes, a.workspace_id from app_consents a
      join connected_apps p on p.workspace_id = a.workspace_id and p.id = a.app_id and p.revoked_at is null
      where a.revoked_at is null
    ) h on h.scopes @> array[c.scope]
  ) r on r.type = b.type
  where b.workspace_id is null and r.workspace_id in (select unnest(${logs}::text[]))`

/**
 * One statement: an event has its number, its place in the log and its deliveries together or not at all. Events of no
 * workspace go into those of the logs given. A delivery is made for each enabled endpoint of the log's workspace that
 * wants the type and whose key, valid now, may read it.
 */
const publishBatch = (chosen: Sql, into: readonly string[] | 'own logs') =>
  sql<Moved>`
    with catalogue as (
      select * from unnest(${EVENT_TYPES}::text[], ${SCOPES_OF_TYPES}::text[]) as c (type, scope)
    -- what leaves the outbox
    ), batch as (
      delete from outbox where id in (${chosen}) returning *
    -- which log each event goes into: one, or for an event of no workspace several
    ), entries as materialized (
      select b.*, b.workspace_id::text as log from batch b where b.workspace_id is not null
      ${into === 'own logs' ? none : sharedEntries(into)}
    -- the counters of the logs, raised by as many numbers as are given
    ), raised as (
      update event_logs l set last_sequence = l.last_sequence + n.entries
      from (select log, count(*) as entries from entries group by log) n where l.workspace_id = n.log
      returning l.workspace_id, l.last_sequence - n.entries as previous_sequence
    -- the numbers: in each log, in the order of the outbox
    ), numbered as (
      select e.*, r.previous_sequence + row_number() over (partition by e.log order by e.id) as sequence
      from entries e join raised r on r.workspace_id = e.log
    ), inserted as (
      insert into events (workspace_id, sequence, id, type, origin_key_id, created_at, body)
      select log, sequence, event_id, type, origin_key_id, created_at, head || sequence || tail from numbered
    -- the endpoints that may be sent something
    ), receivers as materialized (
      select e.workspace_id, e.id, e.key_id, e.event_types, k.scopes
      from webhook_endpoints e join api_keys k on k.id = e.key_id
      where e.enabled and ${VALID_KEY} and e.workspace_id in (select workspace_id from raised)
    ), queued as (
      insert into webhook_deliveries
        (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, next_attempt_at)
      select r.workspace_id, gen_random_uuid(), r.id, r.key_id, n.sequence, n.event_id, n.type, app_now()
      from numbered n join receivers r on r.workspace_id = n.log join catalogue c on c.type = n.type
      where (r.event_types = '{}' or n.type = any(r.event_types)) and r.scopes @> array['events:read', c.scope]
      order by n.sequence
      returning 1
    )
    select (select count(*) from batch)::integer as moved, (select count(*) from queued)::integer as queued`
