import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pdfDocument, zip } from './resume-files.ts'

/** Labelled résumés of bench/resumes/, and the files that are made of them. The README there describes the markup. */
export interface LabelledResume {
  id: string
  set: 'dev' | 'held-out'
  labels: Readonly<Record<string, string>>
  formats: string[]
  /** in the markup of the README */
  page: string
}

interface Row {
  align: 'left' | 'center' | 'right'
  size: number
  /** parts of a table row; one for an ordinary line. Each is a text, and a text at the right margin */
  cells: { text: string; right: string }[]
  widths: number[]
}

type Block = Row | 'page' | { left: Row[]; right: Row[]; width: number }

const FOLDER = join(import.meta.dirname, '../bench/resumes')

export const resumeSet = (set: LabelledResume['set']): LabelledResume[] =>
  readdirSync(join(FOLDER, set))
    .filter(file => file.endsWith('.resume'))
    .sort()
    .map(file => {
      const source = readFileSync(join(FOLDER, set, file), 'utf8')
      const at = source.indexOf('\n---\n')
      const labels = Object.fromEntries(
        source
          .slice(0, at)
          .split('\n')
          .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      )
      const page = source.slice(at + 5).trimEnd()
      return {
        id: file.replace('.resume', ''),
        set,
        labels,
        formats: (labels['formats'] ?? 'pdf docx rtf txt').split(' '),
        page,
      }
    })

const SIZES: Readonly<Record<string, number>> = { '!': 22, '#': 14, '##': 12 }

function toBlocks(page: string): Block[] {
  const blocks: Block[] = []
  let widths = [25, 75]
  let columns: { left: Row[]; right: Row[]; width: number } | undefined
  let side: 'left' | 'right' = 'left'
  for (const line of page.split('\n')) {
    const [, name, values] = /^\[(\w+)([\d ]*)\]$/.exec(line) ?? []
    const numbers = values?.trim().split(' ').map(Number) ?? []
    if (name === 'columns') {
      columns = { left: [], right: [], width: numbers[0]! }
      side = 'left'
    } else if (name === 'next') side = 'right'
    else if (name === 'end') {
      blocks.push(columns!)
      columns = undefined
    } else if (name === 'table') widths = numbers
    else if (name === 'page') blocks.push('page')
    else if (columns) columns[side].push(toRow(line, widths))
    else blocks.push(toRow(line, widths))
  }
  return blocks
}

function toRow(line: string, widths: number[]): Row {
  const [, aligned = '', mark = '', rest = ''] = /^([\^>]?)(?:(!|##?) )?(.*)$/.exec(line)!
  const cells = rest.split(/(?:^| )\|\|(?: |$)/).map(cell => {
    const [text = '', right = ''] = cell.split(/\s*>>\s*/)
    return { text: text.trimEnd(), right }
  })
  return {
    align: aligned === '^' ? 'center' : aligned === '>' ? 'right' : 'left',
    size: SIZES[mark] ?? 10,
    cells,
    widths: cells.length > 1 ? widths : [100],
  }
}

const flat = (blocks: readonly Block[]): Row[] =>
  blocks.flatMap(block => (block === 'page' ? [] : 'left' in block ? [...block.left, ...block.right] : [block]))

const cellText = (cell: Row['cells'][number]): string => (cell.right === '' ? cell.text : `${cell.text}\t${cell.right}`)

export const RENDERERS: Readonly<Record<string, { mime: string; render: (page: string) => Buffer }>> = {
  pdf: { mime: 'application/pdf', render: page => toPdf(toBlocks(page)) },
  docx: {
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    render: page => toDocx(toBlocks(page)),
  },
  rtf: { mime: 'application/rtf', render: page => toRtf(toBlocks(page)) },
  txt: { mime: 'text/plain', render: page => toTxt(toBlocks(page)) },
}

/** Places at the right margin and columns of tables are reached with spaces. */
function toTxt(blocks: readonly Block[]): Buffer {
  const WIDTH = 88
  const lines = flat(blocks).map(({ cells, widths, align }) => {
    if (cells.length === 1) {
      const { text, right } = cells[0]!
      if (right !== '') return text.padEnd(Math.max(text.length + 3, WIDTH - right.length)) + right
      if (align === 'left') return text
      return ' '.repeat(Math.max(0, Math.floor((WIDTH - text.length) / (align === 'center' ? 2 : 1)))) + text
    }
    return cells
      .map((cell, i) => {
        const width = Math.floor(((widths[i] ?? 25) / 100) * WIDTH)
        return cellText(cell)
          .replaceAll('\t', '    ')
          .padEnd(width - 3)
          .concat(i < cells.length - 1 ? '   ' : '')
      })
      .join('')
      .trimEnd()
  })
  return Buffer.from(lines.join('\n'))
}

function toRtf(blocks: readonly Block[]): Buffer {
  const escaped = (text: string) =>
    [...text]
      .map(c => {
        if (c === '\t') return '\\tab '
        if ('\\{}'.includes(c)) return `\\${c}`
        const code = c.charCodeAt(0)
        return code < 128 ? c : `\\u${code > 32767 ? code - 65536 : code}?`
      })
      .join('')
  const body = flat(blocks).map(({ cells, size }) =>
    cells.length > 1
      ? `\\trowd${cells.map((_, i) => `\\cellx${(i + 1) * 3000}`).join('')}\\intbl ${cells.map(c => `${escaped(cellText(c))}\\cell`).join(' ')}\\row`
      : `\\pard\\fs${size * 2} ${escaped(cellText(cells[0]!))}\\par`,
  )
  return Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}}\n${body.join('\n')}\n}`)
}

function toDocx(blocks: readonly Block[]): Buffer {
  const run = (text: string) =>
    text
      .split('\t')
      .map(part => `<w:t xml:space="preserve">${part.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</w:t>`)
      .join('<w:tab/>')
  const paragraph = (text: string) => `<w:p><w:pPr><w:keepNext/></w:pPr><w:r>${run(text)}</w:r></w:p>`
  const table = (cells: string[]) =>
    `<w:tbl><w:tr>${cells.map(c => `<w:tc><w:tcPr/>${c}</w:tc>`).join('')}</w:tr></w:tbl>`
  const row = (r: Row) =>
    r.cells.length > 1 ? table(r.cells.map(c => paragraph(cellText(c)))) : paragraph(cellText(r.cells[0]!))
  const body = blocks.map(block => {
    if (block === 'page') return '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    if ('left' in block) return table([block.left.map(row).join(''), block.right.map(row).join('')])
    return row(block)
  })
  const xml = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`
  return zip({ '[Content_Types].xml': Buffer.from('<Types/>'), 'word/document.xml': Buffer.from(xml) })
}

