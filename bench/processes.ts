import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { API_PREFIX } from '../src/contract/version.ts'
import { Child } from './kit/child.ts'
import type { Prepare, Send, Sent } from './kit/load.ts'
import { median } from './kit/measure.ts'
import { cpuOfTree } from './kit/process-cpu.ts'
import { Store } from './kit/store.ts'

/**
 * Requests per second of `hiring start --processes N`, and what a request costs: CPU of the processes that serve, and of
 * PostgreSQL. Server, database and load generator share the machine, so the cost of a request says more than the rate:
 * cores divided by it is the rate of a machine that serves alone.
 *
 *   node bench/processes.ts [ROUNDS] [SECONDS]
 */
const rounds = Number(process.argv[2] ?? 3)
const seconds = Number(process.argv[3] ?? 4)
const COUNTS = [1, 2, 4]
const CONNECTIONS = 64
const DATASET = { name: 'processes', seed: async () => {} }
const HIRING = join(import.meta.dirname, '../bin/hiring.js')

const store = await Store.open()
const loader = new Child('load.ts')
const results = new Map(COUNTS.map(count => [count, [] as Round[]]))
interface Round {
  rate: number
  p99: number
  /** microseconds for a request */
  server: number
  database: number
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

async function measure(processes: number): Promise<Round> {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=16', HIRING, 'start', '--json', '--port', String(port), '--processes', String(processes)],
    {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: store.dataDir(DATASET),
        DATABASE_URL: store.url(DATASET),
        DEMO: 'off',
        WORKER_PROCESSES: '1',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => {
      throw new Error('the service did not start')
    }),
  ])
  const send = (length: number) =>
    loader.ask<Sent>({ do: 'send', name: 'read', port, connections: CONNECTIONS, seconds: length } satisfies Send)
  await send(4)
  const before = { server: cpuOfTree(child.pid!), database: (await store.cpuSeconds(DATASET)) ?? 0 }
  const sent = await send(seconds)
  const after = { server: cpuOfTree(child.pid!), database: (await store.cpuSeconds(DATASET)) ?? 0 }
  child.kill('SIGTERM')
  await ended
  const each = (part: 'server' | 'database') => ((after[part] - before[part]) * 1e6) / sent.requests
  return { rate: sent.requests / sent.seconds, p99: sent.p99Ms, server: each('server'), database: each('database') }
}

try {
  await store.dataset(DATASET)
  const requests = store.keys.map(
    key =>
      `GET ${API_PREFIX}/workspaces/${store.workspace}?workspace_id=${store.workspace} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  )
  await loader.ask({ do: 'prepare', name: 'read', requests, status: 200 } satisfies Prepare)
  for (let round = 0; round < rounds; round++)
    for (const count of COUNTS) results.get(count)!.push(await measure(count))
  console.log(`single reads of a workspace, ${CONNECTIONS} connections, median of ${rounds} rounds of ${seconds} s`)
  for (const [count, all] of results) {
    const of = (part: keyof Round) => median(all.map(round => round[part]))
    console.log(
      `${count} processes: ${of('rate').toFixed(0)} requests/s, p99 ${of('p99').toFixed(1)} ms, CPU for a request: ${of('server').toFixed(0)} µs of the service, ${of('database').toFixed(0)} µs of PostgreSQL`,
    )
  }
} finally {
  await loader.stop()
  await store.close()
}
