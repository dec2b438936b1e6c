import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '../../src/app.ts'
import type { PlanCode } from '../../src/contract/plans.ts'
import { API_PREFIX } from '../../src/contract/version.ts'
import type { PasswordCost } from '../../src/kernel/access/password.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import type { ResolveName } from '../../src/kernel/net/resolve-name.ts'
import type { Services } from '../../src/kernel/services/services.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { startService } from '../../src/main.ts'
import type { NewKey } from '../../src/resources/keys/actions.ts'
import { createKey, type IssuedKey } from '../../src/resources/keys/index.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { createWorkspace } from '../../src/resources/workspaces/index.ts'
import { describeRoutes } from './description.ts'
import { readNewTypes } from './evidence.ts'
import { atFileEnd, atProcessEnd, shareOpen } from './file-end.ts'
import { PERSONAL_IN_SQL, refusePersonal, watchedLog } from './personal-data.ts'
import { cloneDatabase, stopOwnServer, type TestDatabase } from './postgres.ts'
import { checkResponses, failOnDifference } from './responses.ts'
import { sandboxOfRun } from './sandbox.ts'

export interface TestResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every kind
  body: any
  text: string
}

export interface TestService {
  services: Services
  database: TestDatabase
  /** origin, without the API's prefix */
  origin: string
  base: string
  /** undefined where metrics are not served */
  metricsUrl: string | undefined
  /** every line of the log so far, whatever its level */
  logLines: readonly string[]
  call(method: string, path: string, opts?: CallOptions): Promise<TestResponse>
  get(path: string, key?: Keyed, opts?: CallOptions): Promise<TestResponse>
  post(path: string, key: Keyed, body?: unknown, opts?: CallOptions): Promise<TestResponse>
  workspace(plan?: PlanCode | 'none', name?: string): Promise<{ id: string; userEmail: string; userId: string }>
  key(input: Partial<NewKey> & { workspace: string }): Promise<IssuedKey>
  stop(): Promise<void>
}

type Keyed = { secret: string } | string | undefined

export interface CallOptions {
  key?: Keyed
  headers?: Record<string, string>
  body?: unknown
  /** sent as it is */
  raw?: string | Buffer
}

const personalEvents = () => sql<{ text: string }>`
  select body as text from events where body ~* ${PERSONAL_IN_SQL}
  union all select head || tail from outbox where head || tail ~* ${PERSONAL_IN_SQL} limit 5`

/** Passwords of tests are worth nothing: next to no time is spent on one. */
export const CHEAP: PasswordCost = { N: 16, r: 1, p: 1 }

const started: TestService[] = []

/** Listeners that pile up on a connection or a signal are a leak of the product. */
const leaks: Error[] = []
process.on('warning', warning => {
  if (warning.name === 'MaxListenersExceededWarning') leaks.push(warning)
})

/** The connections of `fetch`, under the name by which undici publishes them. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

// Before services stop, which wait a moment for open connections. A response that a test does not read to its end keeps
// its connection open, also when its service has stopped.
atFileEnd(async () => {
  const fetching = globalThis as unknown as Record<symbol, { destroy(): Promise<void>; constructor: new () => never }>
  const used = fetching[DISPATCHER]
  if (!used) return
  fetching[DISPATCHER] = new used.constructor()
  await used.destroy()
})

atFileEnd(async () => {
  clock.reset()
  usesShared = false
  const stops = await Promise.allSettled(started.splice(0).map(service => service.stop()))
  for (const stop of stops) if (stop.status === 'rejected') throw stop.reason
  const [leak] = leaks.splice(0)
  if (leak) throw leak
})

/** The service that the files of this process share. */
let shared: Promise<TestService> | undefined
/** whether the running file uses it */
let usesShared = false

atProcessEnd(async () => (await shared)?.stop())
atProcessEnd(stopOwnServer)

const { advance } = clock
clock.advance = ms => {
  if (usesShared) throw new Error('a file that moves the clock needs a service of its own: startTestService')
  advance(ms)
}

/**
 * The running service, without workers, that all files of this process share: half of what a small file costs. For tests that
 * look at workspaces of their own alone: they leave its clock, its settings and the limits of networks as they are, and
 * count nothing of others.
 */
export async function sharedTestService(): Promise<TestService> {
  usesShared = true
  shared ??= launchShared()
  const running = await shared
  const linesBefore = running.logLines.length
  return {
    ...running,
    get logLines() {
      return running.logLines.slice(linesBefore)
    },
    stop() {
      throw new Error('a file that stops the service needs one of its own: startTestService')
    },
  }
}

