import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { notifyNextDeletion, runNextDeletion } from '../resources/deletions/index.ts'

/**
 * Emails owners about scheduled deletions, and deletes workspaces whose grace period is over. Every process may run it.
 * While sending is held, the emails wait; what has to be deleted is deleted also in a restored store.
 */
const INTERVAL_MS = 5_000

type Needs = Pick<Services, 'db' | 'blobs' | 'outbox' | 'mailer' | 'log' | 'sendingHeld'>

export const deleteWorkspaces = (services: Needs): Worker => ({
  name: 'delete-workspaces',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && !services.sendingHeld && (await notifyNextDeletion(services)));
      while (!signal.aborted && (await runNextDeletion(services, signal)));
      await pause(INTERVAL_MS, signal)
    }
  },
})
