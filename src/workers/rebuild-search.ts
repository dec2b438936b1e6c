import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { rebuildNext } from '../resources/candidate-search/index.ts'

const INTERVAL_MS = 10_000

/** Writes the rows of the search for candidates again, of workspaces for which that was asked. Every process may run it. */
export const rebuildSearch = ({ db }: Pick<Services, 'db'>): Worker => ({
  name: 'rebuild-search',
  async run(signal) {
    while (!signal.aborted) {
      if (!(await rebuildNext(db))) await pause(INTERVAL_MS, signal)
    }
  },
})
