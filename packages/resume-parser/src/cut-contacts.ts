import { brokenAddressesCut } from './broken-addresses.ts'
import { findContacts } from './contacts.ts'
import { digitsOf } from './phones.ts'
import { SPOKEN_AT, SPOKEN_SIGN } from './vocabulary/contact-words.ts'

const CONTACT_LABEL =
  /(?<![\p{L}\p{N}])(?:e-?mails?(?: address(?:es)?)?|mail|correo(?: electrónico)?|courriel|poczta|tel(?:\.|e(?:ph|f)on[oe]?(?: number|nummer)?|éfono|éphone|eфон)?|phone(?: number)?|mob(?:ile?|il|iel)(?: number|telefon|nummer)?|cell(?:ulare|phone)?|handy|portable|móvil|telemóvel|komórka|fax|web(?:site)?|homepage|url|blog|portfolio|contact|kontakt)\s?(?:\(s\))?\s?[:.]?(?=[\s|,;•·/–-]|$)/giu
const SEPARATOR_RUN = /\s{0,4}[|•·,;]\s{0,4}(?=[|•·,;)\]]|$)/gu

/** A text without its contact details, and without the labels and separators that are left over. */
export function cutContacts(text: string, name: string | null = null): string {
  const found = findContacts(text, name)
  if (found.length === 0) return text
  let out = ''
  let at = 0
  for (const { start, end } of found) {
    out += `${text.slice(at, start)} `
    at = end
  }
  out += text.slice(at)
  return trimRemains(out)
}

const trimRemains = (text: string): string =>
  text
    .replace(CONTACT_LABEL, ' ')
    .replace(/[([{<]\s{0,3}[)\]}>]/g, ' ')
    .replace(SEPARATOR_RUN, ' ')
    .replace(/[^\S\t]{2,}/g, ' ')
    .replace(/^[\s|•·,;:/–—-]{1,40}|[\s|•·,;:/–—-]{1,40}$/gu, '')

/**
 * A line that consists of contact details has no other content: the rest of it is a label or at most the name of
 * the person. Any other line is kept without them.
 */
export function withoutContacts(line: string, name: string | null): string | undefined {
  const rest = cutContacts(line, name)
  if (rest === line) return line
  const letters = rest.match(/\p{L}/gu)?.length ?? 0
  if (letters < 2) return undefined
  return name !== null &&
    rest.toLowerCase().replace(/[^\p{L}]+/gu, '') === name.toLowerCase().replace(/[^\p{L}]+/gu, '')
    ? undefined
    : rest
}

