import { DOMAIN_LIKE_NAMES, MESSENGERS, NETWORKS, TOP_LEVEL_DOMAINS } from './vocabulary/contact-words.ts'

/**
 * Ways to reach a person, found in text: e-mail addresses, phone numbers, URLs and names on networks, also in the forms
 * that are meant to hide them. Generous on purpose: what is found here is cut out of everything that a profile says, and
 * a word too many lost is better than an address shown. Dates survive. All patterns are linear: every repetition is
 * bounded.
 */
export interface FoundContact {
  kind: 'email' | 'phone' | 'url'
  start: number
  end: number
  value: string
}

const OPEN = String.raw`[([{<]\s?`
const CLOSE = String.raw`\s?[)\]}>]`
const AT_WORD = '(?:at|ät|@|arroba|chiocciola|chez|a t)'
const DOT_WORD = String.raw`(?:dot|punkt|point|punto|ponto|kropka|d0t|\.)`
/** From the beginning of the word on, so that no character is looked at twice. */
const LOCAL = String.raw`(?<![\p{L}\p{N}._%+'’-])[\p{L}\p{N}._%+'’-]{1,200}`
const LABEL = String.raw`[\p{L}\p{N}-]{1,63}`
const HIDDEN_DOT = String.raw`\s{0,2}(?:${OPEN}${DOT_WORD}${CLOSE}|\.|\sdot\s)\s{0,2}`

const COMMON_ENDS = 'com|org|net|io|dev|me|info|eu|de|fr|es|it|nl|pt|pl|uk|at|ch|be|se|cz'

const EMAILS: readonly RegExp[] = [
  new RegExp(`${LOCAL}[@＠﹫]${LABEL}(?:[.．]${LABEL}){0,6}`, 'gu'),
  new RegExp(`[@＠﹫]${LABEL}(?:[.．]${LABEL}){1,6}`, 'gu'),
  // spaces around the sign: a name in lower case or with a dot, so that `Engineer @ Acme.io` stays
  new RegExp(
    String.raw`(?<![\p{L}\p{N}._%+'’-])(?:[a-z0-9_%+-]{1,64}|[\p{L}\p{N}]{1,32}[._\p{N}][\p{L}\p{N}._-]{0,32})\s{0,2}[@＠﹫]\s{0,2}${LABEL}(?:\.${LABEL}){1,6}`,
    'gu',
  ),
  new RegExp(String.raw`${LOCAL}\s{0,3}${OPEN}${AT_WORD}${CLOSE}\s{0,3}${LABEL}(?:${HIDDEN_DOT}${LABEL}){0,6}`, 'giu'),
  // a narrow column may break the line after `dot`, or before the host
  new RegExp(String.raw`${LOCAL}\s(?:at|arroba|chiocciola)\s${LABEL}(?:\sdot(?:\s${LABEL}|\s?$)){1,4}`, 'gimu'),
  new RegExp(
    String.raw`(?<![\p{L}\p{N}-])${LABEL}(?:\sdot\s${LABEL}){0,2}\sdot\s(?:${COMMON_ENDS})(?![\p{L}\p{N}])`,
    'giu',
  ),
  new RegExp(String.raw`${LOCAL}\s{0,2}[@＠﹫]\s{0,2}${LABEL}\s{0,2}${OPEN}${DOT_WORD}${CLOSE}\s{0,2}${LABEL}`, 'giu'),
  new RegExp(`${LOCAL}[@＠﹫]$`, 'gmu'),
  /mailto:\S{1,120}/giu,
]

