import { type CopySession, openCopySession } from '../db/copy-session.ts'
import { type Database, type DbSession, type Queryable, timedOut } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { hasSqlState } from '../db/sqlstate.ts'
import { present } from '../errors/present.ts'
import { UserError } from '../errors/user-error.ts'
import { clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'
import { askDistributed } from './distributed.ts'
import { describePrepared, preparedChanges } from './nodes.ts'
import { WORKSPACE_TABLES } from './placement.ts'

/**
 * The nodes of a Citus cluster have no common snapshot, so one is made at a moment in which none of them has a change that
 * others lack:
 *
 * 1. On each node a transaction begins and locks its shards, so that none is dropped: Citus drops the shard that was moved
 *    or split later, and tries again while it is locked. The lock is not a statement that decides what the transaction sees.
 * 2. At the coordinator, which all writes pass, SHARE locks on the distributed tables are waited for. A write has its lock
 *    until Citus has committed it on every node, so there is none in progress then.
 * 3. A change that was interrupted between its two phases is on some nodes and not on others. If there is one, the locks
 *    are released until Citus has resolved it.
 * 4. Each transaction runs its first statement, which decides what it sees. The shards are still those of step 1.
 * 5. The locks of step 2 are released.
 *
 * Tables of the coordinator need no lock: a change that writes on both sides has one on a distributed table.
 */

/** How long writes are held up by a try; less than PostgreSQL waits before it looks for a deadlock and ends one of them. */
const LOCK_MS = 500
/** A process that stops between two statements must not keep the locks. */
const LONGEST_PAUSE_MS = 5_000
/** A write that has taken so long will not end within LOCK_MS: moving a shard is one, too. */
const LONG_WRITE_MS = 1_000
const RETRY_MS = 1_000
const MAX_TRIES = 600

/** No statement but those about rows takes longer than a moment, and rows come one after the other. */
const SILENCE_MS = 60_000
/** Longer than Citus waits for a connection to a node, 30 seconds: then it names the node that does not respond. */
const ASK_NODES_MS = 40_000

const COORDINATOR = 0
const MOVED = 'shards were moved'

interface Shard {
  table: string
  /** its name on the node, in SQL */
  relation: string
  group_id: number
  name: string | null
  port: number | null
}

/** A table that has no row here is one of the coordinator alone. */
const listShards = () => sql<Shard>`
  select c.relname::text as table, shard_name(s.logicalrelid, s.shardid) as relation, p.groupid as group_id,
    n.nodename as name, n.nodeport as port
  from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid
  left join lateral (
    select groupid from pg_dist_placement where shardid = s.shardid and shardstate = 1 order by groupid limit 1
  ) p on true
  left join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.isactive
  where c.relnamespace = 'public'::regnamespace
  order by c.relname, s.shardid`

async function readShards(db: Queryable): Promise<Shard[]> {
  const shards = await db.query(listShards())
  const lost = shards.find(shard => shard.name === null)
  if (lost) throw new UserError(`${lost.relation}, a shard of ${lost.table}, is on no active node of the cluster`)
  return shards
}

/** Transactions that have written, or move shards, for long. */
const longWrite = (tables: readonly string[]) => sql<{ pid: number }>`
  select a.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'relation' and l.granted and l.relation = any(${tables}::text[]::regclass[])
    and l.database = (select oid from pg_database where datname = current_database())
    and l.mode in ('RowExclusiveLock', 'ShareUpdateExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock',
      'AccessExclusiveLock')
    and a.xact_start < clock_timestamp() - ${LONG_WRITE_MS}::integer * interval '1 millisecond'
  limit 1`

/** Why there can be no snapshot because of a change between its two phases. */
async function interruptedChange(db: Queryable): Promise<string | undefined> {
  const [first] = await preparedChanges(db)
  return first && describePrepared(first)
}

/**
 * Begins a transaction whose first statement, which is not this lock, decides what it sees. Until its end the tables are
 * neither dropped nor changed.
 */
const holdTables = (session: DbSession, relations: readonly string[], lockMs = 0): Promise<void> =>
  session.script(`
    begin isolation level repeatable read read only;
    set local lock_timeout = ${lockMs};
    -- on a cluster: the lock is of this node alone, and shards are shown
    set local citus.enable_ddl_propagation = off;
    set local citus.override_table_visibility = off;
    lock table ${relations.join(', ')} in access share mode;
    -- other tables are locked when they are read, and may be waited for
    set local lock_timeout = 0`)

/** This table is distributed with all others of its place, and never without them. */
const ONE_OF_THE_DISTRIBUTED = 'outbox'

/**
 * Returns whether the store is distributed, which stays so until the transaction of `session` ends: it begins here, and has
 * seen nothing yet.
 */
export async function holdPlacement(db: Database, session: DbSession): Promise<boolean> {
  await holdTables(session, [ONE_OF_THE_DISTRIBUTED])
  // by another session: the first statement of this one decides what it sees
  return askDistributed(db)
}

/** Rows of a table in a snapshot: all of them, or on a cluster those of one shard. */
export interface TablePart {
  table: string
  session: CopySession
  /** what they are selected from, in SQL */
  relation: string
  /** Host and port of the node of a cluster that has the rows, unless that is the coordinator. */
  node: string | undefined
}

/**
 * Makes the snapshot of all nodes; `coordinator` is a session in a transaction that has seen nothing yet. Tries until
 * there is a moment for it.
 */
export async function freezeCluster(
  db: Database,
  coordinator: CopySession,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
): Promise<{ shards: TablePart[]; writesWaitedMs: number; close: () => Promise<void> }> {
  coordinator.limitSilence(silenceMs)
  const sessions = new Map([[COORDINATOR, coordinator]])
  const close = async () => {
    for (const [group, session] of sessions) if (group !== COORDINATOR) await session.close()
  }
  const gate = await openCopySession(db)
  gate.limitSilence(silenceMs)
  let writesWaitedMs = 0
  const onWaited = (ms: number) => {
    writesWaitedMs += ms
  }
  try {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      const shards = await readShards(db)
      await openNodes(db, sessions, shards, silenceMs)
      const obstacle = await freeze(db, gate, sessions, shards, onWaited)
      if (obstacle === undefined) {
        const frozen = shards.map(({ table, relation, group_id, name, port }) => ({
          table,
          relation,
          session: present(sessions.get(group_id), 'the session of a node'),
          node: group_id === COORDINATOR ? undefined : `${name}:${port}`,
        }))
        return { shards: frozen, writesWaitedMs, close }
      }
      if (tries === MAX_TRIES) throw new UserError(`there was no moment for a backup, try again later: ${obstacle}`)
      await pause(RETRY_MS, signal)
    }
  } catch (error) {
    await close()
    throw error
  } finally {
    await gate.close()
  }
}