const MAX_HALF = 80
const MAX_BETWEEN = 40
/** Lines over which a narrow column may spread one thing. */
const MAX_BROKEN_LINES = 4
const BREAKS_OFF = /[\d@＠﹫)\]}:=/|+_–—-]$|[@/]\S{0,60}[.?&:]$|www\.\S{0,60}\.$/i
const GOES_ON = /^[\d@＠﹫([{+/_]|^[.-][a-z]|^\/(?:in|pub)\//i
/** The line breaks before or after a sign that is spelled out. */
const ENDS_WITH_SIGN = new RegExp(String.raw`(?<!\p{L})(?:${SPOKEN_AT}|${SPOKEN_SIGN})$`, 'iu')
const BEGINS_WITH_SIGN = new RegExp(String.raw`^(?:${SPOKEN_AT}|${SPOKEN_SIGN})(?!\p{L})`, 'iu')
/** For the test that all of them are linear: it cannot read patterns that are put together here. */
export const BREAK_PATTERNS: readonly RegExp[] = [ENDS_WITH_SIGN, BEGINS_WITH_SIGN]
const ENDS_WITH_NETWORK = /(?:linkedin|github|gitlab|xing|twitter|skype|telegram|instagram|facebook)$/i
/** Halves that belong together without a space. */
const TIGHT_ABOVE = /[@/_=-]$|[@/]\S{0,60}[.?&:]$|www\.\S{0,60}\.$/i
const TIGHT_BELOW = /^[@/_]|^[.-][a-z]/
const MIN_BROKEN_DIGITS = 9

const isBroken = (above: string, below: string): boolean =>
  BREAKS_OFF.test(above) ||
  GOES_ON.test(below) ||
  ENDS_WITH_SIGN.test(above) ||
  BEGINS_WITH_SIGN.test(below) ||
  (ENDS_WITH_NETWORK.test(above) && /^(?:[:|–—-]\s?)?\S{2,60}$/u.test(below))

const gapBetween = (above: string, below: string): string =>
  (TIGHT_ABOVE.test(above) && (/^[\p{Ll}\p{N}@/_.-]/u.test(below) || above.endsWith('/'))) || TIGHT_BELOW.test(below)
    ? ''
    : ' '

/** Lines without what is broken between them, as a narrow column breaks it: `+49 151` above `23456789`. */
export function joinedContactsCut(lines: readonly string[], name: string | null = null): string[] {
  const kept = brokenAddressesCut(lines, name)
  for (let i = 0; i + 1 < kept.length; i++) {
    let reach = 1
    while (
      reach < MAX_BROKEN_LINES &&
      i + reach < kept.length &&
      (reach === 1 || lineAt(kept, i + reach - 1).length <= MAX_BETWEEN) &&
      isBroken(lineAt(kept, i + reach - 1).slice(-MAX_HALF), lineAt(kept, i + reach).slice(0, MAX_HALF))
    )
      reach++
    // the longest first
    while (reach > 1 && !cutOver(kept, i, reach)) reach--
  }
  for (let i = 0; i + 1 < kept.length; i++) cutInCells(kept, i)
  return kept
}

const lineAt = (lines: readonly string[], at: number): string => lines[at] ?? ''

/** Cuts what is broken inside a column of a table, between the cells of a line and those of the next. */
function cutInCells(kept: string[], first: number): void {
  const [above, below] = [lineAt(kept, first).split('\t'), lineAt(kept, first + 1).split('\t')]
  if (above.length < 2 || above.length !== below.length) return
  let found = false
  for (const [column, cell] of above.entries()) {
    const pair: [string, string] = [cell.trim(), lineAt(below, column).trim()]
    if (!isBroken(pair[0].slice(-MAX_HALF), pair[1].slice(0, MAX_HALF)) || !cutOver(pair, 0, 2)) continue
    ;[above[column], below[column]] = pair
    found = true
  }
  if (!found) return
  kept[first] = above.join('\t').trim()
  kept[first + 1] = below.join('\t').trim()
}

/** Cuts what reaches from the first of some lines to the last of them. */
function cutOver(kept: string[], first: number, count: number): boolean {
  const last = first + count - 1
  // neither half of anything is longer
  const tail = lineAt(kept, first).slice(-MAX_HALF)
  const segments = [tail, ...kept.slice(first + 1, last), lineAt(kept, last).slice(0, MAX_HALF)]
  const gaps = segments.slice(1).map((segment, i) => gapBetween(segments[i] ?? '', segment))
  for (const between of gaps.includes('') ? [gaps, gaps.map(() => ' ')] : [gaps]) {
    const joined = segments.slice(1).reduce((text, segment, i) => text + (between[i] ?? '') + segment, tail)
    const lastStart = joined.length - (segments.at(-1) ?? '').length
    for (const { kind, start, end, value } of findContacts(joined)) {
      if (start >= tail.length || end <= lastStart) continue
      if (kind === 'phone' && !/^[+([0]/.test(value) && digitsOf(value).length < MIN_BROKEN_DIGITS) continue
      const head = lineAt(kept, first)
      kept[first] = head.slice(0, head.length - tail.length + start).trimEnd()
      for (let i = first + 1; i < last; i++) kept[i] = ''
      kept[last] = lineAt(kept, last)
        .slice(end - lastStart)
        .trimStart()
      return true
    }
  }
  return false
}

const mapTexts = (value: unknown, change: (text: string) => unknown): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change)).filter(item => item !== null)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]))
  return value
}

/** Every text in a value without some words; texts of which nothing is left are gone. */
export const withoutWords = (value: unknown, words: ReadonlySet<string>): unknown =>
  mapTexts(value, text => {
    const rest = text.replace(/\S+/g, word => (words.has(word.replace(/[,;|]$/, '')) ? ' ' : word))
    return rest === text ? text : trimRemains(rest) || null
  })

/** Every text in a value, however deep, without ways to reach a person; texts of which nothing is left are gone. */
export const cleanTexts = <T>(value: T, name: string | null): T =>
  mapTexts(value, text => {
    const rest = withoutContacts(text, name)
    return rest === undefined || rest.trim() === '' ? null : rest
  }) as T
