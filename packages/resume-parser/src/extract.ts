import { docText } from './doc.ts'
import { docxText } from './docx.ts'
import { rtfText } from './rtf.ts'
import { txtText } from './txt.ts'
import { Unreadable } from './unreadable.ts'

const MAX_TEXT = 200_000
/** Less than this is no résumé: a scanned picture, or nothing. */
const MIN_LETTERS = 20

/** The text of a résumé. What the file is, its first bytes say; what the sender said it is decides only for text. */
export async function extractText(file: Buffer, mime: string): Promise<string> {
  const text = normalizeText(await read(file, mime))
  if ((text.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS) throw new Unreadable('the document has no text', 'no_text')
  return text
}

async function read(file: Buffer, mime: string): Promise<string> {
  if (file.subarray(0, 1024).includes('%PDF-')) {
    // by far the largest library of them all: the other kinds do not wait for it
    const { pdfText } = await import('./pdf.ts')
    return pdfText(file)
  }
  if (startsWith(file, 'PK\x03\x04')) return docxText(file)
  if (startsWith(file, '\xd0\xcf\x11\xe0')) return docText(file)
  if (startsWith(file, '{\\rtf')) return rtfText(file)
  if (mime === 'text/plain') return txtText(file)
  throw new Unreadable('the content of the file does not match its type', 'unsupported')
}

const startsWith = (file: Buffer, bytes: string): boolean => file.toString('latin1', 0, bytes.length) === bytes

/** Characters of fonts that draw icons, and pictures: they say nothing, and what they stand between is separate. */
const ICONS =
  /[\p{Co}\uFFFD]|(?![\d#*©®™\u2190-\u21FF\u25A0-\u25FF\u2713\u2714\u2794-\u27BF])\p{Extended_Pictographic}\uFE0F?/gu

/** One form for the same text: line ends, spaces, dashes, ligatures, invisible characters. */
export const normalizeText = (text: string): string =>
  text
    .slice(0, MAX_TEXT * 2)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\uFB00-\uFB06]/g, ligature => ligature.normalize('NFKC'))
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(/[\p{Zs}]/gu, ' ')
    // many programs write it where a hyphen is meant to be seen
    .replaceAll('\u00AD', '-')
    .replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g, '')
    .replace(/[^\n\t\P{Cc}]/gu, '')
    .replace(ICONS, '\t')
    // spaces that put text somewhere are a gap
    .replace(/ {3,}/g, '\t')
    .replace(/ {2}/g, ' ')
    .replace(/ ?([\n\t]) ?/g, '$1')
    .replace(/\t{2,}/g, '\t')
    .replace(/\t?\n\t?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed()
