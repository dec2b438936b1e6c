import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Place, placeOf } from '../../src/careers/job/places.ts'
import { COUNTRY_CODES } from '../../src/contract/countries.ts'

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
  ['Atlanta, Georgia', null, { locality: 'Atlanta', region: 'Georgia' }],
  ['Atlanta, Georgia, USA', null, { locality: 'Atlanta', region: 'Georgia', country: 'US' }],
  ['Indianapolis, IN', 'US', { locality: 'Indianapolis', region: 'IN', country: 'US' }],
  ['Indianapolis, IN', null, { locality: 'Indianapolis', region: 'IN' }],
  ['Mumbai, IN', 'IN', { locality: 'Mumbai', country: 'IN' }],
  ['Bengaluru, India', 'US', { locality: 'Bengaluru', country: 'IN' }],
  ['Toronto, CA', 'CA', { locality: 'Toronto', country: 'CA' }],
  ['Los Angeles, CA', 'US', { locality: 'Los Angeles', region: 'CA', country: 'US' }],
  ['Wilmington, DE, US', 'DE', { locality: 'Wilmington', region: 'DE', country: 'US' }],
  ['Toronto, ON', 'US', { locality: 'Toronto', region: 'ON', country: 'CA' }],
  ['St. John’s, NL', 'CA', { locality: 'St. John’s', region: 'NL', country: 'CA' }],
  ['Amsterdam, NL', 'US', { locality: 'Amsterdam', country: 'NL' }],
  ['Perth, WA', 'AU', { locality: 'Perth', region: 'WA', country: 'AU' }],
  ['Seattle, WA', 'DE', { locality: 'Seattle', region: 'WA', country: 'US' }],
  ['Paris, Texas', 'FR', { locality: 'Paris', region: 'Texas', country: 'US' }],
  ['New York', 'US', { locality: 'New York', country: 'US' }],
  ['Remote - Texas', 'US', { region: 'Texas', country: 'US' }],
  ['Remote (US)', 'DE', { country: 'US' }],
  ['Remote-US', null, { country: 'US' }],
  ['remote in Germany', 'US', { country: 'DE' }],
  ['Remote, UK', null, { country: 'GB' }],
  ['Wien, Österreich', 'DE', { locality: 'Wien', country: 'AT' }],
  ['Boston', 'US', { locality: 'Boston', country: 'US' }],
  ['Remote', 'US', undefined],
]

for (const [location, home, place] of TABLE) {
  test(`places: “${location}” of a company in ${home ?? 'no known country'}`, () => {
    assert.deepEqual(placeOf(location, home), place)
  })
}

test('places: the code of every country after a city is that country, for a company of that country', () => {
  for (const code of COUNTRY_CODES) {
    assert.deepEqual(placeOf(`Springfield, ${code}`, code), { locality: 'Springfield', country: code })
  }
})

test('places: every code of a state stays a state for a company in the United States; every other code is its country', () => {
  for (const code of [...STATES, ...COUNTRY_CODES]) {
    const expected = STATES.includes(code) ? { region: code, country: 'US' } : { country: code }
    assert.deepEqual(placeOf(`Springfield, ${code}`, 'US'), { locality: 'Springfield', ...expected })
  }
})

test('places: the names of every country in English and German are that country, wherever the company is not', () => {
  for (const language of ['en', 'de']) {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of COUNTRY_CODES) {
      // a name with brackets is separated at them, as “Remote (Berlin)” is
      if (/[(),/–—]| - /.test(names.of(code)!)) continue
      const home = code === 'GE' ? 'DE' : 'US'
      assert.equal(placeOf(`Springfield, ${names.of(code)}`, home)?.country, code, names.of(code))
    }
  }
})
