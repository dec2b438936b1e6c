import type { Blobs } from '../kernel/blobs/blobs.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { deleteOldExports, expireDueExports } from '../resources/exports/index.ts'
import {
  clearBlobDeletions,
  clearDeletions,
  deleteExpiredUploads,
  pendingBlobDeletions,
  pendingDeletions,
} from '../resources/uploads/index.ts'

/** Removes expired uploads and exports, and files whose record was deleted. Every process may run it. */
const INTERVAL_MS = 30_000
const BATCH_SIZE = 200

export const expireFiles = ({ db, blobs }: Pick<Services, 'db' | 'blobs'>): Worker => ({
  name: 'expire',
  async run(signal) {
    while (!signal.aborted) {
      await expireOnce(db, blobs, signal)
      await pause(INTERVAL_MS, signal)
    }
  },
})

export async function expireOnce(db: Database, blobs: Blobs, signal = new AbortController().signal): Promise<void> {
  while (!signal.aborted && (await deleteExpiredUploads(db, BATCH_SIZE)) === BATCH_SIZE);
  while (!signal.aborted && (await expireDueExports(db, BATCH_SIZE)) === BATCH_SIZE);
  while (!signal.aborted && (await db.only(deleteOldExports(BATCH_SIZE))).forgotten === BATCH_SIZE);
  await removeNoted(db, blobs, signal)
}

/** The file before its row: after a crash in between the removal is repeated, which is harmless. */
async function removeNoted(db: Database, blobs: Blobs, signal: AbortSignal): Promise<void> {
  const remove = async (keys: readonly { blob_key: string }[]) => {
    for (const { blob_key } of keys) await (blob_key.endsWith('/') ? blobs.removeAll(blob_key) : blobs.remove(blob_key))
  }
  for (let found = BATCH_SIZE; found === BATCH_SIZE && !signal.aborted; ) {
    const [files, others] = await Promise.all([
      db.query(pendingDeletions(BATCH_SIZE)),
      db.query(pendingBlobDeletions(BATCH_SIZE)),
    ])
    await remove(files)
    await db.eachPartition(files, part => db.query(clearDeletions(part)))
    await remove(others)
    if (others.length > 0) await db.query(clearBlobDeletions(others.map(row => row.blob_key)))
    found = Math.max(files.length, others.length)
  }
}
