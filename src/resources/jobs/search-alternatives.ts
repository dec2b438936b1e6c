import { COUNTRY_CODES } from '../../contract/countries.ts'
import { lazy } from '../../kernel/async/lazy.ts'
import { citySpellings, plainName } from '../shared/cities.ts'

/**
 * Words that candidates and companies use for the same kind of work. A search for one finds the others. A phrase of
 * several words is only found: words of a search are looked up one by one.
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
  const [english, german] = ['en', 'de'].map(
    language => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  )
  return COUNTRY_CODES.map(code => [english!.of(code) ?? '', german!.of(code) ?? ''])
    .concat([
      ['usa', 'us', 'united states', 'vereinigte staaten'],
      ['uk', 'united kingdom', 'england', 'großbritannien'],
    ])
    .map(names => names.filter(name => name !== '').map(plainName))
}

const alternatives = lazy(() => {
  const found = new Map<string, Set<string>>()
  const groups = [...WORK.map(group => group.map(plainName)), ...citySpellings(), ...countryNames()]
  for (const group of groups) {
    for (const word of group) {
      if (word.includes(' ')) continue
      const others = found.get(word) ?? new Set()
      for (const other of group) if (other !== word) others.add(other)
      found.set(word, others)
    }
  }
  return found
})

/** What else a word of a search can be called: a place in another language, or the same kind of work. */
export const alternativesTo = (word: string): readonly string[] => {
  const known = alternatives()
  // "developers" means what "developer" does
  return [...(known.get(word) ?? known.get(word.replace(/s$/, '')) ?? [])]
}
