import { findHandles, namesIn, wordsOfName } from './handles.ts'
import { findPhones } from './phones.ts'
import { plainText } from './plain-text.ts'
import {
  ABBREVIATIONS,
  DOMAIN_LIKE_NAMES,
  FILE_ENDS,
  MESSENGERS,
  NETWORKS,
  SPOKEN_AT,
  SPOKEN_DOT,
  SPOKEN_SIGN,
  TOP_LEVEL_DOMAINS,
} from './vocabulary/contact-words.ts'
import { looksLikeTitle } from './vocabulary/titles.ts'

/**
 * Ways to reach a person, found in text: email addresses, phone numbers, URLs and names on networks, also in the forms
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
/** With signs that are spelled out: `jane dot canary` */
const SPOKEN_LOCAL = String.raw`${LOCAL}(?:\s(?:${SPOKEN_SIGN})\s[\p{L}\p{N}_-]{1,60}){0,3}`
const LABEL = String.raw`[\p{L}\p{N}-]{1,63}`
/** What is put around `at` and `dot`: spaces, quotes, lines. */
const AROUND = String.raw`[\s_"'*~=|-]{1,3}`

const COMMON_ENDS =
  'com|org|net|io|dev|me|info|eu|de|fr|es|it|nl|pt|pl|uk|at|ch|be|se|cz|dk|fi|no|ie|ca|us|au|in|br|mx|ru|jp|cn|ai|app|co|edu'

/** Patterns for text that is already plain: see plain-text.ts. */
const EMAILS: readonly RegExp[] = [
  new RegExp(String.raw`${LOCAL}@${LABEL}(?:\.${LABEL}){0,6}`, 'gu'),
  new RegExp(String.raw`${SPOKEN_LOCAL}@${LABEL}(?:\.${LABEL}){1,6}`, 'giu'),
  new RegExp(String.raw`@${LABEL}(?:\.${LABEL}){1,6}`, 'gu'),
  new RegExp(
    String.raw`${SPOKEN_LOCAL}\s(?:${SPOKEN_AT})\s${LABEL}(?:\spoint\s${LABEL}){0,3}\spoint\s(?:com|org|net|info|eu|fr|ca|ch)(?![\p{L}\p{N}])`,
    'giu',
  ),
  // letter by letter: `j a n e @ m a i l . o r g`
  /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}._-]\s){2,40}@(?:\s?[\p{L}\p{N}-]){1,40}(?:\s?\.(?:\s?[\p{L}\p{N}-]){2,40}){1,3}/gu,
  new RegExp(`${LOCAL}@$`, 'gmu'),
  /mailto:\S{1,120}/giu,
]

