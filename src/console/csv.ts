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
