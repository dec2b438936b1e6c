import type { Services } from '../kernel/services/services.ts'
import { clock } from '../kernel/time/clock.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { addRetentionRuns, runNextRetention } from '../resources/retention/index.ts'

/** Once a day for each workspace, deletes what it no longer retains. Every process may run it. */
const INTERVAL_MS = 60_000
const NEW_WORKSPACES_MS = 3_600_000
/** A pause after each turn, as a multiple of its length: a hundred thousand workspaces take a tenth of a connection, not all of it. */
const PAUSE = 9
const LONGEST_PAUSE_MS = 5_000

export const runRetention = (services: Pick<Services, 'db' | 'outbox' | 'config'>): Worker => ({
  name: 'run-retention',
  async run(signal) {
    let addedAt = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      if (clock.monotonic() - addedAt >= NEW_WORKSPACES_MS) {
        await addRetentionRuns(services.db)
        addedAt = clock.monotonic()
      }
      const startedAt = clock.monotonic()
      const hadTurn = await runNextRetention(services)
      await pause(hadTurn ? Math.min((clock.monotonic() - startedAt) * PAUSE, LONGEST_PAUSE_MS) : INTERVAL_MS, signal)
    }
  },
})
