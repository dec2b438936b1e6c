import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { emitTemplateForms } from '../resources/jobs/index.ts'

/** Emits the events of jobs whose template form changed. Every process may run it; a workspace is handled by one at a time. */
const INTERVAL_MS = 2_000

export const emitTemplateFormsWorker = ({ db }: Pick<Services, 'db'>): Worker => ({
  name: 'emit-template-forms',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await db.transaction(emitTemplateForms)));
      await pause(INTERVAL_MS, signal)
    }
  },
})
