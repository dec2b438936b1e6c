import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileResult } from './pool.ts'

const FILE = join(import.meta.dirname, 'durations.json')
/** Shorter files are not listed: their order does not matter. */
const LISTED_SECONDS = 2

const recorded = (): Record<string, number> => JSON.parse(readFileSync(FILE, 'utf8'))

/** Workers take the next file when they are free; if the longest come first, they end at about the same time. */
export function longestFirst(files: readonly string[]): string[] {
  const seconds = recorded()
  return files.toSorted((a, b) => (seconds[b] ?? 0) - (seconds[a] ?? 0))
}

/** Replaces what is recorded of these files. */
export function recordDurations(done: readonly FileResult[]): void {
  const seconds = recorded()
  for (const { file, cost } of done) {
    delete seconds[file]
    if (cost && cost.seconds >= LISTED_SECONDS) seconds[file] = Math.round(cost.seconds)
  }
  const sorted = Object.fromEntries(Object.entries(seconds).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`)
}
