import { randomUUID } from 'node:crypto'
import { API_LIMITS } from '../../contract/limits.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { Signal } from '../../kernel/feed/signal.ts'
import { noteDeletions } from '../uploads/index.ts'
import { EXPORT_RESOURCES, EXPORT_VIEWS, type ExportResource, type ExportRow, type ExportView } from './shape.ts'
import { findSource } from './sources.ts'
import {
  countExports,
  dropExportsOfKey,
  expiredExports,
  expireExports,
  exportFolder,
  type FoundExport,
  insertExport,
  lockCreation,
  lockOutSnapshots,
  restartExports,
  type StoredExport,
  workspacesWithExports,
} from './store.ts'

/**
 * The states of an export.
 *
 *   pending   requested; no worker has claimed it. A worker that stops returns its export to this state.
 *   running   a worker has the lease. It takes a snapshot, stores the snapshot's position in the feed, and writes one
 *             file for each resource. If the worker dies, the lease expires and another worker starts over with a new
 *             snapshot, because the old one ended with its session.
 *   ready     all files are written.
 *   failed    three attempts failed, each of one hour at most, or the key is no longer valid.
 *   expired   24 hours have passed since the request. The files are removed, whatever the state was before.
 *
 * Each attempt has an id (`attempt`). Its files are named after it, and every statement of the worker checks it. So a
 * worker that lost its export to another worker or to an erasure notices at the next renewal, at the latest at the end.
 */

/** An export was requested and waits for a worker. */
export const exportRequested = new Signal()

/** When a rejected caller should retry: by then the export of a workspace of usual size is done. */
const RETRY_AFTER_SECONDS = 60

/** What an export copies. */
export interface Copied {
  resources: readonly ExportResource[]
  view: ExportView
}

/**
 * Requires the read scope of each resource. For an existing export it also requires the scopes of the guarded fields in
 * its rows: a caller who has lost one since, for example because a role was lowered, cannot download the files.
 */
export function requireScopes(
  { resources, view }: Copied,
  granted: ReadonlySet<Scope>,
  writtenWith: readonly Scope[] = [],
): void {
  for (const resource of resources) {
    const { scope, guards } = findSource(resource, view)
    const required_scope = [scope, ...guards.filter(guard => writtenWith.includes(guard))].find(
      one => !granted.has(one),
    )
    if (required_scope === undefined) continue
    const message = `The export of ${resource} needs the scope ${required_scope}, which the key does not have.`
    fail('insufficient_scope', { required_scope, message })
  }
}

export async function createExport(
  tx: Transaction,
  workspace: string,
  caller: Pick<Caller, 'keyId' | 'actingUserId' | 'scopes'>,
  copied: Copied,
): Promise<ExportRow> {
  requireScopes(copied, caller.scopes)
  await tx.query(lockCreation(workspace))
  const { open, retained, next_ends } = await tx.only(countExports(workspace))
  if (open >= API_LIMITS.exportsUnfinishedPerWorkspace) {
    const message = `This workspace has ${open} pending or running exports; the limit is ${API_LIMITS.exportsUnfinishedPerWorkspace}. Try again when one of them is finished.`
    fail('rate_limit_exceeded', { retry_after_seconds: RETRY_AFTER_SECONDS, message })
  }
  if (retained >= API_LIMITS.exportsKeptPerWorkspace) {
    const message = `This workspace has ${retained} exports that have not expired, which is the limit (${API_LIMITS.exportsKeptPerWorkspace}). Try again when one of them expires.`
    fail('rate_limit_exceeded', { retry_after_seconds: Math.max(1, next_ends), message })
  }
  const { keyId, actingUserId } = caller
  const row = await tx.only(
    insertExport({ workspace, id: randomUUID(), keyId, actingUserId, ...copied, scopes: [...caller.scopes] }),
  )
  tx.afterCommit(exportRequested.raise)
  return shown(row, [])
}

/** The record with its download URLs, which are generated at each read. */
export async function showExport(blobs: Blobs, row: FoundExport): Promise<ExportRow> {
  if (row.expired) return shown({ ...row, status: 'expired' }, [])
  const files = row.files.map(async ({ resource, rows, bytes, key }) => ({
    resource,
    rows,
    bytes,
    url: await blobs.signedGet(key, {
      expiresInSeconds: API_LIMITS.downloadUrlSeconds,
      filename: `${resource}.ndjson.gz`,
      contentType: FILE_TYPE,
    }),
  }))
  return shown(row, await Promise.all(files))
}

export const FILE_TYPE = 'application/gzip'

const shown = (row: StoredExport, files: ExportRow['files']): ExportRow => ({
  ...row,
  progress: { rows_done: row.rows_done, rows_total: row.rows_total },
  files,
})

/**
 * For an erasure: removes all export files of these workspaces, since they may contain the person. Call it anywhere in
 * the erasure's own transaction. A running export starts over. No export of these workspaces takes its snapshot before
 * this transaction has ended, so no later file contains the person.
 */
export async function dropExports(tx: Transaction, workspaceIds: readonly string[]): Promise<void> {
  await tx.query(lockOutSnapshots(workspaceIds))
  for (const workspace of workspaceIds.toSorted()) await tx.query(restartExports(workspace))
}

/** Every scope that decides what an export has. */
export const EXPORT_SCOPES: readonly Scope[] = EXPORT_RESOURCES.flatMap(resource =>
  EXPORT_VIEWS.map(view => findSource(resource, view)).flatMap(({ scope, guards }) => [scope, ...guards]),
)

/** A key lost scopes: drops its exports of the resources that need one of them. */
export async function dropExportsNeeding(tx: Transaction, keyId: string, lost: readonly Scope[]): Promise<void> {
  const affected = EXPORT_RESOURCES.filter(resource =>
    EXPORT_VIEWS.map(view => findSource(resource, view)).some(({ scope, guards }) =>
      [scope, ...guards].some(needed => lost.includes(needed)),
    ),
  )
  if (affected.length > 0) await dropEach(tx, keyId, affected)
}

/** A key was revoked: its exports can no longer be downloaded, so their files are deleted. */
export async function dropKeyExports(tx: Transaction, keyId: string): Promise<void> {
  await dropEach(tx, keyId)
}

async function dropEach(tx: Transaction, keyId: string, resources?: readonly ExportResource[]): Promise<void> {
  for (const { workspace_id } of await tx.query(workspacesWithExports(keyId, resources)))
    await tx.query(dropExportsOfKey(workspace_id, keyId, resources))
}

/** Expires exports whose time is over; returns how many of a batch. */
export async function expireDueExports(db: Database, batchSize: number): Promise<number> {
  const expired = await db.eachPartition(await db.query(expiredExports(batchSize)), part =>
    db.transaction(async tx => {
      const folders = (await tx.query(expireExports(part))).map(({ workspace_id, id }) => ({
        workspace_id,
        blob_key: exportFolder(workspace_id, id),
      }))
      if (folders.length > 0) await tx.query(noteDeletions(folders))
      return folders.length
    }),
  )
  return expired.reduce((sum, n) => sum + n, 0)
}
