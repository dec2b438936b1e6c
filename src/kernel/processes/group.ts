import cluster, { type Worker as ClusterProcess } from 'node:cluster'
import { StartError } from '../services/start-error.ts'
import type { Log } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'
import type { FromProcess, Questions, ReadyFacts, ToProcess } from './messages.ts'
import type { PlannedProcess } from './plan.ts'

const FIRST_BACKOFF_MS = 100
const LONGEST_BACKOFF_MS = 5_000
/** A process that ran this long was healthy: the next failure starts from the shortest wait again. */
const HEALTHY_AFTER_MS = 30_000
/** Longer than the checks of a process, so that theirs is what is reported. */
const REPLY_MS = 5_000
/** A replacement that is not ready by then is given up. */
const START_LIMIT_MS = 300_000
/** The time that a process needs to end after its last request. */
const END_MS = 10_000

interface Place extends PlannedProcess {
  current: Member
  /** while another process takes this place */
  replacing?: Promise<void>
}

/**
 * The processes of one service on this machine. This process accepts connections and hands each to the next of those
 * that serve requests, so that one that stops or starts refuses none while another runs; it opens no database and does no
 * work itself.
 *
 * The first process is started alone: it migrates the database and builds what all of them need. A process that ends is
 * started again. Without this process the others stop.
 */
export class ProcessGroup {
  readonly #log: Log
  readonly #env: (planned: PlannedProcess) => Record<string, string>
  readonly #shutdownMs: number
  readonly #places: Place[] = []
  readonly #keeping: Promise<void>[] = []
  readonly #stop = new AbortController()
  /** every process that has not ended */
  readonly #running = new Set<Member>()
  #replacing: Promise<void> = Promise.resolve()
  #waiting: Promise<void> | undefined

  /** `program` with `args` is one process; `env` says which it is. */
  constructor(opts: {
    program: string
    args: readonly string[]
    env: (planned: PlannedProcess) => Record<string, string>
    shutdownSeconds: number
    log: Log
  }) {
    this.#log = opts.log
    this.#env = opts.env
    this.#shutdownMs = opts.shutdownSeconds * 1_000 + END_MS
    cluster.schedulingPolicy = cluster.SCHED_RR
    // JSON has no NaN, which is the value of a metric that a process does not know
    cluster.setupPrimary({ exec: opts.program, args: [...opts.args], serialization: 'advanced' })
  }