/** Opens a session at each node that has shards. */
async function openNodes(
  db: Database,
  sessions: Map<number, CopySession>,
  shards: readonly Shard[],
  silenceMs: number,
): Promise<void> {
  for (const { group_id, name, port } of shards) {
    if (sessions.has(group_id)) continue
    const node = { name: present(name, 'a name'), port: present(port, 'a port') }
    const opened = await openCopySession(db, node).catch(error => {
      throw new UserError(
        `cannot connect to the node ${name}:${port} of the cluster: ${(error as Error).message}. A backup reads from every node: run it where they can be reached under these names, and let the user of DATABASE_URL connect with the same password and database (docs/citus.md)`,
      )
    })
    opened.limitSilence(silenceMs)
    const session = namingNode(opened, `${name}:${port}`)
    sessions.set(group_id, session)
    const here = await session.one(sql<{ group_id: number }>`select groupid as group_id from pg_dist_local_group`)
    if (here?.group_id !== group_id)
      throw new UserError(
        `${name}:${port} is another server here than for the coordinator: run the backup where the names of the nodes are the same`,
      )
  }
}

/** Its errors say which node failed. */
function namingNode(session: CopySession, node: string): CopySession {
  const named = (error: unknown) => {
    throw nodeFailed(node, error)
  }
  // every method is listed, so that a new one does not compile before its errors name the node, too
  return {
    query: statement => session.query(statement).catch(named),
    one: statement => session.one(statement).catch(named),
    only: statement => session.only(statement).catch(named),
    script: text => session.script(text).catch(named),
    // its rows are read elsewhere, which names the node
    copyOut: text => session.copyOut(text),
    copyIn: text => session.copyIn(text),
    limitSilence: ms => session.limitSilence(ms),
    close: () => session.close(),
  }
}

