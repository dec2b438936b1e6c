import type { Blobs } from '../blobs/blobs.ts'
import { sql } from '../db/sql.ts'
import { UserError } from '../errors/user-error.ts'
import { byteSize } from '../text/byte-size.ts'
import { type FileEntry, inParallel } from './files.ts'
import type { Snapshot } from './snapshot.ts'
import { listTables } from './tables.ts'
import type { BackupTarget } from './target.ts'

/** How many times smaller rows are in a backup, where they are compressed, at most: the rows of the demo six times. */
const PACKED = 8

/** A backup is made of these parts. */
export interface BackupPlan {
  snapshot: Snapshot
  blobs: Blobs
  /** the files that the rows name */
  keys: readonly string[]
  /** the files of the backup before, which are not stored again */
  earlier: ReadonlyMap<string, FileEntry>
}

/**
 * Refuses a backup that its folder has no space for, before anything is written, by one line that says how much is missing.
 * Unknown sizes are assumed in favour of the backup: a backup that fills its target up fails and is removed.
 */
export async function requireSpace(target: BackupTarget, plan: BackupPlan, signal: AbortSignal): Promise<void> {
  const free = await target.freeBytes()
  if (free === undefined) return
  const rows = await bytesOfRows(plan)
  const files = await bytesOfNewFiles(plan, signal)
  if (rows + files <= free) return
  // files of a backup that was interrupted are used by this one
  const reused = Math.min(files, await bytesOfOtherFiles(target, plan.earlier, signal))
  const missing = rows + files - reused - free
  if (missing <= 0) return
  throw new UserError(
    `the backup target ${target.place} has too little space: at least ${byteSize(missing)} are missing. The backup takes at least ${byteSize(rows + files - reused)} (rows ${byteSize(rows)}, new files ${byteSize(files - reused)}), and ${byteSize(free)} are free`,
  )
}

async function bytesOfRows({ snapshot }: BackupPlan): Promise<number> {
  const parts = (await snapshot.session.query(listTables())).flatMap(({ name }) => snapshot.partsOf(name))
  let bytes = 0
  for (const [session, own] of Map.groupBy(parts, part => part.session))
    bytes += (await session.only(estimateBytes(own.map(({ relation }) => relation)))).bytes
  return Math.round(bytes / PACKED)
}

/**
 * By the statistics of the planner and of what was deleted since they were made: the size of a table would also count the
 * space of rows that are gone.
 */
const estimateBytes = (relations: readonly string[]) => sql<{ bytes: number }>`
  select coalesce(sum(greatest(least(c.reltuples, pg_stat_get_live_tuples(c.oid)), 0) * w.width), 0)::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  cross join lateral (select sum(avg_width) as width from pg_stats
    where schemaname = n.nspname and tablename = c.relname) w
  where c.oid = any(${relations}::text[]::regclass[])`

async function bytesOfNewFiles({ blobs, keys, earlier }: BackupPlan, signal: AbortSignal): Promise<number> {
  let bytes = 0
  const missing = keys.filter(key => !earlier.has(key))
  await inParallel(missing, signal, async key => {
    bytes += (await blobs.stat(key))?.bytes ?? 0
  })
  return bytes
}

/** Files of the target that the newest backup does not have. */
async function bytesOfOtherFiles(
  target: BackupTarget,
  earlier: ReadonlyMap<string, FileEntry>,
  signal: AbortSignal,
): Promise<number> {
  const known = new Set(Array.from(earlier.values(), ({ key, sha256 }) => target.nameOfFile(key, sha256)))
  let bytes = 0
  for await (const name of target.list('files/')) {
    signal.throwIfAborted()
    if (!known.has(name)) bytes += await target.bytesOf(name)
  }
  return bytes
}
