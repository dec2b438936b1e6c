import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { BoundedQueue, QueueFullError } from '../kernel/async/bounded-queue.ts'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import { clock } from '../kernel/time/clock.ts'
import { type Html, html, trusted } from './html.ts'

/**
 * Markdown of companies as HTML, rendered one text at a time in a thread, whose time and memory are limited. A text that
 * meets a limit, because no one wrote it by hand, is shown as it was written; so is one for which the thread has no time.
 */
const rendering = new BoundedQueue({ concurrency: 1, capacity: 500, timeoutMs: 5_000, retryAfterSeconds: 5 })
/** A text that people wrote takes some milliseconds. */
const RENDER_MS = 1_500
const HEAP_MB = 96
/** A text that met a limit of the thread is not tried again before: perhaps the machine was busy. */
const AGAIN_MS = 10 * 60_000

interface Kept {
  text: Html
  until: number
}

/** Texts that were shown lately, by a hash of their source: the length of all is limited. */
const KEPT_LENGTH = 8_000_000
const kept = new Map<string, Kept>()
let keptLength = 0

/** Requests for the same text that wait for it. */
const waiting = new Map<string, Promise<Html>>()

export async function renderMarkdown(source: string): Promise<Html> {
  const key = createHash('sha256').update(source).digest('base64url')
  const known = kept.get(key)
  if (known && known.until > clock.now()) return known.text
  try {
    return await getOrCreate(waiting, key, () =>
      rendering.run({}, () => made(key, source)).finally(() => waiting.delete(key)),
    )
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    return asWritten(source)
  }
}

async function made(key: string, source: string): Promise<Html> {
  const outcome = await inThread(source)
  const text = outcome?.rendered === undefined ? asWritten(source) : trusted(outcome.rendered)
  keep(key, { text, until: outcome ? Number.POSITIVE_INFINITY : clock.now() + AGAIN_MS })
  return text
}

function keep(key: string, entry: Kept): void {
  forget(key)
  kept.set(key, entry)
  keptLength += entry.text.text.length
  for (const oldest of kept.keys()) {
    if (keptLength <= KEPT_LENGTH) break
    forget(oldest)
  }
}

function forget(key: string): void {
  keptLength -= kept.get(key)?.text.text.length ?? 0
  kept.delete(key)
}

const asWritten = (source: string): Html => html`${source.split(/\n{2,}/).map(paragraph => html`<p>${paragraph}</p>`)}`

let thread: Promise<Worker> | undefined

/** Started with the first text, and again after it was stopped. Loading its packages is not counted as rendering. */
function runningThread(): Promise<Worker> {
  if (thread) return thread
  const worker = new Worker(join(import.meta.dirname, 'markdown-worker.ts'), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
  })
  const started = once(worker, 'message').then(() => {
    worker.unref()
    return worker
  })
  const stopped = () => {
    if (thread === started) thread = undefined
  }
  // an error is one of the text that is rendered then, and the thread's end
  worker.on('error', stopped).once('exit', stopped)
  thread = started
  return started
}

/** Undefined where the thread met its limit of time or memory. */
async function inThread(source: string): Promise<{ rendered?: string } | undefined> {
  const worker = await runningThread()
  const { promise, resolve } = Promise.withResolvers<{ rendered?: string } | undefined>()
  const ended = () => resolve(undefined)
  const timer = setTimeout(() => {
    thread = undefined
    void worker.terminate()
  }, RENDER_MS)
  worker.once('message', resolve).once('exit', ended)
  try {
    worker.postMessage(source)
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('exit', ended)
  }
}

const NAMED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** The first words of a rendered text, for search engines and link previews. */
export function excerpt(text: Html, longest = 200): string {
  let plain = ''
  let inTag = false
  for (const sign of text.text) {
    if (sign === '<') inTag = true
    else if (sign === '>') {
      inTag = false
      plain += ' '
    } else if (!inTag) plain += sign
  }
  const words = plain.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => NAMED[entity]!).split(/\s+/)
  return shortened(words.filter(Boolean).join(' '), longest)
}

export function shortened(text: string, longest = 200): string {
  if (text.length <= longest) return text
  const cut = text.slice(0, longest - 1)
  const end = cut.lastIndexOf(' ')
  return `${end > longest / 2 ? cut.slice(0, end) : cut}…`
}