/** Long names are found inside a word too: text of a PDF may run into the heading before it. */
const LONG_NAME = 6
const namesIn = (names: readonly string[]): string => {
  const [long, short] = [names.filter(n => n.length >= LONG_NAME), names.filter(n => n.length < LONG_NAME)]
  return String.raw`(?:${long.join('|')}|(?<![\p{L}\p{N}])(?:${short.join('|')}))`
}
const networks = namesIn(NETWORKS)
const URLS: readonly RegExp[] = [
  /(?:https?|ftp):\/\/?\S{1,300}/giu,
  /(?<![\p{L}\p{N}])www\d?\.\S{2,300}/giu,
  // `Github:// name`, `github: name`, `Twitter @name`
  new RegExp(String.raw`${networks}\s?:?\s?//\s{0,2}@?[\p{L}\p{N}._/-]{1,80}`, 'giu'),
  new RegExp(
    String.raw`${networks}(?:\s(?:id|profile|handle|user|username|name))?\s?[:=|]\s?(?:@[\p{L}\p{N}._-]{1,60}|[/a-z0-9][a-z0-9._/-]{1,60}(?![\p{L}\p{N}]))`,
    'gu',
  ),
  new RegExp(String.raw`${namesIn(MESSENGERS)}(?:\s(?:id|handle|user|username|name))?\s?[:=]\s?\S{2,60}`, 'giu'),
  // names on a network without its name: `@ada_b`, and `in/ada-byron`
  /(?<![\p{L}\p{N}.])@[a-z0-9_][\p{L}\p{N}._-]{1,60}(?:@[\p{L}\p{N}.-]{2,60})?/gu,
  /(?<=(?:^|[|,;:•·/(]|\t)\s{0,3})@\p{L}[\p{L}\p{N}._-]{1,60}/gu,
  /(?<=(?:^|[|,;:•·\t])\s?)(?:in|pub)\/[a-z][a-z0-9-]{2,60}/gu,
]

const NETWORK_HANDLE = new RegExp(String.raw`${networks}\s{1,2}@[\p{L}\p{N}._-]{2,60}`, 'giu')
/** For the test that all of them are linear: it cannot read patterns that are put together here. */
export const CONTACT_PATTERNS: readonly RegExp[] = [...EMAILS, ...URLS, NETWORK_HANDLE]
const DOMAIN =
  /(?<![\p{L}\p{N}.@/-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}(?::\d{2,5})?(?:\/[^\s|,;)]{0,200})?/gu

/** Whether a text with dots in it is a host: its end is known, and it is not written as the name of a firm or a tool. */
function isHost(text: string): boolean {
  const slash = text.search(/[/:]/)
  const host = slash < 0 ? text : text.slice(0, slash)
  const labels = host.split('.')
  if (!TOP_LEVEL_DOMAINS.has(labels.at(-1)!.toLowerCase())) return false
  if (DOMAIN_LIKE_NAMES.has(host.toLowerCase()))
    return slash >= 0 && text.length > slash + 4 && /\/[\w-]{3,}/.test(text)
  if (slash < 0 && labels[0]!.length < 2) return false
  // firms call themselves so: Booking.com
  const asName = /^(?:com|net|io|ai|co|org)$/i.test(labels.at(-1)!) && host !== host.toLowerCase()
  return slash >= 0 || labels.length > 2 || !asName
}

const PHONE = /(?:\(?[+＋]|(?<!\p{Nd})00|(?<=(?:^|[^\p{Nd}]))\(?)\(?\p{Nd}(?:[\s.\-–‑−/·()_]{0,3}\p{Nd}){6,40}\)?/gu
const DATE_TOKEN =
  /^[('’]?(?:(?:\d{1,2}[./-]){0,2}(?:1[6-9]|20)\d{2}|(?:1[6-9]|20)\d{2}[./-]\d{1,2}(?:[./-]\d{1,2})?|(?:1[6-9]|20)\d{2}[-–/](?:(?:1[6-9]|20)\d{2}|\d{2}|)|\d{1,2}[./-]\d{1,2}[./-]\d{2}|[-–−/.·()_]{1,3})[).]?$/
/** Between two dates that are written without spaces: `08/2016–07/2019` */
const RANGE_DASH =
  /(?<=(?:1[6-9]|20)\d{2}(?:[./-]\d{1,2})?)[–—−-]{1,3}(?=(?:\d{1,2}[./]){0,2}(?:1[6-9]|20)\d{2}(?:[./-]\d{1,2})?(?!\d))/g
const STANDARD = /\b(?:ISO|IEC|DIN|EN|RFC|IEEE|ANSI|NFPA|ASTM|TOEIC|TOEFL)[\s:-]{0,2}$/i
const MONEY = /[$€£¥]\s?$/
const digitsOf = (text: string): string => text.replace(/\P{Nd}/gu, '')

/** Digits that a number has at least when a year is behind it, or the code of a town before it. */
const WHOLE_NUMBER = 10

/**
 * The part of a run of digits that is a phone number: dates before and after it do not belong to it, and a run that is
 * nothing but dates, an amount or the name of a standard is none.
 */
function phoneIn(text: string, before: string): { start: number; end: number } | undefined {
  const plus = /^\(?[+＋]|^\(?00/.test(text)
  const spaced = text.replace(RANGE_DASH, dashes => ' '.repeat(dashes.length))
  const tokens = [...spaced.matchAll(/\S+/g)].map(m => ({ text: m[0], start: m.index, end: m.index + m[0].length }))
  const digits = () => digitsOf(tokens.map(token => token.text).join('')).length
  const isDate = (at: 0 | -1) => tokens.length > 0 && DATE_TOKEN.test(tokens.at(at)!.text)
  if (plus) {
    while (isDate(-1) && digits() - digitsOf(tokens.at(-1)!.text).length >= WHOLE_NUMBER) tokens.pop()
    return { start: 0, end: tokens.at(-1)!.end }
  }
  if (STANDARD.test(before) || MONEY.test(before)) return undefined
  while (isDate(0)) tokens.shift()
  // years that follow the code of a town are the rest of its number: 0151 1999 2020
  const local = tokens.length > 0 && /^\(?0\d{2,4}\)?$/.test(tokens[0]!.text)
  while (isDate(-1) && (!local || digits() - digitsOf(tokens.at(-1)!.text).length >= WHOLE_NUMBER - 1)) tokens.pop()
  // the code of a town stands before a number: `NY 10001 (212) 555-0142`
  if (/\p{L}\s?$/u.test(before) && /^[1-9]\d{4}$/.test(tokens[0]?.text ?? '') && digits() - 5 >= WHOLE_NUMBER - 1)
    tokens.shift()
  if (tokens.length === 0 || digits() < 7) return undefined
  const [start, end] = [tokens[0]!.start, tokens.at(-1)!.end]
  const own = text.slice(start, end)
  // 1 200 000 or 20260315
  const isNumber =
    /^\d{1,3}(?:[ .]\d{3})*[ .]000$/.test(own) || /^(?:1[6-9]|20)\d{2}(?:0\d|1[0-2])(?:[0-2]\d|3[01])$/.test(own)
  return isNumber ? undefined : { start, end }
}

const MAY_BE_EMAIL =
  /[@＠﹫]|mailto:|\s(?:at|arroba|chiocciola)\s|[([{<]\s?(?:at|ät|arroba|chiocciola|chez|a t)\s?[)\]}>]/iu
const MAY_BE_URL = /[:/@=|]|\p{L}\.\p{L}|www/iu
const MAY_BE_PHONE = /\p{Nd}(?:[^\p{Nd}\p{L}]{0,3}\p{Nd}){6}/u

/** Everything in a text by which a person can be reached, in order, without overlaps. */
export function findContacts(text: string): FoundContact[] {
  const found: FoundContact[] = []
  const add = (kind: FoundContact['kind'], start: number, value: string) => {
    found.push({ kind, start, end: start + value.length, value })
  }
  // most lines hold nothing of the kind, and their characters show it
  if (MAY_BE_EMAIL.test(text))
    for (const pattern of EMAILS) for (const match of text.matchAll(pattern)) add('email', match.index, match[0])
  if (MAY_BE_URL.test(text)) {
    for (const pattern of [...URLS, NETWORK_HANDLE])
      for (const match of text.matchAll(pattern)) add('url', match.index, match[0])
    for (const match of text.matchAll(DOMAIN)) if (isHost(match[0])) add('url', match.index, match[0])
  }
  if (MAY_BE_PHONE.test(text)) {
    for (const match of text.matchAll(PHONE)) {
      const part = phoneIn(match[0], text.slice(Math.max(0, match.index - 12), match.index))
      if (part) add('phone', match.index + part.start, match[0].slice(part.start, part.end))
    }
  }
  return merged(found)
}

/** Found things that overlap are one; the longer says what it is. */
function merged(found: FoundContact[]): FoundContact[] {
  const result: FoundContact[] = []
  for (const one of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (!last || one.start >= last.end) result.push(one)
    else if (one.end > last.end) {
      last.value += one.value.slice(last.end - one.start)
      last.end = one.end
    }
  }
  return result
}

const CONTACT_LABEL =
  /(?<![\p{L}\p{N}])(?:e-?mails?(?: address(?:es)?)?|mail|correo(?: electrónico)?|courriel|poczta|tel(?:\.|e(?:ph|f)on[oe]?(?: number|nummer)?|éfono|éphone|eфон)?|phone(?: number)?|mob(?:ile?|il|iel)(?: number|telefon|nummer)?|cell(?:ulare|phone)?|handy|portable|móvil|telemóvel|komórka|fax|web(?:site)?|homepage|url|blog|portfolio|contact|kontakt)\s?(?:\(s\))?\s?[:.]?(?=[\s|,;•·/–-]|$)/giu
const SEPARATOR_RUN = /\s{0,4}[|•·,;]\s{0,4}(?=[|•·,;)\]]|$)/gu

/** A text without its ways to reach somebody, and without the labels and separators that are left over. */
export function cutContacts(text: string): string {
  const found = findContacts(text)
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
 * A line that consists of contact details says nothing else: what is left beside them is a label or at most the name of
 * the person. Any other line is kept without them.
 */
export function withoutContacts(line: string, name: string | null): string | undefined {
  const rest = cutContacts(line)
  if (rest === line) return line
  const letters = rest.match(/\p{L}/gu)?.length ?? 0
  if (letters < 2) return undefined
  return name !== null &&
    rest.toLowerCase().replace(/[^\p{L}]+/gu, '') === name.toLowerCase().replace(/[^\p{L}]+/gu, '')
    ? undefined
    : rest
}

const MAX_HALF = 80
const BREAKS_OFF = /[\d@＠﹫)\]}:=/]$|\b(?:at|dot)$/i
const GOES_ON = /^[\d@＠﹫([{+]|^(?:at|dot|arroba)\b/i
const MIN_BROKEN_DIGITS = 9

/** Lines without what is broken between two of them, as a narrow column breaks it: `+49 151` above `23456789`. */
export function joinedContactsCut(lines: readonly string[]): string[] {
  const kept = [...lines]
  for (let i = 0; i + 1 < kept.length; i++) {
    const [above, below] = [kept[i]!, kept[i + 1]!]
    // neither half of anything is longer
    const [tail, head] = [above.slice(-MAX_HALF), below.slice(0, MAX_HALF)]
    if (!BREAKS_OFF.test(tail) && !GOES_ON.test(head)) continue
    for (const { kind, start, end, value } of findContacts(`${tail} ${head}`)) {
      if (start >= tail.length || end <= tail.length + 1) continue
      if (kind === 'phone' && !/^[+(0]/.test(value) && digitsOf(value).length < MIN_BROKEN_DIGITS) continue
      kept[i] = above.slice(0, above.length - tail.length + start).trimEnd()
      kept[i + 1] = below.slice(end - tail.length - 1).trimStart()
      break
    }
  }
  return kept
}

/** Every text in a value, however deep, without ways to reach a person; texts of which nothing is left are gone. */
export function cleanTexts<T>(value: T): T {
  return cleaned(value) as T
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') {
    const rest = withoutContacts(value, null)
    return rest === undefined || rest.trim() === '' ? null : rest
  }
  if (Array.isArray(value)) return value.map(cleaned).filter(item => item !== null)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)]))
  return value
}
