import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGE_CODES } from '../../src/careers/language.ts'
import { COUNTRY_CODES } from '../../src/contract/countries.ts'
import {
  COUNTRY_NAME_LANGUAGES,
  findPlace,
  isUnclear,
  knownPlace,
  type Place,
} from '../../src/resources/shared/places.ts'

const STATES =
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC'.split(
    ' ',
  )

const TABLE: readonly [location: string, home: string | null, place: Place | undefined][] = [
  ['Berlin, DE', 'DE', { locality: 'Berlin', country: 'DE' }],
  ['Paris, FR', 'US', { locality: 'Paris', country: 'FR' }],
  ['Paris, FR', null, { locality: 'Paris', country: 'FR' }],
  ['Atlanta, Georgia', 'US', { locality: 'Atlanta', region: 'Georgia', country: 'US' }],
  ['Tbilisi, Georgia', 'GE', { locality: 'Tbilisi', country: 'GE' }],
  ['Tbilisi, Georgia', 'DE', { locality: 'Tbilisi', country: 'GE' }],
  ['Atlanta, Georgia', null, { locality: 'Atlanta', region: 'Georgia', country: 'US' }],
  ['Rustavi, Georgia', null, { locality: 'Rustavi', region: 'Georgia' }],
  ['Atlanta, Georgia, USA', null, { locality: 'Atlanta', region: 'Georgia', country: 'US' }],
  ['Indianapolis, IN', 'US', { locality: 'Indianapolis', region: 'IN', country: 'US' }],
  ['Indianapolis, IN', null, { locality: 'Indianapolis', region: 'IN', country: 'US' }],
  ['Kokomo, IN', null, { locality: 'Kokomo', region: 'IN' }],
  ['Mumbai, IN', 'US', { locality: 'Mumbai', country: 'IN' }],
  ['Berlin, DE', 'US', { locality: 'Berlin', country: 'DE' }],
  ['Mumbai, IN', 'IN', { locality: 'Mumbai', country: 'IN' }],
  ['Bengaluru, India', 'US', { locality: 'Bengaluru', country: 'IN' }],
  ['Toronto, CA', 'CA', { locality: 'Toronto', region: 'ON', country: 'CA' }],
  ['Los Angeles, CA', 'US', { locality: 'Los Angeles', region: 'CA', country: 'US' }],
  ['Wilmington, DE, US', 'DE', { locality: 'Wilmington', region: 'DE', country: 'US' }],
  ['Toronto, ON', 'US', { locality: 'Toronto', region: 'ON', country: 'CA' }],
  ['St. John’s, NL', 'CA', { locality: 'St. John’s', region: 'NL', country: 'CA' }],
  ['Amsterdam, NL', 'US', { locality: 'Amsterdam', country: 'NL' }],
  ['Perth, WA', 'AU', { locality: 'Perth', region: 'WA', country: 'AU' }],
  ['Seattle, WA', 'DE', { locality: 'Seattle', region: 'WA', country: 'US' }],
  ['Paris, Texas', 'FR', { locality: 'Paris', region: 'Texas', country: 'US' }],
  ['New York', 'US', { locality: 'New York', region: 'NY', country: 'US' }],
  ['Remote - Texas', 'US', { region: 'Texas', country: 'US' }],
  ['Remote (US)', 'DE', { country: 'US' }],
  ['Remote-US', null, { country: 'US' }],
  ['remote in Germany', 'US', { country: 'DE' }],
  ['Remote, UK', null, { country: 'GB' }],
  ['Wien, Österreich', 'DE', { locality: 'Wien', country: 'AT' }],
  ['Boston', 'US', { locality: 'Boston', region: 'MA', country: 'US' }],
  ['Köln', 'US', { locality: 'Köln', country: 'DE' }],
  ['Hückeswagen', 'US', { locality: 'Hückeswagen' }],
  ['Hückeswagen, Germany', 'US', { locality: 'Hückeswagen', country: 'DE' }],
  ['Cambridge', 'GB', { locality: 'Cambridge', country: 'GB' }],
  ['Cambridge', 'US', { locality: 'Cambridge', region: 'MA', country: 'US' }],
  ['Cambridge', 'DE', { locality: 'Cambridge' }],
  ['Remote - EU', 'US', undefined],
  ['Remote, EMEA', 'US', undefined],
  ['Remote - Midwest', 'US', undefined],
  ['Remote (Berlin, Germany)', 'US', { locality: 'Berlin', country: 'DE' }],
  ['Remote (Brandenburg, Germany)', 'US', { country: 'DE' }],
  ['Europe', 'US', undefined],
  ['Remote', 'US', undefined],
]

for (const [location, home, place] of TABLE) {
  test(`places: “${location}” of a company in ${home ?? 'no known country'}`, () => {
    assert.deepEqual(findPlace(location, home), place)
  })
}

test('places: the code of every country after a city is that country, for a company of that country', () => {
  for (const code of COUNTRY_CODES) {
    assert.deepEqual(findPlace(`Springfield, ${code}`, code), { locality: 'Springfield', country: code })
  }
})

test('places: every code of a state stays a state for a company in the United States; every other code is its country', () => {
  for (const code of [...STATES, ...COUNTRY_CODES]) {
    const expected = STATES.includes(code) ? { region: code, country: 'US' } : { country: code }
    assert.deepEqual(findPlace(`Springfield, ${code}`, 'US'), { locality: 'Springfield', ...expected })
  }
})

test('places: the names of every country in English and German are that country, wherever the company is not', () => {
  for (const language of ['en', 'de']) {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of COUNTRY_CODES) {
      // a name with brackets is separated at them, as “Remote (Berlin)” is
      if (/[(),/–—]| - /.test(names.of(code)!)) continue
      const home = code === 'GE' ? 'DE' : 'US'
      assert.equal(findPlace(`Springfield, ${names.of(code)}`, home)?.country, code, names.of(code))
    }
  }
})

test('places: spellings of one place have one key', () => {
  for (const [key, ...locations] of [
    ['US/TX/austin', 'Austin', 'Austin, TX', 'Austin, Texas', 'Austin, TX, USA', 'austin, usa'],
    ['DE/munich', 'Munich, Germany', 'München', 'Muenchen, DE', 'München, Bayern, Deutschland'],
    ['DE', 'Germany', 'Deutschland', 'Remote (Germany)'],
    ['US/IL/springfield', 'Springfield, IL', 'Springfield, Illinois, USA'],
  ] as const)
    for (const location of locations) assert.equal(knownPlace(location, 'US')?.key, key, location)
  assert.equal(knownPlace('Springfield', 'US'), undefined)
})

test('places: a name without a certain country is unclear, an area and a way of working are not', () => {
  const unclear = ['Springfield', 'Remote - EU', 'Remote', 'Köln', 'Cambridge'].filter(text => isUnclear(text, 'DE'))
  assert.deepEqual(unclear, ['Springfield', 'Cambridge'])
})

test('places: names of countries are known in every language of the careers site', () => {
  assert.deepEqual(COUNTRY_NAME_LANGUAGES, LANGUAGE_CODES)
})
