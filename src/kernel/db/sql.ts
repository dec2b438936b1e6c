import { createHash } from 'node:crypto'
import { remember } from '../remember.ts'

/**
 * A statement: SQL text with $n in place of values, and a name by which every connection prepares it once. Written with
 * the `sql` tag; a value in the template is always a parameter, never text, and a nested `sql` becomes part of the text.
 */
export interface Sql<Row = unknown> {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name: string
  /** never set; carries the type of a row */
  readonly row?: Row
}

class Statement<Row> implements Sql<Row> {
  readonly text: string
  readonly values: readonly unknown[]
  constructor(text: string, values: readonly unknown[]) {
    this.text = text
    this.values = values
  }
  get name(): string {
    return nameOf(this.text)
  }
}

// Texts are made of literals in the source alone, so both maps stay as small as the program.
const names = new Map<string, string>()
const plain = new WeakMap<TemplateStringsArray, string>()

function nameOf(text: string): string {
  return remember(names, text, () => `s_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`)
}

export function sql<Row = Record<string, unknown>>(strings: TemplateStringsArray, ...parts: unknown[]): Sql<Row> {
  if (!parts.some(part => part instanceof Statement)) {
    const text = remember(plain, strings, () => strings.reduce((joined, piece, i) => `${joined}$${i}${piece}`))
    return new Statement<Row>(text, parts)
  }
  let text = strings[0]!
  const values: unknown[] = []
  for (const [i, part] of parts.entries()) {
    if (part instanceof Statement) {
      const shift = values.length
      text += shift === 0 ? part.text : part.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + shift}`)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
    text += strings[i + 1]
  }
  return new Statement<Row>(text, values)
}

/** Nothing: for the parts of a statement that a request leaves out. */
export const none = sql``

/** Text of the program's own, such as a column's name. Never for anything that came from outside. */
export const raw = (text: string): Sql => new Statement(text, [])
