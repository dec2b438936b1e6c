import { plainText } from './plain-text.ts'
import {
  ABBREVIATIONS,
  COMMON_WORD_NETWORKS,
  DOMAIN_LIKE_NAMES,
  FILE_ENDS,
  MESSENGERS,
  NETWORK_PRODUCTS,
  NETWORKS,
  TOP_LEVEL_DOMAINS,
} from './vocabulary/contact-words.ts'
import { KNOWN_SKILLS } from './vocabulary/skills.ts'
import { looksLikeTitle } from './vocabulary/titles.ts'

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

/** From the beginning of the word on, so that no character is looked at twice. */
const LOCAL = String.raw`(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,200}`
const LABEL = String.raw`[\p{L}\p{N}-]{1,63}`
/** What is put around `at` and `dot`: spaces, quotes, lines. */
const AROUND = String.raw`[\s_"'*~=|-]{1,3}`

const COMMON_ENDS =
  'com|org|net|io|dev|me|info|eu|de|fr|es|it|nl|pt|pl|uk|at|ch|be|se|cz|dk|fi|no|ie|ca|us|au|in|br|mx|ru|jp|cn|ai|app|co|edu'

/** Patterns for text that is already plain: see plain-text.ts. */
const EMAILS: readonly RegExp[] = [
  new RegExp(String.raw`${LOCAL}@${LABEL}(?:\.${LABEL}){0,6}`, 'gu'),
  new RegExp(String.raw`@${LABEL}(?:\.${LABEL}){1,6}`, 'gu'),
  // a narrow column may break the line after `dot`, or before the host
  new RegExp(String.raw`${LOCAL}\s(?:at|arroba|chiocciola)\s${LABEL}(?:\sdot(?:\s${LABEL}|\s?$)){1,4}`, 'gimu'),
  new RegExp(
    String.raw`(?<![\p{L}\p{N}-])${LABEL}(?:\sdot\s${LABEL}){0,2}\sdot\s(?:${COMMON_ENDS})(?![\p{L}\p{N}])`,
    'giu',
  ),
  new RegExp(`${LOCAL}@$`, 'gmu'),
  /mailto:\S{1,120}/giu,
]

/** Forms that sentences have too: what stands before the sign and after it decides. */
const SPACED_EMAILS: readonly RegExp[] = [
  new RegExp(String.raw`(?<local>${LOCAL})\s{0,2}@\s{0,2}(?<host>${LABEL}(?:\.${LABEL}){1,6})`, 'gu'),
  new RegExp(
    String.raw`(?<local>${LOCAL})\s{0,2}@\s{0,2}(?<host>${LABEL}(?:\s?\.\s?${LABEL}){0,4}\s{0,2}\.\s{0,2}(?:${COMMON_ENDS}))(?![\p{L}\p{N}])`,
    'giu',
  ),
  new RegExp(
    String.raw`(?<local>${LOCAL})${AROUND}(?:at|arroba|chiocciola)${AROUND}(?<host>${LABEL}(?:(?:\.|${AROUND}dot${AROUND})${LABEL}){1,4})(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])`,
    'giu',
  ),
]

/** `Engineer @ Acme.io` and `worked at booking.com` name an employer. */
function isSpacedEmail(local: string, host: string): boolean {
  if (/\s|_|dot/i.test(host)) return !looksLikeTitle(local)
  return isHost(host) && !looksLikeTitle(local)
}

