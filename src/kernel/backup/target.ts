import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { type Blobs, isKey } from '../blobs/blobs.ts'
import { openFolderBlobs } from '../blobs/folder.ts'
import { openS3Blobs } from '../blobs/s3.ts'
import type { Config } from '../config/config.ts'
import { UserError } from '../errors/user-error.ts'
import { clock } from '../time/clock.ts'
import { damaged, isSealed, openFrames, sealFrames } from './frames.ts'
import { folderError, targetError } from './target-errors.ts'

/** A manifest says this about each of its files: about the content before it was encrypted. */
export interface StoredFile {
  bytes: number
  sha256: string
}

/**
 * Where backups are kept: a folder or a bucket, and the key that they are encrypted with, if there is one.
 *
 *   manifests/NAME         what a backup consists of; written last, so a backup without it does not exist
 *   rows/NAME/TABLE        the rows of a table, as COPY writes them, compressed
 *   rows/NAME/files.index   which files the backup has (see files.ts)
 *   files/…                files, shared by all backups; the name says nothing about the file
 */
export class BackupTarget {
  readonly #blobs: Blobs
  readonly #key: Buffer | undefined
  /** as the operator wrote it */
  readonly place: string
  /** undefined: a bucket */
  readonly #folder: string | undefined

  constructor(blobs: Blobs, key: Buffer | undefined, place: string, folder?: string) {
    this.#blobs = blobs
    this.#key = key
    this.place = place
    this.#folder = folder
  }

  get encrypted(): boolean {
    return this.#key !== undefined
  }

  /** Stores the whole content or nothing. */
  async put(name: string, content: AsyncIterable<Buffer>): Promise<StoredFile> {
    const digest = createHash('sha256')
    let bytes = 0
    let failure: unknown
    async function* counted() {
      try {
        for await (const chunk of content) {
          digest.update(chunk)
          bytes += chunk.length
          yield chunk
        }
      } catch (error) {
        failure = error
        throw error
      }
    }
    const sent = this.#key ? sealFrames(this.#key, name, counted()) : counted()
    const stored = this.#blobs.put(name, Readable.from(sent, { objectMode: false }), {
      contentType: 'application/octet-stream',
    })
    await stored.catch(error => {
      // The content failed, not the target; but content that is not read to its end because of the target is aborted.
      const ofContent = failure !== undefined && (failure === error || (failure as Error).name !== 'AbortError')
      throw ofContent ? failure : targetError(this.place, error)
    })
    return { bytes, sha256: digest.digest('hex') }
  }

  /** The content; fails at its end, or before, if it is not what `expected` says. undefined: there is no such file. */
  async get(name: string, expected?: StoredFile): Promise<AsyncIterable<Buffer> | undefined> {
    const found = await this.#try(this.#blobs.get(name))
    if (!found) return undefined
    const stored = this.#named(found.stream)
    const content = this.#key ? openFrames(this.#key, name, stored) : refuseSealed(stored)
    return expected ? checked(name, content, expected) : content
  }

  has(name: string): Promise<boolean> {
    return this.#try(this.#blobs.stat(name)).then(stat => stat !== null)
  }

  /** Returns the number of bytes stored under a name; 0 if there is nothing. */
  bytesOf(name: string): Promise<number> {
    return this.#try(this.#blobs.stat(name)).then(stat => stat?.bytes ?? 0)
  }

  /** Returns the number of bytes that this user may still write; undefined: a bucket has no end. */
  async freeBytes(): Promise<number | undefined> {
    if (this.#folder === undefined) return undefined
    const { bavail, bsize } = await this.#try(statfs(this.#folder))
    return bavail * bsize
  }

  list(prefix: string): AsyncIterable<string> {
    return this.#named(this.#blobs.list(prefix))
  }

  remove(name: string): Promise<void> {
    return this.#try(this.#blobs.remove(name))
  }

  removeAll(prefix: string): Promise<void> {
    return this.#try(this.#blobs.removeAll(prefix))
  }

  #try<T>(work: Promise<T>): Promise<T> {
    return work.catch(error => {
      throw targetError(this.place, error)
    })
  }

  async *#named<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
    try {
      yield* items
    } catch (error) {
      throw targetError(this.place, error)
    }
  }

  /** Where a file with this key and content is stored: the same in every backup, so it is stored once. */
  nameOfFile(key: string, sha256: string): string {
    const text = `${key} ${sha256}`
    const digest = this.#key
      ? createHmac('sha256', this.#key).update(`file ${text}`).digest('hex')
      : createHash('sha256').update(text).digest('hex')
    return `files/${digest.slice(0, 2)}/${digest}`
  }

  close(): Promise<void> {
    return this.#blobs.close()
  }
}

