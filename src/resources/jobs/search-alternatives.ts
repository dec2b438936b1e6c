import { COUNTRY_CODES } from '../../contract/countries.ts'
import { lazy } from '../../kernel/async/lazy.ts'
import { citySpellings, plainName } from '../shared/cities.ts'

/**
 * Words that candidates and companies use for the same kind of work. A search for one finds the others.
 */
const WORK: readonly (readonly string[])[] = [
  ['developer', 'engineer', 'programmer', 'entwickler', 'entwicklerin', 'softwareentwickler', 'ingenieur', 'coder'],
  ['devops', 'sre', 'site reliability', 'platform engineer', 'infrastructure'],
  ['frontend', 'front end', 'ui'],
  ['backend', 'back end'],
  ['rep', 'representative', 'account executive', 'vertrieb'],
  ['sales', 'vertrieb', 'verkauf'],
  ['hr', 'people', 'human resources', 'recruiting', 'personal'],
  ['recruiter', 'recruiting', 'talent acquisition', 'sourcer'],
  ['designer', 'design', 'gestalter', 'ux'],
  ['ml', 'machine learning', 'ai', 'ki'],
  ['ai', 'ki', 'machine learning', 'artificial intelligence'],
  ['qa', 'quality', 'tester', 'test engineer'],
  ['pm', 'product manager', 'project manager'],
  ['technician', 'techniker', 'mechanic', 'mechaniker', 'servicetechniker'],
  ['accountant', 'accounting', 'buchhalter', 'buchhaltung', 'bookkeeper'],
  ['support', 'customer success', 'kundenservice', 'helpdesk'],
  ['student', 'intern', 'werkstudent', 'praktikum'],
  ['analyst', 'analytics', 'analytiker'],
  ['nurse', 'pfleger', 'pflegekraft', 'krankenpfleger'],
  ['driver', 'fahrer', 'fahrerin'],
  ['cook', 'chef', 'koch', 'köchin'],
  ['lawyer', 'counsel', 'attorney', 'legal', 'jurist', 'anwalt'],
]

/** Names of countries in the languages of the sites. */
const countryNames = (): string[][] => {
  const languages = ['en', 'de'].map(language => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }))
  return COUNTRY_CODES.map(code => languages.map(names => names.of(code) ?? ''))
    .concat([
      ['usa', 'us', 'united states', 'vereinigte staaten'],
      ['uk', 'united kingdom', 'england', 'großbritannien'],
    ])
    .map(names => names.filter(name => name !== '').map(plainName))
}

/** Names as the search splits them: "Neu-Delhi" is two words. */
const wordsIn = (text: string): string[] => plainName(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Other names of each name, by its words. */
const alternatives = lazy(() => {
  const found = new Map<string, Set<string>>()
  const groups = [...WORK.map(group => group.map(plainName)), ...citySpellings(), ...countryNames()]
  for (const group of groups) {
    for (const name of group) {
      const key = wordsIn(name).join(' ')
      const others = found.get(key) ?? new Set()
      for (const other of group) if (other !== name) others.add(other)
      found.set(key, others)
    }
  }
  return found
})

const maxWords = lazy(() => Math.max(...[...alternatives().keys()].map(name => name.split(' ').length)))

/** A name of several words in a search. */
export interface FoundName {
  words: readonly string[]
  alternatives: readonly string[]
}

/** The names of several words in a search, such as "New York" and "Frankfurt am Main", the longest first. */
export function namesIn(q: string): FoundName[] {
  const words = wordsIn(q)
  const found: FoundName[] = []
  for (let at = 0; at < words.length; ) {
    const lengths = Array.from({ length: maxWords() - 1 }, (_, i) => maxWords() - i)
    const length = lengths.find(n => at + n <= words.length && alternatives().has(words.slice(at, at + n).join(' ')))
    const name = words.slice(at, at + (length ?? 1))
    const others = length === undefined ? undefined : alternatives().get(name.join(' '))
    if (others) found.push({ words: name, alternatives: [...others] })
    at += name.length
  }
  return found
}

const PAY_WORDS: ReadonlySet<string> = new Set(
  `salary salaries pay paid wage wages compensation gross net gehalt lohn verdienst vergutung brutto netto jahresgehalt
  stundenlohn eur euro euros usd dollar dollars gbp pound pounds chf franken k year yearly annual annually month monthly
  hour hourly jahr jahrlich monat monatlich stunde per pro`.split(/\s+/),
)

/** A search without amounts and words of pay: a row shows them, and no text that is searched has them. */
export const withoutPay = (q: string): string =>
  q
    .split(/\s+/)
    .filter(text => !wordsIn(text).every(word => /^\d+k?$/.test(word) || PAY_WORDS.has(word)))
    .join(' ')

/** What else a word of a search can be called: a place in another language, or the same kind of work. */
export const alternativesTo = (word: string): readonly string[] => {
  const known = alternatives()
  // "developers" means what "developer" does
  return [...(known.get(word) ?? known.get(word.replace(/s$/, '')) ?? [])]
}
