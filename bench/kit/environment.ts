import { cpus } from 'node:os'
import { API_PREFIX } from '../../src/contract/version.ts'
import { Child, type CommandRunner, LocalCommandRunner, type ProcessUsage } from './child.ts'
import type { Prepare, Send, Sent } from './load.ts'
import {
  type Dataset,
  type Scenario,
  type ScenarioRequest,
  SERVER_KINDS,
  type ServerKind,
  UNIQUE,
  unique,
} from './scenario.ts'
import { type StartServer, serverCommands } from './server.ts'
import { Store } from './store.ts'

/** One server under test, and the row that is asked of it. */
export interface Target {
  row: Scenario
  kind: ServerKind
  server: CommandRunner
  port: number
  /** the name of its requests in the load generator */
  load: string
}

/** Nothing of a check waits for workers. */
const CHECK_SETTINGS = { ROLES: 'api', DATABASE_CONNECTIONS: '4' }

type Entry = Pick<Target, 'kind' | 'row' | 'server' | 'port'>

export interface Measurement extends Sent {
  /** CPU time of the parts in microseconds for one request; of the database where the system tells */
  cpu: { server: number; database: number | undefined; loader: number }
  /** microseconds for one request in which the server was paused for garbage collection */
  gc: number
  /** share of the machine that other processes used during the sample */
  others: number
}

/** The database, the load generator and the servers of a run. Everything on it ends with `close`. */
export class BenchEnvironment {
  readonly #store: Store
  /** none in a check, which measures nothing */
  readonly #loader: Child | undefined
  #servers: Entry[] = []

  private constructor(store: Store, loader: Child | undefined) {
    this.#store = store
    this.#loader = loader
  }

  static async open(): Promise<BenchEnvironment> {
    return new BenchEnvironment(await Store.open(), new Child('load.ts'))
  }

  /** To compare responses only: the servers run in this process, and nothing can be sent by `send`. */
  static async openForCheck(): Promise<BenchEnvironment> {
    return new BenchEnvironment(await Store.open({ durable: false }), undefined)
  }

  /** for files of the run; gone with it */
  get folder(): string {
    return this.#store.folder
  }

