// Serves the folder store's signed addresses. The signature is the only permission here: who holds an address may use
// it, and everything that is not a living address is the same 404, so that nothing can be learned by trying.
//
// A PUT runs: signature, method, expiry, promised headers, not yet taken; then the bytes go to a temporary file; then
// the key is claimed and the file appears. Whatever breaks before the claim leaves nothing.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FolderBlobs } from './folder.ts'
import { type Address, attachment, verifyAddress } from './signed-url.ts'

export type StorageRefusal =
  | 'not_found'
  | 'invalid_upload'
  | 'upload_already_used'
  | 'payload_too_large'
  | 'method_not_allowed'

export interface StorageHandlerSettings {
  blobs: FolderBlobs
  /** every key that an address may be signed with */
  signingKeys: () => readonly Buffer[]
  /**
   * Milliseconds, of the database's clock: the one that expiry times were made with. Undefined if the owner of the key is
   * closed: its addresses end before they expire.
   */
  dbNow: (key: string) => Promise<number | undefined>
  /** Writes and ends a refusal. */
  fail: (res: ServerResponse, code: StorageRefusal, message: string) => void
  /** A PUT takes no longer than this, nor past its address's expiry. */
  putSeconds?: number
  /** A connection on which nothing moves for so long is destroyed. */
  idleSeconds?: number
}

/** `path` is the request target as received, query included, from the slash after the mount point: `/<key>?…`. */
export type StorageHandler = (req: IncomingMessage, res: ServerResponse, path: string) => Promise<void>

// The body of a refused request is read and dropped before the response: closing with unread bytes resets the connection,
// and a sender that is still writing would never see the refusal. More than an honest upload's worth is not worth that.
const DRAIN_BYTES = 8 * 1024 * 1024
const DRAIN_SECONDS = 10

const noAddress = 'There is no file at this URL, or the URL has expired.'

/** Rejects only for failures of the service itself; then the caller responds, if `res.headersSent` is still false. */
export function storageHandler(settings: StorageHandlerSettings): StorageHandler {
  const { blobs, signingKeys, dbNow, putSeconds = 120, idleSeconds = 30 } = settings

  async function refuse(req: IncomingMessage, res: ServerResponse, code: StorageRefusal, message: string) {
    await drain(req)
    if (res.destroyed) return
    if (!req.readableEnded) res.setHeader('Connection', 'close')
    settings.fail(res, code, message)
  }

  async function send(req: IncomingMessage, res: ServerResponse, address: Address & { op: 'get' }): Promise<void> {
    const found = await blobs.get(address.key)
    if (!found) return refuse(req, res, 'not_found', noAddress)
    const idle = setTimeout(() => res.destroy(), idleSeconds * 1000)
    try {
      res.writeHead(200, {
        'Content-Type': address.contentType,
        'Content-Length': found.stat.bytes,
        'Content-Disposition': attachment(address.filename),
        'Cache-Control': 'private, no-store',
        'X-Content-Type-Options': 'nosniff',
        // The file is a stranger's: should a browser show it after all, it runs nothing and loads nothing.
        'Content-Security-Policy': "sandbox; default-src 'none'",
      })
      await pipeline(watched(found.stream, idle), res)
    } catch (error) {
      // A receiver that disconnects is not a failure. A file that cannot be read is; the response is cut short by then.
      if (!connectionBroke(error)) throw error
    } finally {
      clearTimeout(idle)
      found.stream.destroy()
    }
  }

  async function receive(req: IncomingMessage, res: ServerResponse, address: Address & { op: 'put' }, now: number) {
    const { key, contentType, bytes, expiresAt } = address
    const length = req.headers['content-length']
    if (req.headers['transfer-encoding'] !== undefined || length === undefined) {
      return refuse(req, res, 'invalid_upload', 'Send the file with a Content-Length header, not in chunks.')
    }
    if (req.headers['content-type'] !== contentType) {
      return refuse(req, res, 'invalid_upload', 'The Content-Type does not match the reservation.')
    }
    if (Number(length) > bytes)
      return refuse(req, res, 'payload_too_large', `The file is larger than the ${bytes} bytes reserved.`)
    if (Number(length) !== bytes)
      return refuse(req, res, 'invalid_upload', `The file does not have the ${bytes} bytes reserved.`)
    const used = 'A file was already uploaded to this URL.'
    if (await blobs.isTaken(key)) return refuse(req, res, 'upload_already_used', used)

    const late = new AbortController()
    const giveUp = () => {
      late.abort()
      req.socket.destroy()
    }
    const deadline = setTimeout(giveUp, Math.min(expiresAt - now, putSeconds * 1000))
    const idle = setTimeout(giveUp, idleSeconds * 1000)
    try {
      const body = Readable.from(watched(req, idle), { objectMode: false })
      const stored = await blobs.putOnce(key, body, { contentType, bytes, expiresAt, signal: late.signal })
      if (!stored) return refuse(req, res, 'upload_already_used', used)
      res.writeHead(200, { 'Content-Length': 0 }).end()
    } catch (error) {
      // The sender disconnected or was too slow: there is no one to respond to, and nothing was stored.
      if (late.signal.aborted || (connectionBroke(error) && !req.complete)) return
      await drain(req)
      throw error
    } finally {
      clearTimeout(deadline)
      clearTimeout(idle)
    }
  }

  return async (req, res, path) => {
    if (req.method !== 'GET' && req.method !== 'PUT') {
      res.setHeader('Allow', 'GET, PUT')
      return refuse(req, res, 'method_not_allowed', 'Only GET and PUT are served here.')
    }
    const address = verifyAddress(signingKeys(), path)
    // Made for the other method is as wrong as not made by us.
    if (!address || address.op.toUpperCase() !== req.method) return refuse(req, res, 'not_found', noAddress)
    const now = await dbNow(address.key)
    if (now === undefined || now >= address.expiresAt) return refuse(req, res, 'not_found', noAddress)
    return address.op === 'get' ? send(req, res, address) : receive(req, res, address, now)
  }
}

/** Passes chunks on and restarts the timer at each. The next chunk is requested only when the receiver took the last. */
async function* watched(source: Readable, idle: NodeJS.Timeout): AsyncGenerator<Buffer, void> {
  // A request must survive a failure to store it, or its sender would get no response.
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    idle.refresh()
    yield chunk
  }
}

function connectionBroke(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE'
}

function drain(req: IncomingMessage): Promise<void> {
  if (req.readableEnded || req.destroyed) return Promise.resolve()
  return new Promise(resolve => {
    let left = DRAIN_BYTES
    const done = () => {
      clearTimeout(timer)
      req.pause()
      resolve()
    }
    const timer = setTimeout(done, DRAIN_SECONDS * 1000)
    req.on('end', done).on('close', done)
    req.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) done()
    })
  })
}
