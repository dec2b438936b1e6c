import type { Blobs } from '../kernel/blobs/blobs.ts'
import type { Database } from '../kernel/db/database.ts'
import { pause } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { expireExports, forgetExports } from '../resources/exports/store.ts'
import { clearDeletions, dropExpired, pendingDeletions } from '../resources/uploads/store.ts'

/** Removes uploads and exports whose time is over, and the files whose record is gone. Every process may run it. */
const INTERVAL_MS = 30_000
const PIECE = 200

export const expireFiles = (db: Database, blobs: Blobs): Worker => ({
  name: 'expire',
  async run(signal) {
    while (!signal.aborted) {
      await expireOnce(db, blobs, signal)
      await pause(INTERVAL_MS, signal)
    }
  },
})

export async function expireOnce(db: Database, blobs: Blobs, signal = new AbortController().signal): Promise<void> {
  while (!signal.aborted && (await db.one(dropExpired(PIECE)))!.dropped === PIECE);
  while (!signal.aborted && (await db.one(expireExports(PIECE)))!.expired === PIECE);
  while (!signal.aborted && (await db.one(forgetExports(PIECE)))!.forgotten === PIECE);
  // The file first, its note after: a crash in between removes an absent file once more, which is fine.
  for (let found = PIECE; found === PIECE && !signal.aborted; ) {
    const doomed = await db.query(pendingDeletions(PIECE))
    for (const { blob_key } of doomed)
      await (blob_key.endsWith('/') ? blobs.removeAll(blob_key) : blobs.remove(blob_key))
    if (doomed.length > 0) await db.query(clearDeletions(doomed.map(row => row.blob_key)))
    found = doomed.length
  }
}
