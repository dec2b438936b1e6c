// Writers of small but genuine files: what a candidate would upload, what a parser must be able to read. Text is
// limited to Latin-1, so that a PDF needs no embedded font.

import { crc32, deflateSync } from 'node:zlib'

export interface DemoFile {
  extension: string
  mime: string
  body: Buffer
}

const LINE_HEIGHT = 14
const MARGIN = 50

/** One page of text in a standard font. Without lines it is a page with a grey area: a scan, which holds no text. */
export function pdf(
  lines: readonly string[],
  page: { width: number; height: number } = { width: 595, height: 842 },
): DemoFile {
  const content = lines.length > 0 ? textOf(lines, page.height) : `0.8 g\n${MARGIN} ${MARGIN} 400 600 re\nf`
  const stream = Buffer.from(content, 'latin1')
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Contents 4 0 R ` +
        '/Resources << /Font << /F1 5 0 R >> >> >>',
    ),
    Buffer.concat([Buffer.from(`<< /Length ${stream.length} >>\nstream\n`), stream, Buffer.from('\nendstream')]),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
  ]
  // The four bytes above 127 tell transports that the file is binary.
  const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let at = parts[0]!.length
  const offsets: number[] = []
  for (const [i, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    offsets.push(at)
    at += part.length
    parts.push(part)
  }
  const entries = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  )
  return { extension: 'pdf', mime: 'application/pdf', body: Buffer.concat(parts) }
}

function textOf(lines: readonly string[], height: number): string {
  const shown = lines.map(line => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`)
  return `BT\n/F1 10 Tf\n${LINE_HEIGHT} TL\n${MARGIN} ${height - MARGIN} Td\n${shown.join('\n')}\nET`
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const RELATIONSHIPS = 'application/vnd.openxmlformats-package.relationships+xml'

/** The three parts that a word processor asks for: types, relations, document. */
export function docx(lines: readonly string[]): DemoFile {
  const paragraphs = lines.map(line => `<w:p><w:r><w:t xml:space="preserve">${xml(line)}</w:t></w:r></w:p>`).join('')
  const types =
    `<Default Extension="rels" ContentType="${RELATIONSHIPS}"/>` +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/word/document.xml" ContentType="${DOCX}.main+xml"/>`
  const relation = `<Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="word/document.xml"/>`
  const body = zip({
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types">${types}</Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relation}</Relationships>`,
    'word/document.xml': `${XML}<w:document xmlns:w="${WORD}"><w:body>${paragraphs}<w:sectPr/></w:body></w:document>`,
  })
  return { extension: 'docx', mime: DOCX, body }
}

const ZIP_VERSION = 20
const DOS_DATE = 0x21 // 1 January 1980, the first day that the format knows

/** A ZIP archive whose entries are stored as they are. */
function zip(entries: Record<string, string>): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(entries)) {
    const data = Buffer.from(text)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(ZIP_VERSION, 0)
    common.writeUInt16LE(DOS_DATE, 8)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name)])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    const madeBy = Buffer.from([ZIP_VERSION, 0])
    central.push(Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, common, rest, Buffer.from(name)]))
    local.push(header, data)
    at += header.length + data.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...local, directory, end])
}

export function rtf(lines: readonly string[]): DemoFile {
  const escaped = lines.map(line =>
    line.replace(/[\\{}]/g, '\\$&').replace(/[\u0080-\uffff]/g, letter => `\\u${letter.charCodeAt(0)}?`),
  )
  const opening = '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Helvetica;}}\\f0\\fs20'
  const text = `${opening}\n${escaped.join('\\par\n')}\\par\n}`
  return { extension: 'rtf', mime: 'application/rtf', body: Buffer.from(text, 'latin1') }
}

export const txt = (lines: readonly string[]): DemoFile => ({
  extension: 'txt',
  mime: 'text/plain',
  body: Buffer.from(`${lines.join('\n')}\n`),
})

/** A square picture, different for each seed: a five by five pattern, mirrored, in one of many colours. */
export function png(seed: number): DemoFile {
  const size = 80
  const cell = size / 5
  const colour = [60 + (seed % 7) * 24, 60 + (seed % 5) * 32, 60 + (seed % 11) * 16]
  const raw = Buffer.alloc((size * 3 + 1) * size, 0xf0)
  for (let y = 0; y < size; y++) {
    const line = y * (size * 3 + 1)
    raw[line] = 0 // no filter
    for (let x = 0; x < size; x++) {
      const column = Math.floor(x / cell)
      const bit = Math.floor(y / cell) * 3 + Math.min(column, 4 - column)
      if ((seed >> bit) & 1) for (let c = 0; c < 3; c++) raw[line + 1 + x * 3 + c] = colour[c]!
    }
  }
  return { extension: 'png', mime: 'image/png', body: encodePng(size, size, RGB, raw) }
}

/** Color types of the format. */
const RGB = 2
export const RGBA = 6

/** A PNG of rows that begin with a zero (no filter), eight bits for each value. */
export function encodePng(width: number, height: number, colorType: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colorType, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}