  /** Starts one process and waits until it is ready. What it said when it could not start is on standard error. */
  async start(planned: PlannedProcess): Promise<ReadyFacts> {
    const place: Place = { ...planned, current: this.#launch(planned) }
    this.#places.push(place)
    const facts = await place.current.ready
    this.#keeping.push(this.#keep(place))
    return facts
  }

  /** The process ids by the names of their places. */
  pids(): Record<string, number> {
    return Object.fromEntries(this.#places.map(({ name, current }) => [name, current.pid ?? 0]))
  }

  /** Returns the reply of each process; undefined from one that does not reply. */
  ask<Q extends keyof Questions>(question: Q): Promise<{ name: string; reply: Questions[Q] | undefined }[]> {
    return Promise.all(
      this.#places.map(async ({ name, current }) => ({
        name,
        reply: await current.ask(question).catch(() => undefined),
      })),
    )
  }

  /**
   * Puts a new process in each place, one after another; the old one stops when the new one is ready. A call while another
   * waits to begin joins that one.
   */
  replaceAll(): Promise<void> {
    this.#waiting ??= this.#replacing.then(async () => {
      this.#waiting = undefined
      await this.#replaceInTurn()
    })
    this.#replacing = this.#waiting
    return this.#replacing
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    const ends = () => Promise.all([...this.#running].map(member => member.end(this.#shutdownMs)))
    await ends()
    await this.#replacing
    await Promise.all(this.#keeping)
    // one that was started in the same moment
    await ends()
  }

  async #replaceInTurn(): Promise<void> {
    for (const place of this.#places) {
      if (this.#stop.signal.aborted) return
      place.replacing = this.#replace(place)
      try {
        await place.replacing
      } catch {
        if (this.#stop.signal.aborted) return
        this.#log.error({ member: place.name }, 'the new process did not start; the others keep running as they are')
        return
      } finally {
        delete place.replacing
      }
    }
    this.#log.info({}, 'every process was replaced')
  }

  async #replace(place: Place): Promise<void> {
    const old = place.current
    const next = this.#launch(place)
    const late = setTimeout(() => next.end(0), START_LIMIT_MS)
    try {
      await next.ready
    } finally {
      clearTimeout(late)
    }
    place.current = next
    await old.end(this.#shutdownMs)
  }

  #launch(planned: PlannedProcess): Member {
    const member = new Member(() => cluster.fork(this.#env(planned)))
    this.#running.add(member)
    member.exited.then(() => this.#running.delete(member))
    return member
  }

  async #keep(place: Place): Promise<void> {
    let backoff = FIRST_BACKOFF_MS
    while (!this.#stop.signal.aborted) {
      const { current } = place
      const outcome = await current.exited
      await place.replacing?.catch(() => {})
      if (this.#stop.signal.aborted) return
      if (place.current !== current) continue
      if (clock.monotonic() - current.startedAt > HEALTHY_AFTER_MS) backoff = FIRST_BACKOFF_MS
      this.#log.error(
        { member: place.name, memberPid: current.pid, outcome, retryInMs: backoff },
        'process ended, restarting',
      )
      await pause(backoff, this.#stop.signal)
      backoff = Math.min(backoff * 2, LONGEST_BACKOFF_MS)
      // a replacement may have come in between
      await place.replacing?.catch(() => {})
      if (!this.#stop.signal.aborted && place.current === current) place.current = this.#launch(place)
    }
  }
}

/** One process of the group. */
class Member {
  readonly startedAt = clock.monotonic()
  readonly ready: Promise<ReadyFacts>
  /** its exit code or the signal that ended it */
  readonly exited: Promise<number | string>
  /** undefined: the system refused to make one */
  readonly #process: ClusterProcess | undefined
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>()
  #questions = 0
  #isReady = false

  constructor(fork: () => ClusterProcess) {
    const ready = Promise.withResolvers<ReadyFacts>()
    const exited = Promise.withResolvers<number | string>()
    this.ready = ready.promise
    this.exited = exited.promise
    this.ready.catch(() => {}) // of a restart, whose end is seen by its exit
    const end = (outcome: number | string) => {
      this.#isReady = false
      ready.reject(new ProcessEnded(outcome))
      exited.resolve(outcome)
      for (const asked of this.#asked.values()) asked.reject(new ProcessEnded(outcome))
    }
    const failed = (error: NodeJS.ErrnoException) => end(error.code ?? error.message)
    try {
      this.#process = fork()
    } catch (error) {
      // some refusals of the system are thrown, such as a lack of memory; the others are events
      failed(error as Error)
      return
    }
    this.#process.on('message', (message: FromProcess) => {
      if ('ready' in message) {
        this.#isReady = true
        return ready.resolve(message.ready)
      }
      const asked = this.#asked.get(message.id)
      if ('failed' in message) asked?.reject(new Error('failed'))
      else asked?.resolve(message.reply)
    })
    this.#process.on('error', error => {
      // no process was made; otherwise it is a message to one that has just ended, whose exit follows
      if (this.pid === undefined) failed(error)
    })
    this.#process.on('exit', (code, signal) => end(signal ?? code))
  }

  get pid(): number | undefined {
    return this.#process?.process.pid
  }

  async ask<Q extends keyof Questions>(question: Q): Promise<Questions[Q]> {
    if (!this.#isReady || !this.#process?.isConnected()) throw new Error('not ready')
    const id = this.#questions++
    const asked = Promise.withResolvers<unknown>()
    const timer = setTimeout(() => asked.reject(new Error('no reply')), REPLY_MS)
    this.#asked.set(id, asked)
    this.#process.send({ question, id } satisfies ToProcess, error => error && asked.reject(error))
    try {
      return (await asked.promise) as Questions[Q]
    } finally {
      clearTimeout(timer)
      this.#asked.delete(id)
    }
  }

  /** By a signal, which also ends a process that is still starting and reads no messages yet. */
  async end(limitMs: number): Promise<void> {
    const timer = setTimeout(() => this.#process?.process.kill('SIGKILL'), limitMs)
    this.#process?.process.kill('SIGTERM')
    await this.exited
    clearTimeout(timer)
  }
}

/** A process of the group ended before it was ready; it said why on standard error. */
export class ProcessEnded extends StartError {
  readonly outcome: number | string
  constructor(outcome: number | string) {
    super(`a process of the service ended with ${outcome}`)
    this.outcome = outcome
  }
}
