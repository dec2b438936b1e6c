import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Scope } from '../../contract/scopes.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { type Database, DatastoreUnavailable, type DbSession } from '../../kernel/db/database.ts'
import type { Replica } from '../../kernel/db/replica.ts'
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
  countExportedRows,
  dueExports,
  finishExport,
  lockSnapshot,
  noteSnapshot,
  renewLease,
  type WrittenFile,
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

type ExportServices = Partial<Pick<Services, 'replica'>> & Pick<Services, 'db' | 'blobs' | 'log' | 'publicUrl'>

/** Writes the next export; false when none waits. */
export async function runNextExport(
  services: ExportServices,
  signal = new AbortController().signal,
  longestMs = LONGEST_MS,
): Promise<boolean> {
  const { db, log } = services
  const claimed = await claimNext(db)
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
      await abandonWhenPossible(db, abandonExport(claimed, then), signal)
    }
  }
  return true
}

/** More than the processes that claim at the same time. */
const LOOKED_AT = 8

async function claimNext(db: Database): Promise<ClaimedExport | undefined> {
  for (const due of await db.query(dueExports(LOOKED_AT))) {
    const claimed = await db.one(claimExport(due, randomUUID(), LEASE_SECONDS, MAX_ATTEMPTS))
    if (claimed) return { ...claimed, names_workspace: due.names_workspace }
  }
  return undefined
}

/**
 * What ended the export may be a failover: then this can be stored when another server was promoted. Without it the export
 * would wait until its lease has run out, as it does if the database is unavailable for that long.
 */
async function abandonWhenPossible(db: Database, statement: Sql, signal: AbortSignal): Promise<void> {
  for (let waited = 0; ; waited += RENEW_MS) {
    try {
      await changeExport(db, statement)
      return
    } catch (error) {
      if (!(error instanceof DatastoreUnavailable) || waited >= LEASE_SECONDS * 1_000 || signal.aborted) throw error
      await pause(RENEW_MS, signal)
    }
  }
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

interface Snapshot {
  session: DbSession
  asOf: number
}

/**
 * A separate session: a snapshot that lasts minutes must not use a connection of the requests. At the replica, if there is
 * one that can be used, for the first attempt: a standby may end a long snapshot.
 */
async function openSnapshot(
  services: ExportServices,
  { workspace_id, tries }: ClaimedExport,
  signal: AbortSignal,
): Promise<Snapshot> {
  const { db, replica, log } = services
  const pin = (session: DbSession, caughtUp?: Replica['caughtUp']) => {
    signal.throwIfAborted()
    // an aborted attempt closes its snapshot immediately, however long the database or the blob store takes to notice
    signal.addEventListener('abort', () => void session.close())
    return pinSnapshot(db, workspace_id, session, tx => tx.query(lockSnapshot(workspace_id)), caughtUp)
  }
  if (replica && tries === 1) {
    let session: DbSession | undefined
    try {
      session = await replica.session()
      const asOf = await pin(session, replica.caughtUp)
      replica.count('replica')
      return { session, asOf }
    } catch (error) {
      session?.close().catch(() => {})
      signal.throwIfAborted()
      replica.count('primary')
      log.warn({ err: error }, 'an export reads at the primary: the replica cannot be used')
    }
  }
  const session = await db.session({ timeouts: 'off' })
  try {
    return { session, asOf: await pin(session) }
  } catch (error) {
    await session.close()
    throw error
  }
}

async function copy(services: ExportServices, claimed: ClaimedExport, run: Run): Promise<void> {
  const { db, blobs, publicUrl } = services
  const { workspace_id: workspace, resources, view } = claimed
  const reader = { scopes: new Set(claimed.scopes as Scope[]), namesWorkspace: claimed.names_workspace, publicUrl }
  const { session: snapshot, asOf } = await openSnapshot(services, claimed, run.signal)
  try {
    let total = 0
    for (const resource of resources) total += (await snapshot.only(countExportedRows(workspace, resource))).rows
    if (!(await changeExport(db, noteSnapshot(claimed, asOf, total)))) throw new LeaseLost()

    const files: WrittenFile[] = []
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
