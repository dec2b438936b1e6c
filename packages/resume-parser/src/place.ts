import { cutContacts } from './cut-contacts.ts'
import { hasDate } from './dates.ts'
import { type TextLine, trimMarks } from './lines.ts'
import { findCountry, isCity, isState } from './vocabulary/places.ts'
import { looksLikeTitle } from './vocabulary/titles.ts'

export interface Location {
  city: string | null
  country: string | null
}

const LABEL =
  /^(?:location|current location|address(?:es)?(?:\(es\))?|home|city|based in|lives in|living in|i live in|anschrift|adresse|wohnort|wohnhaft in|ort|ville|domicile|dirección|direccion|domicilio|ciudad|residencia|indirizzo|residenza|città|morada|endereço|localidade|cidade|adres|woonplaats|zamieszkał[ya]|bostadsort|adress|bopæl|bydliště|adresa)\s?(?:\([\p{L}]{1,3}\))?\s?[:\t]?\s/iu
/** A number of a house, a code of a town, or a box: parts of an address that are no city. */
const POSTAL = [
  /\b[A-Z]{1,2}-\d{4,5}\b/g,
  /\b\d{2}-\d{3}\b/g,
  /\b\d{4}-\d{3}\b/g,
  /\b\d{3}\s\d{2}(?=\s|$|,)/g,
  /\b\d{4}\s?[A-Z]{2}\b/g,
  /\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b/g,
  /\b\d{4,6}(?:-\d{4})?\b/g,
]
const NAME = /^\p{Lu}[\p{L}'’.-]{1,24}(?:[\s-](?:\p{L}[\p{L}'’.-]{0,20})){0,3}$/u
const STREET =
  /(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|gracht|straat|laan|street|road|avenue|lane|row|drive|terrace|gatan|vägen|calle|avenida|plaza|paseo|rue|boulevard|chemin|place|via|viale|piazza|corso|rua|travessa|ul\.|ulica|al\.|os\.)(?:\s|$|\d)|^(?:ul|al|os|rue|via|calle|rua|c\/)[.\s]|\d/iu

const withoutPostal = (text: string): string =>
  POSTAL.reduce((rest, code) => rest.replace(code, ' '), text)
    .replace(/\s{2,}/g, ' ')
    .trim()
const isName = (text: string): boolean => NAME.test(text) && !looksLikeTitle(text) && !STREET.test(text)

/** Where the person lives: `City, Country`, a city with its postal code, or a large city alone. */
export function readPlace(lines: readonly TextLine[]): Location {
  const segments = lines
    .filter(line => !/\b(?:born|geboren|geburtsort|né[e]? à|nacido|nato a)\b/i.test(line.text))
    .flatMap(line => cutContacts(line.text).split(/[|•·\t;]|\s[–—-]{1,2}\s|,?\s(?:and|und|et)\s/))
    .map(segment => trimMarks(segment.replace(/^[^\p{L}\p{N}]{1,4}/u, '').replace(LABEL, '')).replace(/[.]$/, ''))
    .filter(
      segment => segment.length > 1 && segment.length < 90 && !(hasDate(segment) && !/\d{4,5}\s\p{L}/u.test(segment)),
    )
  return (
    segments.map(withCountry).find(found => found?.city) ??
    segments.map(withPostalCode).find(found => found) ??
    segments.map(alone).find(found => found) ??
    segments.map(withCountry).find(found => found) ?? { city: null, country: null }
  )
}

function withCountry(segment: string): Location | undefined {
  const names = segment
    .replace(/\s?\(([\p{L}\s]{2,30})\)$/u, ', $1')
    .split(/,\s*/)
    .map(withoutPostal)
    .filter(name => name !== '')
  const last = names.at(-1) ?? ''
  const country = findCountry(last) ?? (names.length > 1 && isState(last) ? 'United States' : undefined)
  if (country === undefined) return undefined
  // an address may stand before the city: the part next to the country or the state is it
  const rest = names.slice(0, -1)
  const state = rest.at(-1) ?? ''
  if (rest.length > 1 && (/^[A-Z]{2}$/.test(state) || isState(state))) rest.pop()
  const city = rest.at(-1) ?? ''
  if (names.length > 1 && city !== '' && !isName(city)) return undefined
  return { city: city === '' ? null : city, country }
}

function withPostalCode(segment: string): Location | undefined {
  for (const part of segment.split(/,\s*/)) {
    const bare = withoutPostal(part)
    const [city = ''] = bare.split(/\s\(/)
    if (bare !== part.trim() && isName(city)) {
      const country = findCountry(/\(([^()]+)\)/.exec(part)?.[1] ?? '') ?? null
      return { city, country }
    }
  }
  return undefined
}

function alone(segment: string): Location | undefined {
  const [first = ''] = segment.split(/,\s*|\s\(/)
  return isCity(first) ? { city: first, country: null } : undefined
}
