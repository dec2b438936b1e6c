/** A cell that a spreadsheet would take for a formula is written with an apostrophe before it, as text. */
const FORMULA = /^[=+\-@\t\r]/

/** One line of CSV (RFC 4180), every cell quoted. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  // a number of ours is no formula, also below zero
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

export interface CsvRecord {
  /** of its first character, counted from 1 */
  line: number
  cells: string[]
}

/** Which of the signs that programs put between cells is the most frequent one in the first line, outside quotes. */
export function csvDelimiter(text: string): string {
  const counts = new Map([',', ';', '\t'].map(sign => [sign, 0]))
  let quoted = false
  for (const sign of text) {
    if (sign === '"') quoted = !quoted
    else if (!quoted && (sign === '\n' || sign === '\r')) break
    else if (!quoted && counts.has(sign)) counts.set(sign, counts.get(sign)! + 1)
  }
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}

/**
 * The records of a CSV text. A cell in quotes may hold delimiters, line breaks and doubled quotes; what follows its
 * closing quote belongs to it. Records without any text are left out.
 */
export function* csvRecords(text: string, delimiter: string): Generator<CsvRecord & { end: number }> {
  let at = 0
  let line = 1
  while (at < text.length) {
    const record: CsvRecord & { end: number } = { line, cells: [], end: 0 }
    let cell = ''
    for (;;) {
      if (cell === '' && text[at] === '"') {
        at++
        for (;;) {
          const quote = text.indexOf('"', at)
          const stop = quote < 0 ? text.length : quote
          const part = text.slice(at, stop)
          cell += part
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
      record.cells.push(cell)
      cell = ''
      at = stop + 1
      if (text[stop] === delimiter) continue
      if (text[stop] === '\r' && text[at] === '\n') at++
      line++
      break
    }
    record.end = Math.min(at, text.length)
    if (record.cells.some(part => part.trim() !== '')) yield record
  }
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0
