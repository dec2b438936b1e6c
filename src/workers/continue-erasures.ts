import { UnfinishedDistribution } from '../kernel/citus/distribution.ts'
import { waitsForCluster } from '../kernel/search-cluster/search-cluster.ts'
import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { askNextHolders, beginPlannedErasures, openErasures, runErasure } from '../resources/erasures/index.ts'

/** Begins what members planned, creates the requests of inquiries, then runs the open steps of every erasure. Every process may run it. */
const INTERVAL_MS = 2_000

/** What an erasure waits for that failed with this error; undefined: for nothing. */
function waitsFor(error: unknown): string | undefined {
  if (waitsForCluster(error)) return 'the search cluster'
  if (error instanceof UnfinishedDistribution) return 'the end of a distribution'
  return undefined
}

export const continueErasures = (context: Pick<Services, 'db' | 'blobs' | 'outbox' | 'log'>): Worker => ({
  name: 'continue-erasures',
  async run(signal) {
    for (let waits = false; !signal.aborted; ) {
      // an erasure that fails must not block the others
      const failures: unknown[] = []
      await beginPlannedErasures(context.db).catch(error => failures.push(error))
      try {
        while (!signal.aborted && (await askNextHolders(context.db)));
      } catch (error) {
        failures.push(error) // because of its lease the others come first in the next round
      }
      for (const { id } of await context.db.query(openErasures())) {
        if (!signal.aborted) await runErasure(context, id).catch(error => failures.push(error))
      }
      const failure = failures.find(error => waitsFor(error) === undefined)
      if (failure) throw failure
      // tried again in the next round: nothing of this loop is wrong
      const [first] = failures
      if (first !== undefined && !waits) context.log.warn({ err: first }, `erasures wait for ${waitsFor(first)}`)
      waits = first !== undefined
      await pause(INTERVAL_MS, signal)
    }
  },
})
