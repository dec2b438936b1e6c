import { isPostalNumber, withoutPostalCode } from './postal-address.ts'

const PHONE =
  /(?:\(?\+|(?<!\p{Nd})00|(?<=(?:^|[^\p{Nd}]))[([]?)[([]?\p{Nd}(?:[\s.\-/·()_|':~[\]]{0,3}\p{Nd}){6,40}[)\]]?/gu
/** Anything but letters between the digits of a number that begins as phone numbers do. */
const LOOSE_PHONE = /(?<![\p{Nd}.,])(?:\+[1-9]|0[1-9])(?:[^\p{L}\p{Nd}%$€£¥]{0,3}\p{Nd}){7,40}/gu
const DATE_TOKEN =
  /^[('’]?(?:(?:\d{1,2}[./-]){0,2}(?:1[6-9]|20)\d{2}|(?:1[6-9]|20)\d{2}[./-]\d{1,2}(?:[./-]\d{1,2})?|(?:1[6-9]|20)\d{2}[-–/](?:(?:1[6-9]|20)\d{2}|\d{2}|)|\d{1,2}[./-]\d{1,2}[./-]\d{2}|[-–−/.·()_:']{1,3})[).]?$/
/** Between two dates that are written without spaces: `08/2016–07/2019` */
const RANGE_DASH =
  /(?<=(?:1[6-9]|20)\d{2}(?:[./-]\d{1,2})?)[–—−-]{1,3}(?=(?:\d{1,2}[./]){0,2}(?:1[6-9]|20)\d{2}(?:[./-]\d{1,2})?(?!\d))/g
const STANDARD = /\b(?:ISO|IEC|DIN|EN|RFC|IEEE|ANSI|NFPA|ASTM|TOEIC|TOEFL)[\s:-]{0,2}$/i
const MONEY = /[$€£¥]\s?$/
export const digitsOf = (text: string): string => text.replace(/\P{Nd}/gu, '')

const MIN_DIGITS = 7
/** Digits that a number has at least when a year is behind it, or the code of a town before it. */
const WHOLE_NUMBER = 10

/**
 * The part of a run of digits that is a phone number: dates before and after it do not belong to it, and a run that is
 * nothing but dates, an amount or the name of a standard is none.
 */
function phoneIn(run: string, before: string, after: string): { start: number; end: number } | undefined {
  const text = withoutPostalCode(run, after)
  const plus = /^[([]?\+|^[([]?00/.test(text)
  const spaced = text
    .replace(RANGE_DASH, dashes => ' '.repeat(dashes.length))
    .replace(/[|~,;[\]]/g, ' ')
    // the year of a standard: 27001:2013
    .replace(/:(?=(?:19|20)\d{2}(?!\d))/g, ' ')
  const tokens = [...spaced.matchAll(/\S+/g)].map(m => ({ text: m[0], start: m.index, end: m.index + m[0].length }))
  const digits = () => digitsOf(tokens.map(token => token.text).join('')).length
  const textAt = (at: 0 | -1) => tokens.at(at)?.text ?? ''
  const isDate = (at: 0 | -1) => tokens.length > 0 && DATE_TOKEN.test(textAt(at))
  if (plus) {
    while (isDate(-1) && digits() - digitsOf(textAt(-1)).length >= WHOLE_NUMBER) tokens.pop()
    return { start: 0, end: tokens.at(-1)?.end ?? 0 }
  }
  const national = /^[([]?0/.test(text) && digitsOf(text).length >= WHOLE_NUMBER - 1
  if (!national && (STANDARD.test(before) || MONEY.test(before))) return undefined
  while (isDate(0)) tokens.shift()
  // years that follow the code of a town are the rest of its number: 0151 1999 2020
  const local = /^\(?0\d{2,4}\)?$/.test(textAt(0))
  while (isDate(-1) && (!local || digits() - digitsOf(textAt(-1)).length >= WHOLE_NUMBER - 1)) tokens.pop()
  // a postal code before a number: `NY 10001 (212) 555-0142`
  const code = /^\d{5}(?:-\d{4})?$/.test(textAt(0)) ? digitsOf(textAt(0)).length : 0
  if (code > 0 && !/^0/.test(textAt(0)) && /\p{L}\s?$/u.test(before) && digits() - code >= WHOLE_NUMBER - 1)
    tokens.shift()
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!first || !last || digits() < MIN_DIGITS) return undefined
  const bracket = /^[([]$/.test(text[first.start - 1] ?? '') ? 1 : 0
  const [start, end] = [first.start - bracket, last.end]
  const own = text.slice(start, end)
  // 1 200 000 or 20260315
  const isNumber =
    /^\d{1,3}(?:[ .']\d{3})*[ .']000$/.test(own) || /^(?:1[6-9]|20)\d{2}(?:0\d|1[0-2])(?:[0-2]\d|3[01])$/.test(own)
  return isNumber || isPostalNumber(own, `${before}${text.slice(0, start)}`, `${run.slice(end)}${after}`)
    ? undefined
    : { start, end }
}

const MAY_BE_PHONE = /\p{Nd}(?:[^\p{Nd}\p{L}]{0,3}\p{Nd}){6}/u
/** How much of the text around a number decides what it is. */
const CONTEXT = 60

/** The phone numbers in a text that is already plain. */
export function findPhones(text: string): { start: number; value: string }[] {
  if (!MAY_BE_PHONE.test(text)) return []
  return [PHONE, LOOSE_PHONE].flatMap(pattern =>
    [...text.matchAll(pattern)].flatMap(match => {
      const end = match.index + match[0].length
      const before = text.slice(Math.max(0, match.index - CONTEXT), match.index)
      const part = phoneIn(match[0], before, text.slice(end, end + CONTEXT))
      if (!part) return []
      const value = match[0].slice(part.start, part.end)
      if (pattern === LOOSE_PHONE && digitsOf(value).length < WHOLE_NUMBER - 1) return []
      return [{ start: match.index + part.start, value }]
    }),
  )
}
