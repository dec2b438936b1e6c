import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { IndexLostError, type PoolIndex } from './pool-index.ts'
import type { IndexQuery, IndexResult } from './ranked-search.ts'
import type { TermsRow } from './store.ts'
import { packRows, type ThreadReply, type ThreadTask } from './thread-messages.ts'

/** Between two messages the event loop may run other work. */
const ROWS_PER_MESSAGE = 250

interface Waiting {
  resolve: (reply: ThreadReply) => void
  reject: (error: Error) => void
}

/** An index in a thread of its own: the event loop only sends rows and requests, and receives results. */
export class ThreadedIndex implements PoolIndex {
  readonly inThread = true
  size = 0
  needsRebuild = false
  readonly #thread = new Worker(join(import.meta.dirname, 'index-thread.ts'))
  readonly #waiting = new Map<number, Waiting>()
  #lost: IndexLostError | undefined
  #tasks = 0
  #closing: (() => void) | undefined

  constructor() {
    // between tasks the thread keeps no process alive that has nothing else to do
    this.#thread.unref()
    this.#thread.on('message', (reply: ThreadReply) => {
      this.size = reply.size
      this.needsRebuild = reply.needsRebuild
      const waiting = this.#waiting.get(reply.id)
      if (reply.failed === undefined) waiting?.resolve(reply)
      else waiting?.reject(new Error(reply.failed))
      this.#waiting.delete(reply.id)
      if (this.#waiting.size > 0) return
      this.#thread.unref()
      this.#closing?.()
    })
    const lost = (cause?: unknown) => {
      if (this.#lost) return
      this.#lost = new IndexLostError('the thread of the search index has ended', { cause })
      for (const { reject } of this.#waiting.values()) reject(this.#lost)
      this.#waiting.clear()
      this.#closing?.()
    }
    this.#thread.once('error', lost)
    this.#thread.once('exit', () => lost())
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  async put(rows: readonly TermsRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += ROWS_PER_MESSAGE) {
      await this.#run({ put: packRows(rows.slice(at, at + ROWS_PER_MESSAGE)) })
    }
  }

  async frequency(term: string): Promise<number> {
    return (await this.#run({ frequency: term })).frequency!
  }

  async search(query: IndexQuery): Promise<IndexResult> {
    return (await this.#run({ search: query })).result!
  }

  async close(): Promise<void> {
    if (this.#waiting.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#closing = resolve
      await promise
    }
    await this.stop()
  }

  /** Ends the thread, whatever it is doing. */
  async stop(): Promise<void> {
    await this.#thread.terminate()
  }

  async #run(task: ThreadTask): Promise<ThreadReply> {
    if (this.#lost) throw this.#lost
    const { promise, resolve, reject } = Promise.withResolvers<ThreadReply>()
    const id = ++this.#tasks
    this.#waiting.set(id, { resolve, reject })
    this.#thread.ref()
    this.#thread.postMessage({ id, task })
    return promise
  }
}
