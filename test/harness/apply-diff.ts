import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Applies the ```diff blocks of a document to a folder, as a reader would: each hunk is found by its unchanged and
 * removed lines, which must occur exactly once. Hunks begin with `@@` and need no line numbers.
 */
export function applyDiffs(markdown: string, folder: string, placeholders: Readonly<Record<string, string>>): string[] {
  const blocks = [...markdown.matchAll(/^```diff\n(.*?)^```$/gms)].map(match => match[1]!)
  return blocks.flatMap(block =>
    block
      .split(/^(?=--- )/m)
      .filter(file => file.trim() !== '')
      .map(file => applyFile(file, folder, placeholders)),
  )
}

function applyFile(diff: string, folder: string, placeholders: Readonly<Record<string, string>>): string {
  let name = /^\+\+\+ b\/(\S+)$/m.exec(diff)?.[1]
  if (!name) throw new Error(`a diff names no file:\n${diff}`)
  for (const [placeholder, value] of Object.entries(placeholders)) name = name.replace(placeholder, value)
  const path = join(folder, name)
  const isNew = diff.startsWith('--- /dev/null')
  if (isNew === existsSync(path)) throw new Error(`${name}: ${isNew ? 'exists already' : 'is not there'}`)
  let text = isNew ? '' : readFileSync(path, 'utf8')
  for (const hunk of diff.split(/^@@.*\n/m).slice(1)) text = applyHunk(text, hunk, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return name
}

function applyHunk(text: string, hunk: string, name: string): string {
  const lines = hunk.split('\n').slice(0, -1)
  const side = (sign: '-' | '+') =>
    lines.flatMap(line => (line[0] === sign || line[0] === ' ' ? [`${line.slice(1)}\n`] : [])).join('')
  const before = side('-')
  if (before === '') return text + side('+')
  const parts = text.split(before)
  if (parts.length !== 2) throw new Error(`${name}: a hunk fits ${parts.length - 1} places:\n${hunk}`)
  return parts.join(side('+'))
}
