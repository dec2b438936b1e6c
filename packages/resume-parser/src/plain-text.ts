import {
  AT_WORDS,
  CHINESE_DIGITS,
  DOT_WORDS,
  ENCLOSED,
  LETTERS,
  RARE_AT_WORDS,
  SIGNS,
} from './vocabulary/look-alikes.ts'

/** A text as a person reads it, with the place of each of its characters in the text as it was written. */
export interface PlainText {
  text: string
  /** The part of the original that a part of the plain text was made of. */
  original: (start: number, end: number) => { start: number; end: number }
}

/** Invisible characters: direction marks, joiners, selectors, and combining marks. */
const HIDDEN = /^[\p{Cf}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]$/u
const DASH = /^[\p{Pd}−⁻₋⁃]$/u
const QUOTE = /^[‘’‚‛′ʼʹˈ`´]$/u
const DOUBLE_QUOTE = /^[“”„‟″«»]$/u
const OPENING = /^\p{Ps}$/u
const CLOSING = /^\p{Pe}$/u
const DIGIT = /^\p{Nd}$/u
const ASCII = /^[\t-~]*$/

function plainCharacter(char: string): string {
  if (HIDDEN.test(char)) return ''
  if (DASH.test(char)) return '-'
  if (QUOTE.test(char)) return "'"
  if (DOUBLE_QUOTE.test(char)) return '"'
  const sign = SIGNS.get(char) ?? ENCLOSED.get(char)
  if (sign !== undefined) return sign
  if (DIGIT.test(char)) return digitOf(char)
  const plain = char.normalize('NFKC')
  if (OPENING.test(plain)) return /[[{]/.test(plain) ? plain : '('
  if (CLOSING.test(plain)) return /[\]}]/.test(plain) ? plain : ')'
  return plain.length > 1 ? plain.replace(/[\p{Mn}\p{Me}]/gu, '').replaceAll('⁄', '/') : plain
}

/** The code points of the digits of a script are consecutive, from zero to nine. */
function digitOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

const FOREIGN = /[^\t-~]/
const CHINESE_NUMBER = new RegExp(`[${CHINESE_DIGITS}](?:[ -]?[${CHINESE_DIGITS}]){6,40}`, 'gu')
/** Letters in the place of digits: `O151 2345O789` */
const LETTER_DIGIT = /(?<=\d)[OoIl](?=\d)|(?<![\p{L}\p{N}])[Oo](?=\d{3})/gu

/** Letters of other scripts that look like ours, in words that have some of ours too. Every character stays in its place. */
const withoutLookAlikes = (text: string): string =>
  (FOREIGN.test(text)
    ? text
        .replace(/\S{1,300}/gu, word =>
          /[a-zɪɴʀᴀ-ᴢ]/i.test(word) ? word.replace(/[^\t-~]/gu, char => LETTERS.get(char) ?? char) : word,
        )
        .replace(CHINESE_NUMBER, digits => digits.replace(/[^ -]/gu, digit => String(CHINESE_DIGITS.indexOf(digit))))
    : text
  ).replace(LETTER_DIGIT, letter => (/o/i.test(letter) ? '0' : '1'))

/** The signs of an email address or a URL written so that machines do not find them: `(at)`, `[.]`, `%40`. */
const SPELLED = new RegExp(
  String.raw`\s{0,2}[([{<]\s?(?:(?:${AT_WORDS})\s?[)\]}>]\s{0,2}|(?:${RARE_AT_WORDS})\s?[)\]}>]\s{0,2}(?=[\p{L}\p{N}-]{1,63}\s?[.([{<]))|%40|&#0{0,3}64;|&commat;`,
  'gu',
)
const SPELLED_DOT = new RegExp(String.raw`\s{0,2}[([{<]\s?(?:${DOT_WORDS})\s?[)\]}>]\s{0,2}|(?<=\w)%2e(?=\w)`, 'giu')
/** For the test that all of them are linear: it cannot read patterns that are put together here. */
export const PLAIN_TEXT_PATTERNS: readonly RegExp[] = [CHINESE_NUMBER, SPELLED, SPELLED_DOT]

interface Mapped {
  text: string
  starts: number[]
  ends: number[]
}

/** Normal forms of all characters, one dash, one quote, nothing hidden, and the signs that are spelled out. */
export function plainText(written: string): PlainText {
  let mapped: Mapped | undefined
  if (!ASCII.test(written)) mapped = byCharacter(written)
  mapped = withSigns(mapped, written)
  // words for signs are looked for before their letters are changed and after it
  const read = withoutLookAlikes(mapped?.text ?? written)
  if (read !== (mapped?.text ?? written)) mapped = withSigns({ ...(mapped ?? identity(written)), text: read }, written)
  if (!mapped) return { text: written, original: (start, end) => ({ start, end }) }
  const { text, starts, ends } = mapped
  return { text, original: (start, end) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }) }
}

function withSigns(mapped: Mapped | undefined, written: string): Mapped | undefined {
  if (!/[([{<&%]/.test(mapped?.text ?? written)) return mapped
  return replaced(replaced(mapped ?? identity(written), SPELLED, '@'), SPELLED_DOT, '.')
}

function byCharacter(written: string): Mapped {
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  for (const char of written) {
    const plain = plainCharacter(char)
    const end = at + char.length
    // a hidden character belongs to the one before it, and the first to the one after it
    if (plain === '' && ends.length > 0) ends[ends.length - 1] = end
    for (let i = 0; i < plain.length; i++) {
      starts.push(starts.length === 0 ? 0 : at)
      ends.push(end)
    }
    text += plain
    at = end
  }
  return { text, starts, ends }
}

const identity = (text: string): Mapped => ({
  text,
  starts: Array.from({ length: text.length }, (_, i) => i),
  ends: Array.from({ length: text.length }, (_, i) => i + 1),
})

function replaced(given: Mapped, pattern: RegExp, sign: string): Mapped {
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  const copy = (to: number) => {
    text += given.text.slice(at, to)
    for (let i = at; i < to; i++) {
      starts.push(given.starts[i] ?? 0)
      ends.push(given.ends[i] ?? 0)
    }
  }
  for (const match of given.text.matchAll(pattern)) {
    copy(match.index)
    at = match.index + match[0].length
    text += sign
    starts.push(given.starts[match.index] ?? 0)
    ends.push(given.ends[at - 1] ?? 0)
  }
  if (at === 0) return given
  copy(given.text.length)
  return { text, starts, ends }
}
