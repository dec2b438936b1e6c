// Blobs in a folder of the machine (or of a file system that several machines share).
//
//   blobs/<key>+blob   one file for each blob: a line with its type, then its bytes
//   tmp/               files still being written
//   spent/             one empty file for each key that took a signed PUT; its time is the address's expiry
//
// A blob is written under tmp/, made durable, and only then renamed to its place. Type and bytes are one file, so they
// appear together; a reader that opened the old file keeps it to the end. `+` is in no key, so the blob `a` and the
// folder of `a/b` never meet. Keys that differ only in case meet on a file system that ignores case; handles do not.

import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  assertContentType,
  assertKey,
  assertPrefix,
  type BlobStat,
  type Blobs,
  BlobsMisconfigured,
  type Clock,
  measured,
} from './blobs.ts'
import { signAddress } from './signed-url.ts'

export interface FolderSettings {
  folder: string
  /** The origin (and path, if any) under which the app serves `/storage`; read late, since the port may be chosen late. */
  publicUrl: () => string
  /** the first one signs; read for each address, since keys are replaced while the process runs */
  signingKeys: () => readonly [Buffer, ...Buffer[]]
  now: Clock
}

const SUFFIX = '+blob'
const MAGIC = 'blob1 '
const HEADER_LIMIT = 256
// No write that is alive leaves its file untouched for so long, and no two clocks are so far apart.
const LEFTOVER_MS = 3_600_000

