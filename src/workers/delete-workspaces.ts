import { type MailServices, sendNextMails } from '../kernel/mail/queue.ts'
import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { deletionMails, runNextDeletion } from '../resources/deletions/index.ts'
import { deleteUnused } from '../resources/test-workspaces/index.ts'

/**
 * Schedules the deletion of test workspaces that no one uses, emails owners about scheduled deletions, and deletes workspaces whose grace period is over: afterwards there are no
 * owners to write to. While sending is held, the emails wait; what has to be deleted is deleted also in a restored store.
 * Every process may run it.
 */
const INTERVAL_MS = 5_000

type Needs = MailServices & Pick<Services, 'blobs' | 'outbox' | 'sendingHeld'>

export const deleteWorkspaces = (services: Needs): Worker => ({
  name: 'delete-workspaces',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && !services.sendingHeld && (await sendNextMails(services, deletionMails)));
      if (!services.sendingHeld) await deleteUnused(services.db, services.config.WORKSPACE_GRACE_DAYS)
      while (!signal.aborted && (await runNextDeletion(services, signal)));
      await pause(INTERVAL_MS, signal)
    }
  },
})
