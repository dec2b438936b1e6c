import { Unreadable } from './unreadable.ts'
import { readZipEntry } from './zip.ts'

const MAX_INFLATED = 20 * 1024 * 1024

/** Text of a DOCX: the paragraphs of its main part, in order. A row of a table whose cells are short is one line. */
export function docxText(file: Buffer): string {
  const part = readZipEntry(file, 'word/document.xml', MAX_INFLATED)
  if (!part) throw new Unreadable('not a Word document', 'unsupported')
  return documentText(part.toString('utf8'))
}

interface Row {
  cells: string[][]
}

/** One pass over the tags; nothing is built that could nest deeper than the document's tables. */
export function documentText(xml: string): string {
  const out: string[] = []
  const rows: Row[] = []
  let line = ''
  let inText = false
  let skipped = 0
  const endParagraph = () => {
    const row = rows.at(-1)
    if (row?.cells.length) row.cells.at(-1)?.push(line)
    else out.push(line)
    line = ''
  }
  const endRow = () => {
    const row = rows.pop()
    if (!row) return
    const cells = row.cells.map(cell => cell.filter(text => text.trim() !== ''))
    const lines = cells.every(cell => cell.length <= 1) ? [cells.map(cell => cell[0] ?? '').join('\t')] : cells.flat()
    const outer = rows.at(-1)
    if (outer?.cells.length) outer.cells.at(-1)?.push(...lines)
    else out.push(...lines)
  }
  for (let at = 0; at < xml.length; ) {
    const open = xml.indexOf('<', at)
    if (open < 0) break
    if (inText && skipped === 0) line += decodeEntities(xml.slice(at, open))
    const close = xml.indexOf('>', open)
    if (close < 0) break
    const tag = xml.slice(open + 1, close)
    at = close + 1
    if (tag.startsWith('!') && /^!(DOCTYPE|ENTITY)/i.test(tag)) throw new Unreadable('the document declares entities')
    const name = /^\/?[\w:]+/.exec(tag)?.[0] ?? ''
    const empty = tag.endsWith('/')
    // the fallback repeats the text of a shape for readers that cannot draw it
    if (name === 'mc:Fallback' && !empty) skipped++
    else if (name === '/mc:Fallback') skipped--
    if (skipped > 0) continue
    if (name === 'w:t' && !empty) inText = true
    else if (name === '/w:t') inText = false
    else if (name === 'w:tab' || name === 'w:ptab') line += '\t'
    else if (name === 'w:br' || name === 'w:cr') line += '\n'
    else if (name === 'w:noBreakHyphen') line += '-'
    else if (name === '/w:p' || (name === 'w:p' && empty)) endParagraph()
    else if (name === 'w:tr' && !empty) rows.push({ cells: [] })
    else if (name === 'w:tc' && !empty) rows.at(-1)?.cells.push([])
    else if (name === '/w:tr') endRow()
  }
  return out.join('\n')
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,5});/gi, (whole, ref: string) => {
    if (!ref.startsWith('#')) return NAMED[ref] ?? whole
    const code = /^#x/i.test(ref) ? Number.parseInt(ref.slice(2), 16) : Number(ref.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
