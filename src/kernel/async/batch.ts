import { onTickEnd } from './tick.ts'

/**
 * Many askers, one question. Requests that arrive while a question is on its way wait for the next one, so that every
 * answer was computed after its request began, and yet under load one statement serves many requests.
 */
export function batched<I, O>(ask: (inputs: I[]) => Promise<O[]>, max = 500): (input: I) => Promise<O> {
  interface Waiting {
    input: I
    resolve: (value: O) => void
    reject: (reason: unknown) => void
  }
  let waiting: Waiting[] = []
  let underWay = false

  const run = async () => {
    underWay = true
    while (waiting.length > 0) {
      const group = waiting.slice(0, max)
      waiting = waiting.slice(max)
      try {
        const answers = await ask(group.map(w => w.input))
        for (const [i, w] of group.entries()) w.resolve(answers[i]!)
      } catch (error) {
        for (const w of group) w.reject(error)
      }
    }
    underWay = false
  }

  return input =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!underWay) {
        underWay = true
        onTickEnd('collect', run)
      }
    })
}
