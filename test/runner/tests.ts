import { AsyncLocalStorage } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { mock } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getCallSites } from 'node:util'

/**
 * What the files of a worker get for `node:test`, with the part of it that they use. Node's own follows every promise of the
 * process with an async hook, to know to which test a call belongs: that is a seventh of the CPU of a run. Here a
 * test belongs to the suite around it, and else to the file that runs.
 */
export interface Outcome {
  /** after the names of the suites and tests around it */
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** the file and line that declare the test */
  place: string
  error?: unknown
}

interface Options {
  skip?: boolean | string
  timeout?: number
  /** How many tests of a suite run at the same time. */
  concurrency?: number
}
type Body = (t: Context) => unknown
type Hook = () => unknown
type Declared = [name: string, ...([Body] | [Options, Body])]

interface Child {
  names: readonly string[]
  place: string
  options: Options
}
interface Test extends Child {
  body: Body
}
interface Suite extends Child {
  /** resolves when the body has declared its tests, to the error of a body that failed */
  loaded: Promise<unknown>
  children: (Test | Suite)[]
  hooks: Record<'before' | 'after' | 'beforeEach' | 'afterEach', Hook[]>
}

const newSuite = (names: readonly string[], place: string, options: Options = {}): Suite => ({
  names,
  place,
  options,
  loaded: Promise.resolve(),
  children: [],
  hooks: { before: [], after: [], beforeEach: [], afterEach: [] },
})

const around = new AsyncLocalStorage<Suite>()
/** What belongs to no file ends with the process. */
const ofProcess = newSuite([], '')
let ofFile: Suite | undefined
const current = (): Suite => around.getStore() ?? ofFile ?? ofProcess

export function test(...declared: Declared): void {
  const { children, names } = current()
  children.push(readDeclared(names, declared))
}

/** Its body declares tests until it has ended. */
export function describe(...declared: Declared): void {
  const outer = current()
  const { names, place, options, body } = readDeclared(outer.names, declared)
  const suite = newSuite(names, place, { ...outer.options, ...options })
  outer.children.push(suite)
  if (!options.skip) load(suite, body as () => unknown)
}

export const before = (hook: Hook): void => void current().hooks.before.push(hook)
export const after = (hook: Hook): void => void current().hooks.after.push(hook)
export const beforeEach = (hook: Hook): void => void current().hooks.beforeEach.push(hook)
export const afterEach = (hook: Hook): void => void current().hooks.afterEach.push(hook)
export { mock }

function readDeclared(outer: readonly string[], declared: Declared): Test {
  const [name, options, body] = declared.length === 2 ? [declared[0], {}, declared[1]] : declared
  const [, , caller] = getCallSites(3)
  const place = caller ? `${fileURLToPath(caller.scriptName)}:${caller.lineNumber}` : ''
  return { names: [...outer, name], place, options, body }
}

function load(suite: Suite, body: () => unknown): void {
  const loading = around.run(suite, async () => void (await body()))
  // it is awaited when the tests before it have ended
  suite.loaded = loading.catch((error: unknown) => error ?? new Error('the body of a suite failed'))
}

/** From now on, modules that import `node:test` get this module. */
export function replaceNodeTest(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:test' && context.parentURL !== import.meta.url
        ? { url: import.meta.url, shortCircuit: true }
        : next(specifier, context),
  })
}

export interface RunOptions {
  /** A test, a hook or the loading of a suite fails after it, unless it says another one. */
  timeoutMs: number
  report: (outcome: Outcome) => void
  /** Runs before the hooks at the end of the file. */
  atEnd?: Hook
}

/** Runs the tests that loading the file declares. */
export async function runFile(file: string, loadFile: () => unknown, run: RunOptions): Promise<void> {
  const suite = newSuite([], file)
  ofFile = suite
  suite.hooks.after.push(() => run.atEnd?.())
  suite.loaded = (async () => void (await loadFile()))().catch((error: unknown) => error)
  const fail = (error: unknown) => {
    if (running.size === 0) run.report({ name: file, outcome: 'failed', place: file, error })
    for (const reject of running) reject(error)
  }
  for (const event of UNCAUGHT) process.on(event, fail)
  try {
    await runSuite(suite, [], run)
  } finally {
    for (const event of UNCAUGHT) process.off(event, fail)
    ofFile = undefined
  }
}