async function launchShared(): Promise<TestService> {
  const service = await launch({ ROLES: 'api' })
  const toDatabase = service.database.connection.host.startsWith('/') ? 'PipeWrap' : 'TCPSocketWrap'
  shareOpen({ TCPServerWrap: 1, [toDatabase]: Infinity, Timeout: Infinity })
  return service
}

interface LaunchOptions {
  routes?: readonly Route[]
  database?: TestDatabase
  resolveName?: ResolveName
  passwordCost?: PasswordCost
  beforeListening?: (services: Services) => Promise<void>
}

/** A running service on a database of its own. Stops with the test file. */
export async function startTestService(
  settings: Record<string, string> = {},
  opts: LaunchOptions = {},
): Promise<TestService> {
  const service = await launch(settings, opts)
  started.push(service)
  return service
}

async function launch(settings: Record<string, string>, opts: LaunchOptions = {}): Promise<TestService> {
  const database = opts.database ?? (await cloneDatabase())
  const dataDir = mkdtempSync(join(tmpdir(), 'hiring-data-'))
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    // a busy machine must not look like a database that is gone
    DATABASE_WAIT_SECONDS: '30',
    LIMITER: 'memory',
    LOG_LEVEL: 'error',
    SHUTDOWN_SECONDS: '2',
    ...settings,
  })
  const { log, lines } = watchedLog(config.LOG_LEVEL)
  const running = await startService(config, { passwordCost: CHEAP, chooseSandbox: sandboxOfRun, ...opts, log })
  const origin = `http://127.0.0.1:${running.port}`
  const { services } = running
  const endChecks = checkResponses(running.port, describeRoutes(opts.routes ?? routes))

  const call = async (method: string, path: string, opts: CallOptions = {}): Promise<TestResponse> => {
    const secret = typeof opts.key === 'string' ? opts.key : opts.key?.secret
    const url = path.startsWith('/') ? origin + API_PREFIX + path : path
    const response = await fetch(url, {
      method,
      headers: {
        ...(secret ? { authorization: `Bearer ${secret}` } : {}),
        ...(opts.body !== undefined ? { 'content-type': 'application/json' } : {}),
        ...opts.headers,
      },
      ...(opts.raw !== undefined
        ? { body: opts.raw }
        : opts.body !== undefined
          ? { body: JSON.stringify(opts.body) }
          : {}),
      redirect: 'manual',
    })
    const text = await response.text()
    // lines of JSON are not JSON
    const json = /(?<!nd)json/.test(response.headers.get('content-type') ?? '') && text !== ''
    failOnDifference()
    // a page may tell people who they are signed in as
    if (json && response.status >= 400) refusePersonal(`the response of ${method} ${path.split('?')[0]}`, text)
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined }
  }

  let stopped: Promise<void> | undefined
  const service: TestService = {
    services,
    database,
    origin,
    base: origin + API_PREFIX,
    logLines: lines,
    metricsUrl: running.metricsPort === undefined ? undefined : `http://127.0.0.1:${running.metricsPort}/metrics`,
    call,
    get: (path, key, opts) => call('GET', path, { ...opts, key }),
    post: (path, key, body, opts) => call('POST', path, { ...opts, key, ...(body === undefined ? {} : { body }) }),
    async workspace(plan = 'starter', name = 'Test workspace') {
      const { id } = await createWorkspace(services.db, { name, plan })
      const userEmail = `owner-${id.slice(-6)}@test.example`
      const user = await createUser(services.db, { workspace: id, email: userEmail, role: 'owner', firstName: 'Olga' })
      return { id, userEmail, userId: user.id }
    },
    key: input => createKey(services.db, { scopes: 'all', ...input }),
    stop: () =>
      (stopped ??= (async () => {
        const figures = await services.metrics.registry.metrics().catch(() => '') // the database may be unavailable by design
        const events = await services.db.query(personalEvents()).catch(() => [])
        await readNewTypes(service).catch(() => {})
        await running.stop()
        endChecks()
        if (!opts.database) await database.drop()
        rmSync(dataDir, { recursive: true, force: true })
        failOnDifference()
        refusePersonal('the figures', figures)
        for (const line of lines) refusePersonal('the log', line)
        for (const { text } of events) refusePersonal('an event', text)
      })()),
  }
  return service
}
