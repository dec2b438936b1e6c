/** One line of a résumé, taken apart at wide gaps: tabs, cells of a table, places at the right margin. */
export interface TextLine {
  text: string
  parts: readonly string[]
  /** begins with a mark of a list */
  bullet: boolean
}

const MAX_LINES = 3_000
const MAX_LINE = 500

const BULLET = /^(?:[•·*‣▪▫◦∘◆◇●○■□►▸▶➢➤✓✔»›⁃⚫]|[-–—](?=\s))\s{0,3}(?=\S)/u

export const withoutBullet = (text: string): string => text.replace(BULLET, '')

export const toLine = (text: string): TextLine => {
  const bullet = BULLET.test(text)
  const parts = withoutBullet(text)
    .split('\t')
    .map(part => part.trim())
    .filter(part => part !== '')
  return { text, parts, bullet: bullet && !/^\*\s?\p{L}+,/u.test(text) }
}

/** Place and date at the end of a letter: `Rosenheim, den 12. Oktober 2026` */
const SIGNATURE =
  /^\p{Lu}[\p{L}\s.-]{1,30},\s(?:den\s|le\s|a\s|em\s|dnia\s|dne\s|li\s)?\d{1,2}[.\s/-]{1,2}(?:\p{L}{3,12}|(?:de\s\p{L}{3,12}\sde)|\d{1,2})[.\s/-]{1,2}\d{4}$/u
const PAGE_NUMBER =
  /^(?:page|seite|página|pagina|strona|sida|side)\s\d{1,3}(?:\s?(?:of|von|de|di|van|z|av|af|\/)\s?\d{1,3})?$/iu

/** A line cannot end with these words: it continues in the next one. */
const GOES_ON = /\s(?:in|of|and|for|the|with|at|&|und|für|der|des|et|de|du|y|di|e|del|della|dla|van|voor|och|og)$/u

/** The lines of a text that say something. */
export function toLines(text: string): TextLine[] {
  const lines: string[] = []
  for (const raw of text.split('\n', MAX_LINES)) {
    const line = raw.slice(0, MAX_LINE).trim()
    // the sign of an email address may have a line to itself
    if (!/[\p{L}\p{N}@＠﹫]/u.test(line) || SIGNATURE.test(line) || PAGE_NUMBER.test(line)) continue
    const last = lines.at(-1)
    if (last !== undefined && GOES_ON.test(last) && !BULLET.test(line) && last.length + line.length < MAX_LINE)
      lines[lines.length - 1] = `${last} ${line}`
    else lines.push(line)
  }
  return lines.map(toLine).filter(line => line.parts.length > 0)
}

const EDGE = /^[\s,;|•·:*()[\]\-–—−→~/]{1,40}|[\s,;|•·:*([\-–—−→~/]{1,40}$/gu

/** Without separators at its ends, and without a bracket that was never closed or opened. */
export function trimMarks(text: string): string {
  const trimmed = text
    .replace(/\(\s*\)/g, ' ')
    .replace(/\s{2,}/g, ' ')
    .replace(EDGE, '')
    .trim()
  return trimmed.endsWith(')') && !trimmed.includes('(') ? trimmed.slice(0, -1).trim() : trimmed
}

export function withoutRepeats(list: readonly string[]): string[] {
  const seen = new Set<string>()
  return list.filter(item => !seen.has(item.toLowerCase()) && seen.add(item.toLowerCase()))
}

const ABBREVIATED = /(?:^|[\s(])(?:\p{L}{1,4}\.\s?){2,4}$|(?:^|\s)(?:\p{L}{1,2}|Inc|Ltd|Corp|GmbH|Bros|etc|Mio|bzw)\.$/u

/** A line that ends as a sentence ends, or continues as one: no name of anything. */
export function isSentence(text: string): boolean {
  const count = text.split(/\s+/).length
  if (/[!?;]$/.test(text) && count > 3) return true
  if (/\.$/.test(text) && count > 3) return !ABBREVIATED.test(text) || count > 9
  return count > 14 || /^\p{Ll}/u.test(text)
}
