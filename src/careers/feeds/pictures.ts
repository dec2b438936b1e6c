import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { BoundedQueue, QueueFullError } from '../../kernel/async/bounded-queue.ts'
import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { PreviewPicture } from './picture-worker.ts'

/**
 * Pictures for link previews. They are drawn one at a time in a thread, which starts with the first one; what was drawn
 * lately is cached. A thread that does not respond is replaced.
 */
const drawing = new BoundedQueue({ concurrency: 1, capacity: 100, timeoutMs: 10_000, retryAfterSeconds: 10 })
const DRAW_MS = 10_000
/** About three hundred pictures. */
const CACHED_BYTES = 16_000_000

const cached = new Map<string, Buffer>()
let cachedBytes = 0

/** Requests for the same picture that wait for it. */
const waiting = new Map<string, Promise<Buffer>>()

/** `key`: everything that the picture depends on. */
export async function cachedPicture(key: string, picture: () => Promise<PreviewPicture>): Promise<Buffer> {
  const known = cached.get(key)
  if (known) return known
  try {
    return await getOrCreate(waiting, key, () =>
      drawing
        .run({}, async () => drawn(await picture()))
        .then(png => keep(key, png))
        .finally(() => waiting.delete(key)),
    )
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    return fail('datastore_unavailable', { retry_after_seconds: error.retryAfterSeconds })
  }
}

function keep(key: string, png: Buffer): Buffer {
  cached.set(key, png)
  cachedBytes += png.length
  for (const [oldest, { length }] of cached) {
    if (cachedBytes <= CACHED_BYTES) break
    cached.delete(oldest)
    cachedBytes -= length
  }
  return png
}

let thread: Worker | undefined

function runningThread(): Worker {
  if (thread) return thread
  const started = new Worker(join(import.meta.dirname, 'picture-worker.ts'), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  started.unref()
  const forget = () => {
    if (thread === started) thread = undefined
  }
  started.once('error', forget)
  started.once('exit', forget)
  thread = started
  return started
}

interface Drawn {
  png?: Uint8Array
  fault?: string
}

async function drawn(picture: PreviewPicture): Promise<Buffer> {
  const worker = runningThread()
  const { promise, resolve, reject } = Promise.withResolvers<Drawn>()
  const stopped = () => reject(new Error('the thread that draws pictures has stopped'))
  const timer = setTimeout(() => void worker.terminate(), DRAW_MS)
  worker.once('message', resolve).once('error', reject).once('exit', stopped)
  try {
    worker.postMessage(picture)
    const { png, fault } = await promise
    if (!png) throw new Error(`the picture was not drawn: ${fault}`)
    return Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', reject).off('exit', stopped)
  }
}
