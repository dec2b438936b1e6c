import { COUNTRY_CODES } from '../../contract/countries.ts'
import { lazy } from '../../kernel/async/lazy.ts'
import { type City, citiesNamed, plainName } from './cities.ts'

/** A place as schema.org's PostalAddress has it. */
export interface Place {
  locality?: string
  region?: string
  /** two letters */
  country?: string
}

/** States and provinces, which people of these countries write after the city: "Austin, TX" is in the United States. */
const REGIONS: Readonly<Record<string, string>> = {
  US: `AL=Alabama|AK=Alaska|AZ=Arizona|AR=Arkansas|CA=California|CO=Colorado|CT=Connecticut|DE=Delaware|FL=Florida|GA=Georgia
    |HI=Hawaii|ID=Idaho|IL=Illinois|IN=Indiana|IA=Iowa|KS=Kansas|KY=Kentucky|LA=Louisiana|ME=Maine|MD=Maryland
    |MA=Massachusetts|MI=Michigan|MN=Minnesota|MS=Mississippi|MO=Missouri|MT=Montana|NE=Nebraska|NV=Nevada
    |NH=New Hampshire|NJ=New Jersey|NM=New Mexico|NY=New York|NC=North Carolina|ND=North Dakota|OH=Ohio|OK=Oklahoma
    |OR=Oregon|PA=Pennsylvania|RI=Rhode Island|SC=South Carolina|SD=South Dakota|TN=Tennessee|TX=Texas|UT=Utah
    |VT=Vermont|VA=Virginia|WA=Washington|WV=West Virginia|WI=Wisconsin|WY=Wyoming|DC=District of Columbia=D.C.`,
  CA: `AB=Alberta|BC=British Columbia|MB=Manitoba|NB=New Brunswick|NL=Newfoundland and Labrador|NS=Nova Scotia
    |NT=Northwest Territories|NU=Nunavut|ON=Ontario|PE=Prince Edward Island|QC=Quebec=Québec|SK=Saskatchewan|YT=Yukon`,
  AU: `ACT=Australian Capital Territory|NSW=New South Wales|NT=Northern Territory|QLD=Queensland|SA=South Australia
    |TAS=Tasmania|VIC=Victoria|WA=Western Australia`,
}

/** By country: the code of each code and of each name in lower case. Georgia is a country, too. */
const REGION_CODES: Readonly<Record<string, ReadonlyMap<string, string>>> = Object.fromEntries(
  Object.entries(REGIONS).map(([country, list]) => [
    country,
    new Map(
      list.split('|').flatMap(entry => {
        const [code, ...names] = entry.trim().split('=') as [string, ...string[]]
        return [[code, code] as const, ...names.map(name => [name.toLowerCase(), code] as const)]
      }),
    ),
  ]),
)

/** Alone these are cities. */
const ALSO_CITIES: ReadonlySet<string> = new Set(['new york', 'washington', 'quebec', 'québec', 'victoria'])

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

/** Languages in which names of countries are known: those of the careers site, in its order. */
export const COUNTRY_NAME_LANGUAGES: readonly string[] = ['en', 'de']

