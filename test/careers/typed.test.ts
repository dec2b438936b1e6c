import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDate, readNumber } from '../../src/careers/apply/typed.ts'

const grouped = (digits: string, mark: string) => digits.replaceAll(/\B(?=(\d{3})+$)/g, mark)
const whole = fc.integer({ min: 0, max: 999_999_999 }).map(String)
const decimals = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 6 })
const language = fc.constantFrom('en', 'de')
const MARKS = { en: { group: ',', decimal: '.' }, de: { group: '.', decimal: ',' } }

test('careers form: every number as its language writes it is read as that number', () => {
  fc.assert(
    fc.property(whole, fc.option(decimals), fc.constantFrom('', '-'), language, (digits, rest, sign, code) => {
      const { group, decimal } = MARKS[code as 'en' | 'de']
      const expected = { number: sign + digits + (rest === null ? '' : `.${rest}`) }
      const tail = rest === null ? '' : decimal + rest
      // with one mark before three digits, and no group, the other language may be meant
      const isOpen = rest?.length === 3 && digits.length < 4 && digits !== '0'
      for (const mark of [group, ' ', '\u202f', '’']) {
        const read = readNumber(` ${sign}${grouped(digits, mark)}${tail} `, code)
        assert.deepEqual(read, isOpen ? 'ambiguous' : expected)
      }
      if (!isOpen) assert.deepEqual(readNumber(sign + digits + tail, code), expected)
    }),
  )
})

test('careers form: no text is one number in English and another in German', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.,- '), maxLength: 12 }), text => {
      const [english, german] = [readNumber(text, 'en'), readNumber(text, 'de')]
      if (typeof english === 'object' && typeof german === 'object') assert.deepEqual(english, german)
      for (const read of [english, german]) {
        if (typeof read !== 'object') continue
        assert.match(read.number, /^-?\d+(\.\d+)?$/)
        // no digit is lost or added
        assert.equal(read.number.replaceAll(/\D/g, ''), text.replaceAll(/\D/g, ''))
      }
    }),
    { numRuns: 2_000 },
  )
})

test('careers form: a malformed number is none', () => {
  for (const text of [
    '60,00,0',
    '1,2,3',
    '+-5',
    '++5',
    '+\u22125',
    '1.2.3',
    '1,200,00',
    '1.200.5',
    '12 34',
    '60k',
    '5 €',
    '.',
    '-',
    '1e5',
    '0x10',
    ',5',
  ])
    for (const code of ['en', 'de']) assert.equal(readNumber(text, code), 'malformed', text)
})

test('careers form: dates are read as ISO, and in German with points; nothing else is guessed', () => {
  assert.equal(readDate(' 2026-12-31 ', 'en'), '2026-12-31')
  assert.equal(readDate('3.4.2026', 'de'), '2026-04-03')
  assert.equal(readDate('31. 12. 2026', 'de'), '2026-12-31')
  for (const text of ['12/31/2026', '31/12/2026', '03/04', '3-4-2026', '31.12.26', 'soon'])
    for (const code of ['en', 'de']) assert.equal(readDate(text, code), undefined, text)
  assert.equal(readDate('3.4.2026', 'en'), undefined)
})

test('careers form: notations come from the locale, so that a further language needs no code', () => {
  assert.deepEqual(readNumber('60.000', 'es-ES'), { number: '60000' })
  assert.equal(readNumber('60,000', 'es-ES'), 'ambiguous')
  assert.equal(readDate('31-12-2026', 'nl-NL'), '2026-12-31')
  assert.equal(readDate('31/12/2026', 'fr-FR'), undefined)
})
