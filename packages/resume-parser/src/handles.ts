import {
  COMMON_WORD_NETWORKS,
  COMPOUND_WORDS,
  MESSENGERS,
  NETWORK_PRODUCTS,
  NETWORKS,
} from './vocabulary/contact-words.ts'
import { isCity } from './vocabulary/places.ts'
import { KNOWN_SKILLS } from './vocabulary/skills.ts'
import { looksLikeTitle } from './vocabulary/titles.ts'
import { fold } from './vocabulary/words.ts'

/** Long names are found inside a word too: text of a PDF may run into the heading before it. */
const LONG_NAME = 6
export const namesIn = (names: readonly string[]): string => {
  const [long, short] = [names.filter(n => n.length >= LONG_NAME), names.filter(n => n.length < LONG_NAME)]
  return String.raw`(?:${long.join('|')}|(?<![\p{L}\p{N}])(?:${short.join('|')}))`
}
const NETWORK_HANDLE = new RegExp(String.raw`${namesIn(NETWORKS)}\s{1,2}@[\p{L}\p{N}._-]{2,60}`, 'giu')
/** `github: name`, `LinkedIn - name`, `LinkedIn, name`, `linkedin/name`, `Skype name` */
const NAMED_HANDLE = new RegExp(
  String.raw`(?<network>${namesIn([...NETWORKS, ...MESSENGERS])})(?:\s(?:id|profile|handle|user|username|name))?(?<sign>\s{0,2}(?:[:=|/>-]{1,2}|,)\s{0,2}|\s{1,2})(?<name>[\p{L}\p{N}@_/][\p{L}\p{N}._/-]{1,60})`,
  'giu',
)
/** For the test that all of them are linear: it cannot read patterns that are put together here. */
export const HANDLE_PATTERNS: readonly RegExp[] = [NETWORK_HANDLE, NAMED_HANDLE]

const NO_HANDLES: ReadonlySet<string> = new Set(
  [...NETWORKS, ...MESSENGERS, ...KNOWN_SKILLS, ...NETWORK_PRODUCTS].map(name => name.toLowerCase()),
)

/** The context that decides whether a word is a handle on a network. */
interface Surroundings {
  /** the words of the name of the person */
  person: readonly string[]
  /** the text has a certain contact, as a list of contacts has */
  amongContacts: boolean
  /** the text after the word */
  after: string
}

const ENDS_PART = /^\s{0,2}(?:[,;|)\]\t•·/]|$)/

/** Whether the word after the name of a network is a handle there. */
function isHandle(
  network: string,
  sign: string,
  given: string,
  { person, amongContacts, after }: Surroundings,
): boolean {
  const name = given.replace(/[./-]{1,3}$/, '')
  if (name.length < 2 || NO_HANDLES.has(name.toLowerCase())) return false
  if (/^[\d./-]{1,60}$/.test(name)) return false
  if (isMadeOf(name, person)) return true
  const made = /[._]|\p{L}\d|\d\p{L}/u.test(name) || /^\p{Ll}{3,}-\p{Ll}{3,}/u.test(name)
  const camel = /\p{Ll}\p{Lu}|^\p{Lu}{2}\p{Ll}{3}/u.test(name)
  // words of every day
  if (COMMON_WORD_NETWORKS.has(network.toLowerCase()))
    return /[:=|]/.test(sign) && (made || camel || /^[a-z0-9@]/.test(name))
  if (/[:=>]/.test(sign)) return true
  if (amongContacts && ENDS_PART.test(after) && !looksLikeTitle(name) && !isCity(name))
    return made || camel || /^[a-z0-9-]{2,}$/.test(name) || /[|-]/.test(sign)
  if (sign.includes(',')) return ENDS_PART.test(after) && isMadeUp(name)
  if (sign.includes('/')) return !/^\p{Lu}\p{Ll}+$/u.test(name) || name.length > 12
  if (/^-|-$/.test(sign) && !/\s/.test(sign)) return made && !/-(?:based|like|driven|style)$/.test(name)
  if (/[|-]/.test(sign))
    return made || camel || (/^[a-z0-9-]{3,}$/.test(name) && ENDS_PART.test(after) && !looksLikeTitle(name))
  return made || camel
}

/** In a list, tools come after the name of a network too: only what no tool is called is a name. */
const isMadeUp = (name: string): boolean =>
  /^[a-z][a-z0-9]{1,60}_[a-z0-9_]{1,60}$/.test(name) ||
  /^[a-z]{4,}[.-]?\d{2,}$/.test(name) ||
  (/^[a-z]{3,}(?:-[a-z])?-[a-z]{3,}(?:-[a-z0-9]{1,20})?$/.test(name) &&
    !name.split('-').some(word => COMPOUND_WORDS.has(word) || NO_HANDLES.has(word) || looksLikeTitle(word)))

const MIN_NAME = 3

/** The words of a name that are long enough to recognize. */
export const wordsOfName = (name: string | null): string[] =>
  name === null
    ? []
    : fold(name)
        .split(/[^\p{L}]+/u)
        .filter(word => word.length >= MIN_NAME)

/** `canary`, `janecanary`, `jcanary` and `canaryj` for Jane Canary */
function isMadeOf(handle: string, person: readonly string[]): boolean {
  const parts = fold(handle).split(/[^\p{L}]+/u)
  return person.some(word =>
    parts.some(part => {
      if (part === word) return true
      const at = part.indexOf(word)
      if (at < 0) return false
      const rest = part.slice(0, at) + part.slice(at + word.length)
      return person.includes(rest) || (rest.length === 1 && word.length > MIN_NAME)
    }),
  )
}

/** The names on networks in a text that is already plain. */
export function findHandles(
  text: string,
  { person, amongContacts }: Omit<Surroundings, 'after'>,
): { start: number; value: string }[] {
  const found = [...text.matchAll(NETWORK_HANDLE)].map(match => ({ start: match.index, value: match[0] }))
  for (const match of text.matchAll(NAMED_HANDLE)) {
    const { network, sign, name } = match.groups as { network: string; sign: string; name: string }
    const end = match.index + match[0].length
    const after = text.slice(end, end + 80)
    if (isHandle(network, sign, name, { person, amongContacts, after }))
      found.push({ start: match.index, value: match[0] + restOfName(after, sign, person) })
  }
  return found
}

/** Further words of the name: those of the person, and after a colon all of a short part. */
function restOfName(after: string, sign: string, person: readonly string[]): string {
  const [short] = /^(?:\s[\p{L}'.-]{2,40}){1,2}(?=\s{0,2}(?:[,;|)\]\t•·/]|$))/u.exec(after) ?? []
  if (/[:=>]/.test(sign) && short !== undefined) return short
  let rest = ''
  for (const [word] of after.matchAll(/\s[\p{L}'-]{2,40}/gu)) {
    if (!after.startsWith(rest + word) || !person.includes(fold(word.trim()))) return rest
    rest += word
  }
  return rest
}
