import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { askNextHolders, openErasures, runErasure } from '../resources/erasures/index.ts'

/** Creates the requests of inquiries, then runs the open steps of every erasure. Every process may run it. */
const INTERVAL_MS = 2_000

export const continueErasures = (context: Pick<Services, 'db' | 'blobs' | 'outbox'>): Worker => ({
  name: 'continue-erasures',
  async run(signal) {
    while (!signal.aborted) {
      // an erasure that fails must not block the others
      const failures: unknown[] = []
      try {
        while (!signal.aborted && (await askNextHolders(context.db)));
      } catch (error) {
        failures.push(error) // because of its lease the others come first in the next round
      }
      for (const { id } of await context.db.query(openErasures())) {
        if (!signal.aborted) await runErasure(context, id).catch(error => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
      await pause(INTERVAL_MS, signal)
    }
  },
})
