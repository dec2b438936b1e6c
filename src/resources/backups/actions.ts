import { copyFiles, type FileProgress, fileMap, writeFiles } from '../../kernel/backup/files.ts'
import { DamagedBackup } from '../../kernel/backup/frames.ts'
import {
  holdSending,
  type Installation,
  readInstallation,
  recordBackup,
  recordRestore,
} from '../../kernel/backup/installation.ts'
import { removeLeftovers } from '../../kernel/backup/keep.ts'
import { backupNames, type Manifest, readManifest, writeManifest } from '../../kernel/backup/manifest.ts'
import { createMarker, dropMarker, MARKER, restoreBegun, setMarker } from '../../kernel/backup/marker.ts'
import { openSnapshot } from '../../kernel/backup/snapshot.ts'
import { requireSpace } from '../../kernel/backup/space.ts'
import {
  checkTable,
  copyTableIn,
  copyTables,
  isEmptyBut,
  loadTables,
  requireMigrations,
  type TableProgress,
} from '../../kernel/backup/tables.ts'
import type { BackupTarget } from '../../kernel/backup/target.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { openCopySession } from '../../kernel/db/copy-session.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { migrate } from '../../kernel/db/migrate.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { Outbox } from '../../kernel/mail/outbox.ts'
import { pause } from '../../kernel/time/pause.ts'
import { type EarlierDeletion, repeatDeletion, restoreWorkspace } from '../deletions/index.ts'
import { type EarlierSuppression, repeatSuppression, runErasure } from '../erasures/index.ts'
import { beginEpoch } from '../events/index.ts'
import {
  canceledDeletions,
  createLaterTables,
  endWhatMayBeOver,
  exportSnapshot,
  FILE_NAMES,
  knownIdentifiers,
  LATER_TABLES,
  missingDeletions,
  missingSuppressions,
  promisedIn,
  schemaMigrations,
  tryLockBackups,
} from './store.ts'

export type BackupProgress =
  /** only a cluster reports how long writes waited for the snapshot */
  | { step: 'snapshot'; writesWaitedMs: number }
  | ({ step: 'rows' } & TableProgress)
  | ({ step: 'files' } & FileProgress)
  | { step: 'erasures'; done: number; of: number }

export interface Watching {
  signal: AbortSignal
  onProgress: (progress: BackupProgress) => void
}

/** The database notices after a moment that a command was killed. */
const LOCK_ATTEMPTS = 20
const LOCK_PAUSE_MS = 250

/** Runs the work while no other command writes, removes or restores backups of this database. */
export async function withBackupLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const session = await db.session({ timeouts: 'off' })
  try {
    for (let attempt = 1; !(await session.one(tryLockBackups()))?.held; attempt++) {
      if (attempt === LOCK_ATTEMPTS) throw new UserError('another backup or restore of this installation is running')
      await pause(LOCK_PAUSE_MS)
    }
    return await work()
  } finally {
    await session.close()
  }
}

export interface BackupSource {
  db: Database
  blobs: Blobs
  /** hexadecimal; null leaves them out */
  secretKeys: string[] | null
  release: string
}

/**
 * Makes a backup while the service runs. All rows are of one snapshot. The files that these rows name are copied after
 * it; files are written before the rows that name them and never changed, so a file is missing only if it was removed
 * since, and then its row has gone too. The manifest comes last: what was interrupted before is not a backup, and the next
 * one uses the files that are there.
 */
export async function backUp(
  { db, blobs, secretKeys, release }: BackupSource,
  target: BackupTarget,
  opts: Watching & {
    /** called when the snapshot exists, with its name for `set transaction snapshot` */
    onSnapshot?: (snapshot: string) => Promise<void>
    /** How long a node of a cluster may say nothing. */
    silenceMs?: number
  },
): Promise<Manifest> {
  return withBackupLock(db, async () => {
    const { name, previous } = await placeIn(target, await readInstallation(db), await db.now())
    await removeLeftovers(target)
    const all = await openSnapshot(db, opts.signal, opts)
    const { session, writesWaitedMs } = all
    if (writesWaitedMs !== undefined) opts.onProgress({ step: 'snapshot', writesWaitedMs })
    let manifest: Manifest
    try {
      const { now, snapshot } = await session.only(exportSnapshot())
      const installation = await readInstallation(session)
      const migrations = await session.query(schemaMigrations())
      const named = await namedFiles(all)
      const keys = [...named.keys()].sort()
      const earlier = previous ? ((await fileMap(target, previous).catch(noneIfDamaged)) ?? new Map()) : new Map()
      await requireSpace(target, { snapshot: all, blobs, keys, earlier }, opts.signal)
      await opts.onSnapshot?.(snapshot)
      const onRows = (progress: TableProgress) => opts.onProgress({ step: 'rows', ...progress })
      const rows = await copyTables(all, target, name, { signal: opts.signal, onProgress: onRows })
      await all.close()
      const onFiles = (progress: FileProgress) => opts.onProgress({ step: 'files', ...progress })
      const copied = await copyFiles(blobs, target, name, keys, earlier, { signal: opts.signal, onProgress: onFiles })
      const absent = copied.absent.filter(key => named.get(key) === 'promised')
      const lost = await promisedAmong(db, absent)
      manifest = {
        format: 1,
        name,
        created_at: now,
        release,
        installation: installation.id,
        migrations,
        ...rows,
        files: {
          ...copied.index,
          count: copied.count,
          content_bytes: copied.contentBytes,
          added: copied.added,
          added_bytes: copied.addedBytes,
          removed: absent.length - lost.length,
          lost,
        },
        secret_checks: installation.secret_checks,
        secret_keys: secretKeys,
      }
      opts.signal.throwIfAborted()
      await writeManifest(target, manifest)
    } catch (error) {
      // what stays is removed by the next backup
      await target.removeAll(`rows/${name}/`).catch(() => {})
      throw error
    } finally {
      await all.close()
    }
    await db.query(recordBackup(name, manifest.created_at))
    return manifest
  })
}

