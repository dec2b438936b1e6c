import { freezeCluster, holdPlacement, type TablePart } from '../citus/cluster-snapshot.ts'
import { type CopySession, openCopySession } from '../db/copy-session.ts'
import type { Database } from '../db/database.ts'

/** One state of the whole store, for as long as it is open. */
export interface Snapshot {
  /** On a cluster this session is at the coordinator, which has the tables that no workspace owns. */
  session: CopySession
  partsOf(table: string): TablePart[]
  /** How long writes waited, in milliseconds; set for a cluster. */
  writesWaitedMs: number | undefined
  close(): Promise<void>
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Opens a snapshot while others write. `silenceMs`: of a cluster, how long one of its nodes may say nothing. */
export async function openSnapshot(
  db: Database,
  signal: AbortSignal,
  opts: { silenceMs?: number | undefined } = {},
): Promise<Snapshot> {
  const session = await openCopySession(db)
  const whole = (table: string): TablePart => ({ table, session, relation: quoted(table), node: undefined })
  try {
    const isSpread = await holdPlacement(db, session)
    if (!isSpread)
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
