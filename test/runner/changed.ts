import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { allTestFiles, ROOT } from './sets.ts'

/** Files that differ from a commit, with those that git does not know yet. */
export function changedFiles(since: string): Set<string> {
  const paths = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  return new Set([
    ...paths('diff', '--name-only', '-z', since),
    ...paths('ls-files', '--others', '--exclude-standard', '-z'),
  ])
}

/** Test files among these files, and those that import one of them, directly or through other modules. */
export const testsReaching = (files: ReadonlySet<string>): string[] =>
  allTestFiles().filter(test => [...reachedFrom(test)].some(path => files.has(path)))

function reachedFrom(file: string): Set<string> {
  const reached = new Set([file])
  // a set that grows while it is read is read to its new end
  for (const path of reached) for (const next of importsOf(path)) reached.add(next)
  return reached
}

/** `import … from './x.ts'`, `export … from './x.ts'` and `import('./x.ts')` */
const SPECIFIER = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g
const known = new Map<string, string[]>()

function importsOf(file: string): string[] {
  const imports = known.get(file) ?? readImports(file)
  known.set(file, imports)
  return imports
}

function readImports(file: string): string[] {
  try {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return [...text.matchAll(SPECIFIER)].map(([, path]) => relative(ROOT, resolve(ROOT, dirname(file), path!)))
  } catch {
    return [] // a text that only looks like an import
  }
}
