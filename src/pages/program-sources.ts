import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { Plugin } from 'vite'

/** Only these files import others; assets are bundled as they are. */
const IMPORTING = /\.(?:tsx?|m?js|css)$/
const IMPORT = /\b(?:from|import)\s*(\(?)'(\.[^']+)'/g

type ReadText = (file: string) => string
const readText: ReadText = file => readFileSync(file, 'utf8')

/** Whether the `from` at this index ends a statement that is gone when the types are erased. */
function isOfTypes(text: string, index: number): boolean {
  // -1 for the first line of the file
  const lineEnd = Math.max(text.lastIndexOf('\nimport ', index), text.lastIndexOf('\nexport ', index))
  return text.startsWith('type ', lineEnd + '\nimport '.length)
}

const importedBy = (file: string, text: string): string[] =>
  [...text.matchAll(IMPORT)].flatMap(({ 1: called, 2: path = '', index }) =>
    called === '' && isOfTypes(text, index) ? [] : [resolve(dirname(file), path)],
  )

/** Every file that these files are built from: what they import, and what that imports. Packages are not among them. */
export function collectSources(entries: readonly string[], read: ReadText = readText): Map<string, string> {
  const found = new Map<string, string>()
  const waiting = [...entries]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || !existsSync(file)) continue
    const text = read(file)
    found.set(file, text)
    if (IMPORTING.test(file)) waiting.push(...importedBy(file, text))
  }
  return found
}

/**
 * Fails the build where it reads a file that `collectSources` does not find: the name of the folder would leave it out, and a
 * change of it would not be seen. The bundles do not list every file: one whose constants are inlined is in none.
 */
export const checkSources = (root: string, entries: readonly string[]): Plugin => ({
  name: 'check-sources',
  buildEnd() {
    const known = collectSources(entries)
    const files = [...this.getModuleIds()].map(id => id.replace(/\?.*/s, ''))
    const own = files.filter(file => file.startsWith(`${root}/`) && !file.includes('/node_modules/'))
    const missed = own.filter(file => !known.has(file))
    if (missed.length > 0) throw new Error(`the sources of the pages lack ${missed.join(', ')}`)
  },
})

/** A hash of the files that `entries` are built from, and of the `settings` that they are built with. */
export function hashOfSources(
  root: string,
  { entries, settings }: { entries: readonly string[]; settings: readonly string[] },
  read: ReadText = readText,
): string {
  const files = collectSources(entries, read)
  for (const file of settings) if (existsSync(file)) files.set(file, read(file))
  const hash = createHash('sha256')
  for (const [file, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash
      .update(`${relative(root, file)}\0`)
      .update(text)
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}
