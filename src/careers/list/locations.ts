import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import { type KnownPlace, knownPlace } from '../../resources/shared/places.ts'
import type { Texts } from '../texts/en.ts'

/** The value of the filter for jobs without a location. */
export const NO_PLACE = '-'

/** Readings of locations, which lists repeat: reading one takes some microseconds. */
const readings = new Map<string, KnownPlace | undefined>()
const MAX_READINGS = 10_000

function readPlace(location: string, home: string | null): KnownPlace | undefined {
  if (readings.size >= MAX_READINGS) readings.clear()
  return getOrCreate(readings, `${home} ${location}`, () => knownPlace(location, home))
}

/** The values of the filter that a location passes: its city and its country, or its text where the country is unknown. */
export function placeValues(location: string, home: string | null): string[] {
  const place = readPlace(location, home)
  return place === undefined ? [location] : [...new Set([place.key, place.country])]
}

export const kindValues = (locations: readonly string[], home: string | null): string[] =>
  locations.length === 0 ? [NO_PLACE] : [...new Set(locations.flatMap(location => placeValues(location, home)))]

/** The value that a link means: one of today, or a location as a job or an earlier link spells it. */
export const asPlaceValue = (text: string, home: string | null): string =>
  text === NO_PLACE || /^[A-Z]{2}(\/|$)/.test(text) ? text : (readPlace(text, home)?.key ?? text)

export interface PlaceOption {
  value: string
  label: string
  jobs: number
}

/** Options with a common heading; those without one stand alone. */
export interface PlaceGroup {
  label: string | undefined
  options: PlaceOption[]
}

/** Countries with their cities, then names whose country is not known, then the jobs without a location. */
export function placeGroups(
  locations: Iterable<string>,
  jobsOf: ReadonlyMap<string, number>,
  home: string | null,
  texts: Texts,
): PlaceGroup[] {
  const { code } = texts.language
  const names = new Intl.DisplayNames(code, { type: 'region' })
  const order = new Intl.Collator(code)
  const byLabel = (a: PlaceOption, b: PlaceOption) => order.compare(a.label, b.label)
  const option = (value: string, label: string) => ({ value, label, jobs: jobsOf.get(value) ?? 0 })
  const countries = new Map<string, Map<string, PlaceOption>>()
  const others: PlaceOption[] = []
  for (const location of locations) {
    const place = readPlace(location, home)
    if (place === undefined) others.push(option(location, location))
    else if (!countries.get(place.country)?.has(place.key))
      getOrCreate(countries, place.country, () => new Map<string, PlaceOption>()).set(
        place.key,
        option(place.key, placeLabel(place, code) ?? texts.list.wholeCountry(names.of(place.country) ?? place.country)),
      )
  }
  const groups = [...countries].map(([country, cities]) => {
    const label = names.of(country) ?? country
    const whole = cities.get(country) ?? (cities.size > 1 ? option(country, texts.list.wholeCountry(label)) : undefined)
    cities.delete(country)
    return { label, options: [...(whole ? [whole] : []), ...[...cities.values()].sort(byLabel)] }
  })
  groups.sort((a, b) => order.compare(a.label, b.label))
  return [
    ...groups,
    ...(others.length > 0
      ? [{ label: groups.length > 0 ? texts.list.otherPlaces : undefined, options: others.sort(byLabel) }]
      : []),
    ...(jobsOf.has(NO_PLACE) ? [{ label: undefined, options: [option(NO_PLACE, texts.list.noPlace)] }] : []),
  ]
}

const placeLabel = ({ city }: KnownPlace, language: string): string | undefined =>
  city && `${city.names[language] ?? city.name}${city.region === undefined ? '' : `, ${city.region}`}`
