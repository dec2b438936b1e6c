import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PerformanceObserver } from 'node:perf_hooks'

interface Question {
  do: string
  [more: string]: unknown
}

/** Handles commands: in a process of its own, or in this one. */
export interface CommandRunner {
  ask<T>(question: Question): Promise<T>
  stop(): Promise<void>
}

/** The same commands in this process, for a check: a process for each server would take most of its time. */
export class LocalCommandRunner implements CommandRunner {
  readonly #commands: Commands

  constructor(commands: Commands) {
    this.#commands = commands
  }

  async ask<T>(question: Question): Promise<T> {
    return (await this.#commands.handlers[question.do]!(question)) as T
  }

  async stop(): Promise<void> {
    await this.#commands.end?.()
  }
}

/** A child process that handles one command at a time. It exits on `stop`, or when this process is gone. */
export class Child implements CommandRunner {
  readonly #process: ChildProcess
  #turn: Promise<unknown> = Promise.resolve()

  constructor(file: string, execArgv: string[] = []) {
    this.#process = fork(join(import.meta.dirname, file), [], { execArgv: ['--disable-warning=DEP0205', ...execArgv] })
  }

  ask<T>(question: Question): Promise<T> {
    const result = this.#turn.then(() => this.#askNow<T>(question))
    this.#turn = result.catch(() => {})
    return result
  }

  async #askNow<T>(question: Question): Promise<T> {
    const over = new AbortController()
    const gone = once(this.#process, 'exit', { signal: over.signal }).then(([code]) => {
      throw new Error(`a process of the benchmark ended (${code}) while it was asked to ${question.do}`)
    })
    try {
      const reply = once(this.#process, 'message', { signal: over.signal })
      this.#process.send(question)
      const [message] = (await Promise.race([reply, gone])) as [{ value: T } | { failed: string }]
      if ('failed' in message) throw new Error(message.failed)
      return message.value
    } finally {
      gone.catch(() => {})
      over.abort()
    }
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    if (this.#process.connected) this.#process.disconnect()
    const late = setTimeout(() => this.#process.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(late)
  }
}

/** What a child does: its command handlers by name, and what it closes at the end. */
export interface Commands {
  // biome-ignore lint/suspicious/noExplicitAny: each handler knows its own command
  handlers: Record<string, (question: any) => unknown>
  end?: () => Promise<void>
}

/** The child's side. `end` runs when the parent disconnects. */
export function serveCommands({ handlers, end = async () => {} }: Commands): void {
  process.on('message', async (question: { do: string }) => {
    try {
      const value = await handlers[question.do]!(question)
      process.send?.({ value })
    } catch (error) {
      process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on('disconnect', () => {
    end().finally(() => process.exit())
  })
  // Ctrl-C reaches the whole group; the parent decides what ends when
  process.on('SIGINT', () => {})
}

export interface ProcessUsage {
  cpuSeconds: number
  /** spent in garbage collections, which stop everything else */
  gcSeconds: number
  rssBytes: number
  /** after a collection, if one was asked for */
  heapBytes: number
}

let gcSeconds = 0
new PerformanceObserver(list => {
  for (const { duration } of list.getEntries()) gcSeconds += duration / 1000
}).observe({ entryTypes: ['gc'] })

/** What this process has used so far. */
export function usage({ collect }: { collect: boolean }): ProcessUsage {
  if (collect) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return { cpuSeconds: (user + system) / 1e6, gcSeconds, rssBytes: rss, heapBytes: heapUsed }
}
