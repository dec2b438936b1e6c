import { isCity, isState } from './vocabulary/places.ts'

/**
 * Numbers of a postal address: the number of a house, a postal code. What counts is the text around them and how they
 * are grouped: a street before them, a city after them. All patterns are for text that is already plain.
 */
const STREET =
  /(?:stra(?:ß|ss)e|str\.|weg|gasse|platz|allee|ring|damm|ufer|straat|laan|gracht|plein|gatan|vägen|gade|vej|gata|veien|katu|utca)(?![\p{L}])|(?<![\p{L}])(?:street|st|road|rd|avenue|ave?|lane|drive|court|square|terrace|rue|boulevard|bd|blvd|quai|chemin|impasse|via|viale|vicolo|piazza|corso|calle|c\/|avenida|avda|plaza|paseo|rua|travessa|largo|praça|estrada|alameda|ul|ulica|al|aleja|os|plac|pl|ulice|třída|náměstí|nám|út|strada|bulevardul|улица|ул|проспект|пр)(?![\p{L}])/iu
/** After one of these words a number is one to call. */
const CALL =
  /(?<![\p{L}])(?:tel\p{L}{0,12}|phones?|fon|mob\p{L}{0,8}|cell\p{L}{0,6}|handy|portable|móvil|komórka|fax|call|dial|whatsapp|number|no|nr)[\s.:#]{0,3}$/iu
const CITY_AFTER = /^,?\s{1,2}(\p{Lu}[\p{L}'.-]{1,30}(?:\s\p{Lu}[\p{L}'.-]{1,30}){0,2})/u
const BEGINS_PART = /(?:^|[|•·,;:/(\t])\s{0,2}$/u

/** Postal codes that no phone number is grouped like; those of Portugal and Brazil. */
const CODE_ALONE = /^\d{4,5}-\d{3}$/
const UNITED_STATES_CODE = /^\d{5}-\d{4}$/
const HOUSE_AND_CODE =
  /^[1-9]\d{0,3}(?:\s?[-/]\s?[1-9]\d{0,3})?(\s?[·|]\s?|\s-\s|\s{1,2})(?:[1-9]\d{3}|\d{5,6}|\d{4,5}-\d{3}|\d{2}-\d{3}|\d{3}\s\d{2})$/

/** Whether a run of digits consists of numbers of a postal address, by the text before it and after it. */
export function isPostalNumber(digits: string, before: string, after: string): boolean {
  if (CALL.test(before)) return false
  const state = /(?:^|[\s,])([A-Z]{2})\s$/.exec(before)?.[1]
  if (UNITED_STATES_CODE.test(digits)) return state !== undefined && isState(state)
  const city = CITY_AFTER.exec(after)?.[1]
  if (city === undefined) return false
  const inStreet = STREET.test(before)
  if (CODE_ALONE.test(digits)) return inStreet || BEGINS_PART.test(before)
  const sign = HOUSE_AND_CODE.exec(digits)?.[1]
  if (sign === undefined || !/\p{L}[.,]?\s{0,2}$/u.test(before)) return false
  return (
    inStreet || (/[·|]/.test(sign) && city.split(' ').some((_, i, words) => isCity(words.slice(0, i + 1).join(' '))))
  )
}

const CODE_AT_END = /^([^|·]{1,80})\s[|·]\s(?:\d{4,5}(?:-\d{3})?|\d{2}-\d{3}|\d{3}\s\d{2})$/
/** Fewer digits may be the first part of a number that continues. */
const MIN_DIGITS_BEFORE_CODE = 9

/** A run of digits without the postal code at its end: `0151 23456789 | 10115` before `Berlin` */
export function withoutPostalCode(digits: string, after: string): string {
  if (!CITY_AFTER.test(after)) return digits
  const rest = digits.replace(CODE_AT_END, '$1')
  return rest.replace(/\D/g, '').length >= MIN_DIGITS_BEFORE_CODE ? rest : digits
}
