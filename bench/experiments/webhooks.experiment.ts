import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { webhooks } from '../datasets/webhooks.ts'
import type { BenchEnvironment } from '../kit/environment.ts'
import type { Experiment, ExperimentPace } from '../kit/experiment.ts'
import { median } from '../kit/measure.ts'
import { hasRedis, startRedis } from '../kit/redis.ts'
import { CA_FILE, HOSTNAME } from './receivers.ts'
import type { Sending } from './senders.ts'

const RECEIVERS = join(import.meta.dirname, 'receivers.ts')
const SENDERS = join(import.meta.dirname, 'senders.ts')
const QUEUES = join(import.meta.dirname, 'queues.ts')

/** Deliveries in flight: of the service at one receiver, and of all the loops together. */
const AT_ONE_RECEIVER = 16
const CONCURRENCY = 128
const BODIES = 100
const MAX_ROUNDS = 3
/** What a sender still has to note of its last deliveries must not burden the next one. */
const SETTLE_MS = 200

/** One way of sending, started once for all rounds. */
interface Sender {
  name: string
  send: (count: number) => Promise<unknown>
  stop?: () => void
}

type Helper = ReturnType<BenchEnvironment['helper']>

const deliveries: Experiment = {
  name: 'webhook deliveries',
  async run(stage, pace) {
    const lines: string[][] = []
    for (const receivers of [1, 100]) {
      lines.push(...(await compare(stage, receivers, pace)))
      await stage.leave()
    }
    return {
      description:
        'To HTTPS receivers on this machine, in a process of their own, which respond immediately. The service: from the commit of the events over feed, queue, signature and record of each attempt to the last arrival. The bare loop: the same HTTPS client with the same bodies, and nothing else. In brackets: lowest and highest round. Other queues, where they are there: one job for each delivery, sent by the same HTTPS client, without signature, record of attempts or feed; BullMQ with a Redis server that writes its log to the disk each second.',
      head: ['sender', 'receivers', 'deliveries in a round', 'deliveries/s', 'ratio to the bare loop'],
      lines,
    }
  },
}

async function compare(
  stage: BenchEnvironment,
  count: number,
  { quick, rounds, queues, say }: ExperimentPace,
): Promise<string[][]> {
  const receivers = stage.helper()
  const ports = await receivers.task<number[]>(RECEIVERS, 'open', { count })
  const perRound = quick ? 500 : 2_000
  const senders = await open(stage, ports, queues, say)
  try {
    return lines(count, perRound, senders, await measure(senders, receivers, perRound, Math.min(rounds, MAX_ROUNDS)))
  } finally {
    for (const { stop } of senders) stop?.()
  }
}

/** For each sender the deliveries a second of each round; the senders in turn, so that all have the same weather. */
async function measure(senders: Sender[], receivers: Helper, perRound: number, rounds: number): Promise<number[][]> {
  const rates = senders.map((): number[] => [])
  // the first round is for connections to open and code to be compiled
  for (let round = -1; round < rounds; round++) {
    for (let i = 0; i < senders.length; i++) {
      const place = (i + round + senders.length) % senders.length
      await receivers.task(RECEIVERS, 'forget')
      const startedAt = performance.now()
      await Promise.all([senders[place]!.send(perRound), receivers.task(RECEIVERS, 'receive', { count: perRound })])
      if (round >= 0) rates[place]!.push((perRound * 1000) / (performance.now() - startedAt))
      await sleep(SETTLE_MS)
    }
  }
  return rates
}

function lines(receivers: number, perRound: number, senders: Sender[], rates: number[][]): string[][] {
  const bare = rates[0]!
  return senders.map(({ name }, i) => {
    const ratios = rates[i]!.map((rate, round) => rate / bare[round]!)
    const [low, high] = [Math.min(...ratios), Math.max(...ratios)]
    const ratio = `**${median(ratios).toFixed(2)}** (${low.toFixed(2)} to ${high.toFixed(2)})`
    return [name, String(receivers), String(perRound), median(rates[i]!).toFixed(0), i === 0 ? '' : ratio]
  })
}

/** The bare loop is the first. */
async function open(stage: BenchEnvironment, ports: number[], queues: string | undefined, say: (line: string) => void) {
  const dataset = webhooks(`webhooks_${ports.length}`)
  const service = await stage.service(dataset, {
    WEBHOOK_ALLOW_HOSTS: ports.map(port => `${HOSTNAME}:${port}`).join(),
    WEBHOOK_CA: CA_FILE,
  })
  const workspaces = await service.task<string[]>(SENDERS, 'register', { ports })
  const bodies = await service.task<string[]>(SENDERS, 'sampleBodies', { workspace: stage.workspace, count: BODIES })
  const concurrency = Math.min(CONCURRENCY, AT_ONE_RECEIVER * ports.length)
  const sending = (count: number): Sending => ({ ports, bodies, count, concurrency })
  const loop = stage.helper()
  const senders: Sender[] = [
    { name: 'bare loop', send: count => loop.task(SENDERS, 'bareLoop', sending(count)) },
    { name: 'service', send: count => service.task(SENDERS, 'commit', { workspaces, count }) },
  ]
  const installed = (name: string) => queues !== undefined && existsSync(join(queues, 'node_modules', name))
  if (installed('graphile-worker')) {
    const queue = stage.helper()
    await queue.task(QUEUES, 'startGraphile', { folder: queues, url: stage.url(dataset), concurrency })
    senders.push({ name: 'graphile-worker', send: count => queue.task(QUEUES, 'enqueueGraphile', sending(count)) })
  } else say('without graphile-worker, which --queues FOLDER would compare with')
  if (installed('bullmq') && installed('ioredis') && hasRedis()) {
    const queue = stage.helper()
    const { socket, stop } = await startRedis()
    await queue.task(QUEUES, 'startBullMq', { folder: queues, redis: socket, concurrency })
    senders.push({ name: 'BullMQ', send: count => queue.task(QUEUES, 'enqueueBullMq', sending(count)), stop })
  } else say('without BullMQ, which --queues FOLDER would compare with where redis-server is installed')
  return senders
}

export const experiments: Experiment[] = [deliveries]
