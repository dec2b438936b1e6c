import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { newKeySecret } from '../src/kernel/access/key-format.ts'
import { distribute } from '../src/kernel/citus/cluster.ts'
import { Database } from '../src/kernel/db/database.ts'
import { migrate } from '../src/kernel/db/migrate.ts'
import { newHandle } from '../src/kernel/ids/handles.ts'
import { createLog } from '../src/kernel/telemetry/log.ts'
import { openCitus, withoutCitus } from '../test/harness/citus.ts'
import { SMALL_DATASETS } from './datasets/size.ts'
import { Child } from './kit/child.ts'
import { requestText } from './kit/environment.ts'
import type { Prepare, Send, Sent } from './kit/load.ts'
import { median } from './kit/measure.ts'
import { cpuOfAll, cpuOfTree } from './kit/process-cpu.ts'
import type { Scenario } from './kit/scenario.ts'
import { addKeys } from './kit/store.ts'

const HELP = `Measures the service on a Citus cluster against the same on plain PostgreSQL, in turns, and prints the ratios.

  node bench/cluster.ts [options]

  --plain URL      an empty database on plain PostgreSQL
  --cluster URL    an empty database on a Citus coordinator with workers
  --rounds N       measurements of each figure, of which the median counts (7)
  --seconds N      length of one measurement (2)
  --connections N  callers at a time (8)
  --shards N       of the cluster (16)
  --help           this text

Both databases are filled. Without them it starts a coordinator with two workers and uses a second database of the
coordinator, without the extension, as the plain one: where citus.sh is next to the checkout. If all servers are on this
machine, it also prints the CPU of a request on each, which \`node bench/cluster-growth.ts\` calculates with, and what all
of them use when nothing is asked. The last row has no service: one client sends the statement of the single read, prepared,
which is what Citus itself costs.`

const { values } = parseArgs({
  options: {
    plain: { type: 'string' },
    cluster: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '8' },
    shards: { type: 'string', default: '16' },
    help: { type: 'boolean', default: false },
  },
})
const HIRING = join(import.meta.dirname, '../bin/hiring.js')
const KEYS = 500
/** The least that a cluster shall reach of plain PostgreSQL. */
const ROWS = { 'single application': 0.8, 'applications list': 0.9, 'creation of an application': 0.6 }

const BARE = 'statement of the single read, one client'
const IDLE = 'idle'
const IDLE_MS = 5_000

const ending: (() => unknown)[] = []
if (values.help) console.log(HELP)
else if (!(values.plain && values.cluster) && withoutCitus) {
  console.error(`${withoutCitus}: give --plain and --cluster`)
  process.exitCode = 2
} else {
  try {
    await run()
  } finally {
    for (const end of ending.reverse()) await end()
  }
}

async function databases(): Promise<{ plain: string; cluster: string }> {
  const { plain, cluster } = values
  if (plain && cluster) return { plain, cluster }
  const { citus, stop } = await openCitus(2)
  ending.push(stop)
  const admin = new pg.Client({ connectionString: citus.url, ssl: false })
  await admin.connect()
  await admin.query('create database plain')
  await admin.end()
  return { plain: citus.url.replace(/hiring$/, 'plain'), cluster: citus.url }
}

interface Side {
  name: 'plain' | 'cluster'
  port: number
  rates: Map<string, number[]>
  latencies: Map<string, number[]>
  /** microseconds of a request; empty if a server is on another machine */
  costs: Map<string, Cost[]>
  /** so far, in seconds */
  cpu(): Promise<Cost | undefined>
  /** sends the statement of the single read for so many seconds, without the service; how often */
  readBare(seconds: number): Promise<number>
}

interface Cost {
  service: number
  /** PostgreSQL to which the service connects: the only one, or the coordinator */
  database: number
  workers: number
}

