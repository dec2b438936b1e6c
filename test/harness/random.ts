import { randomInt } from 'node:crypto'

/** The seed of this run; FAULTS_SEED repeats one. */
export const seedOfRun = (): number => Number(process.env['FAULTS_SEED'] ?? randomInt(2 ** 31))

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
