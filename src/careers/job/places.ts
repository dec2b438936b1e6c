import { lazy } from '../../kernel/async/lazy.ts'

/** A place as schema.org's PostalAddress has it. */
export interface Place {
  locality?: string
  region?: string
  /** two letters */
  country?: string
}

/** States whose abbreviation follows a city: "Austin, TX" is in the United States. */
const US_STATES = new Set(
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC'.split(
    ' ',
  ),
)

/** What people write for a country besides its names. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  'united states of america': 'US',
  uk: 'GB',
  'u.k.': 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  holland: 'NL',
  'czech republic': 'CZ',
  türkei: 'TR',
  turkey: 'TR',
  uae: 'AE',
}

/** English and German names of countries, in lower case, with their two letters. */
const countries = lazy(() => {
  const found = new Map(Object.entries(SHORT_NAMES))
  const names = ['en', 'de'].map(language => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }))
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second
      // reserved and former codes: another code has the same name
      if (NOT_COUNTRIES.has(code)) continue
      for (const name of names) {
        const text = name.of(code)?.toLowerCase()
        if (text && !found.has(text)) found.set(text, code)
      }
    }
  }
  return found
})

const NOT_COUNTRIES = new Set('DD FX SU TP YU ZR UK EU EZ UN QO XA XB ZZ AN BU CS NT DY HV NH RH VD YD'.split(' '))

const countryOf = (text: string): string | undefined => countries().get(text.toLowerCase())

/** Words in a location that say how one works, not where. */
const HOW = /\b(?:remote|anywhere|hybrid|on-?site|home ?office|worldwide|within|only|in)\b/gi

/** Parts of a text like "Remote (Berlin, Germany)", without blanks around them. */
const partsOf = (location: string): string[] =>
  location
    .replace(HOW, ' ')
    .split(/[,()/–—;|]/)
    .flatMap(part => part.split(' - '))
    .map(part => part.trim())
    .filter(part => /\p{L}/u.test(part))

/** Reads "Berlin, Germany", "Austin, TX", "Lyon": what the text says, never a guess. */
export function placeOf(location: string): Place | undefined {
  const parts = partsOf(location)
  const last = parts.at(-1)
  if (last === undefined) return undefined
  const state = parts.length > 1 && US_STATES.has(last) ? last : undefined
  // two letters are a state before they are a country: CA is California, DE is Delaware
  const country = state ? 'US' : countryOf(last)
  const rest = state ? parts : country ? parts.slice(0, -1) : parts
  const [locality, region] = rest
  return {
    ...(locality ? { locality } : {}),
    ...(region ? { region } : {}),
    ...(country ? { country } : {}),
  }
}

/** The countries that the locations of a remote job name. */
export const countriesOf = (locations: readonly string[]): string[] => [
  ...new Set(locations.flatMap(location => placeOf(location)?.country ?? [])),
]
