import { UserError } from '../errors/user-error.ts'
import { type FileEntry, type FileProgress, fileMap, inParallel, openContent } from './files.ts'
import { DamagedBackup } from './frames.ts'
import { backupNames, type Manifest, readManifest, removeManifest } from './manifest.ts'
import { checkTable } from './tables.ts'
import type { BackupTarget } from './target.ts'

/** Reads everything that a backup consists of and compares it with its manifest. Returns what is wrong, for people. */
export async function verifyBackup(
  target: BackupTarget,
  manifest: Manifest,
  opts: { signal: AbortSignal; onProgress: (progress: FileProgress) => void },
): Promise<string[]> {
  const faults: string[] = []
  const check = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      faults.push(error.message)
    }
  }
  for (const table of manifest.tables) {
    opts.signal.throwIfAborted()
    await check(() => checkTable(target, manifest.name, table))
  }
  const entries = await fileMap(target, manifest).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
    faults.push(error.message)
    return new Map<string, FileEntry>()
  })
  let files = 0
  let bytes = 0
  await inParallel([...entries.values()], opts.signal, async entry => {
    await check(async () => {
      for await (const _ of await openContent(target, entry));
    })
    bytes += entry.bytes
    opts.onProgress({ files: ++files, ofFiles: entries.size, bytes })
  })
  return faults
}

/**
 * Removes all backups but the newest `keep`, and files that none of those has. The caller holds the lock of backups: a
 * backup that is being made has files that no manifest names yet. A manifest goes first, so that none is ever left whose
 * files are gone.
 */
export async function pruneBackups(
  target: BackupTarget,
  keep: number,
  signal: AbortSignal,
): Promise<{ removed: string[]; kept: string[]; files: number }> {
  const names = await backupNames(target)
  const kept = names.slice(-keep)
  const removed = names.slice(0, -keep)
  const needed = new Set<string>()
  for (const name of kept) {
    const entries = await fileMap(target, await readManifest(target, name)).catch(error => {
      if (!(error instanceof DamagedBackup)) throw error
      throw new UserError(
        `nothing was removed, because the backup ${name} is damaged: which files it needs is not known`,
      )
    })
    for (const { key, sha256 } of entries.values()) needed.add(target.nameOfFile(key, sha256))
  }
  for (const name of removed) {
    signal.throwIfAborted()
    await removeManifest(target, name)
  }
  await removeLeftovers(target)
  let files = 0
  for await (const name of target.list('files/')) {
    signal.throwIfAborted()
    if (needed.has(name)) continue
    await target.remove(name)
    files++
  }
  return { removed, kept, files }
}

/** Rows of backups that have no manifest: they were interrupted, or removed. */
export async function removeLeftovers(target: BackupTarget): Promise<void> {
  const complete = new Set(await backupNames(target))
  const left = new Set<string>()
  for await (const key of target.list('rows/')) {
    const [, name = ''] = key.split('/')
    if (!complete.has(name)) left.add(name)
  }
  for (const name of left) await target.removeAll(`rows/${name}/`)
}
