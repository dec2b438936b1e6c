import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { abortable } from '../async/abortable.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { DamagedBackup, damaged } from './frames.ts'
import type { Manifest } from './manifest.ts'
import { rowsName } from './tables.ts'
import { type BackupTarget, bufferStream, type StoredFile } from './target.ts'

/** A file of a backup. A key is written once and never changed, so a file that a backup has need not be read again. */
export interface FileEntry extends StoredFile {
  key: string
  type: string
}

const INDEX = 'files.index'
/** Enough to keep a disk or a store over the network busy. */
const CONCURRENCY = 8
/** A file up to this size is read once; a larger one is read twice if it is new: for its hash, and to be stored. */
const HELD_BYTES = 8 * 1024 ** 2

export interface FileProgress {
  files: number
  ofFiles: number
  /** Counts the files that were stored now. */
  bytes: number
}

type Options = { signal: AbortSignal; onProgress: (progress: FileProgress) => void }

export interface CopiedFiles {
  index: StoredFile
  count: number
  contentBytes: number
  added: number
  addedBytes: number
  /** keys that are not in the store */
  absent: string[]
}

/** Copies the files with these keys that `earlier` does not have, and stores which files the backup has. */
export async function copyFiles(
  blobs: Blobs,
  target: BackupTarget,
  backup: string,
  keys: readonly string[],
  earlier: ReadonlyMap<string, FileEntry>,
  opts: Options,
): Promise<CopiedFiles> {
  const entries: FileEntry[] = []
  const absent: string[] = []
  let added = 0
  let addedBytes = 0
  await inParallel(keys, opts.signal, async key => {
    let entry = earlier.get(key)
    if (entry === undefined) {
      const copied = await copyFile(blobs, target, key)
      if (copied) {
        entry = copied.entry
        if (copied.isNew) {
          added++
          addedBytes += entry.bytes
        }
      }
    }
    if (entry) entries.push(entry)
    else absent.push(key)
    opts.onProgress({ files: entries.length + absent.length, ofFiles: keys.length, bytes: addedBytes })
  })
  entries.sort((a, b) => (a.key < b.key ? -1 : 1))
  const lines = Readable.from(entries.map(entry => `${JSON.stringify(entry)}\n`))
  const index = await target.put(rowsName(backup, INDEX), lines.pipe(createGzip()) as AsyncIterable<Buffer>)
  const contentBytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  return { index, count: entries.length, contentBytes, added, addedBytes, absent: absent.sort() }
}

/** undefined: there is no such file. `isNew`: the target did not have it, also not from a backup that was interrupted. */
async function copyFile(
  blobs: Blobs,
  target: BackupTarget,
  key: string,
): Promise<{ entry: FileEntry; isNew: boolean } | undefined> {
  const found = await blobs.get(key)
  if (!found) return undefined
  const digest = createHash('sha256')
  let buffered: Buffer[] | undefined = []
  let bytes = 0
  for await (const chunk of found.stream as AsyncIterable<Buffer>) {
    digest.update(chunk)
    bytes += chunk.length
    if (bytes > HELD_BYTES) buffered = undefined
    buffered?.push(chunk)
  }
  const sha256 = digest.digest('hex')
  const entry: FileEntry = { key, type: found.stat.contentType, bytes, sha256 }
  const name = target.nameOfFile(key, sha256)
  if (await target.has(name)) return { entry, isNew: false }
  const again = buffered ? bufferStream(buffered) : (await blobs.get(key))?.stream
  if (!again) return undefined
  const stored = await target.put(name, again as AsyncIterable<Buffer>)
  if (stored.sha256 !== sha256) throw new Error(`a file changed while it was copied: ${key}`)
  return { entry, isNew: true }
}

/** The files of a backup, one after the other. */
async function* filesOf(target: BackupTarget, manifest: Manifest): AsyncGenerator<FileEntry, void> {
  const name = rowsName(manifest.name, INDEX)
  const stored = await target.get(name, manifest.files)
  if (!stored) throw new DamagedBackup(`the backup is damaged: ${name} is missing. Use another backup`)
  const packed = Readable.from(stored, { objectMode: false })
  const lines = createInterface({ input: packed.compose(createGunzip()) as Readable, crlfDelay: Infinity })
  let count = 0
  for await (const line of lines) {
    count++
    yield JSON.parse(line) as FileEntry
  }
  if (count !== manifest.files.count) throw damaged(name)
}

export async function fileMap(target: BackupTarget, manifest: Manifest): Promise<Map<string, FileEntry>> {
  const files = new Map<string, FileEntry>()
  for await (const entry of filesOf(target, manifest)) files.set(entry.key, entry)
  return files
}

/** Writes the files of a backup. `present`: keys that an interrupted restore has written, which are not written again. */
export async function writeFiles(
  blobs: Blobs,
  target: BackupTarget,
  entries: readonly FileEntry[],
  present: ReadonlySet<string>,
  opts: Options,
): Promise<void> {
  let files = 0
  let bytes = 0
  await inParallel(entries, opts.signal, async entry => {
    if (!present.has(entry.key)) {
      const content = await openContent(target, entry)
      await blobs.put(entry.key, Readable.from(content, { objectMode: false }), {
        contentType: entry.type,
        bytes: entry.bytes,
      })
      bytes += entry.bytes
    }
    opts.onProgress({ files: ++files, ofFiles: entries.length, bytes })
  })
}

/** The content of a file; fails if it is not what the backup says. */
export async function openContent(target: BackupTarget, entry: FileEntry): Promise<AsyncIterable<Buffer>> {
  const content = await target.get(target.nameOfFile(entry.key, entry.sha256), entry)
  if (!content) throw new DamagedBackup(`the backup is damaged: the file ${entry.key} is missing. Use another backup`)
  return content
}

/** Runs the work for every item, some at the same time; the first failure ends it, after what was begun has ended. */
export async function inParallel<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  let failed = false
  const lane = async () => {
    for (const item of waiting) {
      if (failed) return
      signal.throwIfAborted()
      try {
        await abortable(work(item), signal)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, lane))
  const failure = outcomes.find(outcome => outcome.status === 'rejected')
  if (failure) throw failure.reason
}
