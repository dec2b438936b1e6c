import { trimMarks } from './lines.ts'
import { hasLegalForm, isLegalForm, namesOrganization } from './vocabulary/organizations.ts'
import { findCountry, isCity, isState } from './vocabulary/places.ts'
import { looksLikeTitle } from './vocabulary/titles.ts'

/** Title and employer out of the lines that head a position. */
export interface Named {
  title: string | null
  company: string | null
  /** a word of an occupation was found: without one the two may be the wrong way round */
  certain: boolean
}

/** Marks and words that separate a title from an employer, whatever is around them. */
const STRONG =
  /\t|\s{1,3}(?:at|@|bei|chez|presso|bij|hos)\s{1,3}|\s{0,3}[|•·]\s{0,3}|\s{1,3}[–—]\s{1,3}|\s{1,3}--?\s{1,3}|\s{0,3}—\s{0,3}|\s@(?=\p{Lu})/u
const REMOTE = /^(?:remote|hybrid|on-?site|home ?office|télétravail|remoto|freelance)$/i
const DURATION =
  /\(?\b\d{1,2}\+?\s?(?:years?|yrs?|months?|mos?|jahre?n?|monate?|ans?|mois|años?|meses|mes|anni|anno|mesi|mese|jaar|maand(?:en)?|anos?|mês|lata?|lat|miesi\p{L}+|år|mån(?:ader)?)\b\.?(?:,?\s?(?:and|und|et|y|e|en|i)?\s?\d{1,2}\s?(?:months?|mos?|monate?|mois|meses|mes|mesi|mese|maand(?:en)?|mês|miesi\p{L}+|mån(?:ader)?)\b\.?)?\)?/giu

export const withoutDuration = (text: string): string => text.replace(DURATION, ' ').replace(/\(\s*\)/g, ' ')

/** A text that names a place and nothing else: `Denver, Colorado`, `Remote`, `Munich, Germany`. */
export function isPlace(text: string): boolean {
  const bare = trimMarks(text.replace(/\s(?:area|region|metropolitan area|und umgebung)$/i, ''))
  if (bare.length > 60 || bare === '') return false
  if (REMOTE.test(bare) || isCity(bare) || findCountry(bare) !== undefined) return true
  const names = bare.split(/,\s*|\s\(/).map(name => name.replace(/\)$/, '').trim())
  if (names.length < 2 || names.length > 3 || /\t|\s[-–—|]\s/.test(text)) return false
  const [first = '', second = '', last = second] = names
  if (looksLikeTitle(first) || namesOrganization(first)) return false
  if (names.length === 3 && !isState(second) && findCountry(second) === undefined) return false
  return findCountry(last) !== undefined || isState(last) || (isCity(last) && names.length === 2 && isCity(first))
}

/** Words such as `and` inside: the comma belongs to the name. */
const JOINED = /(?:^|\s)(?:&|and|und|et|y|e|en|i|og|och)\s/

/** The name of an employer without the place behind it: `Harrow & Finch, Leeds`, `Coral Home Care - Hialeah, FL`. */
function withoutPlace(text: string): string {
  let name = text.replace(/\s{0,3}\((?:[^()]{2,40})\)$/, (whole, offset: number) =>
    offset > 0 && isPlaceInBrackets(whole.replace(/[\s()]+/g, ' ').trim()) ? '' : whole,
  )
  name = name.replace(/[.]$/, whole => (/\p{Lu}\.$|\b(?:inc|ltd|co|corp|o\.o|s)\.$/iu.test(name) ? whole : ''))
  for (let i = 0; i < 3; i++) {
    const comma = name.lastIndexOf(', ')
    if (comma <= 0) break
    const last = name.slice(comma + 2).trim()
    const state = isState(last) && name.slice(0, comma).includes(', ')
    if ((isLegalForm(last) && !state) || JOINED.test(last) || looksLikeTitle(last) || last.split(/\s/).length > 4) break
    name = name.slice(0, comma)
  }
  return trimMarks(name)
}

const isPlaceInBrackets = (text: string): boolean =>
  findCountry(text) !== undefined || isCity(text) || isState(text) || /^\d{2,5}$/.test(text) || REMOTE.test(text)

const useful = (part: string): boolean => (part.match(/\p{L}/gu)?.length ?? 0) > 1 && part.length <= 110

const strongParts = (line: string): string[] =>
  line
    .split(STRONG)
    .map(part => trimMarks(withoutDuration(part)))
    .filter(useful)

/** A short text with a word of an occupation; not a sentence that mentions one. */
const isTitle = (text: string): boolean => looksLikeTitle(text) && text.length <= 90 && text.split(' ').length <= 11

/** How much a part is a title rather than an employer: an organization whose name holds such a word is none. */
function titleScore(text: string): number {
  if (!isTitle(text) || hasLegalForm(text)) return 0
  if (!namesOrganization(text)) return 2
  return looksLikeTitle(
    text
      .split(/[\s,]+/)
      .slice(0, 2)
      .join(' '),
  )
    ? 2
    : 1
}

