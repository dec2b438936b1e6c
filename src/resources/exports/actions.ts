import { randomUUID } from 'node:crypto'
import { API_LIMITS } from '../../contract/limits.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { Signal } from '../../kernel/feed/signal.ts'
import { EXPORT_RESOURCES, EXPORT_VIEWS, type ExportResource, type ExportRow, type ExportView } from './shape.ts'
import { sourceOf } from './sources.ts'
import {
  countExports,
  dropExportsOfKey,
  type FoundExport,
  insertExport,
  lockCreation,
  lockOutSnapshots,
  restartExports,
  type StoredExport,
} from './store.ts'

/**
 * The life of an export.
 *
 * `pending`: requested. A worker claims it under a lease: `running`. The worker takes a snapshot, stores its position in
 * the feed, and writes one file for each resource; with the last of them it is `ready`. When a worker dies, the lease
 * expires; another then starts over with a new snapshot, since the old one ended with its session. After three attempts,
 * each of an hour at most, or when its key is no longer valid, it is `failed`. A worker that stops returns it to
 * `pending`. 24 hours after the request, in any state, it becomes `expired` and its files are removed.
 *
 * Each attempt has an id (`attempt`), which its files are named after and which every statement of the worker checks: a
 * worker that lost its export, to another worker or to an erasure, notices at the next renewal, and at the latest when
 * it would finish.
 */

/** An export was requested and waits for a worker. */
export const exportRequested = new Signal()

/** How soon a refused partner should ask again: by then a workspace of usual size is copied. */
const RETRY_AFTER_SECONDS = 60

/** What an export copies. */
export interface Copied {
  resources: readonly ExportResource[]
  view: ExportView
}

/**
 * The read scope of each resource that is named. Of an export that exists also the scopes of the fields that its rows
 * show: who has lost one since, as a person whose role was lowered, cannot fetch what was written before.
 */
export function requireScopes(
  { resources, view }: Copied,
  held: ReadonlySet<Scope>,
  writtenWith: readonly Scope[] = [],
): void {
  for (const resource of resources) {
    const { scope, guards } = sourceOf(resource, view)
    const required_scope = [scope, ...guards.filter(guard => writtenWith.includes(guard))].find(one => !held.has(one))
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
  const { open, retained, next_ends } = (await tx.one(countExports(workspace)))!
  if (open >= API_LIMITS.exportsUnfinishedPerWorkspace) {
    const message = `This workspace has ${open} pending or running exports; the limit is ${API_LIMITS.exportsUnfinishedPerWorkspace}. Try again when one of them is finished.`
    fail('rate_limit_exceeded', { retry_after_seconds: RETRY_AFTER_SECONDS, message })
  }
  if (retained >= API_LIMITS.exportsKeptPerWorkspace) {
    const message = `This workspace has ${retained} exports that have not expired, which is the limit (${API_LIMITS.exportsKeptPerWorkspace}). Try again when one of them expires.`
    fail('rate_limit_exceeded', { retry_after_seconds: Math.max(1, next_ends), message })
  }
  const { keyId, actingUserId } = caller
  const row = (await tx.one(
    insertExport({ workspace, id: randomUUID(), keyId, actingUserId, ...copied, scopes: [...caller.scopes] }),
  ))!
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
 * For an erasure: no file of these workspaces that could hold the person is left, or comes. Call it in the erasure's own
 * transaction, at any point of it. Files that exist are removed; an export that runs begins again, and takes its
 * snapshot, like every other one of these workspaces, only when this transaction has ended.
 */
export async function dropExports(tx: Transaction, workspaceIds: readonly string[]): Promise<void> {
  await tx.query(lockOutSnapshots(workspaceIds))
  await tx.query(restartExports(workspaceIds))
}

/** A key lost scopes: what was copied, or would be, with one of them goes. */
export async function dropExportsNeeding(tx: Transaction, keyId: string, lost: readonly Scope[]): Promise<void> {
  const affected = EXPORT_RESOURCES.filter(resource =>
    EXPORT_VIEWS.map(view => sourceOf(resource, view)).some(({ scope, guards }) =>
      [scope, ...guards].some(needed => lost.includes(needed)),
    ),
  )
  if (affected.length > 0) await tx.query(dropExportsOfKey(keyId, affected))
}

/** When a key is revoked its exports can no longer be requested, so their files are deleted. */
export async function dropExportsOf(tx: Transaction, keyId: string): Promise<void> {
  await tx.query(dropExportsOfKey(keyId))
}
