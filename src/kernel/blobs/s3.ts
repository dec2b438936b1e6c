// Blobs in an S3-compatible bucket. What its server must do: read-after-write consistency, multipart uploads, and, for
// addresses that accept one PUT only, `If-None-Match: *`. The credentials need GetObject, PutObject, DeleteObject,
// AbortMultipartUpload and ListBucket (without the last, S3 returns 403 instead of 404 for an absent key).
// A bucket that keeps versions keeps removed blobs too: leave versioning off, or let a lifecycle rule end old versions.
// A lifecycle rule should also end incomplete multipart uploads, which a crash in the middle of a large put leaves.

import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import {
  assertContentType,
  assertKey,
  assertPrefix,
  type BlobStat,
  type Blobs,
  BlobsMisconfigured,
  BlobsUnavailable,
  type Clock,
  measured,
  type SignedPut,
} from './blobs.ts'
import { attachment, presign } from './signed-url.ts'

export interface S3Settings {
  /** Default: AWS's own for the region. */
  endpoint?: string
  /** The endpoint as outside callers reach it, when it differs: the host is part of a signed address. */
  publicEndpoint?: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** `https://host/bucket/key` instead of `https://bucket.host/key`. */
  forcePathStyle: boolean
  /** Put before every key; empty, or ending in `/`. */
  prefix: string
  /**
   * Default true: signed PUTs carry `If-None-Match: *`, so that the store refuses a second one. Without it (for stores
   * that do not know it) an address can be used again until it expires.
   */
  putOnce?: boolean
  now: Clock
}

type Sdk = typeof import('@aws-sdk/client-s3')

// Parts of one size, as some stores demand; 10 000 of them are 80 GB. Memory stays at two or three parts.
const PART_BYTES = 8 * 1024 * 1024
const CONCURRENT_DELETIONS = 16
const CHECK_MS = 3_000
const SOON_MS = 8_000
// The longest that Signature Version 4 allows.
const MAX_EXPIRY_SECONDS = 7 * 24 * 3600

/** The SDK is loaded here and not above: it costs a noticeable part of a start that does not use it. */
export async function openS3Blobs(settings: S3Settings): Promise<S3Blobs> {
  if (settings.prefix !== '') assertPrefix(settings.prefix)
  const sdk = await import('@aws-sdk/client-s3')
  return new S3Blobs(settings, sdk)
}

export class S3Blobs implements Blobs {
  readonly #settings: S3Settings
  readonly #sdk: Sdk
  readonly #client: S3Client
  readonly #publicBase: URL