export const nodeFailed = (node: string, cause: unknown): UserError =>
  cause instanceof UserError
    ? cause
    : new UserError(
        `the node ${node} of the cluster failed: ${(cause as Error).message}. There is no new backup: make one when all nodes respond`,
        { cause },
      )

/** One try. Returns why there is no snapshot. */
async function freeze(
  db: Database,
  gate: DbSession,
  sessions: ReadonlyMap<number, CopySession>,
  shards: readonly Shard[],
  onWaited: (ms: number) => void,
): Promise<string | undefined> {
  const tables = [...new Set(shards.map(shard => shard.table))].sort(inOrderOfWrites)
  for (const [group, session] of sessions) {
    const own = shards.filter(shard => shard.group_id === group).map(shard => shard.relation)
    const relations = group === COORDINATOR ? [...tables, ...own] : own
    await session.script('rollback')
    try {
      if (relations.length > 0) await holdTables(session, relations, RETRY_MS)
    } catch (error) {
      const cause = (error as Error).cause ?? error
      if (hasSqlState(cause, 'undefinedTable')) return MOVED
      if (hasSqlState(cause, 'lockNotAvailable')) return 'a table is being changed'
      throw error
    }
  }
  if (await db.one(longWrite(tables))) return 'a transaction that writes, or moves shards, has not ended'
  // also asked before writes are held up: it may last
  await gate.script(`set statement_timeout = ${ASK_NODES_MS}`)
  const obstacle = await interruptedChange(gate)
  if (obstacle !== undefined) return obstacle
  const began = clock.monotonic()
  let found: Shard[] | string
  try {
    found = await whileHeld(gate, tables, sessions)
    // fails if the locks were lost before
    await gate.script('rollback')
  } catch (error) {
    await gate.script('rollback').catch(() => {}) // what failed first is reported
    if (timedOut(error) || hasSqlState(error, 'queryCanceled', 'deadlockDetected'))
      return 'tables were written without a pause'
    throw error
  } finally {
    onWaited(clock.monotonic() - began)
  }
  if (typeof found === 'string') return found
  return JSON.stringify(found) === JSON.stringify(shards) ? undefined : MOVED
}

/** Holds up writes at the gate, and lets each session see what is there. Returns the shards, or why there is no snapshot. */
async function whileHeld(
  gate: DbSession,
  tables: readonly string[],
  sessions: ReadonlyMap<number, CopySession>,
): Promise<Shard[] | string> {
  await gate.script('begin')
  await gate.script(`
    set local statement_timeout = ${LOCK_MS};
    set local idle_in_transaction_session_timeout = ${LONGEST_PAUSE_MS};
    set local citus.enable_ddl_propagation = off`)
  await gate.script(`lock table ${tables.join(', ')} in share mode`)
  const interrupted = await interruptedChange(gate)
  if (interrupted !== undefined) return interrupted
  const coordinator = present(sessions.get(COORDINATOR), 'the session of the coordinator')
  const others = [...sessions.values()].filter(session => session !== coordinator)
  const [found] = await Promise.all([readShards(coordinator), ...others.map(session => session.script('select 1'))])
  return found
}

/** Most transactions write tables in this order, too: waiting for one then does not hold up those that end it. */
const inOrderOfWrites = (a: string, b: string): number => WORKSPACE_TABLES.indexOf(a) - WORKSPACE_TABLES.indexOf(b)