/** Errors that nothing handles fail the tests that run at that moment. */
const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const
const running = new Set<(error: unknown) => void>()

/** Runs what was declared outside of a file, such as the ends of what files share. */
export async function endProcess(): Promise<void> {
  for (const hook of ofProcess.hooks.after) await hook()
}

async function runSuite(suite: Suite, outer: readonly Suite[], run: RunOptions): Promise<void> {
  const { place, options, hooks } = suite
  const name = suite.names.join(' › ') || place
  if (options.skip) return run.report({ name, outcome: 'skipped', place })
  const failed = (error: unknown) => run.report({ name, outcome: 'failed', place, error })
  const timeoutMs = options.timeout ?? run.timeoutMs
  try {
    const error = await within(Math.max(timeoutMs, LOAD_TIMEOUT_MS), () => suite.loaded)
    if (error !== undefined) throw error
    for (const hook of hooks.before) await within(timeoutMs, hook)
    // one iterator: the next lane that is free takes the next child
    const waiting = suite.children.values()
    const lane = async () => {
      for (const child of waiting)
        await ('children' in child ? runSuite(child, [...outer, suite], run) : runTest(child, [...outer, suite], run))
    }
    await Promise.all(Array.from({ length: options.concurrency ?? 1 }, lane))
  } catch (error) {
    failed(error)
  }
  for (const hook of hooks.after) await within(timeoutMs, hook).catch(failed)
}

/** A file starts services and processes while it is loaded. */
const LOAD_TIMEOUT_MS = 60_000

async function runTest(
  { names, place, options, body }: Test,
  suites: readonly Suite[],
  run: RunOptions,
): Promise<void> {
  const name = names.join(' › ')
  if (options.skip) return run.report({ name, outcome: 'skipped', place })
  const t = new Context(names, run)
  const timeoutMs = options.timeout ?? suites.at(-1)?.options.timeout ?? run.timeoutMs
  const errors: unknown[] = []
  const attempt = (work: () => unknown) => within(timeoutMs, work).catch((error: unknown) => void errors.push(error))
  await attempt(async () => {
    for (const { hooks } of suites) for (const hook of hooks.beforeEach) await hook()
    await body(t)
    if (t.failedTests > 0) throw new Error(`${t.failedTests} of its tests failed`)
  })
  t.mock.reset()
  for (const hook of [...t.hooks, ...suites.flatMap(({ hooks }) => hooks.afterEach)]) await attempt(hook)
  if (errors.length > 0) run.report({ name, outcome: 'failed', place, error: errors[0] })
  else run.report({ name, outcome: t.isSkipped ? 'skipped' : 'passed', place })
}

const MockTracker = mock.constructor as new () => typeof mock

/** What the body of a test gets. */
class Context {
  readonly name: string
  readonly mock = new MockTracker()
  readonly hooks: Hook[] = []
  isSkipped = false
  failedTests = 0
  readonly #names: readonly string[]
  readonly #run: RunOptions

  constructor(names: readonly string[], run: RunOptions) {
    this.name = names.at(-1)!
    this.#names = names
    this.#run = run
  }

  after(hook: Hook): void {
    this.hooks.push(hook)
  }

  skip(): void {
    this.isSkipped = true
  }

  diagnostic(message: string): void {
    process.stderr.write(`  ℹ ${message}\n`)
  }

  /** Runs another test inside this one. */
  test(...declared: Declared): Promise<void> {
    const report = (outcome: Outcome) => {
      if (outcome.outcome === 'failed') this.failedTests++
      this.#run.report(outcome)
    }
    return runTest(readDeclared(this.#names, declared), [], { ...this.#run, report })
  }
}

// a test may replace the global ones
const { setTimeout, clearTimeout } = globalThis

/** Rejects when the time is over, or when something that nothing handles fails in the meantime. */
async function within<Result>(timeoutMs: number, work: () => Result | Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = () => reject(new Error(`timed out after ${timeoutMs}ms`))
  const timer = setTimeout(late, timeoutMs)
  running.add(reject)
  try {
    return await Promise.race([promise, (async () => work())()])
  } finally {
    running.delete(reject)
    clearTimeout(timer)
  }
}