/** Names of countries in these languages, in lower case, with their two letters. */
const countries = lazy(() => {
  const found = new Map(Object.entries(SHORT_NAMES))
  for (const language of COUNTRY_NAME_LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
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
/** People of such a job work where they live: a name next to it is not a place of work unless it is a known one. */
const FROM_HOME = /\b(?:remote|anywhere|home ?office|worldwide)\b/i

/** Areas of several countries: neither a city nor a country. */
const AREAS: ReadonlySet<string> = new Set(
  'eu|europe|european union|eea|emea|apac|dach|latam|latin america|north america|south america|americas|asia|africa|nordics|benelux|global|international|europa|europäische union|weltweit|international'.split(
    '|',
  ),
)

/** Parts of a text like "Remote (Berlin, Germany)", without blanks around them and without areas. */
const partsOf = (location: string): string[] =>
  location
    .replace(HOW, ' ')
    .replace(LINKING, ' ')
    .split(/[,()/–—;|]/)
    .flatMap(part => part.split(' - '))
    .map(part => part.trim().replace(/^[:-]/, '').replace(/[:-]$/, '').trim())
    .filter(part => /\p{L}/u.test(part) && !AREAS.has(part.toLowerCase()))

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
  const key = isCode ? text : name
  const own = Object.entries(REGION_CODES).flatMap(([country, codes]) => (codes.has(key) ? [country] : []))
  const country = isCode && KNOWN_CODES.has(text) ? text : countries().get(name)
  if (isAlone && ALSO_CITIES.has(name)) return undefined
  if (home !== null && own.includes(home)) return region(home)
  if (country !== undefined) return own.length > 0 && home === null ? region(undefined) : { country, isRegion: false }
  if (own.length === 0) return undefined
  // if several countries have the code, Washington is by far the most likely to be meant
  return region(own.includes('US') ? 'US' : own.length === 1 ? own[0] : undefined)
}

/** The large city of this name: the only one, or the one in this country. */
function knownCity(name: string, country: string | null): City | undefined {
  const cities = citiesNamed(name)
  const inIt = cities.filter(city => city.country === country)
  return inIt.length === 1 ? inIt[0] : cities.length === 1 ? cities[0] : undefined
}

/**
 * Reads "Berlin, Germany", "Berlin, DE", "Austin, TX", "Lyon": what the text says, or what is known of a large city. A name
 * that is neither has no country: a guess would mislead candidates and search engines. `home`, the country of the company,
 * only decides where a text can be read in two ways.
 */
export function findPlace(location: string, home: string | null): Place | undefined {
  const parts = partsOf(location)
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const guess = knownCity(first, home)
  const end = readEnd(last, parts.length === 1, parts.length > 1 ? (guess?.country ?? home) : home)
  // alone, a region has no city before it
  const [locality, area] = !end ? parts : end.isRegion && parts.length > 1 ? parts : parts.slice(0, -1)
  const country = end ? end.country : guess?.country
  const city = locality === undefined || country === undefined ? undefined : knownCityIn(locality, country, area)
  if (FROM_HOME.test(location) && !city && locality !== undefined)
    return country === undefined ? undefined : { country }
  const named = end?.isRegion && parts.length === 1 ? last : (area ?? city?.region)
  return {
    ...(locality ? { locality } : {}),
    ...(named ? { region: named } : {}),
    ...(country ? { country } : {}),
  }
}

/** A city of the table that the rest of the text does not contradict: Paris in Texas is another one. */
function knownCityIn(name: string, country: string, area: string | undefined): City | undefined {
  const cities = citiesNamed(name).filter(city => city.country === country)
  const code = area === undefined ? undefined : regionCode(country, area)
  return code === undefined ? (cities.length === 1 ? cities[0] : undefined) : cities.find(city => city.region === code)
}

const regionCode = (country: string, text: string): string | undefined =>
  REGION_CODES[country]?.get(text) ?? REGION_CODES[country]?.get(text.toLowerCase())

/** A place with a country as filters name it: equal for all spellings of the same place. */
export interface KnownPlace {
  country: string
  /** `DE`, `DE/munich` or `US/TX/austin` */
  key: string
  /** undefined: the country as a whole, or a region of it */
  city?: { name: string; names: Readonly<Record<string, string>>; region: string | undefined }
}

export function knownPlace(location: string, home: string | null): KnownPlace | undefined {
  const { locality, region: area, country } = findPlace(location, home) ?? {}
  if (country === undefined) return undefined
  if (locality === undefined) return { country, key: country }
  const city = knownCityIn(locality, country, area)
  const code = city?.region ?? (area === undefined ? undefined : regionCode(country, area))
  const name = city?.name ?? locality
  return {
    country,
    key: [country, ...(code ? [code] : []), plainName(name)].join('/'),
    city: { name, names: city?.names ?? {}, region: code },
  }
}

/** A location that says nothing but how one works: people in the country of the company are meant, too. */
const SAYS_NO_PLACE = /^\W*(?:remote|home ?office|anywhere|worldwide)\W*$/i

/** Where people of a remote job can live: in the countries that it names, or in that of a company that names no place. */
export function findCountries(locations: readonly string[], home: string | null): string[] {
  if (locations.every(location => SAYS_NO_PLACE.test(location))) return home === null ? [] : [home]
  return [...new Set(locations.flatMap(location => findPlace(location, home)?.country ?? []))]
}

/**
 * Where people of a job are paid: in the countries of its own places. A job that names no place, or only places of no certain
 * country, is in that of the company; one in "Remote - EU" is in none of them.
 */
export function findPayCountries(locations: readonly string[], home: string | null): string[] {
  const certain = findCountries(locations, home)
  if (certain.length > 0 || home === null) return certain
  return locations.some(location => isUnclear(location, home)) ? [home] : []
}

/** Whether a location names a place of which no country is certain. */
export const isUnclear = (location: string, home: string | null): boolean =>
  partsOf(location).length > 0 && findPlace(location, home)?.country === undefined
