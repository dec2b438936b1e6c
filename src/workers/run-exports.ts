import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Scope } from '../contract/scopes.ts'
import type { Blobs } from '../kernel/blobs/blobs.ts'
import type { Database, DbSession } from '../kernel/db/database.ts'
import type { Sql } from '../kernel/db/sql.ts'
import type { Log } from '../kernel/log.ts'
import { pause, Wakeable } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import {
  abandonExport,
  attemptFolder,
  type ClaimedExport,
  claimExport,
  countRows,
  exportAsked,
  FILE_TYPE,
  finishExport,
  linesOf,
  lockSnapshot,
  noteSnapshot,
  renewLease,
  type StoredFile,
} from '../resources/exports/actions.ts'
import { pinSnapshot } from './sequence-events.ts'

/** Writes full copies, one at a time in each process. */
const POLL_MS = 1_000
const LEASE_SECONDS = 60
/** How often the lease is renewed and the progress shown. */
const RENEW_MS = 1_000
const MAX_TRIES = 3
const RETRY_SECONDS = 20
/**
 * A snapshot keeps the database from clearing away what was deleted or replaced since: queues swell and slow down. Some
 * ten million rows take less; a store for files that takes longer is not working.
 */
const LONGEST_MS = 3_600_000

export const runExports = (db: Database, blobs: Blobs, log: Log): Worker => ({
  name: 'run-exports',
  async run(signal) {
    const waiting = new Wakeable(signal)
    const stopListening = exportAsked.on(waiting.wake)
    try {
      while (!signal.aborted) {
        waiting.rearm()
        if (!(await runNextExport(db, blobs, log, signal))) await waiting.pause(POLL_MS)
      }
    } finally {
      stopListening()
      waiting.close()
    }
  },
})

/** An erasure may hold the row for a while: the wait is on a connection of its own, not on one that requests share. */
const changeExport = <Row>(db: Database, statement: Sql<Row>): Promise<Row | undefined> =>
  db.transaction(tx => tx.one(statement))

/** Another worker or an erasure has the export now. */
class Lost extends Error {}

/** Writes the next export; false when none waits. */
export async function runNextExport(
  db: Database,
  blobs: Blobs,
  log: Log,
  signal = new AbortController().signal,
  longestMs = LONGEST_MS,
): Promise<boolean> {
  const claimed = await db.one(claimExport(randomUUID(), LEASE_SECONDS, MAX_TRIES))
  if (!claimed) return false
  if (claimed.status === 'failed') return true
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    await underLease(db, claimed, limited, run => copy(db, blobs, claimed, run))
  } catch (error) {
    if (signal.aborted) await changeExport(db, abandonExport(claimed, 'pending'))
    else if (error instanceof Lost) await changeExport(db, abandonExport(claimed, 'failed'))
    else {
      log.warn({ export: claimed.id, err: error }, 'export failed')
      const then = claimed.tries < MAX_TRIES ? { retryInSeconds: RETRY_SECONDS } : 'failed'
      await changeExport(db, abandonExport(claimed, then))
    }
  }
  return true
}

/** What a try shows of itself, and when it must end. */
interface Run {
  rowsDone: number
  signal: AbortSignal
}

/** Renews the lease for as long as the work lasts; stops the work when the lease is lost. */
async function underLease(
  db: Database,
  claimed: ClaimedExport,
  signal: AbortSignal,
  work: (run: Run) => Promise<void>,
): Promise<void> {
  const done = new AbortController()
  const lost = new AbortController()
  const run: Run = { rowsDone: 0, signal: AbortSignal.any([signal, lost.signal]) }
  const renewing = (async () => {
    for (;;) {
      await pause(RENEW_MS, done.signal)
      if (done.signal.aborted) return
      try {
        if (!(await changeExport(db, renewLease(claimed, run.rowsDone, LEASE_SECONDS)))) throw new Lost()
      } catch (error) {
        return lost.abort(error)
      }
    }
  })()
  try {
    await work(run)
  } catch (error) {
    // whatever broke because the work was stopped: why it was stopped says more
    run.signal.throwIfAborted()
    throw error
  } finally {
    done.abort()
    await renewing
  }
}

async function copy(db: Database, blobs: Blobs, claimed: ClaimedExport, run: Run): Promise<void> {
  const { workspace_id: workspace, resources, view } = claimed
  const reader = { scopes: new Set(claimed.scopes as Scope[]), namesWorkspace: claimed.names_workspace }
  // A session of its own: a snapshot that lasts minutes takes no connection from the requests.
  const snapshot: DbSession = await db.session({ patient: true })
  // given up, it lasts no longer, however long the store for files takes to notice
  run.signal.addEventListener('abort', () => void snapshot.close())
  try {
    const asOf = await pinSnapshot(db, workspace, snapshot, tx => tx.query(lockSnapshot(workspace)))
    let total = 0
    for (const resource of resources) total += (await snapshot.one(countRows(workspace, resource)))!.rows
    if (!(await changeExport(db, noteSnapshot(claimed, asOf, total)))) throw new Lost()

    const files: StoredFile[] = []
    for (const resource of resources) {
      const key = `${attemptFolder(workspace, claimed.id, claimed.attempt)}${resource}.ndjson.gz`
      const before = run.rowsDone
      const bytes = await writeFile(
        blobs,
        key,
        counted(linesOf(snapshot, { resource, view }, workspace, reader), run),
        run.signal,
      )
      files.push({ resource, rows: run.rowsDone - before, bytes, key })
    }
    if (!(await changeExport(db, finishExport(claimed, run.rowsDone, files)))) throw new Lost()
  } finally {
    await snapshot.close()
  }
}

async function* counted(pieces: AsyncIterable<{ text: string; rows: number }>, run: Run): AsyncGenerator<string> {
  for await (const { text, rows } of pieces) {
    run.signal.throwIfAborted()
    yield text
    run.rowsDone += rows
  }
}

/** Compresses and stores as the rows come: each part waits for the next one to take what it made. */
async function writeFile(
  blobs: Blobs,
  key: string,
  texts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number> {
  const gzip = createGzip()
  const storing = blobs.put(key, gzip, { contentType: FILE_TYPE }).catch(error => {
    gzip.destroy(error)
    throw error
  })
  // both to their end, so that nothing of this file goes on when the caller gives the export up
  const [fed, stored] = await Promise.allSettled([pipeline(Readable.from(texts), gzip, { signal }), storing])
  if (fed.status === 'rejected') throw fed.reason
  if (stored.status === 'rejected') throw stored.reason
  return stored.value.bytes
}
