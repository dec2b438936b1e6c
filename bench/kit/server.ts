import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fastify } from 'fastify'
import pg from 'pg'
import { API_PREFIX } from '../../src/contract/version.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { startService } from '../../src/main.ts'
import { type Commands, usage } from './child.ts'
import type { BaselineQuery, Prepared, Run, Scenario, ServerKind } from './scenario.ts'
import { findScenario } from './scenarios.ts'
import type { Connection } from './store.ts'

export interface StartServer {
  do: 'start'
  kind: ServerKind
  /** The row that a baseline serves. */
  row: string
  connection: Connection
  databaseUrl: string
  dataDir: string
  /** Settings of the service that are added to those of every run. */
  settings?: Record<string, string>
}

interface Running {
  port: number
  stop(): Promise<void>
}

const BASELINE_CONNECTIONS = 10
const JSON_TYPE = 'application/json; charset=utf-8'

/** A server under test: what can be asked of it, and how it ends. */
export function serverCommands(): Commands {
  let running: Running | undefined
  let profiler: Session | undefined
  return {
    handlers: {
      start: async (question: StartServer) => {
        running = await start(question)
        return running.port
      },
      usage,
      startProfile: async () => {
        profiler = new Session()
        profiler.connect()
        await profiler.post('Profiler.enable')
        await profiler.post('Profiler.setSamplingInterval', { interval: 200 })
        await profiler.post('Profiler.start')
      },
      writeProfile: async ({ file }: { file: string }) => {
        const { profile } = await profiler!.post('Profiler.stop')
        writeFileSync(file, JSON.stringify(profile))
      },
    },
    end: async () => running?.stop(),
  }
}

async function start(question: StartServer): Promise<Running> {
  if (question.kind === 'service') return startOurs(question)
  const { baseline, status } = await findScenario(question.row)
  if (!baseline) throw new Error(`${question.row} has no baseline`)
  const row = { baseline, ...(status === undefined ? {} : { status }) }
  const pool = new pg.Pool({
    ...question.connection,
    max: BASELINE_CONNECTIONS,
    idleTimeoutMillis: 0,
    application_name: 'bench-baseline',
  })
  const access = { run: runner(pool), transaction: transactions(pool) }
  const { port, close } = await (question.kind === 'http' ? startHttp(row, access) : startFastify(row, access))
  return {
    port,
    async stop() {
      await close()
      await pool.end()
    },
  }
}

type Measured = Required<Pick<Scenario, 'baseline'>> & Pick<Scenario, 'status'>
type Access = Pick<BaselineQuery, 'run' | 'transaction'>

const runner =
  (client: pg.Pool | pg.ClientBase): Run =>
  async <R>({ name, text, values }: Prepared<R>, others = values) =>
    (await client.query({ name, text, values: others as unknown[] })).rows as R[]

const transactions =
  (pool: pg.Pool): BaselineQuery['transaction'] =>
  async work => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(runner(client))
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }

/** As it is started by default, on one machine. */
async function startOurs({ databaseUrl, dataDir, settings }: StartServer): Promise<Running> {
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    LIMITER: 'memory', // what `auto` means with the embedded database
    DEMO: 'off',
    LOG_LEVEL: 'warn',
    SHUTDOWN_SECONDS: '2',
    ...settings,
  })
  const service = await startService(config)
  return { port: service.port!, stop: () => service.stop() }
}

async function startFastify({ baseline, status = 200 }: Measured, access: Access) {
  const app = fastify()
  app.route({
    method: ['GET', 'POST'],
    url: API_PREFIX + baseline.route,
    handler: async (request, reply) => {
      const result = await baseline.respond({
        ...access,
        params: request.params as Record<string, string>,
        query: name => (request.query as Record<string, string | undefined>)[name],
        body: request.body,
      })
      reply.status(status)
      if (typeof result === 'string') reply.type(JSON_TYPE)
      return result
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: portOf(app.server), close: () => app.close() }
}

async function startHttp({ baseline, status = 200 }: Measured, access: Access) {
  const places = (API_PREFIX + baseline.route)
    .split('/')
    .flatMap((part, i) => (part[0] === ':' ? [[part.slice(1), i]] : []))
  const server = createServer(async (request, response) => {
    const [path, search = ''] = request.url!.split('?') as [string, string?]
    const parts = path.split('/')
    const params: Record<string, string> = {}
    for (const [name, i] of places as [string, number][]) params[name] = parts[i]!
    try {
      const query = (name: string) => new URLSearchParams(search).get(name) ?? undefined
      const body = request.method === 'POST' ? JSON.parse(await text(request)) : undefined
      const result = await baseline.respond({ ...access, params, query, body })
      const json = typeof result === 'string' ? result : JSON.stringify(result)
      response.writeHead(status, {
        'content-type': JSON_TYPE,
        'content-length': Buffer.byteLength(json),
      })
      response.end(json)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  }
  return { port: portOf(server), close }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port
