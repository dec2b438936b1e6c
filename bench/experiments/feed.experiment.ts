import { join } from 'node:path'
import type { Experiment } from '../kit/experiment.ts'
import { median } from '../kit/measure.ts'
import type { Dataset } from '../kit/scenario.ts'
import type { Watch } from './feed-delays.ts'
import type { Backlog } from './ordering.ts'

const DELAYS = join(import.meta.dirname, 'feed-delays.ts')
const ORDERING = join(import.meta.dirname, 'ordering.ts')
const empty: Dataset = { name: 'feed_delays', seed: async () => {} }

const fromCommitToFeed: Experiment = {
  name: 'from commit to feed',
  async run(stage, { quick }) {
    const service = await stage.service(empty)
    const watch: Watch = { workspace: stage.workspace, count: quick ? 50 : 300, pauseMs: 40 }
    await service.task(DELAYS, 'inService', { ...watch, count: 20 })
    const own = await service.task<number[]>(DELAYS, 'inService', watch)
    const other = await stage
      .helper()
      .task<number[]>(DELAYS, 'inOtherProcess', { ...watch, count: quick ? 30 : 150, url: stage.url(empty) })
    return {
      description:
        'Milliseconds from the end of a commit until a read of the feed shows its event, one event at a time.',
      head: ['written by', 'events', 'p50', 'p99', 'longest'],
      lines: [line('the process that orders the feed', own), line('another process', other)],
    }
  },
}

function line(who: string, delays: number[]): string[] {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1)
  return [who, String(sorted.length), at(0.5), at(0.99), at(1)]
}

const WORKSPACES = Array.from({ length: 200 }, (_, i) => `wsp_order${String(i).padStart(8, '0')}`)
const many: Dataset = {
  name: 'feed_ordering',
  seed: async db => {
    await db.query(
      `insert into workspaces (id, name, plan) select id, 'Order', 'enterprise' from unnest($1::text[]) id`,
      [WORKSPACES],
    )
  },
}

const ordered: Experiment = {
  name: 'events ordered by one sequencer',
  async run(stage, { quick, rounds }) {
    const service = await stage.service(many, { ROLES: 'api' })
    const events = quick ? 5_000 : 50_000
    const lines: string[][] = []
    for (const [label, workspaces] of [
      ['one workspace', WORKSPACES.slice(0, 1)],
      [`${WORKSPACES.length} workspaces`, WORKSPACES],
    ] as const) {
      const rates: number[] = []
      for (let round = 0; round < Math.max(3, rounds); round++)
        rates.push(
          await service.task<number>(ORDERING, 'orderBacklog', {
            workspaces: [...workspaces],
            events,
          } satisfies Backlog),
        )
      const [least, middle, most] = [Math.min(...rates), median(rates), Math.max(...rates)]
      lines.push([label, String(events), middle.toFixed(0), `${least.toFixed(0)} to ${most.toFixed(0)}`])
    }
    return {
      description:
        'Committed events that wait, published in batches of 1,000 by one process, without webhook endpoints.',
      head: ['events of', 'events in a round', 'events/s', 'lowest to highest round'],
      lines,
    }
  },
}

export const experiments: Experiment[] = [fromCommitToFeed, ordered]
