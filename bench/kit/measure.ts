import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchEnvironment, type Measurement, readUsage, type Target } from './environment.ts'
import type { Scenario, ServerKind } from './scenario.ts'

export interface Pace {
  /** How long one measurement takes. */
  seconds: number
  rounds: number
  warmUpSeconds: number
  settleSeconds: number
  /** share of a soak's requests that is sent */
  soak: number
  /** by how much the run may become longer for measurements that were disturbed by other work and are taken again */
  retakeSeconds: number
}

/** What one server did for one row at one number of connections: a sample for each round. */
export interface Series {
  row: Scenario
  kind: ServerKind
  connections: number
  samples: Measurement[]
}

export interface Memory {
  row: Scenario
  requests: number
  rssMb: { before: number; after: number; highest: number }
  /** after a collection */
  heapMb: { before: number; after: number }
}

export interface Results {
  series: Series[]
  memory: Memory[]
}

const DEFAULT_CONNECTIONS = [1, 32]
const WARM_UP_CONNECTIONS = 32
const SOAK_STEPS = 10
/** A measurement during which others used more of the machine than this is taken again. */
const QUIET = 0.15
const PAUSE_MS = 1_000

/**
 * Measures every row. A group's servers take turns in short rounds, each round in another order, so that a machine that
 * becomes slower or faster during the run does so for all of them.
 */
export async function measure(
  stage: BenchEnvironment,
  rows: readonly Scenario[],
  pace: Pace,
  say: (line: string) => void,
) {
  const results: Results = { series: [], memory: [] }
  let retakeSeconds = pace.retakeSeconds
  const { seconds, settleSeconds } = pace
  const send = ({ contender, connections }: { contender: Target; connections: number }) =>
    stage.send(contender, { connections, seconds, settleSeconds })
  const quietly = async (take: () => Promise<Measurement>) => {
    let best = await take()
    while (best.others > QUIET && retakeSeconds > 0) {
      const startedAt = performance.now()
      await sleep(PAUSE_MS)
      const again = await take()
      if (again.others < best.others) best = again
      retakeSeconds -= (performance.now() - startedAt) / 1000
    }
    return best
  }
  const rated = rows.filter(row => row.soak === undefined)
  for (const [name, group] of Map.groupBy(rated, row => row.group ?? row.name)) {
    say(name)
    const contenders = await stage.enter(group)
    for (const contender of contenders) {
      const sharing = contenders.filter(c => c.server === contender.server).length
      const seconds = pace.warmUpSeconds / sharing
      // One caller first, as after any start: PostgreSQL settles on the plan of a statement by its first few values.
      await stage.send(contender, { connections: 1, seconds: seconds * 0.2 })
      await stage.send(contender, { connections: WARM_UP_CONNECTIONS, seconds: seconds * 0.8 })
    }
    const turns = contenders.flatMap(contender =>
      (contender.row.connections ?? DEFAULT_CONNECTIONS).map(connections => ({ contender, connections })),
    )
    turns.sort((a, b) => a.connections - b.connections)
    const series = turns.map(
      ({ contender: { row, kind }, connections }): Series => ({ row, kind, connections, samples: [] }),
    )
    for (let round = 0; round < pace.rounds; round++) {
      for (let i = 0; i < turns.length; i++) {
        const place = (i + round) % turns.length
        series[place]!.samples.push(await quietly(() => send(turns[place]!)))
      }
    }
    results.series.push(...series)
    await stage.leave()
  }
  for (const row of rows.filter(r => r.soak !== undefined)) {
    say(row.name)
    const contender = (await stage.enter([row])).find(c => c.kind === 'service')!
    results.memory.push(await soak(stage, contender, Math.round(row.soak! * pace.soak)))
    await stage.leave()
  }
  return results
}

/** A tenth of the requests first, untold: caches fill and code is compiled. Then memory must stay where it is. */
async function soak(stage: BenchEnvironment, contender: Target, requests: number): Promise<Memory> {
  const step = { connections: 32, count: Math.ceil(requests / SOAK_STEPS) }
  await stage.send(contender, step)
  const before = await readUsage(contender.server, true)
  let highest = before.rssBytes
  for (let i = 0; i < SOAK_STEPS; i++) {
    await stage.send(contender, step)
    highest = Math.max(highest, (await readUsage(contender.server)).rssBytes)
  }
  const after = await readUsage(contender.server, true)
  return {
    row: contender.row,
    requests: step.count * SOAK_STEPS,
    rssMb: { before: before.rssBytes / 1e6, after: after.rssBytes / 1e6, highest: highest / 1e6 },
    heapMb: { before: before.heapBytes / 1e6, after: after.heapBytes / 1e6 },
  }
}

export const rate = (sample: Measurement): number => sample.requests / sample.seconds

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