/** The files that the rows of a snapshot name; `optional` are those that no row promises. */
export async function namedFiles(snapshot: {
  partsOf(table: string): readonly { session: Queryable; relation: string }[]
}): Promise<Map<string, 'promised' | 'optional'>> {
  const named = new Map<string, 'promised' | 'optional'>()
  for (const { table, from } of FILE_NAMES) {
    for (const { session, relation } of snapshot.partsOf(table)) {
      for (const { key, optional } of await session.query(from(relation)))
        if (!optional) named.set(key, 'promised')
        else if (!named.has(key)) named.set(key, 'optional')
    }
  }
  return named
}

/** Finds those of these files that a row promises now. */
async function promisedAmong(db: Database, keys: readonly string[]): Promise<string[]> {
  const promised = new Set<string>()
  if (keys.length > 0) {
    for (const names of FILE_NAMES) for (const { key } of await db.query(promisedIn(names, keys))) promised.add(key)
  }
  return [...promised].sort()
}

/** A damaged backup does not keep the next one from being made: the files that the target has are found by their content. */
function noneIfDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedBackup)) throw error
}

/** The name of a new backup, and the newest intact one before it. */
async function placeIn(
  target: BackupTarget,
  { id }: Installation,
  now: number,
): Promise<{ name: string; previous: Manifest | undefined }> {
  const names = await backupNames(target)
  let previous: Manifest | undefined
  for (const name of names.toReversed()) previous ??= await readManifest(target, name).catch(noneIfDamaged)
  if (previous && previous.installation !== id)
    throw new UserError(`${target.place} has backups of another installation: use another folder or prefix`)
  // sorts by time: 2026-11-16T17-20-00Z, then 2026-11-16T17-20-00Z-2
  const base = `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  let name = base
  for (let i = 2; names.includes(name); i++) name = `${base}-${i}`
  return { name, previous }
}

export interface RestoreContext {
  db: Database
  blobs: Blobs
  outbox: Pick<Outbox, 'remove'>
  /** called when everything was checked, before the first change outside the database */
  beforeFiles: () => void
}

export interface Restored {
  epoch: string
  /** suppressions that a later backup of the target has, and that were repeated */
  erasures: number
  /** people who were erased after this moment must be erased again by hand */
  erasures_known_until: string
  /** workspaces that a later backup of the target has as deleted, and that were closed again */
  deletions: string[]
  /** workspaces whose deletion was canceled by the time of a later backup, and that were opened again */
  reopened: string[]
  /** migrations that the backup did not have */
  applied: string[]
}

/**
 * Fills an empty store with a backup. The database says from the first moment to the last that it is being restored,
 * so that no service starts on half of it. Files come first; the rows are one transaction. An interrupted restore
 * continues when it is run again.
 */
export async function restoreBackup(
  { db, blobs, outbox, beforeFiles }: RestoreContext,
  target: BackupTarget,
  manifest: Manifest,
  opts: Watching,
): Promise<Restored> {
  const migrations = requireMigrations(manifest)
  const later = await laterBackup(target, manifest, opts.signal)
  if (later) requireMigrations(later)
  return withBackupLock(db, async () => {
    const session = await openCopySession(db)
    try {
      const begun = await restoreBegun(session)
      if (begun && begun.backup !== manifest.name)
        throw new UserError(
          `a restore of ${begun.backup} into this database did not end: continue it, or use an empty one`,
        )
      if (!begun?.loaded) {
        if (!(await isEmptyBut(session, [MARKER])))
          throw new UserError(
            'the database is not empty: a backup is restored into an empty one (another DATA_DIR or DATABASE_URL)',
          )
        const present = new Set<string>()
        for await (const key of blobs.list('')) {
          if (!begun)
            throw new UserError(
              'the file store is not empty: a backup is restored into an empty one (another DATA_DIR, bucket or S3_PREFIX)',
            )
          present.add(key)
        }
        await session.script('begin')
        await session.query(createMarker())
        await session.query(setMarker({ backup: manifest.name, loaded: false }))
        await session.script('commit')
        beforeFiles()
        const onFiles = (progress: FileProgress) => opts.onProgress({ step: 'files', ...progress })
        const files = [...(await fileMap(target, manifest)).values()]
        await writeFiles(blobs, target, files, present, { signal: opts.signal, onProgress: onFiles })

        await session.script('begin')
        const onRows = (progress: TableProgress) => opts.onProgress({ step: 'rows', ...progress })
        await loadTables(session, target, manifest, migrations, { signal: opts.signal, onProgress: onRows })
        await session.query(setMarker({ backup: manifest.name, loaded: true }))
        await session.script('commit')
        await session.script('analyze')
      }
      const { applied } = await migrate(db)
      await db.query(holdSending(true))
      const since = later ? await readLater(db, target, later, opts.signal) : NOTHING_LATER
      for (const deletion of since.deletions) await repeatDeletion(db, deletion)
      for (const workspace of since.reopened) await restoreWorkspace(db, workspace)
      await repeatErasures({ db, blobs, outbox }, since.suppressions, opts)
      const { epoch } = await db.transaction(async tx => {
        for (const statement of endWhatMayBeOver) await tx.query(statement())
        await tx.query(recordRestore())
        const begunEpoch = await beginEpoch(tx)
        await tx.query(dropMarker())
        return begunEpoch
      })
      return {
        epoch,
        erasures: since.suppressions.length,
        erasures_known_until: (later ?? manifest).created_at,
        deletions: since.deletions.map(({ workspace_id }) => workspace_id),
        reopened: since.reopened,
        applied,
      }
    } finally {
      await session.close()
    }
  })
}

/** The newest intact backup that is newer than this one: it knows who was erased and which workspaces were deleted since. */
async function laterBackup(
  target: BackupTarget,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<Manifest | undefined> {
  const newer = (await backupNames(target)).filter(name => name > manifest.name)
  for (const name of newer.reverse()) {
    try {
      const later = await readManifest(target, name)
      if (later.installation !== manifest.installation) continue
      for (const table of later.tables.filter(({ name }) => name in LATER_TABLES)) {
        signal.throwIfAborted()
        await checkTable(target, later.name, table)
      }
      return later
    } catch (error) {
      // an older one knows less, but a damaged backup must not keep another from being restored
      if (!(error instanceof DamagedBackup)) throw error
    }
  }
  return undefined
}

interface Later {
  suppressions: EarlierSuppression[]
  deletions: EarlierDeletion[]
  reopened: string[]
}

const NOTHING_LATER: Later = { suppressions: [], deletions: [], reopened: [] }

/** What was erased and deleted between the two backups, and which deletions were canceled. */
async function readLater(db: Database, target: BackupTarget, later: Manifest, signal: AbortSignal): Promise<Later> {
  const session = await openCopySession(db)
  try {
    await session.script(createLaterTables)
    const present = new Map(later.tables.map(table => [table.name, table]))
    for (const [table, into] of Object.entries(LATER_TABLES)) {
      // backups of earlier releases have no deletions
      const entry = present.get(table)
      if (entry) await copyTableIn(session, target, later.name, entry, into, signal)
    }
    const known = Map.groupBy(await session.query(knownIdentifiers()), row => row.suppression_id)
    const suppressions = (await session.query(missingSuppressions())).map(
      ({ identifiers, external_ids, ...suppression }) => ({
        ...suppression,
        hashed: identifiers.map(({ kind, sha256 }) => ({ kind, sha256: Buffer.from(sha256, 'hex') })),
        externalIds: external_ids.map(({ sha256, ...id }) => ({ ...id, sha256: Buffer.from(sha256, 'hex') })),
        identifiers: (known.get(suppression.id) ?? []).map(({ kind, key }) => ({ kind, key })),
      }),
    )
    const deletions = await session.query(missingDeletions())
    const reopened = present.has('workspace_deletions') ? await session.query(canceledDeletions()) : []
    return { suppressions, deletions, reopened: reopened.map(({ workspace_id }) => workspace_id) }
  } finally {
    await session.close()
  }
}

/** Erases the people again who were erased between the two backups. */
async function repeatErasures(
  context: { db: Database; blobs: Blobs; outbox: Pick<Outbox, 'remove'> },
  suppressions: readonly EarlierSuppression[],
  opts: Watching,
): Promise<void> {
  for (const [done, suppression] of suppressions.entries()) {
    opts.signal.throwIfAborted()
    opts.onProgress({ step: 'erasures', done, of: suppressions.length })
    const { erasureId } = await repeatSuppression(context.db, suppression)
    await runErasure(context, erasureId)
  }
}
