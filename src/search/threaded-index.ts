import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { IndexLostError, type PoolIndex } from './pool-index.ts'
import type { IndexQuery, IndexResult } from './ranked-search.ts'
import type { TermsRow } from './store.ts'
import { packRows, type ThreadMessage, type ThreadReply, type ThreadStart, type ThreadTask } from './thread-messages.ts'

/** Between two messages the event loop may run other work. */
const ROWS_PER_MESSAGE = 250

/** A thread takes some megabytes besides the index, which all share. */
const MAX_THREADS = Math.min(4, availableParallelism())

interface Waiting {
  task: ThreadTask
  resolve: (reply: ThreadReply) => void
  reject: (error: Error) => void
}

/**
 * An index in threads of its own: the event loop only sends rows and requests, and receives results. The first thread makes the
 * index and alone writes into it; the others are started when searches have to wait, and search in the same memory. Tasks begin
 * in the order of the calls. Rows are written while no thread searches, so that no search meets half a change.
 */
export class ThreadedIndex implements PoolIndex {
  readonly inThread = true
  size = 0
  needsRebuild = false
  #most: number
  readonly #first: IndexThread
  readonly #threads: IndexThread[] = []
  readonly #queue: Waiting[] = []
  #lost: IndexLostError | undefined
  #closing: (() => void) | undefined

  constructor(mostThreads = MAX_THREADS) {
    this.#most = mostThreads
    this.#first = this.#start({})
  }

  /** that are ready */
  get threads(): number {
    return this.#threads.filter(thread => thread.isReady).length
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
    if (this.#isBusy) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#closing = resolve
      await promise
    }
    await this.stop()
  }

  /** Ends the threads, whatever they are doing. */
  async stop(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  get #isBusy(): boolean {
    return this.#queue.length > 0 || this.#threads.some(({ task }) => task !== undefined)
  }

  #run(task: ThreadTask): Promise<ThreadReply> {
    if (this.#lost) return Promise.reject(this.#lost)
    const { promise, resolve, reject } = Promise.withResolvers<ThreadReply>()
    this.#queue.push({ task, resolve, reject })
    this.#beginTasks()
    return promise
  }

  /** As many of those that wait as may run now. If no thread runs a task the first is taken, so it is the first that writes. */
  #beginTasks(): void {
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const running = this.#threads.flatMap(({ task }) => task ?? [])
      if (running.some(isWrite) || (running.length > 0 && isWrite(next))) return
      const idle = this.#threads.find(({ isReady, task }) => isReady && task === undefined)
      if (!idle) {
        this.#startAnother()
        return
      }
      this.#queue.shift()
      idle.begin(next)
    }
  }

  /** One at a time: the first task that waits shall not start all. */
  #startAnother(): void {
    if (this.#threads.length === this.#most || this.#threads.some(({ isReady }) => !isReady)) return
    // The memory goes from thread to thread: what this one has is freed only when it next collects its garbage.
    const { port1, port2 } = new MessageChannel()
    this.#first.send({ shareBy: port1 }, [port1])
    this.#start({ memoryFrom: port2 }, [port2])
  }

  #start(start: ThreadStart, transferList: MessagePort[] = []): IndexThread {
    const worker = new Worker(join(import.meta.dirname, 'index-thread.ts'), { workerData: start, transferList })
    const thread = new IndexThread(worker, !('memoryFrom' in start))
    this.#threads.push(thread)
    worker.on('message', (reply: ThreadReply) => {
      this.size = reply.size
      this.needsRebuild = reply.needsRebuild
      thread.end(reply)
      this.#beginTasks()
      if (!this.#isBusy) this.#closing?.()
    })
    worker.once('error', cause => this.#end(thread, cause))
    worker.once('exit', () => this.#end(thread))
    return thread
  }

  /** The first thread alone knows how to write. Without one of the others its search is lost, and no more are started. */
  #end(thread: IndexThread, cause?: unknown): void {
    if (thread === this.#first) {
      this.#lose(cause)
      return
    }
    const at = this.#threads.indexOf(thread)
    if (at < 0) return
    this.#threads.splice(at, 1)
    this.#most = this.#threads.length
    thread.task?.reject(new IndexLostError('a thread of the search index has ended', { cause }))
    thread.task = undefined
    if (this.#lost) return
    this.#beginTasks()
    if (!this.#isBusy) this.#closing?.()
  }

  #lose(cause?: unknown): void {
    if (this.#lost) return
    this.#lost = new IndexLostError('the thread of the search index has ended', { cause })
    for (const waiting of [...this.#queue.splice(0), ...this.#threads.flatMap(({ task }) => task ?? [])]) {
      waiting.reject(this.#lost)
    }
    for (const thread of this.#threads) thread.task = undefined
    this.#closing?.()
    void this.stop()
  }
}

const isWrite = ({ task }: Waiting): boolean => 'put' in task

class IndexThread {
  readonly worker: Worker
  isReady: boolean
  task: Waiting | undefined

  constructor(worker: Worker, isReady: boolean) {
    this.worker = worker
    this.isReady = isReady
    // between tasks the thread keeps no process alive that has nothing else to do
    worker.unref()
  }

  send(message: ThreadMessage, transfer: MessagePort[] = []): void {
    this.worker.postMessage(message, transfer)
  }

  begin(waiting: Waiting): void {
    this.task = waiting
    this.worker.ref()
    this.send({ task: waiting.task })
  }

  /** Ends its task, or its start. */
  end(reply: ThreadReply): void {
    const ended = this.task
    this.isReady = true
    this.task = undefined
    this.worker.unref()
    if (reply.failed === undefined) ended?.resolve(reply)
    else ended?.reject(new Error(reply.failed))
  }
}