/** Long names are found inside a word too: text of a PDF may run into the heading before it. */
const LONG_NAME = 6
const namesIn = (names: readonly string[]): string => {
  const [long, short] = [names.filter(n => n.length >= LONG_NAME), names.filter(n => n.length < LONG_NAME)]
  return String.raw`(?:${long.join('|')}|(?<![\p{L}\p{N}])(?:${short.join('|')}))`
}
const networks = namesIn(NETWORKS)
const URLS: readonly RegExp[] = [
  /(?:h(?:tt|xx)ps?|ftp)\s?:\s?\/\/?\s?\S{1,300}/giu,
  /(?<![\p{L}\p{N}])www\d?\s?\.\s?\S{2,300}/giu,
  // `Github:// name`
  new RegExp(String.raw`${networks}\s?:?\s?//\s{0,2}@?[\p{L}\p{N}._/-]{1,80}`, 'giu'),
  new RegExp(String.raw`${namesIn(MESSENGERS)}(?:\s(?:id|handle|user|username|name))?\s?[:=]\s?\S{2,60}`, 'giu'),
  // names on a network without its name: `@ada_b`, and `in/ada-byron`
  /(?<![\p{L}\p{N}.])@[a-z0-9_][\p{L}\p{N}._-]{1,60}(?:@[\p{L}\p{N}.-]{2,60})?/gu,
  /(?<=(?:^|[|,;:•·/(]|\t)\s{0,3})@\p{L}[\p{L}\p{N}._-]{1,60}/gu,
  /(?<=(?:^|[|,;:•·\t(])\s?)\/?(?:in|pub)\/[a-z][a-z0-9-]{2,60}/gu,
]

const NETWORK_HANDLE = new RegExp(String.raw`${networks}\s{1,2}@[\p{L}\p{N}._-]{2,60}`, 'giu')
/** `github: name`, `LinkedIn - name`, `linkedin/name`, `Skype name` */
const NAMED_HANDLE = new RegExp(
  String.raw`(?<network>${namesIn([...NETWORKS, ...MESSENGERS])})(?:\s(?:id|profile|handle|user|username|name))?(?<sign>\s{0,2}[:=|/>-]{1,2}\s{0,2}|\s{1,2})(?<name>[\p{L}\p{N}@_/][\p{L}\p{N}._/-]{1,60})`,
  'giu',
)
/** For the test that all of them are linear: it cannot read patterns that are put together here. */
export const CONTACT_PATTERNS: readonly RegExp[] = [...EMAILS, ...SPACED_EMAILS, ...URLS, NETWORK_HANDLE, NAMED_HANDLE]

const NO_HANDLES: ReadonlySet<string> = new Set(
  [...NETWORKS, ...MESSENGERS, ...KNOWN_SKILLS, ...NETWORK_PRODUCTS].map(name => name.toLowerCase()),
)

/** Whether the word after the name of a network is somebody's name there. */
function isHandle(network: string, sign: string, given: string): boolean {
  const name = given.replace(/[./-]{1,3}$/, '')
  if (name.length < 2 || NO_HANDLES.has(name.toLowerCase())) return false
  if (/^[\d./-]{1,60}$/.test(name)) return false
  const made = /[._]|\p{L}\d|\d\p{L}/u.test(name) || /^\p{Ll}{3,}-\p{Ll}{3,}/u.test(name)
  const camel = /\p{Ll}\p{Lu}|^\p{Lu}{2}\p{Ll}{3}/u.test(name)
  // words of every day
  if (COMMON_WORD_NETWORKS.has(network.toLowerCase()))
    return /[:=|]/.test(sign) && (made || camel || /^[a-z0-9@]/.test(name))
  if (/[:=>]/.test(sign)) return true
  if (sign.includes('/')) return !/^\p{Lu}\p{Ll}+$/u.test(name) || name.length > 12
  if (/^-|-$/.test(sign) && !/\s/.test(sign)) return made && !/-(?:based|like|driven|style)$/.test(name)
  if (/[|-]/.test(sign)) return made || camel || /^[a-z0-9-]{3,}$/.test(name)
  return made || camel
}

const DOMAIN =
  /(?<![\p{L}\p{N}.@/-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}(?::\d{2,5})?(?:\/[^\s|,;)]{0,200})?/gu

/** Whether a text with dots in it is a host: its end is known or in lower case, and it is no firm or tool that we know. */
function isHost(text: string): boolean {
  const slash = text.search(/[/:]/)
  const host = slash < 0 ? text : text.slice(0, slash)
  const labels = host.split('.')
  const end = labels.at(-1)!
  if (DOMAIN_LIKE_NAMES.has(host.toLowerCase()))
    return slash >= 0 && text.length > slash + 4 && /\/[\w-]{3,}/.test(text)
  // ASP.NET and its kin
  if (end === 'NET' && labels.length === 2 && labels[0]!.length <= 4) return false
  if (!TOP_LEVEL_DOMAINS.has(end.toLowerCase())) return isUnknownHost(host, labels)
  return slash >= 0 || labels[0]!.length > 1
}

const isUnknownHost = (host: string, labels: readonly string[]): boolean =>
  /^[a-z0-9.-]{5,}$/.test(host) &&
  /^[a-z]{2,}$/.test(labels.at(-1)!) &&
  /[a-z]{2}/.test(labels[0]!) &&
  !FILE_ENDS.has(labels.at(-1)!) &&
  !labels.some(label => ABBREVIATIONS.has(label))

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

/** Digits that a number has at least when a year is behind it, or the code of a town before it. */
const WHOLE_NUMBER = 10

/**
 * The part of a run of digits that is a phone number: dates before and after it do not belong to it, and a run that is
 * nothing but dates, an amount or the name of a standard is none.
 */
function phoneIn(text: string, before: string): { start: number; end: number } | undefined {
  const plus = /^[([]?\+|^[([]?00/.test(text)
  const spaced = text
    .replace(RANGE_DASH, dashes => ' '.repeat(dashes.length))
    .replace(/[|~,;[\]]/g, ' ')
    // the year of a standard: 27001:2013
    .replace(/:(?=(?:19|20)\d{2}(?!\d))/g, ' ')
  const tokens = [...spaced.matchAll(/\S+/g)].map(m => ({ text: m[0], start: m.index, end: m.index + m[0].length }))
  const digits = () => digitsOf(tokens.map(token => token.text).join('')).length
  const isDate = (at: 0 | -1) => tokens.length > 0 && DATE_TOKEN.test(tokens.at(at)!.text)
  if (plus) {
    while (isDate(-1) && digits() - digitsOf(tokens.at(-1)!.text).length >= WHOLE_NUMBER) tokens.pop()
    return { start: 0, end: tokens.at(-1)!.end }
  }
  const national = /^[([]?0/.test(text) && digitsOf(text).length >= WHOLE_NUMBER - 1
  if (!national && (STANDARD.test(before) || MONEY.test(before))) return undefined
  while (isDate(0)) tokens.shift()
  // years that follow the code of a town are the rest of its number: 0151 1999 2020
  const local = tokens.length > 0 && /^\(?0\d{2,4}\)?$/.test(tokens[0]!.text)
  while (isDate(-1) && (!local || digits() - digitsOf(tokens.at(-1)!.text).length >= WHOLE_NUMBER - 1)) tokens.pop()
  // the code of a town stands before a number: `NY 10001 (212) 555-0142`
  if (/\p{L}\s?$/u.test(before) && /^[1-9]\d{4}$/.test(tokens[0]?.text ?? '') && digits() - 5 >= WHOLE_NUMBER - 1)
    tokens.shift()
  if (tokens.length === 0 || digits() < 7) return undefined
  const bracket = /^[([]$/.test(text[tokens[0]!.start - 1] ?? '') ? 1 : 0
  const [start, end] = [tokens[0]!.start - bracket, tokens.at(-1)!.end]
  const own = text.slice(start, end)
  // 1 200 000 or 20260315
  const isNumber =
    /^\d{1,3}(?:[ .']\d{3})*[ .']000$/.test(own) || /^(?:1[6-9]|20)\d{2}(?:0\d|1[0-2])(?:[0-2]\d|3[01])$/.test(own)
  return isNumber ? undefined : { start, end }
}

const MAY_BE_EMAIL = /@|mailto:|[\s_"'*~=|-](?:at|arroba|chiocciola|dot)[\s_"'*~=|-]/iu
const MAY_BE_URL = /[:/@=|]|\p{L}\.\p{L}|www/iu
const MAY_BE_PHONE = /\p{Nd}(?:[^\p{Nd}\p{L}]{0,3}\p{Nd}){6}/u

/** Everything in a text by which a person can be reached, in order, without overlaps. */
export function findContacts(written: string): FoundContact[] {
  const { text, original } = plainText(written)
  const found: Omit<FoundContact, 'value'>[] = []
  const add = (kind: FoundContact['kind'], start: number, value: string) => {
    found.push({ kind, ...original(start, start + value.length) })
  }
  // most lines hold nothing of the kind, and their characters show it
  if (MAY_BE_EMAIL.test(text)) {
    for (const pattern of EMAILS) for (const match of text.matchAll(pattern)) add('email', match.index, match[0])
    for (const pattern of SPACED_EMAILS)
      for (const match of text.matchAll(pattern))
        if (isSpacedEmail(match.groups!['local']!, match.groups!['host']!)) add('email', match.index, match[0])
  }
  for (const match of text.matchAll(NAMED_HANDLE)) {
    const { network, sign, name } = match.groups as { network: string; sign: string; name: string }
    if (isHandle(network, sign, name)) add('url', match.index, match[0])
  }
  if (MAY_BE_URL.test(text)) {
    for (const pattern of [...URLS, NETWORK_HANDLE])
      for (const match of text.matchAll(pattern)) add('url', match.index, match[0])
    for (const match of text.matchAll(DOMAIN)) if (isHost(match[0])) add('url', match.index, match[0])
  }
  if (MAY_BE_PHONE.test(text)) {
    for (const pattern of [PHONE, LOOSE_PHONE])
      for (const match of text.matchAll(pattern)) {
        const part = phoneIn(match[0], text.slice(Math.max(0, match.index - 12), match.index))
        if (part && (pattern === PHONE || digitsOf(match[0].slice(part.start, part.end)).length >= WHOLE_NUMBER - 1))
          add('phone', match.index + part.start, match[0].slice(part.start, part.end))
      }
  }
  return merged(found).map(one => ({ ...one, value: written.slice(one.start, one.end) }))
}

/** Found things that overlap are one; the longer says what it is. */
function merged(found: Omit<FoundContact, 'value'>[]): Omit<FoundContact, 'value'>[] {
  const result: Omit<FoundContact, 'value'>[] = []
  for (const one of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (!last || one.start >= last.end) result.push(one)
    else last.end = Math.max(last.end, one.end)
  }
  return result
}