const isCode = (error: unknown, ...codes: string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

export async function openFolderBlobs(settings: FolderSettings): Promise<FolderBlobs> {
  if (settings.signingKeys()[0].length < 32) throw new Error('the storage signing key needs at least 32 bytes')
  const blobs = new FolderBlobs(settings)
  for (const name of ['blobs', 'tmp', 'spent'])
    await mkdir(join(settings.folder, name), { recursive: true, mode: 0o700 })
  await blobs.sweep()
  return blobs
}

export class FolderBlobs implements Blobs {
  readonly #root: string
  readonly #tmp: string
  readonly #consumed: string
  readonly #storageUrl: () => string
  readonly #signingKeys: () => readonly [Buffer, ...Buffer[]]
  readonly #now: Clock

  constructor(settings: FolderSettings) {
    this.#root = join(settings.folder, 'blobs')
    this.#tmp = join(settings.folder, 'tmp')
    this.#consumed = join(settings.folder, 'spent')
    this.#storageUrl = () => `${settings.publicUrl().replace(/\/$/, '')}/storage`
    this.#signingKeys = settings.signingKeys
    this.#now = settings.now
  }

  /** Writes a file where every blob is written first. */
  async check(): Promise<string> {
    const path = join(this.#tmp, randomUUID())
    const file = await open(path, 'wx', 0o600).catch(error => {
      if (!isCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error
      throw new BlobsMisconfigured(`files cannot be stored below DATA_DIR: ${error.message}`)
    })
    try {
      await file.writeFile('check')
    } finally {
      await file.close()
      await unlink(path)
    }
    return `${dirname(this.#tmp)} is writable`
  }

  async put(key: string, body: Buffer | Readable, opts: { contentType: string; bytes?: number }): Promise<BlobStat> {
    const path = this.#path(key)
    const written = await this.#write(body, opts.contentType, opts.bytes)
    await this.#place(written.path, path)
    return { bytes: written.bytes, contentType: opts.contentType }
  }

  /**
   * A put that a key accepts once, also when the blob is removed before the address expires: an address in strange
   * hands must not bring back a file that was erased. False, storing nothing, when the key is taken. An abort before
   * the moment of storing stores nothing.
   *
   * The key is claimed by creating its marker (exactly one of any number of writers can), after the bytes are safe on
   * disk and right before the rename. A crash between the two spends the address without a blob; the sender, who got
   * no response, requests a new one.
   */
  async putOnce(
    key: string,
    body: Readable,
    opts: { contentType: string; bytes: number; expiresAt: number; signal?: AbortSignal },
  ): Promise<boolean> {
    const path = this.#path(key)
    const written = await this.#write(body, opts.contentType, opts.bytes)
    const marker = this.#marker(key)
    let claimed = false
    try {
      opts.signal?.throwIfAborted()
      const claim = await open(marker, 'wx', 0o600)
      claimed = true
      await claim.utimes(opts.expiresAt / 1000, opts.expiresAt / 1000).finally(() => claim.close())
      if (await this.stat(key)) {
        await unlink(written.path)
        return false
      }
      await this.#place(written.path, path)
      return true
    } catch (error) {
      await rm(written.path, { force: true })
      if (!claimed && isCode(error, 'EEXIST')) return false
      if (claimed) await rm(marker, { force: true })
      throw error
    }
  }

  /** Whether putOnce would refuse the key, to say so before its bytes are read. */
  async isTaken(key: string): Promise<boolean> {
    if (await this.stat(key)) return true
    return stat(this.#marker(key)).then(() => true, absent(false))
  }

  async get(key: string): Promise<{ stat: BlobStat; stream: Readable } | null> {
    const file = await open(this.#path(key), 'r').catch(absent(null))
    if (!file) return null
    try {
      const { start, ...blobStat } = await readHeader(file)
      return { stat: blobStat, stream: file.createReadStream({ start }) }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async stat(key: string): Promise<BlobStat | null> {
    const file = await open(this.#path(key), 'r').catch(absent(null))
    if (!file) return null
    const { bytes, contentType } = await readHeader(file).finally(() => file.close())
    return { bytes, contentType }
  }

  async remove(key: string): Promise<void> {
    const path = this.#path(key)
    const removed = await unlink(path).then(() => true, absent(false))
    // An erased file must not come back after a power loss.
    if (removed) await syncFolder(dirname(path)).catch(absent(undefined)) // removeAll may have been faster
  }

  async removeAll(prefix: string): Promise<void> {
    assertPrefix(prefix)
    const folder = join(this.#root, prefix)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    await syncFolder(dirname(folder)).catch(absent(undefined))
  }

  async *list(prefix: string): AsyncGenerator<string, void> {
    if (prefix !== '') assertPrefix(prefix)
    // Folders can be removed while they are walked.
    const entries = await opendir(join(this.#root, prefix)).catch(absent(null))
    if (!entries) return
    for await (const entry of entries) {
      if (entry.isDirectory()) yield* this.list(`${prefix}${entry.name}/`)
      else if (entry.name.endsWith(SUFFIX)) yield prefix + entry.name.slice(0, -SUFFIX.length)
    }
  }

  async signedGet(key: string, opts: { expiresInSeconds: number; filename: string; contentType: string }) {
    const expiresAt = (await this.#now()) + opts.expiresInSeconds * 1000
    const { filename, contentType } = opts
    assertKey(key)
    assertContentType(contentType)
    return (
      this.#storageUrl() + signAddress(this.#signingKeys()[0], { op: 'get', key, expiresAt, contentType, filename })
    )
  }

  async signedPut(key: string, opts: { expiresAt: number; contentType: string; bytes: number }) {
    const { expiresAt, contentType, bytes } = opts
    assertKey(key)
    assertContentType(contentType)
    const url =
      this.#storageUrl() + signAddress(this.#signingKeys()[0], { op: 'put', key, expiresAt, contentType, bytes })
    return { url, headers: { 'Content-Type': contentType, 'Content-Length': String(bytes) } }
  }

  addressOrigin(): string {
    return new URL(this.#storageUrl()).origin
  }

  /** Removes what crashed writes left and the markers of addresses long expired. Runs at start; housekeeping repeats it. */
  async sweep(): Promise<void> {
    const before = (await this.#now()) - LEFTOVER_MS
    for (const folder of [this.#tmp, this.#consumed]) {
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        // Another process may finish or sweep the same file at the same time.
        const info = await stat(path).catch(absent(null))
        if (info && info.mtimeMs < before) await rm(path, { force: true })
      }
    }
  }

  async close(): Promise<void> {}

  #path(key: string): string {
    assertKey(key)
    return join(this.#root, key) + SUFFIX
  }

  #marker(key: string): string {
    return join(this.#consumed, createHash('sha256').update(key).digest('hex'))
  }

  async #write(body: Buffer | Readable, contentType: string, promised: number | undefined) {
    assertContentType(contentType)
    const chunks = measured(body, promised)
    const path = join(this.#tmp, randomUUID())
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(`${MAGIC}${contentType}\n`)
      let bytes = 0
      for await (const chunk of chunks) {
        await file.appendFile(chunk)
        bytes += chunk.length
      }
      await file.sync()
      await file.close()
      return { path, bytes }
    } catch (error) {
      // Closing twice is harmless; closing can itself be what failed.
      await file.close().catch(() => {})
      await rm(path, { force: true })
      throw error
    }
  }

  async #place(from: string, to: string): Promise<void> {
    try {
      // A removeAll can take the folder away between its making and the rename.
      for (let attempt = 1; ; attempt++) {
        await makeFolder(dirname(to))
        const moved = await rename(from, to).then(() => true, absent(false))
        if (moved) break
        if (attempt === 5) throw new Error('the folder of a blob is removed again and again')
      }
    } catch (error) {
      await rm(from, { force: true })
      throw error
    }
    await syncFolder(dirname(to)).catch(absent(undefined))
  }
}

function absent<T>(value: T): (error: unknown) => T {
  return error => {
    if (isCode(error, 'ENOENT')) return value
    throw error
  }
}

async function readHeader(file: FileHandle): Promise<BlobStat & { start: number }> {
  const buffer = Buffer.alloc(HEADER_LIMIT)
  const { bytesRead } = await file.read(buffer, 0, HEADER_LIMIT, 0)
  const line = buffer.subarray(0, bytesRead).indexOf('\n')
  const text = buffer.toString('latin1', 0, Math.max(line, 0))
  if (!text.startsWith(MAGIC)) throw new Error('a file in the blob folder is not a blob')
  const start = line + 1
  return { start, bytes: (await file.stat()).size - start, contentType: text.slice(MAGIC.length) }
}

/** A rename or removal is durable only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  // New folders, too, last only when the ones above them are synced.
  for (let made = path; made.length >= first.length; made = dirname(made))
    await syncFolder(dirname(made)).catch(absent(undefined))
}
