import { UserError } from '../errors/user-error.ts'

/** No table of a person exceeds these limits. A larger text is refused: a few bytes must not cost much time. */
const MAX_CELLS = 200
const MAX_CHARACTERS = 50_000
const MAX_BLANK_RECORDS = 20_000
/** The head of a table is shorter. */
const DELIMITER_CHARACTERS = 100_000

/** A cell that a spreadsheet would take for a formula is written with an apostrophe before it, as text. */
const FORMULA = /^[=+\-@\t\r]/
/** Where a program that splits at other signs than commas, whatever the quotes, would begin a cell with a formula. */
const INNER_FORMULA = /([;\t\r\n]"*)([=+\-@])/g

/** One line of CSV (RFC 4180), every cell quoted. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  // a number of ours is not a formula, also below zero
  const safe =
    typeof value === 'string' ? (FORMULA.test(text) ? `'${text}` : text).replaceAll(INNER_FORMULA, "$1'$2") : text
  return `"${safe.replaceAll('"', '""')}"`
}

export interface CsvRecord {
  /** The line of its first character, counted from 1. */
  line: number
  cells: string[]
  /** it has no text */
  blank: boolean
  /** the offset after it */
  end: number
}

/** Returns the sign between cells: of those that programs use, the most frequent one in the first line, outside quotes. */
export function csvDelimiter(text: string): string {
  const counts = new Map([',', ';', '\t'].map(sign => [sign, 0]))
  let quoted = false
  for (const sign of text.slice(0, DELIMITER_CHARACTERS)) {
    if (sign === '"') quoted = !quoted
    else if (!quoted && (sign === '\n' || sign === '\r')) break
    else if (!quoted && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}

/**
 * The records of a CSV text. A cell in quotes may hold delimiters, line breaks and doubled quotes; what follows its
 * closing quote belongs to it. UserError where a record has too many cells, a cell
 * too many characters, or too many records are blank.
 */
export function* csvRecords(text: string, delimiter: string): Generator<CsvRecord> {
  let at = 0
  let line = 1
  let blank = 0
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [], blank: false, end: 0 }
    let cell = ''
    for (;;) {
      if (cell === '' && text[at] === '"') {
        at++
        for (;;) {
          const quote = text.indexOf('"', at)
          const stop = quote < 0 ? text.length : quote
          const part = text.slice(at, stop)
          cell += part
          if (cell.length > MAX_CHARACTERS) tooMuch(line, `a cell has more than ${MAX_CHARACTERS} characters`)
          line += lineBreaksIn(part)
          at = stop + 1
          if (quote < 0 || text[at] !== '"') break
          cell += '"'
          at++
        }
      }
      let stop = at
      while (stop < text.length && text[stop] !== delimiter && text[stop] !== '\n' && text[stop] !== '\r') stop++
      cell += text.slice(at, stop)
      if (cell.length > MAX_CHARACTERS) tooMuch(line, `a cell has more than ${MAX_CHARACTERS} characters`)
      record.cells.push(cell)
      if (record.cells.length > MAX_CELLS) tooMuch(line, `there are more than ${MAX_CELLS} cells`)
      cell = ''
      at = stop + 1
      if (text[stop] === delimiter) continue
      if (text[stop] === '\r' && text[at] === '\n') at++
      line++
      break
    }
    record.end = Math.min(at, text.length)
    record.blank = record.cells.every(part => part.trim() === '')
    if (record.blank && ++blank > MAX_BLANK_RECORDS) tooMuch(line, 'there are too many lines without text')
    yield record
  }
}

const tooMuch = (line: number, what: string): never => {
  throw new UserError(`line ${line}: ${what}`)
}

export const lineBreaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0
