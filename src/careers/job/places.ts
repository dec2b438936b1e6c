import { COUNTRY_CODES } from '../../contract/countries.ts'
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

/** Kosovo has letters that are in use without being in the standard. */
const NAMED = [...COUNTRY_CODES, 'XK']

/** English and German names of countries, in lower case, with their two letters. */
const countries = lazy(() => {
  const found = new Map(Object.entries(SHORT_NAMES))
  for (const language of ['en', 'de']) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of NAMED) {
      const text = names.of(code)?.toLowerCase()
      if (text && !found.has(text)) found.set(text, code)
    }
  }
  return found
})

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

/**
 * Reads "Berlin, Germany", "Austin, TX", "Lyon": what the text says, never a guess. `home` is the country of places that
 * name none.
 */
export function placeOf(location: string, home: string | null): Place | undefined {
  const parts = partsOf(location)
  const last = parts.at(-1)
  if (last === undefined) return undefined
  const state = parts.length > 1 && US_STATES.has(last) ? last : undefined
  // two letters are a state before they are a country: CA is California, DE is Delaware
  const named = state ? 'US' : countryOf(last)
  const country = named ?? home
  const rest = named && !state ? parts.slice(0, -1) : parts
  const [locality, region] = rest
  return {
    ...(locality ? { locality } : {}),
    ...(region ? { region } : {}),
    ...(country ? { country } : {}),
  }
}

/** The countries in which people of a remote job can live. */
export function countriesOf(locations: readonly string[], home: string | null): string[] {
  const found = new Set(locations.flatMap(location => placeOf(location, home)?.country ?? []))
  return found.size === 0 && home !== null ? [home] : [...found]
}
