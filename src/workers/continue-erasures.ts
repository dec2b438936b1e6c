import { pause } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { type ErasureContext, runErasure } from '../resources/erasures/actions.ts'
import { askNextHolders } from '../resources/erasures/ask-holders.ts'
import { openErasures } from '../resources/erasures/store.ts'

/**
 * Asks holders for the requests that noted it, then does what requests for erasure still have to do, whoever made them and
 * whatever died before. Every process may run it.
 */
const INTERVAL_MS = 2_000

export const continueErasures = (context: ErasureContext): Worker => ({
  name: 'continue-erasures',
  async run(signal) {
    while (!signal.aborted) {
      // one that cannot go on must not hold up the others
      const failures: unknown[] = []
      try {
        while (!signal.aborted && (await askNextHolders(context.db)));
      } catch (error) {
        failures.push(error) // its lease lets the others come first in the next round
      }
      for (const { id } of await context.db.query(openErasures())) {
        if (!signal.aborted) await runErasure(context, id).catch(error => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
      await pause(INTERVAL_MS, signal)
    }
  },
})