async function run(): Promise<void> {
  // so that what a cluster adds to each request shows, not how large tables are
  process.env[SMALL_DATASETS] = '1'
  const { applications } = await import('./datasets/applications.ts')
  const { scenarios } = await import('./scenarios/applications.ts')
  const rows = Object.keys(ROWS).map(name => scenarios.find(row => row.name.startsWith(name))!)
  const loader = new Child('load.ts')
  ending.push(() => loader.stop())
  const sides: Side[] = []
  for (const [name, url] of Object.entries(await databases())) {
    const keys = Array.from({ length: KEYS }, () => newKeySecret('live'))
    const workspace = newHandle('workspace')
    const db = new Database({ connectionString: url }, { connections: 4, log: createLog('warn') })
    await migrate(db)
    await withClient(url, async client => {
      await addKeys(client, workspace, keys)
      await applications.seed(client, workspace)
    })
    // ends connections that were opened before it
    if (name === 'cluster') await distribute(db, { shards: Number(values.shards), onProgress: () => {} })
    await db.close()
    await withClient(url, async client => {
      await client.query('vacuum analyze')
      for (const row of rows) await prepare(loader, `${name} ${row.name}`, row, { client, keys, workspace })
    })
    const { port, pid } = await serve(url)
    sides.push({
      name: name as Side['name'],
      port,
      rates: new Map(),
      latencies: new Map(),
      costs: new Map(),
      cpu: await watch(pid, url),
      readBare: await bareReader(url, workspace),
    })
  }
  const send = (side: Side, row: Scenario, seconds: number, connections: number) =>
    loader.ask<Sent>({
      do: 'send',
      name: `${side.name} ${row.name}`,
      port: side.port,
      connections,
      seconds,
    } satisfies Send)
  const connections = Number(values.connections)
  for (const row of rows) for (const side of sides) await send(side, row, 3, connections)
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const row of rows) {
      // each goes first in turn
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const before = await side.cpu()
        const many = await send(side, row, Number(values.seconds), connections)
        const after = await side.cpu()
        const one = await send(side, row, Number(values.seconds) / 2, 1)
        if (before && after) add(side.costs, row.name, costOf(before, after, many.requests))
        add(side.rates, row.name, many.requests / many.seconds)
        add(side.latencies, row.name, one.p50Ms)
      }
    }
    for (const side of sides) {
      const seconds = Number(values.seconds) / 2
      const before = await side.cpu()
      const reads = await side.readBare(seconds)
      const after = await side.cpu()
      add(side.rates, BARE, reads / seconds)
      if (before && after) add(side.costs, BARE, costOf(before, after, reads))
    }
  }
  for (const side of sides) {
    const before = await side.cpu()
    await sleep(IDLE_MS)
    const after = await side.cpu()
    if (before && after) add(side.costs, IDLE, costOf(before, after, IDLE_MS / 1000))
  }
  console.log(
    `${values.rounds} rounds of ${values.seconds} s in turns, ${connections} callers; ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the end`,
  )
  for (const [row, goal] of rows.map((row, i) => [row.name, Object.values(ROWS)[i]!] as const)) {
    const [plain, cluster] = sides.map(side => median(side.latencies.get(row)!).toFixed(1))
    printRow(row, sides, `; goal ${goal}`, `; one caller ${plain} and ${cluster} ms`)
    printCosts(row, sides, 'CPU of a request')
  }
  printRow(BARE, sides, '', '')
  printCosts(BARE, sides, 'CPU of a statement')
  printCosts(IDLE, sides, 'CPU of an idle second')
}

function printRow(row: string, sides: readonly Side[], goal: string, more: string): void {
  const [plain, cluster] = sides.map(side => side.rates.get(row)!) as [number[], number[]]
  const ratios = plain.map((rate, i) => cluster[i]! / rate)
  console.log(
    `${row}: ${median(plain).toFixed(0)}/s plain, ${median(cluster).toFixed(0)}/s cluster, ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}${goal})${more}`,
  )
}

