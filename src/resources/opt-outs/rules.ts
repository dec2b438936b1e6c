import { emailKey } from '../../kernel/text/person-keys.ts'

/** One call reads at most this many lines, so that its transaction stays short. */
export const MAX_OPT_OUT_LINES = 5_000

export interface ReadAddresses {
  /** normalized, without repetitions, in one order: two calls at the same time take their locks in turns */
  keys: string[]
  /** numbers of lines, from 1, that have no email address */
  invalid: number[]
}

const CELL_END = /[,;\t]/

const addressIn = (line: string): string | undefined =>
  line
    .split(CELL_END)
    .map(cell => cell.trim().replace(/^"|"$/g, ''))
    .map(emailKey)
    .find(key => key !== undefined)

/**
 * Reads email addresses, one on each line: plain text, or a table whose rows have other cells, too. The first line may be
 * a header row.
 */
export function readAddresses(text: string): ReadAddresses {
  const keys = new Set<string>()
  const invalid: number[] = []
  for (const [i, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (line.trim() === '') continue
    const key = addressIn(line)
    if (key !== undefined) keys.add(key)
    else if (i > 0 || line.includes('@')) invalid.push(i + 1)
  }
  return { keys: [...keys].sort(), invalid }
}
