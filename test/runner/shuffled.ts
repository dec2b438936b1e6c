import { randomInt } from 'node:crypto'
import { createRandom } from '../harness/random.ts'

/** The same order for the same seed; 0 chooses one and prints it. */
export function shuffled(files: readonly string[], seed: number): string[] {
  const chosen = seed || randomInt(1, 2 ** 31)
  console.log(`order of files: --seed ${chosen}`)
  const random = createRandom(chosen)
  return files
    .map(file => ({ file, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file)
}