async function* checked(
  name: string,
  content: AsyncIterable<Buffer>,
  expected: StoredFile,
): AsyncGenerator<Buffer, void> {
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > expected.bytes) throw damaged(name)
    digest.update(chunk)
    yield chunk
  }
  if (bytes !== expected.bytes || digest.digest('hex') !== expected.sha256) throw damaged(name)
}

async function* refuseSealed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let first = true
  for await (const chunk of content) {
    if (first && isSealed(chunk)) throw new UserError('this backup is encrypted: set BACKUP_KEY, or use --key-file')
    first = false
    yield chunk
  }
}

/** The operator's key: of a file, or of the setting. */
export function backupKey(config: Pick<Config, 'BACKUP_KEY'>, keyFile: string | undefined): Buffer | undefined {
  if (keyFile === undefined) return config.BACKUP_KEY
  let text: string
  try {
    text = readFileSync(keyFile, 'utf8').trim()
  } catch (error) {
    throw new UserError(`--key-file cannot be read: ${(error as Error).message}`)
  }
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new UserError('--key-file must contain 64 hexadecimal digits (openssl rand -hex 32)')
  return Buffer.from(text, 'hex')
}

/** `place`: a folder, or s3://bucket/prefix. Only a command that writes backups creates the folder. */
export async function openTarget(
  config: Config,
  place: string,
  opts: { key: Buffer | undefined; create: boolean },
): Promise<BackupTarget> {
  const blobs = await openPlace(config, place, opts.create)
  return new BackupTarget(blobs, opts.key, place, isBucket(place) ? undefined : folderOf(place))
}

const isBucket = (place: string): boolean => place.startsWith('s3://')

const folderOf = (place: string): string => (isAbsolute(place) ? place : resolve(place))

async function openPlace(config: Config, place: string, create: boolean): Promise<Blobs> {
  const now = () => clock.now()
  if (!isBucket(place)) {
    if (/^[a-z0-9]+:\/\//i.test(place)) throw new UserError('a backup is kept in a folder or in s3://BUCKET/PREFIX')
    const folder = folderOf(place)
    if (!create && !existsSync(folder)) throw new UserError(`there is no folder ${folder}`)
    // no one is given an address of a backup's files: the key signs nothing
    const unused = randomBytes(32)
    return openFolderBlobs({ folder, publicUrl: () => '', signingKeys: () => [unused], now }).catch(error => {
      throw folderError(place, folder, error)
    })
  }
  const [bucket = '', ...rest] = place
    .slice('s3://'.length)
    .split('/')
    .filter(part => part !== '')
  const prefix = rest.length === 0 ? '' : `${rest.join('/')}/`
  if (bucket === '' || (prefix !== '' && !isKey(prefix.slice(0, -1))))
    throw new UserError('the place of a backup in S3 is s3://BUCKET or s3://BUCKET/PREFIX')
  const accessKeyId = config.BACKUP_S3_ACCESS_KEY_ID ?? config.S3_ACCESS_KEY_ID
  const secretAccessKey = config.BACKUP_S3_SECRET_ACCESS_KEY ?? config.S3_SECRET_ACCESS_KEY
  if (!accessKeyId || !secretAccessKey)
    throw new UserError('set BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY, or those of S3_…')
  const own = config.BACKUP_S3_ENDPOINT !== undefined
  const endpoint = config.BACKUP_S3_ENDPOINT ?? config.S3_ENDPOINT
  const blobs = await openS3Blobs({
    ...(endpoint ? { endpoint } : {}),
    region: config.BACKUP_S3_REGION ?? config.S3_REGION,
    bucket,
    accessKeyId,
    secretAccessKey,
    forcePathStyle: (config.BACKUP_S3_FORCE_PATH_STYLE ?? (own ? 'off' : config.S3_FORCE_PATH_STYLE)) === 'on',
    prefix,
    now,
  })
  try {
    await blobs.check()
  } catch (error) {
    await blobs.close()
    throw targetError(place, error)
  }
  return blobs
}

export async function* bufferStream(chunks: readonly Buffer[]): AsyncGenerator<Buffer, void> {
  yield* chunks
}
