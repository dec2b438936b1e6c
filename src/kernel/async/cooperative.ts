import { setImmediate } from 'node:timers/promises'
import { clock } from '../time/clock.ts'

/** Other requests of the process wait no longer than this for one step of such work. */
const SLICE_MS = 3

/** Work that stops at each `yield`, where the event loop may run other work. */
export type Cooperative<T> = Generator<void, T, void>

/** Runs work to its end, and yields to the event loop whenever it has run for a slice. */
export async function runCooperatively<T>(work: Cooperative<T>): Promise<T> {
  let began = clock.monotonic()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (clock.monotonic() - began < SLICE_MS) continue
    await setImmediate()
    began = clock.monotonic()
  }
}
