import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { notifyNextDeletion, runNextDeletion } from '../resources/deletions/index.ts'

/** Emails owners about scheduled deletions, and deletes workspaces whose grace period is over. Every process may run it. */
const INTERVAL_MS = 5_000

export const deleteWorkspaces = (services: Pick<Services, 'db' | 'blobs' | 'outbox' | 'mailer' | 'log'>): Worker => ({
  name: 'delete-workspaces',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await notifyNextDeletion(services)));
      while (!signal.aborted && (await runNextDeletion(services, signal)));
      await pause(INTERVAL_MS, signal)
    }
  },
})