function printCosts(row: string, sides: readonly Side[], what: string): void {
  for (const { name, costs } of sides) {
    const measured = costs.get(row)
    if (!measured) continue
    const each = (part: keyof Cost) => `${median(measured.map(cost => cost[part])).toFixed(0)} µs`
    const servers =
      name === 'plain'
        ? `PostgreSQL ${each('database')}`
        : `coordinator ${each('database')}, workers ${each('workers')}`
    console.log(`  ${what}, ${name}: service ${each('service')}, ${servers}`)
  }
}

function add<T>(to: Map<string, T[]>, name: string, value: T): void {
  to.set(name, [...(to.get(name) ?? []), value])
}

function costOf(before: Cost, after: Cost, requests: number): Cost {
  const each = (part: keyof Cost) => ((after[part] - before[part]) * 1e6) / requests
  return { service: each('service'), database: each('database'), workers: each('workers') }
}

/** CPU of the service and of the connections to each server of its database. */
async function watch(pid: number, url: string): Promise<Side['cpu']> {
  const first = await open(url)
  const { rows: extensions } = await first.query("select from pg_extension where extname = 'citus'")
  const { rows: nodes } =
    extensions.length === 0
      ? { rows: [] }
      : await first.query<{ nodename: string; nodeport: number }>(
          'select nodename, nodeport from pg_dist_node where groupid > 0 order by nodeid',
        )
  const workers = await Promise.all(
    nodes.map(({ nodename, nodeport }) => {
      const of = new URL(url)
      of.hostname = nodename
      of.port = String(nodeport)
      return open(of.href)
    }),
  )
  const here = [new URL(url).hostname, ...nodes.map(node => node.nodename)].every(isLoopback)
  return async () => {
    if (!here) return undefined
    const [database, ...others] = await Promise.all([first, ...workers].map(connectionsCpu))
    return { service: cpuOfTree(pid), database: database!, workers: others.reduce((sum, cpu) => sum + cpu, 0) }
  }
}

async function bareReader(url: string, workspace: string): Promise<Side['readBare']> {
  const { applicationById } = await import('../src/resources/applications/index.ts')
  const client = await open(url)
  const { rows } = await client.query<{ id: string }>(
    'select id from applications where workspace_id = $1 order by id limit 500',
    [workspace],
  )
  return async seconds => {
    const end = performance.now() + seconds * 1000
    for (let reads = 0; ; reads++) {
      if (performance.now() >= end) return reads
      const { name, text, values } = applicationById(workspace, rows[reads % rows.length]!.id)
      await client.query({ name, text, values: [...values] })
    }
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ssl: false })
  await client.connect()
  ending.push(() => client.end())
  return client
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, ssl: false })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

async function connectionsCpu(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return cpuOfAll(rows.map(row => row.pid)) ?? 0
}

async function prepare(
  loader: Child,
  name: string,
  row: Scenario,
  { client, keys, workspace }: { client: pg.Client; keys: readonly string[]; workspace: string },
): Promise<void> {
  const none = () => Promise.reject(new Error('not needed'))
  const requests = await row.requests({ db: client, keys, workspace, get: none, post: none })
  const status = row.status ?? 200
  await loader.ask({ do: 'prepare', name, requests: requests.map(requestText), status } satisfies Prepare)
}

/** The whole service in one process. */
async function serve(url: string): Promise<{ port: number; pid: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hiring-bench-'))
  const child = spawn(process.execPath, ['--max-semi-space-size=16', HIRING, 'start', '--json', '--port', '0'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      DATABASE_WAIT_SECONDS: '30',
      DEMO: 'off',
      PROCESSES: '1',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  ending.push(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  })
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('no start'))),
  ])
  const { base_url } = JSON.parse(String(line)) as { base_url: string }
  return { port: Number(new URL(base_url).port), pid: child.pid! }
}