/** Widths of Helvetica from the space on, in thousandths of the size; every other character counts as 556. */
const WIDTHS =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
    .split(' ')
    .map(Number)

const widthOf = (text: string, size: number): number =>
  ([...text].reduce((sum, c) => sum + (WIDTHS[c.charCodeAt(0) - 32] ?? 556), 0) * size) / 1000

const [LEFT, RIGHT, TOP, BOTTOM, GAP] = [45, 550, 800, 40, 18]

/** Real places on the page: wrapped lines, right margins, tables and columns whose lines do not meet. */
function toPdf(blocks: readonly Block[]): Buffer {
  const codes = new Map<string, number>()
  const encoded = (text: string): string =>
    [...text]
      .map(c => {
        const code = c.charCodeAt(0)
        if (code >= 32 && code < 127) return '()\\'.includes(c) ? `\\${c}` : c
        if (!codes.has(c)) codes.set(c, 128 + codes.size)
        return `\\${codes.get(c)!.toString(8)}`
      })
      .join('')
  const pages: string[][] = [[]]
  let y = TOP
  const put = (x: number, at: number, size: number, text: string) => {
    // words far from each other are set on their own, as typesetters do
    let from = x
    for (const part of text.split(/( {2,})/)) {
      if (part.trim() !== '')
        pages.at(-1)!.push(`BT /F1 ${size} Tf ${from.toFixed(1)} ${at} Td (${encoded(part)}) Tj ET`)
      from += part.trim() === '' ? part.length * size : widthOf(part, size)
    }
  }
  /** Returns the height that the row takes. */
  const putRow = (row: Row, from: number, to: number, at: number): number => {
    const { size } = row
    let [x, lines] = [from, 1]
    for (const [i, { text, right }] of row.cells.entries()) {
      const width = ((to - from) * (row.widths[i] ?? 25)) / 100
      const end = i === row.cells.length - 1 ? to : x + width - 6
      const rightWidth = right === '' ? 0 : widthOf(right, size) + GAP
      const wrapped = wrap(text, size, end - x - rightWidth)
      for (const [n, line] of wrapped.entries()) {
        const own = widthOf(line, size)
        const start = row.align === 'center' ? (from + to - own) / 2 : row.align === 'right' ? to - own : x
        put(start, at - n * size * 1.25, size, line)
      }
      if (right !== '') put(end - widthOf(right, size), at, size, right)
      lines = Math.max(lines, wrapped.length)
      x += width
    }
    return lines * size * 1.25 + (size > 10 ? 6 : 1)
  }
  const newPage = () => {
    pages.push([])
    y = TOP
  }
  for (const block of blocks) {
    if (block === 'page') newPage()
    else if ('left' in block) {
      const middle = LEFT + ((RIGHT - LEFT) * block.width) / 100
      // the right column begins a little lower, so that the lines of both never meet
      const run = (rows: Row[], from: number, to: number, start: number) =>
        rows.reduce((at, row) => at - putRow(row, from, to, Math.round(at * 10) / 10), start)
      y = Math.min(run(block.left, LEFT, middle - GAP, y), run(block.right, middle, RIGHT, y - 1.5))
    } else {
      if (y < BOTTOM) newPage()
      y -= putRow(block, LEFT, RIGHT, y)
    }
  }
  const extra = [...codes.keys()].map(c => `/uni${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
  const widths = Array.from({ length: 224 }, (_, i) => WIDTHS[i] ?? 556)
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /LastChar 255 /Widths [${widths.join(' ')}] /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [128 ${extra.join(' ')}] >> >>`
  return pdfDocument(
    pages.map(page => Buffer.from(page.join('\n'), 'latin1')),
    font,
  )
}

function wrap(text: string, size: number, width: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`
    if (lines.at(-1) !== '' && widthOf(longer, size) > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}
