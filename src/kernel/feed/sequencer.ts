import type { Database, Transaction } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { countWaiting, MAX_COUNTED } from '../work/queue.ts'
import { type HandedOver, type HandOverOffer, senders } from './hand-over.ts'
import { lockLogs, type Published, publish, selectOldest } from './publish-batch.ts'
import { publishWorkspace } from './publish-workspace.ts'
import { deliveriesQueued } from './signal.ts'

/**
 * Publishes committed events: moves them from the outbox into the logs of their workspaces and gives them numbers. Row
 * locks on `event_logs` serialize sequencers, so in each log numbers become visible in order and each is used once,
 * even if two processes believe that they lead.
 */
export const BATCH_SIZE = 1_000

/** Publishes a batch of each outbox and returns how many events these had: 0 only when nothing waits. */
export async function sequenceBatch(db: Database, size = BATCH_SIZE): Promise<number> {
  for (;;) {
    const [own, shared] = await Promise.all([db.query(workspacesWaiting(size)), db.one(sharedWaiting)])
    const workspaces = own.map(row => row.workspace_id)
    if (workspaces.length === 0 && !shared) return 0
    const inCluster = await db.isCluster()
    let moved = 0
    if (inCluster) moved += (await publishEach(db, workspaces, size)).moved
    else if (workspaces.length > 0) {
      const offer = senders.get(db)?.()
      moved += await publishing(db, tx => publishOldest(tx, workspaces, size, offer), offer)
    }
    if (shared) moved += await publishing(db, tx => publishShared(tx, size, inCluster))
    // 0: another sequencer has published all of them; look again
    if (moved > 0) return moved
  }
}

/**
 * In a cluster: publishes a batch of these workspaces, and of the events of none, without a look at all shards. Returns the
 * workspaces that may have more; of the others, what was committed before the call is published.
 */
export async function sequenceWorkspaces(
  db: Database,
  workspaces: readonly string[],
  size = BATCH_SIZE,
): Promise<{ moved: number; unfinished: readonly string[]; isSharedFull: boolean }> {
  const [{ moved, unfinished }, shared] = await Promise.all([publishEach(db, workspaces, size), db.one(sharedWaiting)])
  const movedShared = shared ? await publishing(db, tx => publishShared(tx, size, true)) : 0
  return { moved: moved + movedShared, unfinished, isSharedFull: movedShared >= size }
}

/** Transactions: a process with few connections has others for requests. */
const MAX_CONCURRENT = 3

/**
 * Rows of several shards cannot be locked by one statement, so each log is a transaction of its own node. No more begin
 * when `size` events were moved. Those that were not finished are returned, the ones with a further batch last.
 */
async function publishEach(
  db: Database,
  workspaces: readonly string[],
  size: number,
): Promise<{ moved: number; unfinished: string[] }> {
  const waiting = workspaces.values()
  const full: string[] = []
  let moved = 0
  const publishSome = async () => {
    while (moved < size) {
      const { value: workspace } = waiting.next()
      if (workspace === undefined) return
      const count = await publishing(db, tx => publishWorkspace(tx, workspace, size))
      moved += count
      if (count >= size) full.push(workspace)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: MAX_CONCURRENT }, publishSome))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return { moved, unfinished: [...waiting, ...full] }
}

async function publishing(
  db: Database,
  work: (tx: Transaction) => Promise<Published>,
  offer?: HandOverOffer,
): Promise<number> {
  let handedOver: readonly HandedOver[] = []
  try {
    const published = await db.transaction(work)
    handedOver = published.handedOver
    if (published.queued > 0) deliveriesQueued.raise()
    return published.moved
  } finally {
    await offer?.settle(handedOver)
  }
}

async function publishOldest(
  tx: Transaction,
  workspaces: readonly string[],
  size: number,
  offer: HandOverOffer | undefined,
): Promise<Published> {
  const [, published] = await Promise.all([
    tx.query(lockLogs(workspaces)),
    publish(tx, selectOldest(workspaces, size), workspaces, 'own', offer),
  ])
  return published
}

async function publishShared(tx: Transaction, size: number, inCluster: boolean): Promise<Published> {
  const locked = inCluster ? await lockEach(tx, await tx.query(ALL_LOGS)) : await tx.query(lockLogs('all'))
  // events of the pool are about real people
  const tests = new Set((await tx.query(TEST_WORKSPACES)).map(row => row.id))
  const logs = locked.flatMap(row => (tests.has(row.workspace_id) ? [] : [row.workspace_id]))
  return publish(tx, sql`select id from shared_outbox order by id limit ${size}`, logs, 'shared')
}

const ALL_LOGS = sql<{ workspace_id: string }>`select workspace_id from event_logs order by workspace_id`

const TEST_WORKSPACES = sql<{ id: string }>`select id from workspaces where environment = 'test'`

async function lockEach(tx: Transaction, logs: readonly { workspace_id: string }[]) {
  const locked = await Promise.all(logs.map(log => tx.one(lockLogs([log.workspace_id]))))
  return locked.filter(row => row !== undefined)
}

/** Counts events of workspaces alone. */
export const ownEventsWaiting = countWaiting(sql`created_at`, sql`outbox order by id`)

/** Committed events that are not in the feed yet. */
export const eventsWaiting = countWaiting(
  sql`created_at`,
  sql`((select created_at from outbox order by id limit ${MAX_COUNTED})
    union all (select created_at from shared_outbox order by id limit ${MAX_COUNTED})) waiting`,
)

/** The workspaces of the oldest events in the outbox. */
const workspacesWaiting = (size: number) =>
  sql<{ workspace_id: string }>`
    select distinct workspace_id from (select workspace_id from outbox order by id limit ${size}) oldest`

const sharedWaiting = sql`select 1 from shared_outbox limit 1`
