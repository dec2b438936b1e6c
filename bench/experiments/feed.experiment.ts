import { join } from 'node:path'
import type { Experiment } from '../kit/experiment.ts'
import type { Dataset } from '../kit/scenario.ts'
import type { Watch } from './feed-delays.ts'

const DELAYS = join(import.meta.dirname, 'feed-delays.ts')
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

export const experiments: Experiment[] = [fromCommitToFeed]