  #place(dataset: Dataset) {
    return {
      connection: this.#store.connection(dataset),
      databaseUrl: this.#store.url(dataset),
      dataDir: this.#store.dataDir(dataset),
    }
  }

  /** Fills the databases, starts the servers, and checks that they all return the same. */
  async enter(rows: readonly Scenario[]): Promise<Target[]> {
    const contenders: Target[] = []
    for (const row of rows) {
      const db = await this.#store.dataset(row.dataset)
      const service = await this.#server(row, 'service')
      const get = (path: string, key: string) => askJson(service.port, { path, key }, 200)
      const post = (path: string, key: string, body: unknown) =>
        askJson(service.port, { path, key, method: 'POST', body }, 200)
      const { keys, workspace } = this.#store
      const requests = await row.requests({ db, keys, workspace, get, post })
      await this.#prepare(row, requests)
      for (const kind of row.servers ?? SERVER_KINDS) {
        const { server, port } = await this.#server(row, kind)
        contenders.push({ row, kind, server, port, load: loadName(row, kind) })
      }
      const own = contenders.filter(contender => contender.row === row)
      for (const request of requests.slice(0, COMPARED)) await compareResponses(row, own, request)
    }
    return contenders
  }

  async send(
    contender: Target,
    how: Pick<Send, 'connections' | 'settleSeconds' | 'seconds' | 'count'>,
  ): Promise<Measurement> {
    const { server, port, load, row } = contender
    const before = await this.#spent(server, row)
    const sent = await this.#loader!.ask<Sent>({ do: 'send', name: load, port, ...how } satisfies Send)
    const after = await this.#spent(server, row)
    const requests = sent.requests + sent.uncounted
    const each = (part: 'server' | 'gc' | 'database' | 'loader') => ((after[part] - before[part]) * 1e6) / requests
    const own = after.server - before.server + after.database - before.database + after.loader - before.loader
    return {
      ...sent,
      cpu: {
        server: each('server'),
        database: after.database === 0 ? undefined : each('database'),
        loader: each('loader'),
      },
      gc: each('gc'),
      others: Math.max(0, after.busy - before.busy - own) / (after.all - before.all),
    }
  }

  /** Seconds of CPU so far: of the parts, and of the whole machine. */
  async #spent(server: CommandRunner, row: Scenario) {
    const [of, load] = [await readUsage(server), await readUsage(this.#loader!)]
    const database = (await this.#store.cpuSeconds(row.dataset)) ?? 0
    let [busy, all] = [0, 0]
    for (const { times } of cpus()) {
      const used = times.user + times.nice + times.sys + times.irq
      busy += used / 1000
      all += (used + times.idle) / 1000
    }
    return { server: of.cpuSeconds, gc: of.gcSeconds, database, loader: load.cpuSeconds, busy, all }
  }

  /** Stops the servers; the databases stay for the next rows. */
  async leave(): Promise<void> {
    const ending = this.#servers
    this.#servers = []
    await Promise.all(ending.map(({ server }) => server.stop()))
  }

  async close(): Promise<void> {
    await this.leave()
    await this.#loader?.stop()
    await this.#store.close()
  }

  /** A database has one service, and one of each baseline that reads from it. */
  async #server(row: Scenario, kind: ServerKind): Promise<Entry> {
    const { dataset, baseline } = row
    const known = this.#servers.find(
      s => s.kind === kind && s.row.dataset === dataset && (kind === 'service' || s.row.baseline === baseline),
    )
    if (known) return known
    const server = this.#loader
      ? new Child('server-process.ts', ['--expose-gc', '--max-semi-space-size=16'])
      : new LocalCommandRunner(serverCommands())
    const entry = { kind, row, server, port: 0 }
    this.#servers.push(entry)
    entry.port = await server.ask<number>({
      do: 'start',
      kind,
      row: row.name,
      settings: { ...row.settings, ...(this.#loader ? {} : CHECK_SETTINGS) },
      ...this.#place(dataset),
    } satisfies StartServer)
    return entry
  }

  async #prepare(row: Scenario, requests: ScenarioRequest[]): Promise<void> {
    if (!this.#loader) return
    for (const kind of row.servers ?? SERVER_KINDS) {
      const texts = requests.map(request => requestText(requestFor(kind, request)))
      const status = row.status ?? 200
      await this.#loader.ask({ do: 'prepare', name: loadName(row, kind), requests: texts, status } satisfies Prepare)
    }
  }
}

/** The bytes of a request, as the load generator sends them. */
export function requestText({ key, path, page, method = 'GET', body }: ScenarioRequest): string {
  if (page) return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n`
  const head = `${method} ${API_PREFIX}${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nAuthorization: Bearer ${key}\r\n`
  if (body === undefined) return `${head}\r\n`
  const json = JSON.stringify(body)
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
}

export const readUsage = (server: CommandRunner, collect = false): Promise<ProcessUsage> =>
  server.ask({ do: 'usage', collect })

const loadName = (row: Scenario, kind: ServerKind) => `${kind} ${row.name}`

const requestFor = (kind: ServerKind, request: ScenarioRequest): ScenarioRequest => ({
  ...request,
  path: kind === 'service' ? request.path : (request.baselinePath ?? request.path),
})

/** Requests of each row whose responses are compared: where they differ in kind, the first ones do. */
const COMPARED = 4

async function compareResponses(row: Scenario, servers: readonly Target[], request: ScenarioRequest): Promise<void> {
  if (request.page) {
    const { status } = await fetch(`http://127.0.0.1:${servers[0]!.port}${request.path}`)
    if (status !== (row.status ?? 200)) throw new Error(`${request.path} returned ${status}`)
    return
  }
  const own = new Set(row.differing)
  const responses: { kind: ServerKind; text: string }[] = []
  for (const { kind, port } of servers) {
    const { next_cursor, ...response } = await askJson(port, requestFor(kind, request), row.status ?? 200)
    responses.push({ kind, text: JSON.stringify(response, (name, value) => (own.has(name) ? undefined : value)) })
  }
  const [first, ...others] = responses
  for (const { kind, text } of others) {
    if (text === first!.text) continue
    const at = [...text].findIndex((char, i) => char !== first!.text[i])
    const [ours, theirs] = [text, first!.text].map(response => response.slice(Math.max(0, at - 60), at + 60))
    throw new Error(
      `${row.name}: the servers return different responses: ${kind} …${ours}…, ${first!.kind} …${theirs}…`,
    )
  }
}

/** far above those that the load generator counts up to */
let uniques = 9_000_000_000

async function askJson(
  port: number,
  { path, key, method = 'GET', body }: ScenarioRequest,
  status: number,
  // biome-ignore lint/suspicious/noExplicitAny: responses of every kind
): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}${API_PREFIX}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body).replace(UNIQUE, unique(++uniques)) }),
  })
  if (response.status !== status) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  return response.json()
}
