import { charactersIn } from '../../kernel/text/text.ts'

/** A line of the file is invalid; the message gives the reason. */
export class BadLine extends Error {}

const MAX_TEXT = 10_000
/** The limit for lookup keys: two keys of this many four-byte characters fit into one index entry. */
const MAX_KEY = 300
const MAX_INTEGER = 2_147_483_647

export function lineObject(line: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new BadLine('it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadLine('it is not a JSON object')
  return value as Record<string, unknown>
}

/** Trimmed; blank and absent are null. */
export function lineText(value: Record<string, unknown>, name: string): string | null {
  const text = value[name]
  return text === undefined || text === null ? null : cleanText(name, text)
}

/** Like lineText, for lookup keys. */
export function lineKey(value: Record<string, unknown>, name: string): string | null {
  const text = lineText(value, name)
  if (text !== null && charactersIn(text) > MAX_KEY) throw new BadLine(`${name} is longer than ${MAX_KEY} characters`)
  return text
}

/** Most URLs match this, and then need no parser. */
const PLAIN_URL = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#][\w.~:/?#[\]@!$&'()*+,;=%-]*)?$/i
const URI = /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/i

/**
 * A URL that responses return. A missing scheme becomes https, and other characters than ASCII are escaped. Schemes
 * other than http and https are rejected, so that a page may link to it safely (javascript:).
 */
export function lineUrl(value: Record<string, unknown>, name: string): string | null {
  const given = lineText(value, name)
  if (given === null || PLAIN_URL.test(given)) return given
  const text = /^[a-z][a-z0-9+.-]*:/i.test(given) ? given : `https://${given}`
  const url = URL.parse(text)
  const followed = url && /^https?:$/.test(url.protocol) && url.hostname.includes('.') && url.username === ''
  if (!followed || url.password !== '') throw new BadLine(`${name} must be an http or https URL`)
  return URI.test(text) ? text : url.href
}

export function lineTexts(value: Record<string, unknown>, name: string, max: number): string[] {
  const list = value[name]
  if (list === undefined || list === null) return []
  if (!Array.isArray(list) || list.length > max) throw new BadLine(`${name} must be a list of at most ${max} strings`)
  return [...new Set(list.map(item => cleanText(name, item)).filter(item => item !== null))]
}

function cleanText(name: string, text: unknown): string | null {
  if (typeof text !== 'string') throw new BadLine(`${name} must be a string`)
  if (charactersIn(text) > MAX_TEXT) throw new BadLine(`${name} is longer than ${MAX_TEXT} characters`)
  if (text.includes('\0') || !text.isWellFormed()) throw new BadLine(`${name} is not well-formed text`)
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed
}

export function lineInteger(value: Record<string, unknown>, name: string): number | null {
  const number = value[name]
  if (number === undefined || number === null) return null
  if (!Number.isInteger(number) || (number as number) < 0 || (number as number) > MAX_INTEGER)
    throw new BadLine(`${name} must be a whole number, 0 or more`)
  return number as number
}

const plainTitle = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Finds what each column of a table holds, by its title; null: it is not imported. `aliases`: what other programs call a
 * field, without blanks and signs. Of two columns for the same field the first counts.
 */
export function createColumnFinder(fields: readonly string[], aliases: Readonly<Record<string, string>>) {
  const byTitle = new Map([...fields.map(name => [plainTitle(name), name] as const), ...Object.entries(aliases)])
  return (titles: readonly string[]): (string | null)[] => {
    const taken = new Set<string>()
    return titles.map(title => {
      const field = byTitle.get(plainTitle(title)) ?? null
      if (field === null || taken.has(field)) return null
      taken.add(field)
      return field
    })
  }
}

/** The cells of a row by the fields of their columns, trimmed and without blank ones. Throws BadLine. */
export function cellsByField(columns: readonly (string | null)[], cells: readonly string[]): Map<string, string> {
  if (cells.slice(columns.length).some(cell => cell.trim() !== ''))
    throw new BadLine(`it has ${cells.length} cells, the first line has ${columns.length}`)
  const given = columns.map((name, i) => [name, cells[i]?.trim() ?? ''] as const)
  return new Map(given.flatMap(([name, cell]) => (name === null || cell === '' ? [] : [[name, cell]])))
}
