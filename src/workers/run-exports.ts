import type { Services } from '../kernel/services/services.ts'
import { Wakeable } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { exportRequested, runNextExport } from '../resources/exports/index.ts'

/** Runs exports, one at a time in each process. */
const POLL_MS = 1_000

export const runExports = (services: Pick<Services, 'db' | 'replica' | 'blobs' | 'log' | 'publicUrl'>): Worker => ({
  name: 'run-exports',
  async run(signal) {
    const waiting = new Wakeable(signal)
    const stopListening = exportRequested.on(waiting.wake)
    try {
      while (!signal.aborted) {
        waiting.rearm()
        if (!(await runNextExport(services, signal))) await waiting.pause(POLL_MS)
      }
    } finally {
      stopListening()
      waiting.close()
    }
  },
})
