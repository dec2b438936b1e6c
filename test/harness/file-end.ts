import { after } from 'node:test'

/**
 * What the harness starts for a test file ends with that file, and what it shares between files ends with the process.
 * A module of the harness registers its cleanup once, when it is loaded: one process may run many files (`worker.ts`).
 */
type Cleanup = () => unknown

const atEnds: Record<'file' | 'process', Cleanup[]> = { file: [], process: [] }
let runningFile = process.argv[1] ?? ''

export const atFileEnd = (cleanup: Cleanup): void => register('file', cleanup)
export const atProcessEnd = (cleanup: Cleanup): void => register('process', cleanup)

function register(end: 'file' | 'process', cleanup: Cleanup): void {
  // The end of the process: of the one file that `node --test` runs in it, or of all files of a worker.
  if (atEnds.file.length + atEnds.process.length === 0) after(() => runAll([...atEnds.file, ...atEnds.process]))
  atEnds[end].push(cleanup)
}

/** The path of the test file that runs in this process. */
export const currentFile = (): string => runningFile

export function beginFile(path: string): void {
  runningFile = path
}

const shared = new Map<string, number>()

/** Resources by kind that something shared by all files of this process keeps open: no file is blamed for so many. */
export function shareOpen(kinds: Record<string, number>): void {
  for (const [kind, count] of Object.entries(kinds)) shared.set(kind, sharedCount(kind) + count)
}

export const sharedCount = (kind: string): number => shared.get(kind) ?? 0

export const endFile = (): Promise<void> => runAll(atEnds.file)

/** Runs them in the order of their registration, all of them, and then throws the first error of one. */
async function runAll(cleanups: readonly Cleanup[]): Promise<void> {
  const errors: unknown[] = []
  for (const cleanup of cleanups) {
    try {
      await cleanup()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
