import { findContacts } from './contacts.ts'
import { isPlace } from './header.ts'
import { type TextLine, toLines, trimMarks, withoutRepeats } from './lines.ts'
import { findDegreeLevel, namesSchool } from './vocabulary/degrees.ts'
import { findHeading } from './vocabulary/headings.ts'
import { namesOrganization } from './vocabulary/organizations.ts'
import { findCountry, isCity } from './vocabulary/places.ts'
import { looksLikeTitle } from './vocabulary/titles.ts'
import { fold } from './vocabulary/words.ts'

/**
 * Name and ways to reach the person of a résumé, for filling in a form. Never part of a profile, which is read with less
 * than the scope for contact details.
 */
export interface Contact {
  name: string | null
  emails: string[]
  phones: string[]
  urls: string[]
}

export function readContact(text: string): Contact {
  const lines = toLines(text)
  const found = lines.flatMap(line => line.text.split('\t').flatMap(cell => findContacts(cell)))
  const of = (kind: 'email' | 'phone' | 'url') =>
    withoutRepeats(found.filter(one => one.kind === kind).map(one => one.value.trim()))
  const emails = of('email').map(email => email.replace(/^mailto:/i, '').replace(/[.,;]$/, ''))
  return { name: readName(lines, emails), emails, phones: of('phone').filter(isPhone), urls: of('url') }
}

/** Marks and numbers of papers are cut out of profiles, to be safe, and are nevertheless no numbers to call. */
const isPhone = (value: string): boolean =>
  value.replace(/\D/g, '').length >= 7 && !/^(?:19|20)\d{2}\.\d{4,5}$|^\d\.\d{1,2}\D/.test(value)

const NAME_LABEL =
  /^(?:(?:full |first |last )?name|first name\(s\) \/ surname\(s\)|vor- und (?:nach|zu)name|vor- und familienname|nachname, vorname|nom(?: et prénom)?|nom complet|prénom et nom|nombre(?: y apellidos)?|apellidos y nombre|nome(?: e cognome)?|cognome e nome|nome completo|naam|imię i nazwisko|namn|navn|jméno(?: a příjmení)?|nimi)\s?[:\t]\s{0,3}(.{3,60})$/iu
const TITLE_OF_PAPER =
  /^(?:curriculum(?: vitae)?|cv|c\.v\.|résumé|resume|lebenslauf|bewerbung|currículum(?: vitae)?|hoja de vida|życiorys|životopis|page \d.*|seite \d.*|last updated.*|updated.*)(?:\s(?:of|von|de|di|van))?\s?/iu
const WORD = /^(?:\p{Lu}[\p{L}'’]{1,24}(?:-\p{Lu}?[\p{L}'’]{1,24}){0,2}\.?|\p{Lu}\.(?:-?\p{Lu}\.)?)$/u
const PARTICLE =
  /^(?:von|van|der|den|de|del|della|dell'|di|da|das|do|dos|du|des|la|le|el|al|bin|ibn|ben|ter|ten|te|zu|zum|zur|af|av|y|e|ap|mac|mc|st\.?)$/i
const KIND_OF_PAPER = /\s(?:r[ée]sum[ée]|curriculum vitae|cv|lebenslauf)$/iu
const HONORIFIC = /^(?:dr|prof|mr|mrs|ms|miss|herr|frau|ing|dipl|mgr|bc|m\.?sc|ph\.?d|mba|rn|pe|cpa|esq)\.?,?\s+/iu
const SUFFIX =
  /,?\s{1,3}(?:ph\.?\s?d\.?|m\.?d\.?|mba|msc|m\.sc\.?|bsc|rn|pe|cpa|cfa|pmp|esq\.?|jr\.?|sr\.?|ii|iii|dipl\.-?\p{L}+\.?)$/iu

/** The text if it is written as the name of a person is: two to five words with capitals, and nothing else. */
function personName(text: string): string | undefined {
  let bare = trimMarks(text).replace(KIND_OF_PAPER, '')
  for (let i = 0; i < 2; i++) bare = bare.replace(HONORIFIC, '').replace(SUFFIX, '')
  const all = bare.split(/\s+/)
  if (all.length < 2 || all.length > 6 || bare.length > 50 || /[\d@:/\\|]/.test(bare)) return undefined
  if (!all.every(word => WORD.test(word) || PARTICLE.test(word)) || !WORD.test(all.at(-1) ?? '')) return undefined
  return all.filter(word => WORD.test(word)).length < 2 ? undefined : bare
}

const isOther = (text: string): boolean =>
  text.split(/\s+/).some(word => word.length > 3 && findHeading(word) !== undefined) ||
  looksLikeTitle(text) ||
  isPlace(text) ||
  isCity(text) ||
  findCountry(text) !== undefined ||
  namesSchool(text) ||
  findDegreeLevel(text) !== null ||
  namesOrganization(text)

const NEAR_TOP = 12
const MAX_NAME_LINES = 400

/** How many words of a name are in an email address: it is mostly made of them. */
function inAddress(name: string, emails: readonly string[]): number {
  const parts = fold(name)
    .replace(/ß/g, 'ss')
    .split(/[^\p{L}]+/u)
    .filter(word => word.length > 1)
  const address = emails.map(email => fold(email).replace(/[^\p{L}]+/gu, '')).join(' ')
  return parts.filter(part => address.includes(part.length > 3 ? part : `${part}`)).length / Math.max(1, parts.length)
}

export function readName(lines: readonly TextLine[], emails: readonly string[]): string | null {
  for (const line of lines) {
    const labelled = personName(NAME_LABEL.exec(line.parts.join('\t'))?.[1] ?? '')
    if (labelled) return labelled
  }
  let best: { name: string; score: number } | undefined
  for (const [i, line] of lines.slice(0, MAX_NAME_LINES).entries()) {
    // a name may be broken between its words in a narrow column
    const halves = [line, lines[i + 1]].flatMap(half => (half?.parts.length === 1 ? half.parts : []))
    const broken = halves.length === 2 && halves.every(half => half.split(' ').length <= 2)
    for (const [text, cost] of [
      ...segmentsOf(line).map(p => [p, 0] as const),
      ...(broken ? [[halves.join(' '), 0.25] as const] : []),
    ]) {
      const name = personName(text.replace(TITLE_OF_PAPER, ''))
      if (name === undefined || isOther(name)) continue
      const score = inAddress(name, emails) * 3 + Math.max(0, NEAR_TOP - i) / NEAR_TOP - cost - (line.bullet ? 1 : 0)
      if (!best || score > best.score) best = { name, score }
    }
  }
  return best && best.score > 0.4 ? best.name : null
}

const segmentsOf = (line: TextLine): string[] =>
  line.parts.flatMap(part => part.split(/\s{0,3}[|•·,]\s{0,3}|\s{1,3}[–—-]\s{1,3}/))