/** Whether a line alone holds both, separated by more than a comma. */
export function holdsBoth(line: string): boolean {
  const parts = strongParts(line).filter(part => !isPlace(part))
  return parts.length > 1 && parts.some(isTitle) && parts.some(part => !isTitle(part))
}

/** Whether a line alone could hold both, separated by a comma. */
export function mayHoldBoth(line: string): boolean {
  const parts = line
    .split(/,\s+|\t/)
    .map(trimMarks)
    .filter(useful)
  return holdsBoth(line) || (parts.length > 1 && isTitle(parts[0] ?? '')) || (parts.length > 1 && parts.some(isTitle))
}

export const namesTitle = (line: string): boolean => strongParts(line).some(isTitle)

/**
 * The title is the part that names an occupation; the employer is the first other part that is no place. Commas
 * separate the two only where nothing else does, and not where the employer is known from the lines above.
 */
export function nameHeader(lines: readonly string[], inherited: string | null, titleFirst: boolean): Named {
  const parts = lines.flatMap(strongParts)
  const candidates = parts.filter(part => !isPlace(part))
  const scores = candidates.map(titleScore)
  const best = scores.indexOf(Math.max(0, ...scores))
  const title = (scores[best] ?? 0) > 0 ? candidates[best] : undefined
  const others = candidates.filter((_, i) => i !== best || title === undefined)
  const company = others.find(part => titleScore(part) < 2) ?? others[0]
  if (title !== undefined && company !== undefined)
    return { title: tidyTitle(title), company: withoutPlace(company), certain: true }
  if (title !== undefined && inherited !== null) return { title: tidyTitle(title), company: inherited, certain: true }
  if (title !== undefined) return splitAtBrackets(title) ?? splitAtCommas(title)
  return withoutTitle(candidates, inherited, titleFirst)
}

/** `Engineer (Acme GmbH)` */
function splitAtBrackets(text: string): Named | undefined {
  const [, title, inner = ''] = /^(.{3,80}?)\s\(([^()]{2,60})\)$/.exec(text) ?? []
  if (title === undefined || !isTitle(title) || !/^\p{Lu}/u.test(inner)) return undefined
  if (isTitle(inner) || isPlace(inner) || !(namesOrganization(inner) || inner.split(' ').length > 1)) return undefined
  return { title: tidyTitle(title), company: withoutPlace(inner), certain: true }
}

/** `Engineer, Acme, Berlin` in one part: the title and the text after it, or before it. */
function splitAtCommas(text: string): Named {
  const segments = text.split(/,\s+/).map(trimMarks).filter(useful)
  const at = segments.findIndex(isTitle)
  if (segments.length < 2 || at < 0) return { title: tidyTitle(text), company: null, certain: true }
  const others = segments.filter((segment, i) => i !== at && !isPlace(segment))
  const [first, second] = others
  if (first === undefined) return { title: tidyTitle(segments[at] ?? ''), company: null, certain: true }
  const company = second !== undefined && isLegalForm(second) ? `${first}, ${second}` : first
  return { title: tidyTitle(segments[at] ?? ''), company: withoutPlace(company), certain: true }
}

/** No occupation is known among the parts: they are taken in the order in which the other positions have them. */
function withoutTitle(candidates: readonly string[], inherited: string | null, titleFirst: boolean): Named {
  const segments =
    candidates.length > 1 ? candidates : (candidates[0]?.split(/,\s+/) ?? []).map(trimMarks).filter(useful)
  const [first, second] = segments.filter(segment => !isPlace(segment))
  if (first === undefined) return { title: null, company: inherited, certain: false }
  if (second === undefined)
    return namesOrganization(first)
      ? { title: null, company: withoutPlace(first), certain: false }
      : inherited === null
        ? { title: null, company: withoutPlace(first), certain: false }
        : { title: first, company: inherited, certain: false }
  const turned = namesOrganization(first) !== namesOrganization(second) ? namesOrganization(first) : !titleFirst
  return turned
    ? { title: tidyTitle(second), company: withoutPlace(first), certain: false }
    : { title: tidyTitle(first), company: withoutPlace(second), certain: false }
}

/** Without a place in brackets or the grammar of a list around it. */
function tidyTitle(text: string): string {
  const bare = text.replace(/\s{0,3}\((?:[^()]{2,40})\)$/, whole => (isPlace(whole.replace(/[()]/g, '')) ? '' : whole))
  const segments = bare.split(/,\s+/)
  const last = segments.at(-1) ?? ''
  return trimMarks(
    segments.length > 1 && (isCity(last) || findCountry(last) !== undefined) ? segments.slice(0, -1).join(', ') : bare,
  ).replace(/(?<=\p{Ll}{3})\.$/u, '')
}
