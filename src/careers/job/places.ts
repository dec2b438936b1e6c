import { COUNTRY_CODES } from '../../contract/countries.ts'
import { lazy } from '../../kernel/async/lazy.ts'
import { LANGUAGES } from '../language.ts'

/** A place as schema.org's PostalAddress has it. */
export interface Place {
  locality?: string
  region?: string
  /** two letters */
  country?: string
}

/** Countries in which people write a state after the city: "Austin, TX" is in the United States. */
const REGION_CODES: Readonly<Record<string, ReadonlySet<string>>> = {
  US: new Set(
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC'.split(
      ' ',
    ),
  ),
  CA: new Set('AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' ')),
  AU: new Set('ACT NSW NT QLD SA TAS VIC WA'.split(' ')),
}

/** In lower case. One of them, Georgia, is a country, too. */
const REGION_NAMES: Readonly<Record<string, ReadonlySet<string>>> = {
  US: new Set(
    'alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|district of columbia'.split(
      '|',
    ),
  ),
  CA: new Set(
    'alberta|british columbia|manitoba|new brunswick|newfoundland and labrador|nova scotia|ontario|prince edward island|quebec|québec|saskatchewan'.split(
      '|',
    ),
  ),
  AU: new Set('new south wales|queensland|tasmania|western australia'.split('|')),
}

/** Alone these are cities. */
const ALSO_CITIES: ReadonlySet<string> = new Set(['new york', 'washington', 'quebec', 'québec'])

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
  'northern ireland': 'GB',
  holland: 'NL',
  'czech republic': 'CZ',
  türkei: 'TR',
  turkey: 'TR',
  uae: 'AE',
}

/** Kosovo has letters that are in use without being in the standard. */
const KNOWN_CODES: ReadonlySet<string> = new Set([...COUNTRY_CODES, 'XK'])

/** Names of countries in the languages of the pages, in lower case, with their two letters. */
const countries = lazy(() => {
  const found = new Map(Object.entries(SHORT_NAMES))
  for (const { language } of LANGUAGES) {
    const names = new Intl.DisplayNames(language.code, { type: 'region', fallback: 'none' })
    for (const code of KNOWN_CODES) {
      const text = names.of(code)?.toLowerCase()
      if (text && !found.has(text)) found.set(text, code)
    }
  }
  return found
})

/** Words in a location that say how one works, not where. IN is a state. */
const HOW = /\b(?:remote|anywhere|hybrid|on-?site|home ?office|worldwide|within|only)\b/gi
const LINKING = /\bin\b/g

/** Parts of a text like "Remote (Berlin, Germany)", without blanks around them. */
const partsOf = (location: string): string[] =>
  location
    .replace(HOW, ' ')
    .replace(LINKING, ' ')
    .split(/[,()/–—;|]/)
    .flatMap(part => part.split(' - '))
    .map(part => part.trim().replace(/^[:-]/, '').replace(/[:-]$/, '').trim())
    .filter(part => /\p{L}/u.test(part))

interface Reading {
  /** undefined: the text can be read in two ways, and nothing decides between them */
  country: string | undefined
  /** the text is a part of the country, not the country itself */
  isRegion: boolean
}

const region = (country: string | undefined): Reading => ({ country, isRegion: true })

/**
 * Reads the end of a location. CA is California and Canada, Georgia a state and a country: the country of the company
 * decides. Where it is not known, both stay possible, and the place has no country: a wrong one misleads candidates.
 */
function readEnd(text: string, isAlone: boolean, home: string | null): Reading | undefined {
  const name = text.toLowerCase()
  const isCode = /^[A-Z]{2,3}$/.test(text)
  const regionsOf = isCode ? REGION_CODES : REGION_NAMES
  const key = isCode ? text : name
  const own = Object.keys(regionsOf).filter(country => regionsOf[country]!.has(key))
  const country = isCode && KNOWN_CODES.has(text) ? text : countries().get(name)
  if (isAlone && ALSO_CITIES.has(name)) return undefined
  if (home !== null && own.includes(home)) return region(home)
  if (country !== undefined) return own.length > 0 && home === null ? region(undefined) : { country, isRegion: false }
  if (own.length === 0) return undefined
  // of a code that several countries have, Washington is by far the most likely to be meant
  return region(own.includes('US') ? 'US' : own.length === 1 ? own[0] : undefined)
}

/**
 * Reads "Berlin, Germany", "Berlin, DE", "Austin, TX", "Lyon": what the text says, never a guess. `home` is the country of
 * places that name none, and decides where a text can be read in two ways.
 */
export function placeOf(location: string, home: string | null): Place | undefined {
  const parts = partsOf(location)
  const last = parts.at(-1)
  if (last === undefined) return undefined
  const end = readEnd(last, parts.length === 1, home)
  const country = end ? end.country : home
  // alone, a region has no city before it
  const [locality, area] = !end ? parts : end.isRegion && parts.length > 1 ? parts : parts.slice(0, -1)
  const named = end?.isRegion && parts.length === 1 ? last : area
  return {
    ...(locality ? { locality } : {}),
    ...(named ? { region: named } : {}),
    ...(country ? { country } : {}),
  }
}

/** The countries in which people of a remote job can live. */
export function countriesOf(locations: readonly string[], home: string | null): string[] {
  const found = new Set(locations.flatMap(location => placeOf(location, home)?.country ?? []))
  return found.size === 0 && home !== null ? [home] : [...found]
}
