import { setImmediate } from 'node:timers/promises'
import { clock } from '../clock.ts'

/** Longer than this no work of this kind holds up the other requests of the process. */
const SLICE_MS = 3

/** Runs work that stops now and then, and lets others go on when it has run for long enough. */
export async function runCooperatively<T>(work: Generator<void, T, void>): Promise<T> {
  let began = clock.monotonic()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (clock.monotonic() - began < SLICE_MS) continue
    await setImmediate()
    began = clock.monotonic()
  }
}
