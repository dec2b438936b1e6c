import { pause } from '../time/pause.ts'
import { onTickEnd } from './tick.ts'

/**
 * Combines concurrent calls into batches. Calls that arrive while a batch is in flight wait for the next one, so that
 * every result was computed after its call began, and yet under load one statement serves many calls. With `gatherMs` each
 * batch waits so long for more calls.
 */
export function batched<I, O>(
  load: (inputs: I[]) => Promise<O[]>,
  { max = 500, gatherMs = 0 }: { max?: number; gatherMs?: number } = {},
): (input: I) => Promise<O> {
  interface Waiting {
    input: I
    resolve: (value: O) => void
    reject: (reason: unknown) => void
  }
  let waiting: Waiting[] = []
  let inFlight = false

  const run = async () => {
    inFlight = true
    while (waiting.length > 0) {
      if (gatherMs > 0 && waiting.length < max) await pause(gatherMs)
      const group = waiting.slice(0, max)
      waiting = waiting.slice(max)
      try {
        const results = await load(group.map(w => w.input))
        for (const [i, w] of group.entries()) w.resolve(results[i]!)
      } catch (error) {
        for (const w of group) w.reject(error)
      }
    }
    inFlight = false
  }

  return input =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!inFlight) {
        inFlight = true
        onTickEnd('collect', run)
      }
    })
}
