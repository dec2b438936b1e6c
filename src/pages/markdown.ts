import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { QueueFullError } from '../kernel/async/bounded-queue.ts'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import { TurnQueue } from '../kernel/async/turn-queue.ts'
import { clock } from '../kernel/time/clock.ts'
import { type Html, html, trusted } from './html.ts'

/**
 * Markdown of companies as HTML, rendered in threads whose time and memory are limited. A text that meets a limit, because
 * no one wrote it by hand, is shown as it was written; so is one that the threads have no time for while a page waits.
 * Workspaces take turns, each with one thread at most. Previews of texts that are being written have a thread and turns of
 * their own: what someone tries there delays no page of a careers site.
 */
const PAGE_THREADS = 2
const PREVIEW_THREADS = 1
const THREADS = PAGE_THREADS + PREVIEW_THREADS
const pages = new TurnQueue({ concurrency: PAGE_THREADS, capacity: 250, retryAfterSeconds: 5 })
const previews = new TurnQueue({ concurrency: PREVIEW_THREADS, capacity: 20, retryAfterSeconds: 5 })
/** A page waits no longer for a text; it is rendered nevertheless, for the next page. */
const WAIT_MS = 900
/** A text that people wrote takes some milliseconds. */
const RENDER_MS = 1_500
const HEAP_MB = 96
/** A text that met a limit of the thread is not tried again before: perhaps the machine was busy. */
const AGAIN_MS = 10 * 60_000
/** So many of a source, and all its texts that are not rendered yet are shown as they were written for that long. */
const MAX_SLOW = 3

/** Where a text comes from: a workspace, or a person who previews one. */
interface Source {
  turns: TurnQueue
  /** whose turn it is */
  caller: string
  /** whose slow texts are counted */
  writer: string
}

/** Texts of a writer that met a limit lately. */
const slow = new Map<string, { texts: number; until: number }>()

function isSlow({ writer }: Source): boolean {
  const found = slow.get(writer)
  if (found && found.until <= clock.now()) slow.delete(writer)
  return (slow.get(writer)?.texts ?? 0) >= MAX_SLOW
}

function noteSlow({ writer }: Source): void {
  const texts = (slow.get(writer)?.texts ?? 0) + 1
  slow.set(writer, { texts, until: clock.now() + AGAIN_MS })
}

interface CachedText {
  text: Html
  until: number
}

/** Texts that were shown lately, by a hash of their source: the length of all is limited. */
const CACHED_LENGTH = 8_000_000
const cache = new Map<string, CachedText>()
let cachedLength = 0

/** Requests for the same text of the same writer that wait for it. */
const waiting = new Map<string, Promise<Html>>()

/** A text that a page of the workspace shows. */
export const renderMarkdown = (workspace: string, source: string): Promise<Html> =>
  rendered({ turns: pages, caller: workspace, writer: workspace }, source)

/** A text that a person of the workspace is writing. Slow ones count for that person alone. */
export const previewMarkdown = (workspace: string, userId: string, source: string): Promise<Html> =>
  rendered({ turns: previews, caller: `preview ${workspace}`, writer: userId }, source)

async function rendered(from: Source, source: string): Promise<Html> {
  const key = createHash('sha256').update(source).digest('base64url')
  const known = cache.get(key)
  if (known && known.until > clock.now()) return known.text
  if (isSlow(from)) return asWritten(source)
  // loading their packages is not counted as waiting
  await started()
  const late = Promise.withResolvers<Html>()
  const timer = setTimeout(() => late.resolve(asWritten(source)), WAIT_MS)
  try {
    const place = `${from.writer} ${key}`
    const text = getOrCreate(waiting, place, () =>
      from.turns.run(from.caller, () => made(from, key, source)).finally(() => waiting.delete(place)),
    )
    return await Promise.race([text, late.promise])
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    return asWritten(source)
  } finally {
    clearTimeout(timer)
  }
}

async function made(from: Source, key: string, source: string): Promise<Html> {
  // it may have become slow while the text waited
  if (isSlow(from)) return asWritten(source)
  const outcome = await inThread(from, source)
  if (!outcome) noteSlow(from)
  const text = outcome?.rendered === undefined ? asWritten(source) : trusted(outcome.rendered)
  // a preview that met a limit says nothing about the pages, whose threads may have time for the text
  if (outcome || from.turns === pages)
    keep(key, { text, until: outcome ? Number.POSITIVE_INFINITY : clock.now() + AGAIN_MS })
  return text
}

function keep(key: string, entry: CachedText): void {
  forget(key)
  cache.set(key, entry)
  cachedLength += entry.text.text.length
  for (const oldest of cache.keys()) {
    if (cachedLength <= CACHED_LENGTH) break
    forget(oldest)
  }
}

function forget(key: string): void {
  cachedLength -= cache.get(key)?.text.text.length ?? 0
  cache.delete(key)
}

const asWritten = (source: string): Html => html`${source.split(/\n{2,}/).map(paragraph => html`<p>${paragraph}</p>`)}`

/** Threads without a text. As many tasks run as there are threads, so a task finds one here. */
const free: Promise<Worker>[] = []
let begun: Promise<unknown> | undefined

/** All threads are started with the first text, and each again after it was stopped. */
function started(): Promise<unknown> {
  begun ??= Promise.all(Array.from({ length: THREADS }, startThread)).catch((error: unknown) => {
    begun = undefined
    free.length = 0
    throw error
  })
  return begun
}

function startThread(): Promise<Worker> {
  const worker = new Worker(join(import.meta.dirname, 'markdown-worker.ts'), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
  })
  // an error is one of the text that is rendered then, and the thread's end
  worker.on('error', () => {})
  const running = once(worker, 'message').then(() => {
    worker.unref()
    return worker
  })
  running.catch(() => {})
  free.push(running)
  return running
}

/** Undefined where the thread met its limit of time or memory. */
async function inThread({ writer }: Source, source: string): Promise<{ rendered?: string } | undefined> {
  // who stopped a thread lately waits for the one that is being started, at the end
  const next = slow.has(writer) ? free.pop() : free.shift()
  const worker = await (next ?? startThread())
  const { promise, resolve } = Promise.withResolvers<{ rendered?: string } | undefined>()
  const ended = () => resolve(undefined)
  const timer = setTimeout(ended, RENDER_MS)
  worker.once('message', resolve).once('exit', ended)
  let outcome: { rendered?: string } | undefined
  try {
    worker.postMessage(source)
    outcome = await promise
    return outcome
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('exit', ended)
    if (outcome) free.unshift(Promise.resolve(worker))
    else {
      void worker.terminate()
      startThread()
    }
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
  const words = plain.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => NAMED[entity] ?? entity).split(/\s+/)
  return shortened(words.filter(Boolean).join(' '), longest)
}

export function shortened(text: string, longest = 200): string {
  if (text.length <= longest) return text
  const cut = text.slice(0, longest - 1)
  const end = cut.lastIndexOf(' ')
  return `${end > longest / 2 ? cut.slice(0, end) : cut}…`
}
