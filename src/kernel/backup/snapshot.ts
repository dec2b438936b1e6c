import { freezeCluster, holdTables, type TablePart } from '../citus/cluster-snapshot.ts'
import { askDistributed } from '../citus/distributed.ts'
import { type CopySession, openCopySession } from '../db/copy-session.ts'
import type { Database } from '../db/database.ts'

/** One state of the whole store, for as long as it is open. */
export interface Snapshot {
  /** On a cluster this session is at the coordinator, which has the tables that are not distributed. */
  session: CopySession
  partsOf(table: string): TablePart[]
  /** How long writes waited, in milliseconds; set for a cluster. */
  writesWaitedMs: number | undefined
  close(): Promise<void>
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Distributed with all others of its place, and never without them. */
const ONE_OF_THE_DISTRIBUTED = 'outbox'

/** Opens a snapshot while others write. `silenceMs`: of a cluster, how long one of its nodes may say nothing. */
export async function openSnapshot(
  db: Database,
  signal: AbortSignal,
  opts: { silenceMs?: number | undefined } = {},
): Promise<Snapshot> {
  const session = await openCopySession(db)
  const whole = (table: string): TablePart => ({ table, session, relation: quoted(table), node: undefined })
  try {
    // from here on the store stays distributed or not, until the snapshot is closed
    await holdTables(session, [ONE_OF_THE_DISTRIBUTED])
    // asked elsewhere: the first statement of the session decides what it sees
    if (!(await askDistributed(db)))
      return { session, partsOf: table => [whole(table)], writesWaitedMs: undefined, close: () => session.close() }
    const { shards, writesWaitedMs, close } = await freezeCluster(db, session, signal, opts.silenceMs)
    const byTable = Map.groupBy(shards, shard => shard.table)
    return {
      session,
      partsOf: table => byTable.get(table) ?? [whole(table)],
      writesWaitedMs,
      close: async () => {
        await close()
        await session.close()
      },
    }
  } catch (error) {
    await session.close()
    throw error
  }
}
