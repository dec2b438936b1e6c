import { isUtf8 } from 'node:buffer'
import type { Cooperative } from '../kernel/async/cooperative.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { type CsvRecord, csvDelimiter, csvRecords, lineBreaksIn } from '../kernel/text/csv.ts'
import { fields } from '../programs/fields.ts'
import type { ImportProgress } from '../resources/imports/index.ts'
import { BadLine } from '../resources/imports/shape.ts'

/** What a table of people can hold, and how a row of it is read. */
export interface TableRules<Value> {
  /** what a column can hold */
  fields: readonly string[]
  /** what each column holds, by its title; null: it is not imported */
  columns: (titles: readonly string[]) => (string | null)[]
  /** titles that are recognized, for the message where none is */
  examples: string
  maxLines: number
  /** throws BadLine */
  readRow: (columns: readonly (string | null)[], cells: readonly string[]) => Value
}

export interface Table<Value> {
  delimiter: string
  rowsBeginAt: number
  rowsBeginAtLine: number
  titles: string[]
  columns: (string | null)[]
  /** the first row that is read, to show what a column has */
  sample: string[] | undefined
  rows: { line: number; value: Value }[]
  invalid: { line: number; fault: BadLine; name: string | null }[]
  /** lines after the titles that have no text */
  blank: number[]
}

/** The titles are in the first line that has text. */
function firstWithText(records: Generator<CsvRecord>): CsvRecord | undefined {
  for (;;) {
    const { done, value } = records.next()
    if (done) return undefined
    if (!value.blank) return value
  }
}

/** Columns with the name of a person, for lines that cannot be read. */
const NAME_COLUMNS = ['full_name', 'first_name', 'last_name']
const BYTE_ORDER_MARK = '\ufeff'

export function* readTable<Value>(bytes: Buffer, rules: TableRules<Value>): Cooperative<Table<Value>> {
  if (!isUtf8(bytes)) throw new UserError('the file is not UTF-8: save it as "CSV UTF-8" and choose it again')
  const whole = bytes.toString('utf8')
  const marked = whole.startsWith(BYTE_ORDER_MARK) ? 1 : 0
  const text = whole.slice(marked)
  const delimiter = csvDelimiter(text.replace(/^[\r\n]+/, ''))
  const records = csvRecords(text, delimiter)
  const head = firstWithText(records)
  if (!head) throw new UserError('the file is empty')
  const titles = head.cells.map(title => title.trim())
  const table: Table<Value> = {
    delimiter,
    rowsBeginAt: Buffer.byteLength(whole.slice(0, marked + head.end)),
    rowsBeginAtLine: lineBreaksIn(text.slice(0, head.end)) + 1,
    titles,
    columns: rules.columns(titles),
    sample: undefined,
    rows: [],
    invalid: [],
    blank: [],
  }
  if (table.columns.every(name => name === null)) {
    throw new UserError(`the first line must have titles of columns, such as ${rules.examples}: none was recognized`)
  }
  const names = NAME_COLUMNS.map(name => table.columns.indexOf(name)).filter(at => at >= 0)
  for (const { line, cells, blank } of records) {
    yield
    if (blank) {
      table.blank.push(line)
      continue
    }
    table.sample ??= cells
    if (table.rows.length + table.invalid.length >= rules.maxLines) {
      throw new UserError(`a table has at most ${rules.maxLines} rows: split the file`)
    }
    try {
      table.rows.push({ line, value: rules.readRow(table.columns, cells) })
    } catch (error) {
      if (!(error instanceof BadLine)) throw error
      const name = names.map(at => cells[at]?.trim() ?? '').join(' ')
      table.invalid.push({ line, fault: error, name: name.trim().slice(0, 200) || null })
    }
  }
  return table
}

/** What a check says about the table itself. */
export const TABLE_FIELDS = {
  ...fields('delimiter', 'rows_begin_at', 'rows_begin_at_line', 'fields'),
  columns: fields('title', 'field', 'sample'),
}

export const describeTable = <Value>(table: Table<Value>, { fields }: TableRules<Value>) => ({
  delimiter: table.delimiter,
  /** the offset of the first byte after the titles */
  rows_begin_at: table.rowsBeginAt,
  /** the line of that byte, counted from 1 */
  rows_begin_at_line: table.rowsBeginAtLine,
  columns: table.titles.map((title, i) => ({
    title: title.slice(0, 80),
    field: table.columns[i] ?? null,
    sample: table.sample?.[i]?.slice(0, 80) ?? null,
  })),
  /** what a column can hold */
  fields: [...fields],
})

/**
 * The states of an import while it runs, the latest each time the reader asks. It runs to its end also when the reader
 * goes away. What fails before the first batch is stored is the first thing that is thrown.
 */
export async function* progressOf(
  run: (onProgress: (progress: ImportProgress) => void) => Promise<ImportProgress>,
): AsyncGenerator<ImportProgress> {
  let latest: ImportProgress | undefined
  let wake: () => void = () => {}
  let ended = false
  const done = run(progress => {
    // the first is the start, at which nothing is known to work
    if (progress.bytes_done > progress.began_at_byte) latest = progress
    wake()
  }).finally(() => {
    ended = true
    wake()
  })
  done.catch(() => {}) // the reader may be gone; otherwise it is thrown below
  while (!ended) {
    const changed = new Promise<void>(resolve => {
      wake = resolve
    })
    if (latest) {
      const shown = latest
      latest = undefined
      yield shown
    } else await changed
  }
  yield await done
}
