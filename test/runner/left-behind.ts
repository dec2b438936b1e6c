import { setTimeout as delay } from 'node:timers/promises'
import { clock } from '../../src/kernel/time/clock.ts'
import { sharedCount } from '../harness/file-end.ts'

/** What test files of one process could share without wanting to. */
export interface ProcessState {
  /** timers, sockets, servers and child processes that keep the process alive, by kind */
  resources: Map<string, number>
  listeners: Map<string, number>
  globals: Set<string>
  env: Map<string, string>
  folder: string
  clockOffset: number
}

export const currentState = (): ProcessState => ({
  resources: countEach(
    process.getActiveResourcesInfo().filter(kind => !EPHEMERAL.has(kind)),
    sharedCount,
  ),
  listeners: new Map(SHARED_EVENTS.map(name => [name, process.listenerCount(name)])),
  globals: new Set(Object.getOwnPropertyNames(globalThis).filter(name => !OF_LIBRARIES.test(name))),
  env: new Map(Object.entries(process.env).filter(([name]) => name !== SET_ONCE) as [string, string][]),
  folder: process.cwd(),
  clockOffset: clock.offset(),
})

/** Events of the process that change what happens in other files. */
const SHARED_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'warning']
/** pdf.js, its parts, zod, tslib and the client of S3 define them when they are loaded, and nothing else reads them. */
const OF_LIBRARIES = /^(__[\w-]+|awslambda|DOMMatrix|Path2D|ImageData|self|_?pdfjs\w+)$/
/** A folder that commands of tests use in place of the user's; `test/cli/run-cli.ts` sets it when it is loaded. */
const SET_ONCE = 'HIRING_CONFIG_DIR'
/** Work of Node that ends by itself: reads of files, look-ups, the next turn of the event loop. */
const EPHEMERAL = new Set(['Immediate', 'FSReqPromise', 'FSReqCallback', 'GetAddrInfoReqWrap', 'TickObject'])
/** Sockets take a moment to close after the call that closes them, and threads to start: many seconds on a busy machine. */
const CLOSE_TIMEOUT_MS = 30_000

/** One line for each thing that a test file left behind; none is what the runner wants. */
export async function leftBehind(before: ProcessState): Promise<string[]> {
  const end = performance.now() + CLOSE_TIMEOUT_MS
  for (;;) {
    const found = difference(before, currentState())
    // nothing else goes away by itself
    const mayClose = found.some(what => what.startsWith('open '))
    if (!mayClose || performance.now() > end) return found
    await delay(20)
  }
}

function difference(before: ProcessState, now: ProcessState): string[] {
  const more = (kind: string, from: Map<string, number>, to: Map<string, number>) =>
    [...to].filter(([name, count]) => count > (from.get(name) ?? 0)).map(([name]) => `${kind} ${name}`)
  return [
    ...more('open', before.resources, now.resources),
    ...more('a listener of the process for', before.listeners, now.listeners),
    ...[...now.globals].filter(name => !before.globals.has(name)).map(name => `the global ${name}`),
    ...[...new Set([...before.env.keys(), ...now.env.keys()])]
      .filter(name => before.env.get(name) !== now.env.get(name))
      .map(name => `the environment variable ${name}`),
    ...(before.folder === now.folder ? [] : ['another working directory']),
    ...(now.clockOffset === 0 ? [] : ['a clock that was moved']),
  ]
}

/** How often each name occurs, not counting as many as are `expected`. */
function countEach(names: readonly string[], expected: (name: string) => number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? -expected(name)) + 1)
  return counts
}