/** A host that is spelled out, alone: `mail dot org` */
const SPOKEN_HOST = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?<label>${LABEL})(?:\sdot\s${LABEL}){0,2}\sdot\s(?<end>${COMMON_ENDS})(?![\p{L}\p{N}])`,
  'giu',
)
const WORDS_BEFORE_NET =
  /^(?:in|with|of|and|or|using|use|to|for|on|by|the|a|as|is|asp|vb|ado|c|ms|microsoft|senior|junior|lead|entity|js|at)$/i
const WORDS_AFTER_NET = /^\s(?:core|framework|standard|maui|stack|web|api|apps?|applications?|platform)(?!\p{L})/iu
const ENDS_PART = /^\s{0,2}(?:[,;|)\]\t•·/]|$)/

/** `dot net` is a platform, and `the dot in` are words of a sentence. */
function isSpokenHost(label: string, end: string, after: string): boolean {
  if (/^(?:in|it|at|me|no|us|be|app|co)$/i.test(end)) return ENDS_PART.test(after)
  if (/^\s(?:era|bubble|boom|crash|startups?|compan(?:y|ies)|business(?:es)?)(?!\p{L})/iu.test(after)) return false
  const [next = ''] = /^\s[\p{L}-]{2,40}/u.exec(after) ?? []
  return (
    end.toLowerCase() !== 'net' ||
    !(WORDS_BEFORE_NET.test(label) || WORDS_AFTER_NET.test(after) || looksLikeTitle(next))
  )
}

/** Forms that also occur in sentences: the text before and after the sign decides. */
const SPACED_EMAILS: readonly RegExp[] = [
  new RegExp(String.raw`(?<local>${LOCAL})\s{0,2}@\s{0,2}(?<host>${LABEL}(?:\.${LABEL}){1,6})`, 'gu'),
  new RegExp(
    String.raw`(?<local>${SPOKEN_LOCAL})\s{0,2}@\s{0,2}(?<host>${LABEL}(?:\s?\.\s?${LABEL}){0,4}\s{0,2}\.\s{0,2}(?:${COMMON_ENDS}))(?![\p{L}\p{N}])`,
    'giu',
  ),
  new RegExp(
    String.raw`(?<local>${SPOKEN_LOCAL})${AROUND}(?:at|arroba|chiocciola)${AROUND}(?<host>${LABEL}(?:(?:\.|${AROUND}dot${AROUND})${LABEL}){1,4})(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])`,
    'giu',
  ),
  // a narrow column may break the line after `dot`, or before the host
  new RegExp(
    String.raw`(?<local>${SPOKEN_LOCAL})\s(?:${SPOKEN_AT})\s(?<host>${LABEL}(?:\s(?:dash|hyphen|minus|bindestrich|tiret)\s${LABEL}){0,2}(?:\s(?:${SPOKEN_DOT})(?:\s${LABEL}|\s?$)){1,4})`,
    'gimu',
  ),
]

/** `Engineer @ Acme.io`, `worked at booking.com` and `worked at Red Dot Design` name an employer. */
function isSpacedEmail(local: string, host: string): boolean {
  if (
    /^\p{Lu}\p{L}{0,40}\sDot\s\p{Lu}\p{Ll}/u.test(host) &&
    !/\sdot\s|\s(?:com|org|net)$/i.test(host.replace(/\sDot\s/, ' '))
  )
    return false
  if (/\s|_|dot/i.test(host)) return !looksLikeTitle(local)
  return isHost(host) && !looksLikeTitle(local)
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

const DOMAIN =
  /(?<![\p{L}\p{N}.@/-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}(?::\d{2,5})?(?:\/[^\s|,;)]{0,200})?/gu

/** Whether a text with dots in it is a host: its end is known or in lower case, and it is no firm or tool that we know. */
function isHost(text: string): boolean {
  const slash = text.search(/[/:]/)
  const host = slash < 0 ? text : text.slice(0, slash)
  const labels = host.split('.')
  const [first = '', end = ''] = [labels[0], labels.at(-1)]
  if (DOMAIN_LIKE_NAMES.has(host.toLowerCase()))
    return slash >= 0 && text.length > slash + 4 && /\/[\w-]{3,}/.test(text)
  // ASP.NET and its kin
  if (end === 'NET' && labels.length === 2 && first.length <= 4) return false
  if (!TOP_LEVEL_DOMAINS.has(end.toLowerCase())) return isUnknownHost(host, labels)
  return slash >= 0 || first.length > 1
}

const isUnknownHost = (host: string, labels: readonly string[]): boolean =>
  /^[a-z0-9.-]{5,}$/.test(host) &&
  /^[a-z]{2,}$/.test(labels.at(-1) ?? '') &&
  /[a-z]{2}/.test(labels[0] ?? '') &&
  !FILE_ENDS.has(labels.at(-1) ?? '') &&
  !labels.some(label => ABBREVIATIONS.has(label))

const MAY_BE_EMAIL = new RegExp(`@|mailto:|[\\s_"'*~=|-](?:${SPOKEN_AT}|dot)[\\s_"'*~=|-]`, 'iu')
const MAY_BE_URL = /[:/@=|]|\p{L}\.\p{L}|www/iu
/** For the test that all of them are linear: it cannot read patterns that are put together here. */
export const CONTACT_PATTERNS: readonly RegExp[] = [...EMAILS, ...SPACED_EMAILS, SPOKEN_HOST, ...URLS, MAY_BE_EMAIL]

/**
 * Everything in a text by which a person can be reached, in order, without overlaps. The name of the person shows which
 * names on networks are theirs.
 */
export function findContacts(written: string, name: string | null = null): FoundContact[] {
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
        if (isSpacedEmail(match.groups?.['local'] ?? '', match.groups?.['host'] ?? ''))
          add('email', match.index, match[0])
    for (const match of text.matchAll(SPOKEN_HOST)) {
      const end = match.index + match[0].length
      if (isSpokenHost(match.groups?.['label'] ?? '', match.groups?.['end'] ?? '', text.slice(end, end + 60)))
        add('email', match.index, match[0])
    }
  }
  if (MAY_BE_URL.test(text)) {
    for (const pattern of URLS) for (const match of text.matchAll(pattern)) add('url', match.index, match[0])
    for (const match of text.matchAll(DOMAIN)) if (isHost(match[0])) add('url', match.index, match[0])
  }
  for (const { start, value } of findPhones(text)) add('phone', start, value)
  const person = wordsOfName(name)
  const handles = findHandles(text, { person, amongContacts: found.length > 0 })
  // one handle makes the text a list of contacts
  const all = found.length === 0 && handles.length > 0 ? findHandles(text, { person, amongContacts: true }) : handles
  for (const { start, value } of all) add('url', start, value)
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
