// Runs in the processes of other queues, each as it is found in a folder: one of their jobs is one delivery.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { AT_A_TIME, post, type Sending } from './senders.ts'

interface Delivery {
  port: number
  body: string
}

/** Which receiver gets which body, in the calls in which the jobs are handed over. */
function* callsOf({ ports, bodies, count }: Sending): Generator<Delivery[]> {
  for (let done = 0; done < count; done += AT_A_TIME) {
    yield Array.from({ length: Math.min(AT_A_TIME, count - done) }, (_, i) => ({
      port: ports[(done + i) % ports.length]!,
      body: bodies[(done + i) % bodies.length]!,
    }))
  }
}

const load = <T>(folder: string, name: string): T => createRequire(join(folder, 'package.json'))(name) as T

interface Utils {
  addJobs(jobs: { identifier: string; payload: unknown }[]): Promise<unknown>
  migrate(): Promise<void>
}
interface GraphileWorker {
  run(options: object): Promise<unknown>
  makeWorkerUtils(options: object): Promise<Utils>
  Logger: new (factory: () => () => void) => object
}

let utils: Utils | undefined

export async function startGraphile(how: { folder: string; url: string; concurrency: number }): Promise<void> {
  const graphile = load<GraphileWorker>(how.folder, 'graphile-worker')
  const common = { connectionString: how.url, logger: new graphile.Logger(() => () => {}) }
  utils = await graphile.makeWorkerUtils(common)
  await utils.migrate()
  await graphile.run({
    ...common,
    concurrency: how.concurrency,
    maxPoolSize: 10,
    noHandleSignals: true,
    taskList: { deliver: ({ port, body }: Delivery) => post(port, body) },
  })
}

export async function enqueueGraphile(sending: Sending): Promise<void> {
  for (const call of callsOf(sending)) {
    await utils!.addJobs(call.map(payload => ({ identifier: 'deliver', payload })))
  }
}

interface BullQueue {
  addBulk(jobs: { name: string; data: Delivery; opts: object }[]): Promise<unknown>
}
interface BullMq {
  Queue: new (name: string, options: object) => BullQueue
  Worker: new (name: string, run: (job: { data: Delivery }) => Promise<void>, options: object) => object
}

let queue: BullQueue | undefined

/** `redis`: the socket on which its server listens. */
export async function startBullMq(how: { folder: string; redis: string; concurrency: number }): Promise<void> {
  const { Queue, Worker } = load<BullMq>(how.folder, 'bullmq')
  const connection = { path: how.redis, maxRetriesPerRequest: null }
  queue = new Queue('deliveries', { connection })
  new Worker('deliveries', ({ data: { port, body } }) => post(port, body), { connection, concurrency: how.concurrency })
}

export async function enqueueBullMq(sending: Sending): Promise<void> {
  for (const call of callsOf(sending)) {
    await queue!.addBulk(call.map(data => ({ name: 'deliver', data, opts: { removeOnComplete: true } })))
  }
}
