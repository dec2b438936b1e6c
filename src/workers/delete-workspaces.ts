import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { runNextDeletion } from '../resources/deletions/index.ts'

/**
 * Deletes workspaces whose grace period is over, also in a restored store while sending is held. Every process may run it.
 */
const INTERVAL_MS = 5_000

type Needs = Pick<Services, 'db' | 'blobs' | 'outbox' | 'log'>

export const deleteWorkspaces = (services: Needs): Worker => ({
  name: 'delete-workspaces',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await runNextDeletion(services, signal)));
      await pause(INTERVAL_MS, signal)
    }
  },
})
