/** A text as a person reads it, with the place of each of its characters in the text as it was written. */
export interface PlainText {
  text: string
  /** The part of the original that a part of the plain text was made of. */
  original: (start: number, end: number) => { start: number; end: number }
}

/** Characters that nobody sees: marks of direction, joiners, selectors, and marks that lie over other characters. */
const HIDDEN = /^[\p{Cf}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]$/u
const DASH = /^[\p{Pd}−⁻₋⁃]$/u
const QUOTE = /^[‘’‚‛′ʼʹˈ`´]$/u
const DOUBLE_QUOTE = /^[“”„‟″«»]$/u
const FULL_STOP = /^[。｡٫۔]$/u
const ASCII = /^[\t-~]*$/

function plainCharacter(char: string): string {
  if (HIDDEN.test(char)) return ''
  if (DASH.test(char)) return '-'
  if (QUOTE.test(char)) return "'"
  if (DOUBLE_QUOTE.test(char)) return '"'
  if (FULL_STOP.test(char)) return '.'
  const plain = char.normalize('NFKC')
  return plain.length > 1 ? plain.replace(/[\p{Mn}\p{Me}]/gu, '').replaceAll('⁄', '/') : plain
}

/** The signs of an e-mail address or a URL written so that machines do not find them: `(at)`, `[.]`, `%40`. */
const SPELLED =
  /\s{0,2}[([{<]\s?(?:(?:at|ät|@|arroba|chiocciola|chez|a t)\s?[)\]}>]\s{0,2}|(?:A[tT]|Arroba|ARROBA)\s?[)\]}>]\s{0,2}(?=[\p{L}\p{N}-]{1,63}\s?[.([{<]))|%40|&#0{0,3}64;|&commat;/gu
const SPELLED_DOT = /\s{0,2}[([{<]\s?(?:dot|punkt|point|punto|ponto|kropka|d0t|\.)\s?[)\]}>]\s{0,2}|(?<=\w)%2e(?=\w)/giu

interface Mapped {
  text: string
  starts: number[]
  ends: number[]
}

/** Normal forms of all characters, one dash, one quote, nothing hidden, and the signs that are spelled out. */
export function plainText(written: string): PlainText {
  let mapped: Mapped | undefined
  if (!ASCII.test(written)) mapped = byCharacter(written)
  if (/[([{<&%]/.test(mapped?.text ?? written)) {
    mapped = replaced(mapped ?? identity(written), SPELLED, '@')
    mapped = replaced(mapped, SPELLED_DOT, '.')
  }
  if (!mapped) return { text: written, original: (start, end) => ({ start, end }) }
  const { text, starts, ends } = mapped
  return { text, original: (start, end) => ({ start: starts[start]!, end: ends[end - 1]! }) }
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
      starts.push(given.starts[i]!)
      ends.push(given.ends[i]!)
    }
  }
  for (const match of given.text.matchAll(pattern)) {
    copy(match.index)
    at = match.index + match[0].length
    text += sign
    starts.push(given.starts[match.index]!)
    ends.push(given.ends[at - 1]!)
  }
  if (at === 0) return given
  copy(given.text.length)
  return { text, starts, ends }
}
