import type { Database } from '../kernel/db/database.ts'
import { pause } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { announceTemplateForms } from '../resources/jobs/actions.ts'

/** Goes on telling jobs that their template form changed. Every process may run it: one at a time does a workspace. */
const INTERVAL_MS = 2_000

export const announceTemplateFormsWorker = (db: Database): Worker => ({
  name: 'announce-template-forms',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await db.transaction(announceTemplateForms)));
      await pause(INTERVAL_MS, signal)
    }
  },
})