  constructor(settings: S3Settings, sdk: Sdk) {
    const { region, bucket, accessKeyId, secretAccessKey, forcePathStyle } = settings
    const endpoint = settings.endpoint ?? `https://s3.${region}.amazonaws.com`
    this.#settings = settings
    this.#sdk = sdk
    this.#client = new sdk.S3Client({
      endpoint,
      region,
      forcePathStyle,
      credentials: { accessKeyId, secretAccessKey },
      // The newer checksum headers are unknown to many compatible stores.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
    })
    this.#publicBase = new URL(settings.publicEndpoint ?? endpoint)
    if (!forcePathStyle) this.#publicBase.hostname = `${bucket}.${this.#publicBase.hostname}`
    const path = this.#publicBase.pathname.replace(/\/$/, '')
    this.#publicBase.pathname = forcePathStyle ? `${path}/${bucket}/` : `${path}/`
  }

  /** Lists one key: signed, cheap, and unlike other calls it names its cause of refusal. */
  async check(): Promise<string> {
    const { bucket: Bucket, prefix: Prefix } = this.#settings
    const command = new this.#sdk.ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 })
    try {
      await this.#client.send(command, { abortSignal: AbortSignal.timeout(CHECK_MS) })
    } catch (error) {
      const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
      const status = $metadata?.httpStatusCode ?? 0
      if (status < 300 || status >= 500 || status === 429) throw error
      throw new BlobsMisconfigured(`the S3 store rejected the bucket "${Bucket}" (${name}): ${message}`)
    }
    return `bucket ${Bucket} is reachable`
  }

  async put(key: string, body: Buffer | Readable, opts: { contentType: string; bytes?: number }): Promise<BlobStat> {
    const target = this.#target(key)
    const { contentType } = opts
    assertContentType(contentType)
    // The last part comes only after the whole body was read and its length found right, so nothing that breaks before
    // can become visible: a short blob is one request, a long one appears with the completion of its parts.
    const parts = partsOf(measured(body, opts.bytes))
    const first = (await parts.next()).value as Part
    if (first.last) {
      const command = { ...target, Body: first.bytes, ContentType: contentType }
      await this.#client.send(new this.#sdk.PutObjectCommand(command)).catch(unavailable)
      return { bytes: first.bytes.length, contentType }
    }
    return { bytes: await this.#putLong(target, contentType, first, parts).catch(unavailable), contentType }
  }

  async #putLong(target: Target, contentType: string, first: Part, rest: AsyncGenerator<Part, void>): Promise<number> {
    const sdk = this.#sdk
    const begun = await this.#client.send(new sdk.CreateMultipartUploadCommand({ ...target, ContentType: contentType }))
    const upload = { ...target, UploadId: begun.UploadId }
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      let total = 0
      const sendPart = async (part: Part) => {
        const PartNumber = Parts.length + 1
        const sent = await this.#client.send(new sdk.UploadPartCommand({ ...upload, PartNumber, Body: part.bytes }))
        Parts.push({ PartNumber, ETag: sent.ETag })
        total += part.bytes.length
      }
      await sendPart(first)
      for await (const part of rest) await sendPart(part)
      await this.#client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
      return total
    } catch (error) {
      // The first error is the one to report; parts that stay are invisible, and the lifecycle rule ends them.
      await this.#client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => {})
      throw error
    }
  }

  async get(key: string): Promise<{ stat: BlobStat; stream: Readable } | null> {
    const command = new this.#sdk.GetObjectCommand(this.#target(key))
    const found = await this.#soon(signal => this.#client.send(command, { abortSignal: signal })).catch(absent)
    return found && { stat: statOf(found), stream: found.Body as Readable }
  }

  async stat(key: string): Promise<BlobStat | null> {
    const command = new this.#sdk.HeadObjectCommand(this.#target(key))
    const found = await this.#soon(signal => this.#client.send(command, { abortSignal: signal })).catch(absent)
    return found && statOf(found)
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new this.#sdk.DeleteObjectCommand(this.#target(key))).catch(absent)
  }

  /** One request for each blob: the request for many needs a checksum on which the compatible stores do not agree. */
  async removeAll(prefix: string): Promise<void> {
    assertPrefix(prefix)
    let keys: string[] = []
    for await (const key of this.list(prefix)) {
      keys.push(key)
      if (keys.length === CONCURRENT_DELETIONS) {
        await Promise.all(keys.map(each => this.remove(each)))
        keys = []
      }
    }
    await Promise.all(keys.map(each => this.remove(each)))
  }

  async *list(prefix: string): AsyncGenerator<string, void> {
    if (prefix !== '') assertPrefix(prefix)
    const { bucket: Bucket, prefix: own } = this.#settings
    let ContinuationToken: string | undefined
    do {
      const command = new this.#sdk.ListObjectsV2Command({ Bucket, Prefix: own + prefix, ContinuationToken })
      const page = await this.#client.send(command)
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key.slice(own.length)
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (ContinuationToken !== undefined)
  }

  async signedGet(key: string, opts: { expiresInSeconds: number; filename: string; contentType: string }) {
    assertContentType(opts.contentType)
    const expiresAt = (await this.#now()) + opts.expiresInSeconds * 1000
    return this.#sign(
      'GET',
      key,
      expiresAt,
      {},
      {
        'response-cache-control': 'private, no-store',
        'response-content-disposition': attachment(opts.filename),
        'response-content-type': opts.contentType,
      },
    )
  }

  async signedPut(key: string, opts: { expiresAt: number; contentType: string; bytes: number }): Promise<SignedPut> {
    assertContentType(opts.contentType)
    const headers: Record<string, string> = {
      'Content-Type': opts.contentType,
      'Content-Length': String(opts.bytes),
    }
    if (this.#settings.putOnce !== false) headers['If-None-Match'] = '*'
    return { url: await this.#sign('PUT', key, opts.expiresAt, headers, {}), headers }
  }

  /** The store has no leftovers of ours: unfinished multipart uploads are its lifecycle rules' business. */
  async sweep(): Promise<void> {}

  async close(): Promise<void> {
    this.#client.destroy()
  }

  async #sign(
    method: 'GET' | 'PUT',
    key: string,
    expiresAt: number,
    headers: Record<string, string>,
    query: Record<string, string>,
  ): Promise<string> {
    assertKey(key)
    const { region, accessKeyId, secretAccessKey, prefix } = this.#settings
    // Whole seconds. An address that has expired already is still made, one second long and in the past.
    const ends = Math.ceil(expiresAt / 1000)
    const begins = Math.min(Math.floor((await this.#now()) / 1000), ends - 1)
    const url = new URL(prefix + key, this.#publicBase)
    const expiresInSeconds = Math.min(ends - begins, MAX_EXPIRY_SECONDS)
    const signer = { region, accessKeyId, secretAccessKey, signedAt: begins * 1000, expiresInSeconds }
    return presign({ method, url, headers, query, ...signer })
  }

  addressOrigin(): string {
    return this.#publicBase.origin
  }

  /**
   * A request waits for it, sometimes with a transaction open: the response must begin within this time, all attempts of the
   * SDK included. The bytes that follow have the time limit of the socket.
   */
  async #soon<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), SOON_MS)
    try {
      return await send(late.signal)
    } catch (error) {
      return unavailable(error)
    } finally {
      clearTimeout(timer)
    }
  }

  async #now(): Promise<number> {
    return this.#settings.now()
  }

  #target(key: string): Target {
    assertKey(key)
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + key }
  }
}

interface Target {
  Bucket: string
  Key: string
}

interface Part {
  bytes: Buffer
  last: boolean
}

/** At least one part, all but the last of PART_BYTES. */
async function* partsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Part, void> {
  let buffered: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    buffered.push(chunk)
    size += chunk.length
    if (size <= PART_BYTES) continue
    let joined = Buffer.concat(buffered)
    for (; joined.length > PART_BYTES; joined = joined.subarray(PART_BYTES)) {
      yield { bytes: joined.subarray(0, PART_BYTES), last: false }
    }
    buffered = [joined]
    size = joined.length
  }
  yield { bytes: Buffer.concat(buffered), last: true }
}

function statOf(head: { ContentLength?: number | undefined; ContentType?: string | undefined }): BlobStat {
  if (head.ContentLength === undefined) throw new Error('the blob store did not state a length')
  return { bytes: head.ContentLength, contentType: head.ContentType ?? 'application/octet-stream' }
}

/** The SDK adds `$metadata` to each of its failures, also without a response; one of 4xx is a refusal and stays as it is. */
function unavailable(error: unknown): never {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode ?? 0
  const refused = status >= 400 && status < 500 && status !== 429
  if (refused || ($metadata === undefined && name !== 'AbortError')) throw error
  throw new BlobsUnavailable('the S3 store is unavailable', { cause: error })
}

/** A missing bucket is also a 404 but means that the settings are wrong, not that the blob is absent. */
function absent(error: unknown): null {
  const failure = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  if (failure?.$metadata?.httpStatusCode === 404 && failure.name !== 'NoSuchBucket') return null
  throw error
}
