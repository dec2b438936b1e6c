import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Scope } from '../../contract/scopes.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Database, DbSession } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { pinSnapshot } from '../../kernel/feed/snapshot.ts'
import type { Services } from '../../kernel/services/services.ts'
import { pause } from '../../kernel/time/pause.ts'
import { FILE_TYPE } from './actions.ts'
import { exportLines } from './sources.ts'
import {
  abandonExport,
  attemptFolder,
  type ClaimedExport,
  claimExport,
  countRows,
  finishExport,
  lockSnapshot,
  noteSnapshot,
  renewLease,
  type StoredFile,
} from './store.ts'

const LEASE_SECONDS = 60
/** How often the lease is renewed and the progress stored. */
const RENEW_MS = 1_000
const MAX_ATTEMPTS = 3
const RETRY_SECONDS = 20
/**
 * An open snapshot prevents VACUUM from removing dead rows, so queue tables grow and slow down. Ten million rows take
 * less time than this; if it takes longer, the blob store is broken.
 */
const LONGEST_MS = 3_600_000

/** An erasure may lock the row for a while. The wait uses a separate connection, not one that requests share. */
const changeExport = <Row>(db: Database, statement: Sql<Row>): Promise<Row | undefined> =>
  db.transaction(tx => tx.one(statement))

/** Another worker or an erasure has taken the export. */
class LeaseLost extends Error {}

type ExportServices = Pick<Services, 'db' | 'blobs' | 'log' | 'publicUrl'>

/** Writes the next export; false when none waits. */
export async function runNextExport(
  services: ExportServices,
  signal = new AbortController().signal,
  longestMs = LONGEST_MS,
): Promise<boolean> {
  const { db, log } = services
  const claimed = await db.one(claimExport(randomUUID(), LEASE_SECONDS, MAX_ATTEMPTS))
  if (!claimed) return false
  if (claimed.status === 'failed') return true
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    await underLease(db, claimed, limited, run => copy(services, claimed, run))
  } catch (error) {
    if (signal.aborted) await changeExport(db, abandonExport(claimed, 'pending'))
    else if (error instanceof LeaseLost) await changeExport(db, abandonExport(claimed, 'failed'))
    else {
      log.warn({ export: claimed.id, err: error }, 'export failed')
      const then = claimed.tries < MAX_ATTEMPTS ? { retryInSeconds: RETRY_SECONDS } : 'failed'
      await changeExport(db, abandonExport(claimed, then))
    }
  }
  return true
}

/** The progress of an attempt, and the signal that ends it. */
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
        if (!(await changeExport(db, renewLease(claimed, run.rowsDone, LEASE_SECONDS)))) throw new LeaseLost()
      } catch (error) {
        return lost.abort(error)
      }
    }
  })()
  try {
    await work(run)
  } catch (error) {
    // if the work was aborted, the reason of the abort is more useful than the error that followed
    run.signal.throwIfAborted()
    throw error
  } finally {
    done.abort()
    await renewing
  }
}

async function copy({ db, blobs, publicUrl }: ExportServices, claimed: ClaimedExport, run: Run): Promise<void> {
  const { workspace_id: workspace, resources, view } = claimed
  const reader = { scopes: new Set(claimed.scopes as Scope[]), namesWorkspace: claimed.names_workspace, publicUrl }
  // A separate session: a snapshot that lasts minutes must not use a connection of the requests.
  const snapshot: DbSession = await db.session({ timeouts: 'off' })
  // an aborted attempt closes its snapshot immediately, however long the blob store takes to notice
  run.signal.addEventListener('abort', () => void snapshot.close())
  try {
    const asOf = await pinSnapshot(db, workspace, snapshot, tx => tx.query(lockSnapshot(workspace)))
    let total = 0
    for (const resource of resources) total += (await snapshot.one(countRows(workspace, resource)))!.rows
    if (!(await changeExport(db, noteSnapshot(claimed, asOf, total)))) throw new LeaseLost()

    const files: StoredFile[] = []
    for (const resource of resources) {
      const key = `${attemptFolder(workspace, claimed.id, claimed.attempt)}${resource}.ndjson.gz`
      const before = run.rowsDone
      const bytes = await writeFile(
        blobs,
        key,
        counted(exportLines(snapshot, { resource, view }, workspace, reader), run),
        run.signal,
      )
      files.push({ resource, rows: run.rowsDone - before, bytes, key })
    }
    if (!(await changeExport(db, finishExport(claimed, run.rowsDone, files)))) throw new LeaseLost()
  } finally {
    await snapshot.close()
  }
}

async function* counted(chunks: AsyncIterable<{ text: string; rows: number }>, run: Run): AsyncGenerator<string> {
  for await (const { text, rows } of chunks) {
    run.signal.throwIfAborted()
    yield text
    run.rowsDone += rows
  }
}

/** Streams rows through gzip into the blob store, with backpressure. */
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
  // wait for both, so that no work on this file continues after an error
  const [fed, stored] = await Promise.allSettled([pipeline(Readable.from(texts), gzip, { signal }), storing])
  if (fed.status === 'rejected') throw fed.reason
  if (stored.status === 'rejected') throw stored.reason
  return stored.value.bytes
}
