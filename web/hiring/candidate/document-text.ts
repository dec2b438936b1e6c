/**
 * The text of a résumé file that browsers do not show, for readers who may have the file: paragraphs in their order,
 * without looks. It is made in the page, from bytes that are there already; nothing in them is run or fetched.
 */

/** Text of this many characters is the beginning of a book, and enough. */
const MAX_TEXT = 2_000_000
/** The part of a .docx with the text has at most so many, unpacked. */
const MAX_BYTES = 20_000_000
/** Open groups of an RTF file; editors write some tens. */
const MAX_GROUPS = 1_000

export type DocumentType = 'docx' | 'rtf'

export const documentType = (mime: string): DocumentType | undefined =>
  mime === 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    ? 'docx'
    : mime === 'application/rtf' || mime === 'text/rtf'
      ? 'rtf'
      : undefined

/** undefined: the file is not what its type says. */
export async function textOfDocument(type: DocumentType, bytes: ArrayBuffer): Promise<string | undefined> {
  try {
    return tidy(type === 'docx' ? textOfXml(await mainPart(bytes)) : textOfRtf(new TextDecoder('latin1').decode(bytes)))
  } catch {
    return undefined
  }
}

const tidy = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LONGEST_COMMENT = 65_557

/** `word/document.xml` of the ZIP archive that a .docx is. */
async function mainPart(buffer: ArrayBuffer): Promise<string> {
  const view = new DataView(buffer)
  const first = Math.max(0, buffer.byteLength - LONGEST_COMMENT)
  let end = buffer.byteLength - 22
  while (end >= first && view.getUint32(end, true) !== END_OF_DIRECTORY) end--
  if (end < first) throw new Error('no archive')
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) break
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(new Uint8Array(buffer, at + 46, nameLength))
    if (name === 'word/document.xml') return entry(buffer, view, at)
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  throw new Error('no text')
}

function entry(buffer: ArrayBuffer, view: DataView, at: number): Promise<string> {
  const packed = view.getUint32(at + 20, true)
  const local = view.getUint32(at + 42, true)
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const bytes = new Blob([new Uint8Array(buffer, start, packed)]).stream()
  // 0: stored as it is; 8: deflate
  return limitedText(
    view.getUint16(at + 10, true) === 0 ? bytes : bytes.pipeThrough(new DecompressionStream('deflate-raw')),
  )
}

async function limitedText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength
    if (size > MAX_BYTES) {
      void reader.cancel()
      throw new Error('too large')
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const codePoint = (n: number): string => (n > 0 && n <= 0x10ffff ? String.fromCodePoint(n) : '')

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (_, hex, decimal, name) =>
    hex ? codePoint(Number.parseInt(hex, 16)) : decimal ? codePoint(Number(decimal)) : (ENTITIES[name] ?? ''),
  )

function textOfXml(xml: string): string {
  let text = ''
  for (const [tag, written] of xml.matchAll(/<w:t(?:\s[^<>]*)?>([^<]*)<|<w:(?:tab|br|cr)\s*\/?>|<\/w:p>/g)) {
    if (written !== undefined) text += unescaped(written)
    else text += tag.startsWith('<w:tab') ? '\t' : '\n'
    if (text.length > MAX_TEXT) break
  }
  return text
}

/** Groups of an RTF file that hold no text of the document. */
const APART = /^(?:fonttbl|colortbl|stylesheet|info|pict|object|header|footer|themedata|listtable|generator|\*)$/

const BREAKS: Readonly<Record<string, string>> = { par: '\n', line: '\n', row: '\n', page: '\n', tab: '\t', cell: '\t' }
const MARKS: Readonly<Record<string, string>> = {
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
}

const windows1252 = new TextDecoder('windows-1252')

function textOfRtf(rtf: string): string {
  if (!rtf.startsWith('{\\rtf')) throw new Error('no RTF')
  let text = ''
  /** The open group: whether it is left out, and how many characters follow a \u that say the same. */
  let group = { apart: false, fallback: 1 }
  const outer: (typeof group)[] = []
  let skip = 0
  const write = (part: string) => {
    if (group.apart) return
    if (skip > 0) skip--
    else text += part
  }
  const tokens = /\\'([0-9a-f]{2})|\\([a-z]{1,32})(-?\d{1,10})? ?|\\([^a-z'])|([{}])|([^\\{}\r\n])/gi
  for (const [, byte, word, number, symbol, brace, character] of rtf.matchAll(tokens)) {
    if (text.length > MAX_TEXT) break
    if (brace === '{') {
      if (outer.length >= MAX_GROUPS) throw new Error('nested too deeply')
      outer.push(group)
      group = { ...group }
    } else if (brace === '}') group = outer.pop() ?? group
    else if (byte) write(windows1252.decode(new Uint8Array([Number.parseInt(byte, 16)])))
    else if (word === 'u') {
      skip = 0
      write(String.fromCharCode(Number(number) & 0xffff))
      skip = group.fallback
    } else if (word === 'uc') group.fallback = Number(number)
    else if (word && APART.test(word)) group.apart = true
    else if (word) {
      const part = BREAKS[word] ?? MARKS[word]
      if (part) write(part)
    } else if (symbol === '*') group.apart = true
    else if (symbol === '~') write('\u00a0')
    else if (symbol && '\\{}'.includes(symbol)) write(symbol)
    else if (character) write(character)
  }
  return text
}
